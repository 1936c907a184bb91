// Which items are the same text: each has the beginning of a text, and the length of the whole.

/** Whether two items have the same text; of a text that is not kept nobody knows. */
export function sameText(one, other) {
  if (typeof one.text !== "string" || typeof other.text !== "string") return false;
  return one.length === other.length && (one.text.startsWith(other.text) || other.text.startsWith(one.text));
}

/** An item for a text that is in no list. */
export function loose(text, answer) {
  return { ...answer, text, length: [...text].length, time: new Date().toISOString(), state: "new", id: null };
}
