// The bar above: which model this is, whether the service is there, and what is wrong with it.
import { button, byId, fill } from "./dom.js";
import { Unreachable } from "./api.js";
import { explainProblem, isRefusedAccess, sentences } from "./problem.js";
import { visible } from "./visible.js";
import { count, grouped } from "./words.js";

/** Show which model answers. */
export function showModel(model) {
  const name = model.name || "Triage";
  fill(byId("name"), ...visible(name));
  document.title = `${name} \u2013 triage`;
  byId("facts").textContent = [
    count(model.classes.length, "class", "classes"),
    model.n_entries === 1 ? "1 entry" : `${grouped(model.n_entries)} entries`,
    model.private && "texts are not kept",
  ].filter(Boolean).join(" \u00b7 ");
  showReach("on", model.read_only ? "read only" : "live");
}

/** Nothing is wrong any more. */
export function hideTrouble() {
  byId("trouble").hidden = true;
}

/** Say what is wrong, with a button that may mend it: `look()` again, or `forgetKey()`. */
export function showTrouble(error, seconds, { look, forgetKey }) {
  const { title, detail, advice } = explainProblem(error);
  const said = sentences(title, detail, advice);
  if (error instanceof Unreachable) {
    showReach("off", "no answer");
    tell("The service does not answer. What you see may be old; what you type is kept. "
      + `Trying again every ${Math.round(seconds)} seconds.`, "Try now", look);
  } else if (error.status === 401) {
    showReach("off", "no key");
    tell(`${title}.`, "Give a key", look);
  } else if (isRefusedAccess(error)) {
    showReach("on", "live");
    tell(said, "Use another key", forgetKey);
  } else {
    showReach("off", "trouble");
    tell(said, "Try again", look);
  }
}

/** The same words are not told twice: they would be read out again. */
function tell(text, action, onclick) {
  const place = byId("trouble");
  const isNew = place.hidden || place.dataset.text !== text;
  place.hidden = false;
  place.dataset.text = text;
  if (isNew) fill(place, `${text} `, button(action, onclick));
}

function showReach(kind, text) {
  const place = byId("reach");
  place.dataset.state = kind;
  place.textContent = text;
}
