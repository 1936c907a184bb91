// The words that decided. The service counts code points, JavaScript counts halves of some.
import { el } from "./dom.js";
import { visible } from "./visible.js";
import { signed } from "./words.js";

const STEPS = 3;

/** Places in a string of ascending code point positions. */
export function places(text, positions) {
  if (!/[\ud800-\udfff]/.test(text)) return positions.map((at) => Math.min(at, text.length));
  const found = [];
  let points = 0;
  let at = 0;
  for (const wanted of positions) {
    while (points < wanted && at < text.length) {
      at += text.codePointAt(at) > 0xffff ? 2 : 1;
      points += 1;
    }
    found.push(at);
  }
  return found;
}

/** Spans of the service as { start, end, contribution, strength } in places of the string. */
export function marks(text, spans) {
  const ascending = [...spans].sort((a, b) => a.start - b.start);
  const at = places(text, ascending.flatMap((one) => [one.start, one.end]));
  const most = Math.max(...ascending.map((one) => Math.abs(one.contribution)), Number.MIN_VALUE);
  return ascending.map((one, k) => ({
    start: at[2 * k],
    end: at[2 * k + 1],
    contribution: one.contribution,
    strength: Math.max(1, Math.ceil((STEPS * Math.abs(one.contribution)) / most)),
  })).filter((one) => one.end > one.start && one.contribution !== 0);
}

/** Nodes of text[from:to], with its marks; a mark that crosses an end is cut there. */
export function highlighted(text, from, to, found) {
  const nodes = [];
  let at = from;
  for (const mark of found) {
    const start = Math.max(mark.start, at);
    const end = Math.min(mark.end, to);
    if (end <= start) continue;
    nodes.push(...visible(text.slice(at, start)), word(text.slice(start, end), mark));
    at = end;
  }
  return [...nodes, ...visible(text.slice(at, to))];
}

function word(text, { contribution, strength }) {
  const side = contribution > 0 ? "for" : "against";
  return el("mark", { class: `${side} s${strength}`, title: signed(contribution) }, ...visible(text));
}
