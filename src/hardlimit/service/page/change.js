// What the last change did: the margin, the texts that changed sides, the guards in the way.
import { button, el, fill } from "./dom.js";
import { explainProblem } from "./problem.js";
import { excerpt, isolated } from "./visible.js";
import { count, grouped, labelText, number } from "./words.js";

const FLIPS_SHOWN = 20;

export class ChangePanel {
  /** `actions`: undo(), open(number), known(number), repeat(request, changes), guardText(id). */
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

  #buttons(...others) {
    return el("p", { class: "buttons" }, ...others, button("Close", () => this.close()));
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
  const { kind, id, label, after, flips: changed = [] } = receipt;
  if (kind === "confirm") return `Confirmed: ${labelText(label)}.`;
  const others = changed.length ? ` ${count(changed.length, "other text")} changed sides.` : "";
  if (receipt.dry_run) return `Tried, nothing changed: it would be ${labelText(after.label)}.${others}`;
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
      && `Solved together with ${ids("guard", receipt.guards_in_the_way)}.`,
    receipt.flagged?.length && `${ids("guard", receipt.flagged)} flipped and flagged.`,
    receipt.refused?.length && `Later corrections that hold no more: ${ids("", receipt.refused)}.`,
  ].filter(Boolean);
  return said.length > 0 && el("p", { class: "soft" }, said.join(" "));
}

function flips({ flips: changed = [], n_remembered: remembered = 0, dry_run: tried }, actions) {
  const verb = tried ? "would change" : "changed";
  const told = changed.length
    ? `Of ${count(remembered, "remembered text")}, ${grouped(changed.length)} ${changed.length === 1 ? "other" : "others"} ${verb} sides:`
    : remembered ? `Of ${count(remembered, "remembered text")}, no other ${verb} sides.` : "";
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

function ids(name, numbers) {
  const list = numbers.map((one) => `#${one}`).join(", ");
  return name ? `${name}${numbers.length === 1 ? "" : "s"} ${list}` : list;
}
