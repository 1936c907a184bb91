// Characters that cannot be seen, or that turn the order of others round, are shown by name.
import { el } from "./dom.js";

const CONTROLS = ["NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO",
  "SI", "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"];

const NAMES = {
  "\u007f": "DEL",   "\u061c": "ALM", "\u200b": "ZWSP", "\u200c": "ZWNJ", "\u200d": "ZWJ", "\u200e": "LRM", "\u200f": "RLM",
  "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF", "\u202d": "LRO", "\u202e": "RLO",
  "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI",
  "\u00ad": "SHY", "\u2060": "WJ", "\ufeff": "BOM", "\u2028": "LS", "\u2029": "PS", "\u0085": "NEL",
  "\u115f": "filler", "\u1160": "filler", "\u3164": "filler", "\uffa0": "filler",
};

// The joiners stay where they join: in emoji, and in scripts that need them.
const HIDDEN = new RegExp(
  "[\\0-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u00ad\\u061c\\u115f\\u1160\\u200b\\u200e\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\ufffe\\uffff\\u{e0000}-\\u{e0fff}\\p{Cs}]" +
  "|\\r(?!\\n)|(?<![\\p{L}\\p{M}\\p{So}\\ufe0f\\u{1f3fb}-\\u{1f3ff}])[\\u200c\\u200d]", "gu");

/** The name of a character that is not seen: "RLO", "NUL", else "U+E0041". */
export function nameOf(character) {
  const point = character.codePointAt(0);
  return CONTROLS[point] ?? NAMES[character] ?? codeOf(point);
}

/** Nodes of a text in which nothing is hidden; there is no markup in them. */
export function visible(text) {
  const nodes = [];
  let last = 0;
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > last) nodes.push(text.slice(last, found.index));
    const code = codeOf(found[0].codePointAt(0));
    nodes.push(el("span", { class: "hidden-character", title: code }, nameOf(found[0])));
    last = found.index + found[0].length;
  }
  if (last < text.length) nodes.push(text.slice(last));
  return nodes;
}

/** One line of a text for a list: its spaces run together, its end left out. */
export function excerpt(text, most = 160) {
  const start = text.slice(0, 4 * most).replace(/\s+/gu, " ").trim();
  const points = [...start];
  const cut = points.length > most || text.length > 4 * most;
  return visible(cut ? `${points.slice(0, most).join("")}…` : start);
}

/** A label or a name: isolated, so that its direction stays its own. */
export function isolated(text, attributes = {}) {
  return el("bdi", attributes, ...visible(String(text)));
}

function codeOf(point) {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}
