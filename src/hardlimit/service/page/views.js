// The views: which one is shown, its button, and its name in the address.
import { byId } from "./dom.js";

export class Views {
  current = "";

  /** `left()` before another view is shown, `shown(view)` after. */
  constructor({ left, shown }) {
    [this.left, this.shown] = [left, shown];
    this.buttons = [...document.querySelectorAll(".views button")];
    this.names = this.buttons.map((one) => one.dataset.view);
    for (const one of this.buttons) one.addEventListener("click", () => this.show(one.dataset.view));
  }

  /** Whether the view is a list of texts beside the text in view; the others fill the page. */
  get isList() {
    return !byId("list").hidden;
  }

  show(view) {
    if (view === this.current) return;
    this.left();
    this.current = view;
    document.body.dataset.view = view;
    history.replaceState(history.state, "", view === this.names[0] ? location.pathname : `#${view}`);
    for (const one of this.buttons) {
      if (one.dataset.view === view) one.setAttribute("aria-current", "page");
      else one.removeAttribute("aria-current");
    }
    this.shown(view);
  }

  /** Show the view of the address, else the first. */
  start() {
    const asked = location.hash.slice(1);
    this.show(this.names.includes(asked) ? asked : this.names[0]);
  }

  /** Show the next view, or with -1 the one before. */
  turn(by) {
    const n = this.names.length;
    this.show(this.names[(this.names.indexOf(this.current) + by + n) % n]);
  }
}
