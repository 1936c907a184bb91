// The box to type or paste a text; what is in it stays until it was classified.
import { post } from "./api.js";
import { byId } from "./dom.js";
import { example } from "./rows.js";
import { session } from "./session.js";

/** `done(prediction, text)` after an answer, `failed(error)` after a refusal, `leave()` for Escape. */
export function compose(done, failed, leave) {
  const form = byId("compose");
  const box = byId("compose-text");
  const send = form.querySelector("button");
  box.value = session.draft;
  box.addEventListener("input", () => { session.draft = box.value; });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    if (event.key === "Escape") leave();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = box.value;
    if (!text.trim() || send.disabled) return;
    send.disabled = true;
    try {
      const { predictions } = await post("predict", { text });
      // What was typed while waiting is kept.
      if (box.value === text) box.value = session.draft = "";
      done(predictions[0], text);
    } catch (error) {
      failed(error);
    } finally {
      send.disabled = false;
    }
  });
  const usual = box.placeholder;
  return {
    focus: () => box.focus(),
    /** Show what to type: a text, or a row of these columns. */
    ask: (columns) => { box.placeholder = example(columns) || usual; },
  };
}
