// What this tab keeps: the key and what was typed, until it is closed; the name, for longer.
// A browser may forbid storage; then it is kept until the page is loaded again.

const memory = new Map();

function read(storage, name) {
  try {
    return window[storage].getItem(`hardlimit.${name}`) ?? memory.get(name) ?? "";
  } catch {
    return memory.get(name) ?? "";
  }
}

function write(storage, name, value) {
  memory.set(name, value);
  try {
    if (value) window[storage].setItem(`hardlimit.${name}`, value);
    else window[storage].removeItem(`hardlimit.${name}`);
  } catch {
    // Kept in memory only.
  }
}

const DRAFT_LIMIT = 200_000;

export const session = {
  get key() { return read("sessionStorage", "key"); },
  set key(value) { write("sessionStorage", "key", value); },
  get draft() { return read("sessionStorage", "draft"); },
  set draft(value) { write("sessionStorage", "draft", value.length > DRAFT_LIMIT ? "" : value); },
  get author() { return read("localStorage", "author"); },
  set author(value) { write("localStorage", "author", value); },
  get keysOff() { return read("localStorage", "keys-off") === "yes"; },
  set keysOff(value) { write("localStorage", "keys-off", value ? "yes" : ""); },
};
