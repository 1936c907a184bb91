// The page: views, the list and the text in view, and what the keys do.
import { get, onKeyNeeded, Unreachable } from "./api.js";
import { askKey } from "./askkey.js";
import { ChangePanel } from "./change.js";
import { compose } from "./compose.js";
import { Decisions } from "./decide.js";
import { Desk } from "./desk.js";
import { byId, el, fill } from "./dom.js";
import { Guards } from "./guards.js";
import { hideTrouble, showModel, showTrouble } from "./head.js";
import { listen, showHelp } from "./keys.js";
import { TextList } from "./list.js";
import { Log } from "./log.js";
import { Offer } from "./offer.js";
import { pickLabel } from "./picker.js";
import { explainProblem, isRefusedAccess } from "./problem.js";
import { Progress } from "./progress.js";
import { Reading } from "./reading.js";
import { hush, say, sayProblem } from "./say.js";
import { session } from "./session.js";
import { loose } from "./texts.js";
import { Views } from "./views.js";
import { Watch } from "./watch.js";
import { count, knowsNone, labelText } from "./words.js";

const EXCERPT = 400;
const STEP = 100;
const MOST = 1000;

const state = {
  model: null, loaded: "", settled: false, explained: "", away: false, limit: { inbox: STEP, queue: STEP },
  kept: null, entering: false, offered: [],
};

const choose = (number) => { hush(); open(number, true); };
const lists = {
  inbox: new TextList({ label: "Recent texts", onSelect: choose, onMore: more,
    empty: "No text was classified since the service started. Texts appear here when a program sends them; "
      + "or type one above." }),
  queue: new TextList({ label: "Least certain texts", onSelect: choose, onMore: more,
    empty: "Every recent text is confirmed or corrected." }),
};
const panel = new ChangePanel({
  undo: () => decisions.undo(),
  open: (number) => open(number, true),
  known: (number) => lists.inbox.items.find((one) => one.number === number),
  repeat: (request, changes) => decisions.correct({ ...request, ...changes }),
  label: (label) => decisions.label(label),
  current: () => desk.label,
  leave: () => focusList(),
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
const offer = new Offer();
const views = new Views({ left: leaveView, shown: enterView });
const decisions = new Decisions(desk, panel, sheets.guards, { after: afterDecision, stale: reload, goOn });
const watch = new Watch(onModel, onFailure);
const box = compose(onClassified, sayProblem, () => focusList());

const KEYS = [
  { keys: ["j", "ArrowDown"], shown: ["j", "↓"], what: "the next text", repeats: true, run: () => step(1) },
  { keys: ["k", "ArrowUp"], shown: ["k", "↑"], what: "the text before", repeats: true, run: () => step(-1) },
  { keys: ["Home"], shown: ["Home"], what: "the first text", run: () => step(-Infinity) },
  { keys: ["End"], shown: ["End"], what: "the last text", run: () => step(Infinity) },
  { keys: ["Enter"], shown: ["Enter"], what: "read the text in view", run: read },
  { keys: ["c"], shown: ["c"], what: "confirm the label, go to the next open text", run: () => decisions.confirm() },
  { keys: [..."123456789"], shown: ["1–9"], what: "correct to the label with this number; 1 is the likeliest other one", run: byNumber },
  { keys: ["/"], shown: ["/"], what: "choose a label, or make a new one", run: pick },
  { keys: ["u"], shown: ["u"], what: "undo the change of the text in view, else the last one", run: () => decisions.undo() },
  { keys: ["g"], shown: ["g"], what: "guard the text in view, or guard it no more", run: () => decisions.guard() },
  { keys: ["n"], shown: ["n"], what: "type a new text", run: typeNew },
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
  showOffer();
  const mark = `${views.current} ${model.fingerprint} ${model.newest}`;
  // The states of texts follow a little after the fingerprint: what changed is loaded once more.
  const again = mark === state.loaded;
  if (again && state.settled) return;
  await load(mark, now);
  state.settled = again;
}

function showOffer() {
  const { classes, read_only: readOnly } = state.model;
  const ready = Boolean(desk.likely);
  if (ready) state.offered = offer.labels(classes, desk.label, desk.likely);
  reading.offer(state.offered, { ready, readOnly });
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
  const view = views.current;
  const { guards } = sheets;
  if (view in sheets) {
    await sheets[view].load();
    if (view === views.current) showSheet(view);
    return;
  }
  const limit = state.limit[view];
  const [{ items }] = await Promise.all([get(view, { limit, chars: EXCERPT }), guards.load()]);
  if (view !== views.current) return;
  const { entering } = state;
  state.entering = false;
  const shown = items.map((one) => ({ ...one, guard: guards.of(one) }));
  lists[view].update(shown, { full: items.length >= limit && limit < MOST, now: now || entering });
  if (entering && view === "queue") {
    byId("list").scrollTop = 0;
    if (shown.length) take(shown[0]);
  }
  const same = shown.find((one) => desk.isAbout(one));
  if (same) desk.renew(same);
  else if (desk.item) desk.note({ guard: guards.of(desk.item) });
  lists[view].select(desk.item?.number ?? null);
}

function showSheet(view) {
  const sheet = byId("sheet");
  if (sheet.firstChild !== sheets[view].element) fill(sheet, sheets[view].element);
  sheets[view].show(state.model.read_only);
}

function onFailure(error, seconds) {
  state.away = error instanceof Unreachable;
  showTrouble(error, seconds, { look: () => watch.look(), forgetKey });
  if (!isRefusedAccess(error)) return;
  // Nothing is known of a view that was refused: it is not empty.
  const why = `${explainProblem(error).title}, so there is nothing to see here.`;
  if (views.isList) lists[views.current].refuse(why);
  else fill(byId("sheet"), el("p", { class: "empty soft" }, why));
  state.loaded = "";
}

function forgetKey() {
  session.key = "";
  watch.look();
}

/** Each list has a text in view of its own: the inbox keeps it, the queue begins with its first. */
function leaveView() {
  hush();
  if (views.current === "inbox") state.kept = desk.item;
  panel.close();
  desk.close();
}

function enterView(view) {
  const isSheet = view in sheets;
  byId("sheet").hidden = !isSheet;
  byId("list").hidden = byId("reading").hidden = isSheet;
  document.body.dataset.pane = "list";
  state.entering = true;
  if (isSheet) fill(byId("sheet"));
  else fill(byId("texts"), lists[view].element);
  if (view === "inbox" && state.kept) take(state.kept);
  if (state.model) reload();
}

function turn(by) {
  views.turn(by);
  if (views.isList) focusList();
  else byId("sheet").focus();
}

// The list and the text in view

const list = () => lists[views.current] ?? lists.inbox;

/** The list has no rows to stand on while it is empty. */
const focusList = () => (list().items.length ? list().box : byId("list")).focus();

function open(number, reading = false) {
  const item = [...list().items, ...lists.inbox.items].find((one) => one.number === number);
  if (!item) return;
  if (desk.isAbout(item)) list().select(number);
  else take(item);
  if (reading) setPane("reading");
}

/** Bring an item into view, whether or not it is in the list. */
function take(item) {
  panel.close();
  byId("reading").scrollTop = 0;
  list().select(item.number);
  desk.open(item);
}

function showDesk() {
  if (!desk.item) {
    reading.clear();
    return;
  }
  reading.show(desk.item, desk.text, desk.explanation,
    { readOnly: state.model?.read_only, columns: state.model?.columns });
  if (state.model) showOffer();
}

function step(by) {
  const next = views.isList && list().further(by);
  if (!next) return;
  hush();
  open(next.number);
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
  else if (!views.isList) views.show("inbox");
  else setPane("list");
  focusList();
}

function typeNew() {
  views.show("inbox");
  setPane("list");
  box.focus();
}

function more() {
  const view = views.current;
  state.limit[view] = Math.min(MOST, state.limit[view] + STEP);
  reload();
}

// Decisions

async function afterDecision(what, receipt, request) {
  const decided = what === "correct" || what === "confirm";
  if (decided) offer.use(receipt.label);
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

/** Go to the next open text; false without any. */
function goOn() {
  const next = list().nextOpen();
  if (next) open(next.number);
  return Boolean(next);
}

function byNumber(key) {
  const label = state.offered[Number(key) - 1];
  if (!desk.item) say("Choose a text first.");
  else if (!desk.likely) say("The labels are still being loaded.");
  else if (label === undefined) say(`No label has the number ${key}; press / to choose one.`);
  else decisions.label(label);
}

async function pick() {
  if (!desk.item || state.model.read_only) {
    say(desk.item ? "This model is read-only." : "Choose a text first.");
    return;
  }
  const { text } = desk;
  const first = desk.likely ? state.offered : [];
  const choice = await pickLabel([...new Set([...first, ...state.model.classes])], desk.label);
  if (!choice) return;
  const { label, isNew, dryRun } = choice;
  if (isNew || dryRun) decisions.correct({ text, label, new_class: isNew, dry_run: dryRun });
  else decisions.label(label);
}

async function onClassified(prediction, text) {
  say(`Classified: ${labelText(prediction.label)}${knowsNone(prediction) ? ", with no known term" : ""}, `
    + `${count([...text].length, "character")}.`, "good");
  await reload();
  if (list().items.some((one) => one.number === prediction.number)) open(prediction.number);
  else take(loose(text, prediction));
}

// The start

onKeyNeeded(askKey);
fill(byId("reading"), ...reading.elements);
byId("open-help").addEventListener("click", () => showHelp(KEYS, forgetKey));
window.addEventListener("popstate", () => setPane(history.state?.pane ?? "list"));
listen(KEYS);
views.start();
watch.look();
