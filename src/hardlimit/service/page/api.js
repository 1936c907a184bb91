// Requests to the service. A refusal is a Problem, no answer at all is Unreachable.
import { session } from "./session.js";

/** What the service refused, with the fields of problem+json. */
export class Problem extends Error {
  constructor(fields) {
    super(fields.detail || fields.title || `the service answered ${fields.status}`);
    Object.assign(this, { guards: [], topic: "", fix: "" }, fields);
  }
}

/** No answer came; whether the request was carried out is not known. */
export class Unreachable extends Error {}

const PATIENCE = 30_000;
let askForKey = async () => "";

/** `ask()` resolves to a key, "" if the user gives none. */
export function onKeyNeeded(ask) {
  askForKey = ask;
}

export const get = (path, parameters = {}) => request("GET", path + query(parameters));
export const post = (path, body) => request("POST", path, body);
export const remove = (path) => request("DELETE", path);

async function request(method, path, body) {
  for (;;) {
    const key = session.key;
    const response = await send(method, path, body, key);
    const answer = await content(response);
    if (response.ok) return answer;
    const problem = new Problem({ ...answer, status: response.status });
    if (response.status !== 401) throw problem;
    // Another request may have asked for the key meanwhile.
    if (session.key === key) session.key = await askForKey();
    if (!session.key) throw problem;
  }
}

async function send(method, path, body, key) {
  const headers = { Accept: "application/json" };
  if (key) headers.Authorization = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    return await fetch(path, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(PATIENCE),
    });
  } catch (error) {
    throw new Unreachable(error.message);
  }
}

async function content(response) {
  try {
    const text = await response.text();
    return text ? JSON.parse(text) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return { title: response.statusText, detail: "" };
    throw new Unreachable(error.message);
  }
}

function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}
