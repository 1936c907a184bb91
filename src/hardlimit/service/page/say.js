// The status line: what just happened, for eyes and for screen readers.
import { byId, fill } from "./dom.js";
import { visible } from "./visible.js";
import { explainProblem, sentences } from "./problem.js";

/** Say one sentence; saying it again is heard again. */
export function say(text, kind = "") {
  const line = byId("say");
  line.dataset.kind = kind;
  const again = line.textContent === text ? [text, "\u00a0"] : visible(text);
  fill(line, again);
}

/** Say nothing more about what is over. */
export function hush() {
  fill(byId("say"));
}

/** Say what was refused and what to do. */
export function sayProblem(error) {
  const { title, detail, advice } = explainProblem(error);
  say(sentences(title, detail, advice), "bad");
}
