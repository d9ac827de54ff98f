// Shows the entries of the logbook as they come, and changes the settings of programs, by the service's JSON.
// All texts of programs are shown as text, never as HTML.
"use strict";

const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 1, hourCycle: "h23" };
const KEEP = 500;
const PAGE = 500;
const WAIT_MILLIS = 10000;
const SETTINGS_INTERVAL = 1000;
const RETRY_INTERVAL = 1000;

const port = document.querySelector("meta[name=service-port]").content;
const service = `${location.protocol}//${location.hostname}:${port}/Logbook/`;
const byId = (id) => document.getElementById(id);
const state = byId("state"), entries = byId("entries"), programs = byId("programs");
const atLeast = byId("at-least"), ofProgram = byId("of"), pause = byId("pause");

/** A declared exception: its fields are in `value`. */
class Declared extends Error {
  constructor({ title, value }) {
    super(value.reason ?? title);
    this.value = value;
  }
}

async function call(method, body, signal) {
  const answer = await fetch(service + method, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
  const text = await answer.text();
  if (answer.status === 422) throw new Declared(JSON.parse(text));
  if (!answer.ok) throw new Error(`${method}: status ${answer.status}`);
  return text === "" ? null : JSON.parse(text);
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const sleep = (millis) => new Promise((done) => setTimeout(done, millis));

// Entries: a call waits until there are some.

let stop = new AbortController();

function part(name, text, tag = "span") {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = text;
  return element;
}

function show(found) {
  const atEnd = entries.scrollHeight - entries.scrollTop - entries.clientHeight < 40;
  for (const { entry } of found) {
    const line = document.createElement("li");
    line.className = entry.level;
    const time = part("time", new Date(entry.at).toLocaleTimeString("en-GB", CLOCK), "time");
    time.dateTime = entry.at;
    line.append(time, part("level", entry.level.toLowerCase()), part("program", entry.program), part("text", entry.text));
    entries.append(line);
  }
  while (entries.childElementCount > KEEP) entries.firstElementChild.remove();
  if (atEnd) entries.scrollTop = entries.scrollHeight;
}

async function follow(signal) {
  let after = 0, first = true;
  while (!signal.aborted) {
    try {
      const query = { after, atLeast: atLeast.value, count: PAGE, last: first, waitMillis: first ? 0 : WAIT_MILLIS };
      if (ofProgram.value !== "") query.program = ofProgram.value;
      const found = await call("read", { query }, signal);
      if (found.length > 0) {
        after = found[found.length - 1].position;
        show(found);
      }
      first = false;
      say(state, "live");
    } catch (problem) {
      if (signal.aborted) return;
      say(state, "no answer from the service; trying again");
      await sleep(RETRY_INTERVAL);
    }
  }
}

/** Starts over: with another filter, or after a pause. */
function restart() {
  stop.abort();
  stop = new AbortController();
  if (pause.getAttribute("aria-pressed") === "true") {
    say(state, "paused");
    return;
  }
  entries.replaceChildren();
  follow(stop.signal);
}

atLeast.addEventListener("change", restart);
ofProgram.addEventListener("change", restart);
pause.addEventListener("click", () => {
  const paused = pause.getAttribute("aria-pressed") !== "true";
  pause.setAttribute("aria-pressed", String(paused));
  restart();
});

// Settings: what a person is changing stays as it is until it is applied.

const forms = new Map();

function fill(row, setting) {
  row.setting = setting;
  row.form.elements.level.value = setting.level;
  row.form.elements.interval.value = setting.intervalMillis;
}

const isChanged = ({ form, setting }) => form.elements.level.value !== setting.level || form.elements.interval.value !== String(setting.intervalMillis);

function describe(setting) {
  return `level ${setting.level.toLowerCase()}, a step each ${setting.intervalMillis} ms`;
}

async function apply(row) {
  const { program, version } = row.setting;
  const outcome = row.form.querySelector(".outcome");
  try {
    const setting = await call("configure", { setting: { program, version, level: row.form.elements.level.value, intervalMillis: Number(row.form.elements.interval.value) } });
    fill(row, setting);
    say(outcome, `Applied: ${describe(setting)}`);
  } catch (problem) {
    const changed = problem instanceof Declared ? problem.value.setting : undefined;
    if (changed) {
      fill(row, changed);
      say(outcome, `Somebody else has changed it: ${describe(changed)}. Apply yours again if you want it.`);
    } else {
      say(outcome, `Not applied: ${problem.message}`);
    }
  }
}

function add(setting) {
  const item = byId("program").content.firstElementChild.cloneNode(true);
  const form = item.querySelector("form");
  const title = item.querySelector("h3");
  title.textContent = setting.program;
  title.id = `program-${forms.size}`;
  form.setAttribute("aria-labelledby", title.id);
  const row = { form, setting };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    apply(row);
  });
  fill(row, setting);
  forms.set(setting.program, row);
  programs.append(item);
  const option = document.createElement("option");
  option.value = option.textContent = setting.program;
  ofProgram.append(option);
}

async function watchSettings() {
  for (;;) {
    try {
      for (const setting of await call("settings", {})) {
        const row = forms.get(setting.program);
        if (!row) add(setting);
        else if (row.setting.version < setting.version && !isChanged(row)) fill(row, setting);
      }
      byId("no-programs").hidden = forms.size > 0;
    } catch {
      // The state of the entries says that there is no answer.
    }
    await sleep(SETTINGS_INTERVAL);
  }
}

restart();
watchSettings();
