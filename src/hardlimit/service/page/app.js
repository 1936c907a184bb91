// The page: views, the list and the text in view, and what the keys do.
import { get, onKeyNeeded } from "./api.js";
import { askKey } from "./askkey.js";
import { ChangePanel } from "./change.js";
import { compose } from "./compose.js";
import { Decisions } from "./decide.js";
import { Desk } from "./desk.js";
import { button, byId, fill } from "./dom.js";
import { Guards } from "./guards.js";
import { listen, showHelp } from "./keys.js";
import { TextList } from "./list.js";
import { Log } from "./log.js";
import { pickLabel } from "./picker.js";
import { explainProblem } from "./problem.js";
import { Progress } from "./progress.js";
import { Reading } from "./reading.js";
import { say, sayProblem } from "./say.js";
import { session } from "./session.js";
import { visible } from "./visible.js";
import { Watch } from "./watch.js";
import { count, grouped } from "./words.js";

const VIEWS = ["inbox", "queue", "guards", "log", "progress"];
const EXCERPT = 400;
const STEP = 100;
const MOST = 1000;

const state = { model: null, view: "inbox", loaded: "", away: false, limit: { inbox: STEP, queue: STEP }, place: 0 };

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
const decisions = new Decisions(desk, panel, sheets.guards, afterDecision, reload);
const watch = new Watch(onModel, onFailure);
const box = compose(onClassified, sayProblem, () => focusList());

const KEYS = [
  { keys: ["j", "ArrowDown"], shown: ["j", "↓"], what: "the next text", repeats: true, run: () => step(1) },
  { keys: ["k", "ArrowUp"], shown: ["k", "↑"], what: "the text before", repeats: true, run: () => step(-1) },
  { keys: ["Enter"], shown: ["Enter"], what: "read the text in view", run: read },
  { keys: ["c"], shown: ["c"], what: "confirm the label, go to the next open text", run: () => decisions.confirm() },
  { keys: [..."123456789"], shown: ["1", "9"], what: "correct to the first label, ..., the ninth", run: byNumber },
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
  showReach("on", model.read_only ? "read only" : "live");
  byId("trouble").hidden = true;
  showHead(model);
  reading.offer(model.classes, model.read_only);
  const mark = `${model.fingerprint} ${model.newest}`;
  if (mark !== state.loaded) await load(mark);
}

function showHead(model) {
  const name = model.name || "Triage";
  fill(byId("name"), ...visible(name));
  document.title = `${name} \u2013 triage`;
  byId("facts").textContent = `${grouped(model.classes.length)} classes \u00b7 `
    + `${model.n_entries === 1 ? "1 entry" : `${grouped(model.n_entries)} entries`}`
    + (model.private ? " \u00b7 texts are not kept" : "");
}

async function load(mark, now = false) {
  const [fingerprint] = mark.split(" ");
  const before = state.loaded.split(" ")[0];
  await loadView(now);
  state.loaded = mark;
  if (before !== fingerprint) await desk.explain();
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
  const same = items.find((one) => one.number === desk.item?.number);
  if (same) desk.renew(same);
  lists[view].select(desk.item?.number ?? null);
}

function showSheet(view) {
  const sheet = byId("sheet");
  if (sheet.firstChild !== sheets[view].element) fill(sheet, sheets[view].element);
  sheets[view].show(state.model.read_only);
}

function onFailure(error, seconds) {
  state.away = !error.status;
  if (error.status === 403 && state.model) {
    showReach("on", "live");
    trouble("This key may not see this view: it needs the scope \u201ccorrect\u201d.", "Use another key", forgetKey);
    return;
  }
  showReach("off", error.status ? `refused (${error.status})` : "no answer");
  const { title, detail, advice } = explainProblem(error);
  if (error.status === 401) trouble("The service wants a key.", "Give a key", () => watch.look());
  else if (error.status) trouble([title, detail, advice].filter(Boolean).join(". "), "Try again", () => watch.look());
  else trouble(`The service does not answer. What you see may be old; what you type is kept. `
    + `Trying again every ${Math.round(seconds)} seconds.`, "Try now", () => watch.look());
}

function trouble(text, action, onclick) {
  const place = byId("trouble");
  place.hidden = false;
  if (place.dataset.text === text && place.firstChild) return;
  place.dataset.text = text;
  fill(place, `${text} `, button(action, onclick));
}

function showReach(kind, text) {
  const place = byId("reach");
  place.dataset.state = kind;
  place.textContent = text;
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
  else reading.show(desk.item, desk.text, desk.explanation, { readOnly: state.model?.read_only });
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
  if (what === "correct" && request.text === desk.text) {
    desk.note({ now: { ...receipt.after }, state: "corrected", id: receipt.id });
  }
  if (what === "confirm") {
    panel.close();
    goOn();
  }
  state.loaded = "";
  try {
    state.model = await get("model");
    await onModelNow();
  } catch (error) {
    onFailure(error, 2);
  }
  if (document.activeElement === document.body) focusList();
}

async function onModelNow() {
  showHead(state.model);
  reading.offer(state.model.classes, state.model.read_only);
  await load(`${state.model.fingerprint} ${state.model.newest}`, true);
}

/** Go to the next open text after the one in view, else to the first one before it. */
function goOn() {
  const { items } = list();
  const at = items.findIndex((one) => one.number === desk.item.number);
  const isOpen = (one) => one.state === "new" && one.number !== desk.item.number;
  const next = items.slice(at + 1).find(isOpen) ?? items.slice(0, Math.max(at, 0)).findLast(isOpen);
  if (next) open(next.number);
  else desk.note({ state: "confirmed" });
}

function byNumber(key) {
  const label = state.model?.classes[Number(key) - 1];
  if (label === undefined) say(`There is no label ${key}.`);
  else decisions.label(label);
}

async function pick() {
  if (!desk.item || state.model.read_only) {
    say(desk.item ? "This model is read-only." : "Choose a text first.");
    return;
  }
  const { text } = desk;
  const choice = await pickLabel(state.model.classes, desk.label);
  if (!choice) return;
  if (choice.dryRun) decisions.correct({ text, label: choice.label, dry_run: true });
  else decisions.label(choice.label);
}

async function onClassified(prediction, text) {
  say(`Classified: ${prediction.label}, ${count([...text].length, "character")}.`, "good");
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
