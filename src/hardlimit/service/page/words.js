// How numbers, times, labels and counts are written.

/** 0.934 -> "93 %"; what is not quite certain is not called 100 %. */
export function percent(share) {
  if (!Number.isFinite(share)) return "unknown";
  if (share < 1 && share >= 0.995) return "> 99 %";
  if (share > 0 && share <= 0.005) return "< 1 %";
  return `${Math.round(100 * share)} %`;
}

/** 0.9341 -> "93.4 %". */
export function exactPercent(share) {
  return Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : "unknown";
}

/** Two decimals, one figure of what is smaller: 1.234 -> "1.23", 0.00123 -> "0.001". */
export function number(value) {
  if (!Number.isFinite(value)) return "unknown";
  const size = Math.abs(value);
  if (size !== 0 && size < 0.005) return value.toPrecision(1);
  return size >= 1000 ? grouped(Math.round(value)) : value.toFixed(2);
}

export function signed(value) {
  return (value > 0 ? "+" : value < 0 ? "\u2212" : "") + number(Math.abs(value));
}

/** 1048576 -> "1,048,576". */
export function grouped(value) {
  return value.toLocaleString("en");
}

/** "1 text", "2 texts". */
export function count(n, one, many = `${one}s`) {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** "Guard #1", "Guards #1, #2". */
export function numbered(name, ids) {
  return `${name}${ids.length === 1 ? "" : "s"} ${ids.map((one) => `#${one}`).join(", ")}`;
}

/** A label as text; labels that are numbers stay numbers when they are sent. */
export function labelText(label) {
  return typeof label === "string" ? label : label === undefined ? "" : JSON.stringify(label);
}

/** Whether no term of a text is known, so that its label says nothing about it. */
export const knowsNone = (answer) => answer.known_features === 0;

/** How sure an answer is: its probability, or its margin if there is none. */
export function certainty(answer) {
  if (knowsNone(answer)) return "no known term";
  return Number.isFinite(answer.probability) && answer.probability !== null
    ? percent(answer.probability)
    : `margin ${number(answer.margin)}`;
}

/** "14:03" of today, "yesterday 14:03", "2026-05-01 14:03" of other days. */
export function shortTime(iso) {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "";
  const now = new Date();
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const day = date(time) === date(now) ? "" : date(time) === date(yesterday) ? "yesterday " : `${date(time)} `;
  return day + clock(time).slice(0, 5);
}

/** "2026-05-01 14:03:11", by the clock of this machine. */
export function longTime(iso) {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? "" : `${date(time)} ${clock(time)}`;
}

const padded = (n) => String(n).padStart(2, "0");
const date = (time) => `${time.getFullYear()}-${padded(time.getMonth() + 1)}-${padded(time.getDate())}`;
const clock = (time) => [time.getHours(), time.getMinutes(), time.getSeconds()].map(padded).join(":");
