#!/usr/bin/env node
// Runs the program `creo` of this machine's platform package, or the one that CREO_EXECUTABLE names. Downloads nothing.
"use strict";

const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

const VERSION = require("../package.json").version;
const PLATFORMS = { "linux x64": "creo-linux-x64" };

function fail(message, help) {
    process.stderr.write(`error: ${message}\nhelp: ${help}\n`);
    process.exit(1);
}

/** The program, of this package's version. */
function executable() {
    if (process.env.CREO_EXECUTABLE) {
        return process.env.CREO_EXECUTABLE;
    }
    const platform = `${process.platform} ${process.arch}`;
    const name = PLATFORMS[platform];
    if (name === undefined) {
        fail(`there is no package of creo for ${platform}`, `build creo ${VERSION} from its sources, and set CREO_EXECUTABLE to it`);
    }
    const ways = `npm install creo@${VERSION} without --omit=optional, or set CREO_EXECUTABLE to a creo of version ${VERSION}`;
    let description;
    try {
        description = require.resolve(`${name}/package.json`);
    } catch {
        fail(`the package ${name} is not installed; version ${VERSION} is wanted`, ways);
    }
    const found = require(description).version;
    if (found !== VERSION) {
        fail(`the package ${name} has version ${found}, and ${VERSION} is wanted`, ways);
    }
    return require("node:path").join(require("node:path").dirname(description), "creo");
}

const program = executable();
const ended = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
    fail(`${program} does not run: ${ended.error.message}`, `creo ${VERSION} is wanted: npm install creo@${VERSION}, or set CREO_EXECUTABLE to it`);
}
process.exit(ended.signal ? 128 + constants.signals[ended.signal] : ended.status);
