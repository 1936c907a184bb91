// What is done about the text in view: confirm, correct, try, undo, guard. Each waits for the ledger.
import { post } from "./api.js";
import { summary } from "./change.js";
import { addGuard, removeGuard } from "./guards.js";
import { say, sayProblem } from "./say.js";
import { session } from "./session.js";
import { labelText, numbered } from "./words.js";

export class Decisions {
  #busy = false;
  #done = [];

  /**
   * `after(what, receipt)` when something was done, "confirm", "correct", "undo", "guard" or "unguard";
   * `stale()` when the service refused, so that what is in view may be old; `goOn()` to the next
   * open text.
   */
  constructor(desk, panel, guards, { after, stale, goOn }) {
    Object.assign(this, { desk, panel, guards, after, stale, goOn });
  }

  confirm() {
    const { desk } = this;
    if (!this.#ready()) return undefined;
    // A second entry would count as one more correct answer.
    if (desk.item.state !== "new") {
      say(this.goOn() ? "" : "Every text of this list is decided.");
      return undefined;
    }
    const label = desk.label;
    return this.#once(async () => {
      const receipt = await post("confirm", signed({ text: desk.text, label }));
      this.#remember(receipt);
      say(`Confirmed: ${labelText(label)}.`, "good");
      return () => this.after("confirm", receipt);
    });
  }

  /** Correct to a label; the label that the text has now is confirmed. */
  label(label) {
    if (!this.#ready()) return undefined;
    return label === this.desk.label ? this.confirm() : this.correct({ text: this.desk.text, label });
  }

  correct(request) {
    return this.#once(async () => {
      const receipt = await post("correct", signed(request));
      this.panel.receipt(receipt, request);
      say(summary(receipt), "good");
      if (receipt.dry_run) return null;
      this.#remember(receipt);
      return () => this.after("correct", receipt, request);
    }, (error) => this.#refused(error, request));
  }

  /** Take back this entry; else that of the text in view; else the last one of this tab. */
  undo(id) {
    const { item } = this.desk;
    const target = id ?? (item?.state !== "new" && item?.id) ?? null;
    const chosen = target || this.#done.at(-1);
    if (!chosen) {
      say("There is nothing to undo here. The log has every change.");
      return undefined;
    }
    return this.#once(async () => {
      const receipt = await post("undo", signed({ id: chosen }));
      this.#done = this.#done.filter((one) => one !== chosen);
      this.panel.receipt(receipt, {});
      say(summary(receipt), "good");
      return () => this.after("undo", receipt);
    });
  }

  /** Guard the text in view; if it is guarded, guard it no more. */
  guard() {
    if (!this.#ready()) return undefined;
    return this.desk.item.guard ? this.#unguard(this.desk.item.guard.ids) : this.#guard();
  }

  #guard() {
    const { label, text } = this.desk;
    return this.#once(async () => {
      const { id } = await addGuard(text, label, session.author);
      say(`Guard #${id}: no correction may change ${labelText(label)} here.`, "good");
      return () => this.after("guard", null);
    });
  }

  #unguard(ids) {
    return this.#once(async () => {
      for (const id of ids) await removeGuard(id);
      say(`${numbered("Guard", ids)} removed: corrections may change this text again.`, "good");
      return () => this.after("unguard", null);
    });
  }

  #remember({ id }) {
    if (Number.isInteger(id)) this.#done.push(id);
  }

  #ready() {
    if (!this.desk.item) say("Choose a text first.");
    else if (!this.desk.whole) say("The text is still being loaded.");
    return Boolean(this.desk.item) && this.desk.whole;
  }

  async #refused(error, request) {
    if (error.nearest !== undefined && error.nearest !== null) {
      this.panel.unknown(error, request);
      say(`Not corrected: ${labelText(error.label)} is no label of this model.`, "bad");
      return;
    }
    if (!error.guards?.length) {
      sayProblem(error);
      return;
    }
    await this.guards.load().catch(() => undefined);
    this.panel.conflict(error, request);
    say("Not corrected: a guard is in the way.", "bad");
  }

  /** One request at a time; what an action returns is done when the next one may begin. */
  async #once(action, refused = sayProblem) {
    if (this.#busy) return;
    this.#busy = true;
    let then = null;
    try {
      then = await action();
    } catch (error) {
      await refused(error);
      if (error.status) then = this.stale;
    } finally {
      this.#busy = false;
    }
    await then?.();
  }
}

function signed(request) {
  return session.author ? { ...request, by: session.author } : request;
}
