// Elements are made here and nowhere else: a string always becomes text, never markup.

/** Make an element. `on...` are listeners; null and false leave an attribute out. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...present(children));
  return made;
}

/** Make an element of a drawing. */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...present(children));
  return made;
}

/** Give an element these children only. */
export function fill(parent, ...children) {
  parent.replaceChildren(...present(children));
  return parent;
}

export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

export const byId = (id) => document.getElementById(id);

function present(children) {
  return children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false);
}
