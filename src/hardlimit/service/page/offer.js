// The labels that have a button and a key: the likeliest ones, then those that were used here.

const LIKELIEST = 3;
const KEYS = 9;

export class Offer {
  #used = [];

  /** Note a label that somebody chose. */
  use(label) {
    if (!this.#used.includes(label)) this.#used.push(label);
  }

  /** Labels other than `label`, the answer now; `likely` has all that come into question, best first. */
  labels(classes, label, likely) {
    const others = (labels) => labels.filter((one) => one !== label && classes.includes(one));
    const first = others(likely).slice(0, LIKELIEST);
    return [...new Set([...first, ...others(this.#used)])].slice(0, KEYS);
  }
}
