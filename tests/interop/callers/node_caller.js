// node-soap calls the Java service: every method, over SOAP 1.1 or 1.2.
//
//     node node_caller.js ADDRESS 1.1|1.2        (NODE_PATH names the folder with node-soap)
//
// Prints `ok NAME` or `FAIL NAME: reason` for each case.
//
// What node-soap cannot: numbers are those of JavaScript (no long beyond 2^53, no decimal beyond 15 digits, no trailing zeros), a moment has
// milliseconds, infinity is written `Infinity`, a byte and an unsignedShort are read as text. The values below keep within that.
"use strict";

const assert = require("node:assert");
const soap = require("soap");

const [address, version] = process.argv.slice(2);
const cases = {};

// node-soap makes a Date of what it reads, but sends one as an empty element: moments are sent as text.
const moment = (text) => new Date(text).toISOString();
const point = { x: 0.1, y: -1e-7 };
const primitives = {
    flag: true, tiny: "-5", small: 300, letter: "8364", number: -70000, big: 2 ** 40, single: 0.15625, real: 2.5e-300, text: "some text",
    instant: moment("2026-11-21T10:31:56.250Z"), amount: -12.34, data: Buffer.from(Array.from({ length: 256 }, (_, i) => i)).toString("base64"),
};
const least = {
    flag: false, tiny: "-128", small: -32768, letter: "0", number: -2147483648, big: -9007199254740991, single: -3.4028235e38, real: -1.7976931348623157e308, text: "-",
    instant: moment("0001-01-01T00:00:00Z"), amount: -0.000001, data: "/w==",
};
const greatest = {
    flag: true, tiny: "127", small: 32767, letter: "65535", number: 2147483647, big: 9007199254740991, single: 1e-45, real: 5e-324, text: "+",
    instant: moment("9999-12-31T23:59:59.999Z"), amount: 123456789012.5, data: Buffer.alloc(1025).toString("base64"),
};
const growing = { name: "big", colour: "GREEN", limit: -1, weights: [1, 2.5], since: moment("2027-01-01T00:00:00Z"), price: 0.1 };
const leaf = { name: "leaf", named: {} };
const tree = {
    name: "root", children: [leaf, { name: "inner", children: [leaf, leaf, leaf], next: leaf, named: {} }], next: leaf,
    named: { entry: [{ key: "k", value: leaf }] },
};
const shapes = [{ point }, { circle: -0.5 }, { sides: { item: [3, 4, 5] } }, { label: "round" }, { colour: "BLUE" }];

/** What a value holds, without what is nothing: node-soap reads an empty element as null. */
function plain(value) {
    if (value instanceof Date) return value.toISOString();
    if (typeof value === "number") return Object.is(value, -0) ? 0 : value;
    if (Array.isArray(value)) return value.map(plain);
    if (value !== null && typeof value === "object") {
        const parts = Object.entries(value)
            .map(([name, part]) => [name, plain(part)])
            .filter(([name, part]) => name !== "attributes" && part !== undefined && part !== null && part !== "" && !(Array.isArray(part) && part.length === 0));
        return parts.length === 0 ? null : Object.fromEntries(parts);
    }
    return value === "" || value === undefined ? null : value;
}

async function call(client, method, values) {
    const [result] = await client[`${method}Async`](values, { timeout: 30000 });
    return result;
}

async function echo(client, method, value, expected = value) {
    const answer = await call(client, method, { value });
    assert.deepStrictEqual(plain(answer?.result), plain(expected));
}

cases["primitives"] = (client) => echo(client, "primitives", primitives);
cases["primitives-extremes"] = async (client) => {
    await echo(client, "primitives", least);
    await echo(client, "primitives", greatest);
};
cases["arrays"] = (client) =>
    echo(client, "arrays", {
        flags: [true, false], tinies: "gAB/", shorts: [-1, 2], letters: ["65", "65535"], ints: [1, -1, 0], longs: [2 ** 52], floats: [0.5, -1.5], doubles: [0.1, 1e300],
        texts: ["one", " two ", "<3>"], instants: [moment("2000-02-29T00:00:00Z")], amounts: [1.5, -2], blobs: ["AQI=", "Aw=="], colours: ["RED", "RED", "BLUE"],
        points: [point, { x: 1, y: 2 }], shapes,
    });
cases["arrays-empty"] = (client) => echo(client, "arrays", { tinies: "" });
cases["nested"] = (client) =>
    echo(client, "nested", {
        matrix: [{ item: [1, 2] }, { item: [4] }, { item: [3] }],
        cube: [{ item: [{ item: ["a", "b"] }, { item: ["d"] }] }, { item: [{ item: ["c"] }] }],
        paths: [{ item: [point, point] }],
        holes: ["a", "b", "c"],
        counts: [{ entry: [{ key: "k", value: 1 }] }],
    });
cases["optionals"] = (client) =>
    echo(client, "optionals", { ...primitives, ints: { item: [1, 2] }, colour: "RED", point, shape: { circle: 2 }, counts: { entry: [{ key: "x", value: 5 }] } });
cases["optionals-none"] = (client) => echo(client, "optionals", {});
cases["shape"] = async (client) => {
    for (const shape of shapes) await echo(client, "shape", shape);
};
cases["event"] = async (client) => {
    await echo(client, "event", { started: "now" });
    await echo(client, "event", { moved: { x: 1.5, y: -2 } });
    await echo(client, "event", { grown: growing });
};
cases["growing"] = (client) => echo(client, "growing", growing);
cases["growing-defaults"] = (client) => echo(client, "growing", { name: "small" }, { name: "small", limit: 100, since: moment("2026-11-21T10:31:56.250Z"), price: 12.5 });
cases["tree"] = (client) => echo(client, "tree", tree);
cases["maps"] = (client) =>
    echo(client, "maps", {
        counts: { entry: [{ key: "one", value: 1 }, { key: "two", value: 2 }] },
        names: { entry: [{ key: -1, value: "minus" }] },
        weights: { entry: [{ key: 2 ** 50, value: 0.5 }] },
        points: { entry: [{ key: true, value: point }, { key: false, value: point }] },
        colours: { entry: [{ key: "RED", value: "BLUE" }] },
        lists: { entry: [{ key: "l", value: { item: [1, 2, 3] } }] },
        maybe: { entry: [{ key: "yes", value: "v" }, { key: "no" }] },
    });
cases["words"] = (client) => echo(client, "words", { class: "c", value: 7, return: true, type: "t", item: "i" });
cases["nothing"] = (client) => echo(client, "nothing", {});
cases["enums"] = async (client) => {
    await echo(client, "colour", "GREEN");
    await echo(client, "level", "ERROR");
};
cases["text"] = async (client) => {
    for (const text of ["plain", " <&>\"' ]]> ", "tab\there, line\nhere", "caf\u00e9 \u4e2d\u6587 \u{1f600}", "a".repeat(200000), ""]) await echo(client, "text", text);
};
cases["instant"] = async (client) => {
    for (const text of ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2026-11-22T09:00:00.005Z"]) await echo(client, "instant", moment(text));
};
cases["amount"] = async (client) => {
    for (const number of [0, -1.5, 1234567890.123, 0.000001]) await echo(client, "amount", number);
};
cases["data"] = async (client) => {
    for (const data of [Buffer.from([0]), Buffer.alloc(300000, "creo"), Buffer.alloc(0)]) await echo(client, "data", data.toString("base64"));
};
cases["doubles"] = async (client) => {
    await echo(client, "doubles", [NaN, 0, 5e-324, 1.7976931348623157e308, 0.1, 1e21, -1.5e-7]);
    await echo(client, "doubles", Array.from({ length: 10000 }, (_, i) => i / 3));
};
cases["points"] = (client) => echo(client, "points", [{ x: 1, y: 2 }, { x: -0.5, y: 1e300 }]);
cases["matrix"] = (client) => echo(client, "matrix", [{ item: [1, 2, 3] }, { item: [-2147483648, 2147483647] }]);
cases["maybe"] = async (client) => {
    await echo(client, "maybe", "there");
    assert.equal((await call(client, "maybe", {}))?.result, undefined);
};
cases["counts"] = (client) => echo(client, "counts", { entry: [{ key: "a", value: 1 }, { key: " b ", value: -2 }] });
cases["several"] = async (client) => {
    const answer = await call(client, "several", {
        number: 7, text: "text & more", reals: [0.5, 1.25], point: { x: 1.5, y: -2.5 }, colour: "BLUE", flag: true, big: -9, instant: moment("2026-01-02T03:04:05Z"), amount: "1.50",
    });
    assert.equal(answer.result, "7|text & more|1.75|1.5|-2.5|-|BLUE|true|-9|2026-01-02T03:04:05Z|1.50");
};
cases["answer"] = async (client) => assert.equal((await call(client, "answer", {})).result, 42);
cases["ping"] = async (client) => assert.equal(plain(await call(client, "ping", {})), null);

async function fault(client, kind) {
    try {
        await call(client, "fail", { kind });
    } catch (error) {
        assert.ok(error.root?.Envelope?.Body?.Fault, `no fault, but ${error.message}`);
        const it = error.root.Envelope.Body.Fault;
        return { code: it.faultcode ?? it.Code.Value, text: it.faultstring ?? it.Reason.Text.$value ?? it.Reason.Text, detail: it.detail ?? it.Detail };
    }
    assert.fail("no fault");
}

cases["fault-none"] = async (client) => assert.equal((await call(client, "fail", { kind: "nothing" })).result, "nothing");
cases["fault-not-found"] = async (client) => assert.deepStrictEqual(plain((await fault(client, "not-found")).detail), { NotFound: { what: "what & where" } });
// node-soap gives details of faults as text.
cases["fault-refused"] = async (client) =>
    assert.deepStrictEqual(plain((await fault(client, "refused")).detail), {
        Refused: { code: "-5", reason: "<no>", colour: "RED", at: ["2026-01-01T00:00:00Z", "2026-11-21T10:31:56.250Z"] },
    });
cases["fault-undeclared"] = async (client) => {
    const it = await fault(client, "internal");
    assert.match(String(it.code), /:(Server|Receiver)$/);
    const all = JSON.stringify(it);
    assert.ok(all.includes('"code":"internal"') && !/secret|Exception/.test(all), all);
};
cases["oneway"] = async (client) => {
    const prefix = `node ${process.hrtime.bigint()} `;
    await call(client, "note", { text: `${prefix}one` });
    for (const deadline = Date.now() + 20000; ; ) {
        const noted = plain((await call(client, "noted", { prefix }))?.result);
        if (noted !== null) return assert.deepStrictEqual(noted, [`${prefix}one`]);
        assert.ok(Date.now() < deadline, "the note never arrived");
    }
};

async function main() {
    const client = await soap.createClientAsync(`${address}?wsdl`, { forceSoap12Headers: version === "1.2", disableCache: true, preserveWhitespace: true });
    client.setEndpoint(address);
    let failed = false;
    for (const [name, run] of Object.entries(cases)) {
        try {
            await run(client);
            console.log(`ok ${name}`);
        } catch (error) {
            failed = true;
            console.log(`FAIL ${name}: ${String(error.message).replace(/\s+/g, " ").slice(0, 1000)}`);
        }
    }
    process.exit(failed ? 1 : 0);
}

main();
