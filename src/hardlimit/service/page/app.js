// The page: views, the list and the text in view, and what the keys do.
import { get, onKeyNeeded, Unreachable } from "./api.js";
import { askKey } from "./askkey.js";
import { ChangePanel } from "./change.js";
import { compose } from "./compose.js";
import { Decisions } from "./decide.js";
import { Desk } from "./desk.js";
import { byId, fill } from "./dom.js";
import { Guards } from "./guards.js";
import { hideTrouble, showModel, showTrouble } from "./head.js";
import { listen, showHelp } from "./keys.js";
import { TextList } from "./list.js";
import { Log } from "./log.js";
import { pickLabel } from "./picker.js";
import { Progress } from "./progress.js";
import { Reading } from "./reading.js";
import { say, sayProblem } from "./say.js";
import { session } from "./session.js";
import { Watch } from "./watch.js";
import { count, labelText } from "./words.js";

const VIEWS = ["inbox", "queue", "guards", "log", "progress"];
const EXCERPT = 400;
const STEP = 100;
const MOST = 1000;

const NUMBERED = 9;

const state = {
  model: null, view: "inbox", loaded: "", settled: false, explained: "", away: false, limit: { inbox: STEP, queue: STEP },
  place: 0, offered: [], used: [],
};

const lists = {
  inbox: new TextList({ label: "Recent texts", onSelect: open, onMore: more,
    empty: "No text was classified since the service started. Those that are show up here; or type one above." }),
  queue: new TextList({ label: "Least certain texts", onSelect: open, onMore: more,
    empty: "Every recent text is confirmed or corrected." }),
};
const panel = new ChangePanel({
  undo: () => decisions.undo(),
  open: (number) => open(number, true),
  known: (number) => lists.inbox.items.find((one) => one.number === number),
  repeat: (request, changes) => decisions.correct({ ...request, ...changes }),
  guardText: (id) => sheets.guards.textOf(id),
});
const desk = new Desk(showDesk, sayProblem);
const reading = new Reading({
  confirm: () => decisions.confirm(), label: (label) => decisions.label(label), pick,
  guard: () => decisions.guard(), undo: () => decisions.undo(), back: () => setPane("list"),
}, panel);
const sheets = {
  guards: new Guards((told) => { say(told, "good"); reload(); }, (error) => { sayProblem(error); reload(); }),
  log: new Log((id) => decisions.undo(id), sayProblem),
  progress: new Progress(),
};
const decisions = new Decisions(desk, panel, sheets.guards, { after: afterDecision, stale: reload, goOn });
const watch = new Watch(onModel, onFailure);
const box = compose(onClassified, sayProblem, () => focusList());

const KEYS = [
  { keys: ["j", "ArrowDown"], shown: ["j", "↓"], what: "the next text", repeats: true, run: () => step(1) },
  { keys: ["k", "ArrowUp"], shown: ["k", "↑"], what: "the text before", repeats: true, run: () => step(-1) },
  { keys: ["Enter"], shown: ["Enter"], what: "read the text in view", run: read },
  { keys: ["c"], shown: ["c"], what: "confirm the label, go to the next open text", run: () => decisions.confirm() },
  { keys: [..."123456789"], shown: ["1–9"], what: "correct to the first label, ..., the ninth", run: byNumber },
  { keys: ["/"], shown: ["/"], what: "choose a label, or make a new one", run: pick },
  { keys: ["u"], shown: ["u"], what: "undo the change of the text in view, else the last one", run: () => decisions.undo() },
  { keys: ["g"], shown: ["g"], what: "guard the text in view", run: () => decisions.guard() },
  { keys: ["n"], shown: ["n"], what: "type a new text", run: () => { setView("inbox"); setPane("list"); box.focus(); } },
  { keys: ["m"], shown: ["m"], what: "more of a long text", run: () => reading.text.folded && reading.text.more() },
  { keys: ["["], shown: ["["], what: "the view before", run: () => turn(-1) },
  { keys: ["]"], shown: ["]"], what: "the next view", run: () => turn(1) },
  { keys: ["Escape"], shown: ["Esc"], what: "close, go back to the list", run: back },
  { keys: ["?"], shown: ["?"], what: "these keys", run: () => showHelp(KEYS, forgetKey) },
];

// The model and the views

async function onModel(model) {
  state.model = model;
  if (state.away) say("The service answers again.", "good");
  state.away = false;
  await show(model);
  hideTrouble();
}

async function show(model, now = false) {
  showModel(model);
  box.ask(model.columns);
  offer();
  const mark = `${state.view} ${model.fingerprint} ${model.newest}`;
  // The states of texts follow a little after the fingerprint: what changed is loaded once more.
  const again = mark === state.loaded;
  if (again && state.settled) return;
  await load(mark, now);
  state.settled = again;
}

/** The labels that have a button and a number: all of a few, else those that were used here. */
function offer() {
  const { classes, read_only: readOnly } = state.model;
  state.offered = classes.length <= NUMBERED ? classes : state.used;
  reading.offer(state.offered, classes.length > NUMBERED, readOnly);
}

async function load(mark, now = false) {
  const { fingerprint } = state.model;
  await loadView(now);
  state.loaded = mark;
  if (state.explained !== fingerprint) await desk.explain();
  state.explained = fingerprint;
}

/** Load the view again, whether or not the model has changed. */
async function reload() {
  state.loaded = "";
  await watch.look();
}

async function loadView(now) {
  const { view } = state;
  if (view in sheets) {
    await sheets[view].load();
    if (view === state.view) showSheet(view);
    return;
  }
  const limit = state.limit[view];
  const { items } = await get(view, { limit, chars: EXCERPT });
  lists[view].update(items, { full: items.length >= limit && limit < MOST, now });
  const same = items.find((one) => desk.isAbout(one));
  if (same) desk.renew(same);
  lists[view].select(same?.number ?? null);
}

function showSheet(view) {
  const sheet = byId("sheet");
  if (sheet.firstChild !== sheets[view].element) fill(sheet, sheets[view].element);
  sheets[view].show(state.model.read_only);
}

function onFailure(error, seconds) {
  state.away = error instanceof Unreachable;
  showTrouble(error, seconds, { look: () => watch.look(), forgetKey });
}

function forgetKey() {
  session.key = "";
  watch.look();
}

function setView(view, focus = false) {
  if (view !== state.view || !byId("texts").firstChild) {
    state.view = view;
    document.body.dataset.view = view;
    history.replaceState(history.state, "", view === "inbox" ? location.pathname : `#${view}`);
    const isSheet = view in sheets;
    byId("sheet").hidden = !isSheet;
    byId("list").hidden = byId("reading").hidden = isSheet;
    if (isSheet) fill(byId("sheet"));
    else fill(byId("texts"), lists[view].element);
    if (state.model) reload();
  }
  for (const one of document.querySelectorAll(".views button")) {
    if (one.dataset.view === view) one.setAttribute("aria-current", "page");
    else one.removeAttribute("aria-current");
  }
  if (focus && view in sheets) byId("sheet").focus();
  else if (focus) focusList();
}

function turn(by) {
  setView(VIEWS[(VIEWS.indexOf(state.view) + by + VIEWS.length) % VIEWS.length], true);
}

// The list and the text in view

const list = () => lists[state.view] ?? lists.inbox;

/** The list has no rows to stand on while it is empty. */
const focusList = () => (list().items.length ? list().box : byId("list")).focus();

function open(number, reading = false) {
  if (!(state.view in lists)) setView("inbox");
  const items = list().items;
  const place = items.findIndex((one) => one.number === number);
  const item = items[place] ?? lists.inbox.items.find((one) => one.number === number);
  if (!item) return;
  if (place >= 0) state.place = place;
  list().select(number);
  if (desk.item?.number !== number || desk.item.text !== item.text) {
    panel.close();
    byId("reading").scrollTop = 0;
    desk.open(item);
  }
  if (reading) setPane("reading");
}

function showDesk() {
  if (!desk.item) reading.clear();
  else reading.show(desk.item, desk.text, desk.explanation,
    { readOnly: state.model?.read_only, columns: state.model?.columns });
}

/** The next or the earlier text; where the one in view has left the list, those at its place. */
function step(by) {
  if (!(state.view in lists)) return;
  const { items } = list();
  const place = items.findIndex((one) => one.number === desk.item?.number);
  const from = place >= 0 ? place + by : !desk.item ? 0 : by > 0 ? state.place : state.place - 1;
  const next = items[Math.min(Math.max(from, 0), items.length - 1)];
  if (next) open(next.number);
}

function read() {
  if (!desk.item) step(1);
  if (!desk.item) return;
  setPane("reading");
  byId("reading").focus();
}

function setPane(pane) {
  const { body } = document;
  if (pane === "reading" && body.dataset.pane !== pane && isNarrow()) history.pushState({ pane }, "");
  const wasReading = body.dataset.pane === "reading";
  body.dataset.pane = pane;
  if (pane === "list" && wasReading) focusList();
}

const isNarrow = () => matchMedia("(max-width: 859px)").matches;

function back() {
  if (panel.open) panel.close();
  else if (state.view in sheets) setView("inbox", true);
  else setPane("list");
  if (!(state.view in sheets)) focusList();
}

function more() {
  state.limit[state.view] = Math.min(MOST, state.limit[state.view] + STEP);
  reload();
}

// Decisions

async function afterDecision(what, receipt, request) {
  const decided = what === "correct" || what === "confirm";
  if (decided && !state.used.includes(receipt.label) && state.used.length < NUMBERED) {
    state.used = [...state.used, receipt.label];
  }
  if (what === "correct" && request.text === desk.text) {
    desk.note({ now: { ...receipt.after }, state: "corrected", id: receipt.id });
  }
  if (what === "undo" && receipt.target === desk.item?.id) {
    desk.note({ now: { ...receipt.after }, state: "new", id: null });
  }
  if (what === "confirm") {
    panel.close();
    if (!goOn()) desk.note({ state: "confirmed", id: receipt.id });
  }
  state.loaded = "";
  try {
    state.model = await get("model");
    await show(state.model, true);
  } catch (error) {
    onFailure(error, 2);
  }
  if (document.activeElement === document.body) focusList();
}

/** Go to the next open text after the one in view, else to one before it; false without any. */
function goOn() {
  const { items } = list();
  const at = items.findIndex((one) => one.number === desk.item.number);
  const isOpen = (one) => one.state === "new" && one.number !== desk.item.number;
  const next = items.slice(at + 1).find(isOpen) ?? items.slice(0, Math.max(at, 0)).findLast(isOpen);
  if (next) open(next.number);
  return Boolean(next);
}

function byNumber(key) {
  const label = state.offered[Number(key) - 1];
  if (label === undefined) say(`No label has the number ${key}; press / to choose one.`);
  else decisions.label(label);
}

async function pick() {
  if (!desk.item || state.model.read_only) {
    say(desk.item ? "This model is read-only." : "Choose a text first.");
    return;
  }
  const { text } = desk;
  const choice = await pickLabel(likelyFirst(), desk.label);
  if (!choice) return;
  const wanted = { label: choice.label, new_class: choice.isNew };
  if (choice.dryRun) decisions.correct({ text, ...wanted, dry_run: true });
  else if (choice.isNew) decisions.correct({ text, ...wanted });
  else decisions.label(choice.label);
}

/** Of many labels, the rival and those that were used here come first. */
function likelyFirst() {
  const { classes } = state.model;
  if (classes.length <= NUMBERED) return classes;
  const first = [desk.explanation?.rival, ...state.used].filter((one) => classes.includes(one));
  return [...new Set([...first, ...classes])];
}

async function onClassified(prediction, text) {
  say(`Classified: ${labelText(prediction.label)}, ${count([...text].length, "character")}.`, "good");
  await reload();
  if (prediction.number !== null) open(prediction.number);
}

// The start

onKeyNeeded(askKey);
fill(byId("reading"), ...reading.elements);
for (const one of document.querySelectorAll(".views button")) {
  one.addEventListener("click", () => setView(one.dataset.view));
}
byId("open-help").addEventListener("click", () => showHelp(KEYS, forgetKey));
window.addEventListener("popstate", () => setPane(history.state?.pane ?? "list"));
listen(KEYS);
const asked = location.hash.slice(1);
setView(VIEWS.includes(asked) ? asked : "inbox");
watch.look();
