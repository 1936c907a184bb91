// A chart of shares over time: lines with axes, a readout by mouse, finger or arrow keys.
import { el, fill, svg } from "./dom.js";

const HEIGHT = 240;
const LEFT = 44;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 34;
const GRID_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25];

export class Chart {
  #points = [];
  #series = [];
  #at = -1;
  #width = 0;

  /** `tell(point)` gives the nodes of the readout. */
  constructor(label, xTitle, tell) {
    [this.xTitle, this.tell] = [xTitle, tell];
    this.box = el("div", { class: "chart", tabindex: 0, role: "img", "aria-label": label,
      "aria-describedby": "chart-readout", onkeydown: (event) => this.#key(event),
      onpointermove: (event) => this.#point(event), onpointerdown: (event) => this.#point(event) });
    this.readout = el("p", { class: "readout", id: "chart-readout", "aria-live": "polite" });
    this.element = el("figure", {}, this.box, this.readout);
    new ResizeObserver(() => this.#resize()).observe(this.box);
  }

  /** points : [{ x, ... }]; series : [{ name, of, kind }], `of(point)` a share or null. */
  show(points, series) {
    [this.#points, this.#series] = [points, series];
    this.#at = points.length - 1;
    this.#draw();
  }

  #resize() {
    const width = Math.round(this.box.clientWidth);
    if (width && width !== this.#width) {
      this.#width = width;
      this.#draw();
    }
  }

  #draw() {
    if (!this.#width || !this.#points.length) {
      fill(this.box);
      fill(this.readout);
      return;
    }
    const shares = this.#points.flatMap((one) => this.#series.map(({ of }) => of(one))).filter(Number.isFinite);
    const [low, high] = range(shares);
    const xs = this.#points.map((one) => one.x);
    const [first, last] = [Math.min(...xs), Math.max(...xs)];
    this.xOf = (x) => LEFT + ((this.#width - LEFT - RIGHT) * (last > first ? (x - first) / (last - first) : 0.5));
    this.yOf = (y) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - y)) / (high - low);
    this.cursor = svg("g", { class: "cursor" });
    fill(this.box, svg("svg", { width: this.#width, height: HEIGHT, "aria-hidden": "true" },
      this.#grid(low, high), this.#ticks(first, last),
      this.#series.map((one) => this.#line(one)), this.cursor));
    this.#mark();
  }

  #grid(low, high) {
    const step = GRID_STEPS.find((one) => (high - low) / one <= 5.01) ?? 0.25;
    const lines = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9; k += 1) {
      const y = this.yOf(k * step);
      lines.push(svg("line", { x1: LEFT, x2: this.#width - RIGHT, y1: y, y2: y }),
        svg("text", { x: LEFT - 6, y: y + 4, "text-anchor": "end" }, `${Math.round(100 * k * step)} %`));
    }
    return svg("g", { class: "grid" }, ...lines);
  }

  #ticks(first, last) {
    const y = HEIGHT - BOTTOM + 16;
    const middle = (LEFT + this.#width - RIGHT) / 2;
    return svg("g", { class: "ticks" },
      svg("text", { x: LEFT, y }, String(first)),
      last > first && svg("text", { x: this.#width - RIGHT, y, "text-anchor": "end" }, String(last)),
      svg("text", { x: middle, y: y + 14, "text-anchor": "middle" }, this.xTitle));
  }

  #line({ of, kind }) {
    const known = this.#points.filter((one) => Number.isFinite(of(one)));
    const d = known.map((one, k) => `${k ? "L" : "M"}${this.xOf(one.x).toFixed(1)} ${this.yOf(of(one)).toFixed(1)}`);
    const dots = known.length <= 60 ? known.map((one) => svg("circle",
      { cx: this.xOf(one.x), cy: this.yOf(of(one)), r: 2.5 })) : [];
    return svg("g", { class: `line ${kind}` }, svg("path", { d: d.join("") }), ...dots);
  }

  #mark() {
    const point = this.#points[this.#at];
    if (!point) return;
    const x = this.xOf(point.x);
    fill(this.cursor, svg("line", { x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM }));
    fill(this.readout, this.tell(point));
  }

  #point(event) {
    if (!this.#points.length || !this.xOf) return;
    const x = event.clientX - this.box.getBoundingClientRect().left;
    const distance = (one) => Math.abs(this.xOf(one.x) - x);
    this.#at = this.#points.reduce((best, one, k) => (distance(one) < distance(this.#points[best]) ? k : best), 0);
    this.#mark();
  }

  #key(event) {
    const steps = { ArrowLeft: this.#at - 1, ArrowRight: this.#at + 1, Home: 0, End: this.#points.length - 1 };
    if (!(event.key in steps)) return;
    this.#at = Math.min(Math.max(steps[event.key], 0), this.#points.length - 1);
    this.#mark();
    event.preventDefault();
    event.stopPropagation();
  }
}

/** The axis: whole tenths around all shares, at least a fifth high. */
function range(shares) {
  let low = Math.floor(10 * Math.min(...shares, 1) + 1e-9) / 10;
  let high = Math.ceil(10 * Math.max(...shares, 0) - 1e-9) / 10;
  while (high - low < 0.199) {
    if (high < 1) high += 0.1;
    else low -= 0.1;
  }
  return [Math.max(low, 0), Math.min(high, 1)];
}
