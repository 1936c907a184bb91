// What the last change did: the margin, the texts that changed sides, the guards in the way.
import { button, el, fill } from "./dom.js";
import { explainProblem } from "./problem.js";
import { excerpt, isolated } from "./visible.js";
import { count, grouped, labelText, number, numbered } from "./words.js";

const FLIPS_SHOWN = 20;

export class ChangePanel {
  /**
   * `actions`: undo(), open(number), known(number), repeat(request, changes), label(label),
   * current() the label in view, guardText(id), leave() when the panel is closed by hand.
   */
  constructor(actions) {
    this.actions = actions;
    this.element = el("section", { class: "change", "aria-label": "Last change", hidden: true });
  }

  get open() {
    return !this.element.hidden;
  }

  close() {
    this.element.hidden = true;
    fill(this.element);
  }

  /** Show a receipt. */
  receipt(receipt, request) {
    const again = () => this.actions.repeat(request, { dry_run: false });
    this.#show(receipt.dry_run ? "tried" : "done",
      el("p", {}, ...headline(receipt)),
      details(receipt),
      flips(receipt, this.actions),
      receipt.dry_run
        ? this.#buttons(button("Do it", again, { class: "primary" }))
        : this.#buttons(receipt.kind !== "undo" && Number.isInteger(receipt.id)
          && button(["Undo ", el("kbd", {}, "u")], () => this.actions.undo())));
  }

  /** Show a correction that guards stand against, and the ways out. */
  conflict(error, request) {
    const { title, detail } = explainProblem(error);
    const again = (guards) => () => this.actions.repeat(request, { guards });
    const solvable = error.topic !== "same-as-a-guard" && error.topic !== "infeasible";
    this.#show("refused",
      el("p", {}, el("strong", {}, "Not corrected: "), detail || title),
      el("ul", { class: "flips" }, error.guards.map((id) => el("li", {},
        `#${id}: `, el("span", { dir: "auto" }, ...excerpt(this.actions.guardText(id), 100))))),
      this.#buttons(
        solvable && button("Solve together with the guards", again("solve"), { class: "primary" }),
        button("Correct anyway, flag the guards", again("flag"))));
  }

  /** Show a label that the model does not have; Enter takes the nearest one that it has. */
  unknown(error, request) {
    const { label, nearest } = error;
    const name = (one) => isolated(labelText(one), { class: "label" });
    const confirms = nearest === this.actions.current() && !request.dry_run;
    const take = button([confirms ? "Confirm " : "Correct to ", name(nearest), " ", el("kbd", {}, "Enter")],
      () => (request.dry_run ? this.actions.repeat(request, { label: nearest, new_class: false })
        : this.actions.label(nearest)), { class: "primary" });
    const looksAlike = error.topic === "look-alike-label";
    this.#show("refused",
      el("p", {}, el("strong", {}, "Not corrected: "), name(label), looksAlike
        ? [" and the label ", name(nearest), " look nearly the same, so that it cannot become a class of its own."]
        : [" is no label of this model. The nearest label is ", name(nearest), "."]),
      this.#buttons(take, !looksAlike
        && button(["New class ", name(label)], () => this.actions.repeat(request, { new_class: true }))));
    take.focus();
  }

  #buttons(...others) {
    const leave = () => {
      this.close();
      this.actions.leave();
    };
    return el("p", { class: "buttons" }, ...others, button("Close", leave));
  }

  #show(kind, ...children) {
    this.element.dataset.kind = kind;
    this.element.hidden = false;
    fill(this.element, ...children);
    this.element.scrollIntoView({ block: "nearest" });
  }
}

/** One sentence about a receipt, for the status line. */
export function summary(receipt) {
  const { kind, id, label, after, flips: changed = [], dry_run: tried } = receipt;
  if (kind === "confirm") return `Confirmed: ${labelText(label)}.`;
  const others = changed.length
    ? ` ${count(changed.length, "other text")} ${tried ? "would change" : "changed"} sides.` : "";
  if (tried) return `Tried, nothing changed: it would be ${labelText(after.label)}.${others}`;
  if (kind === "undo") return `Undone #${receipt.target}: now ${labelText(after.label)}.${others}`;
  return `Corrected #${id}: now ${labelText(after.label)}.${others}`;
}

function headline({ kind, id, target, dry_run: tried, before, after }) {
  const what = tried ? "It would be" : kind === "undo" ? `Undone #${target}: now` : `Corrected #${id}: now`;
  return [what, " ", isolated(labelText(after.label), { class: "label" }),
    ` by a margin of ${number(after.margin)}, `, tried ? "is " : "was ",
    isolated(labelText(before.label), { class: "label" }), ` by ${number(before.margin)}.`];
}

function details(receipt) {
  const said = [
    receipt.new_class && `${labelText(receipt.label)} is a new class.`,
    receipt.new_terms > 0 && `${count(receipt.new_terms, "new term")}.`,
    receipt.size > 0 && `The weights moved by ${number(receipt.size)}.`,
    receipt.guards_in_the_way?.length && !receipt.flagged?.length
      && `Solved together with ${numbered("guard", receipt.guards_in_the_way)}.`,
    receipt.flagged?.length && `${numbered("Guard", receipt.flagged)} flipped and flagged.`,
    receipt.refused?.length && `No longer in force: ${numbered("correction", receipt.refused)}.`,
  ].filter(Boolean);
  return said.length > 0 && el("p", { class: "soft" }, said.join(" "));
}

function flips({ flips: changed = [], n_remembered: remembered = 0, dry_run: tried }, actions) {
  const verb = tried ? "would change" : "changed";
  const others = count(remembered, "other remembered text");
  const told = changed.length
    ? `Of ${others}, ${grouped(changed.length)} ${verb} sides:`
    : remembered ? `Of ${others}, none ${verb} sides.` : "";
  const rows = changed.slice(0, FLIPS_SHOWN).map((one) => el("li", {},
    actions.known(one.number) ? button(`#${one.number}`, () => actions.open(one.number), { class: "link" })
      : `#${one.number}`,
    " ", isolated(labelText(one.before), { class: "label" }), " \u2192 ",
    isolated(labelText(one.after), { class: "label" }), " ",
    el("span", { dir: "auto" }, ...excerpt(one.text ?? actions.known(one.number)?.text ?? "", 90))));
  const left = changed.length - rows.length;
  return [
    told && el("p", {}, told),
    rows.length > 0 && el("ul", { class: "flips" }, rows),
    left > 0 && el("p", { class: "soft" }, `and ${left} more`),
  ];
}
