// Rows of a model of several columns: kept and sent as JSON, shown as a line a column.

/** A row as lines "name: value"; what is none stays as it is. */
export function lines(text, columns) {
  if (!columns?.length) return text;
  try {
    const row = JSON.parse(text);
    return columns.map((name) => `${name}: ${row[name] ?? ""}`).join("\n");
  } catch {
    return text;
  }
}

/** What to type for a row; empty for a text. */
export function example(columns) {
  return columns?.length ? JSON.stringify(Object.fromEntries(columns.map((name) => [name, "\u2026"]))) : "";
}
