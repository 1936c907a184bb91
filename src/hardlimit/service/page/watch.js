// Looks every few seconds whether somebody else changed the model, and whether the service is there.
import { get, Unreachable } from "./api.js";

const PERIOD = 2_000;
const HIDDEN_PERIOD = 20_000;
const LONGEST_WAIT = 10_000;

/** Calls `onModel(model)` after each look, `onFailure(error, seconds)` where none came. */
export class Watch {
  #timer = 0;
  #failures = 0;
  #looking = Promise.resolve();
  #stopped = false;

  constructor(onModel, onFailure) {
    [this.onModel, this.onFailure] = [onModel, onFailure];
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.look(); });
    window.addEventListener("online", () => this.look());
  }

  /** Look now, and go on looking; while one look is under way, the next one follows it. */
  look() {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look() {
    clearTimeout(this.#timer);
    this.#stopped = false;
    let wait = document.hidden ? HIDDEN_PERIOD : PERIOD;
    try {
      const model = await get("model");
      this.#failures = 0;
      await this.onModel(model);
    } catch (error) {
      if (error instanceof Unreachable) this.#failures += 1;
      // Without a key every look would ask for one again.
      this.#stopped = error.status === 401;
      wait = Math.min(LONGEST_WAIT, PERIOD * 2 ** Math.max(0, this.#failures - 1));
      this.onFailure(error, wait / 1000);
    }
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => this.look(), wait);
  }
}
