// Refusals in plain words: what happened, and what to do.
import { Unreachable } from "./api.js";

const MEANING = {
  400: "The service cannot read this request",
  401: "The service wants a key",
  403: "This is not allowed",
  404: "This is not there any more",
  409: "This conflicts with what was done meanwhile, or with a guard",
  413: "The text is too long for this service",
  422: "The service cannot use this",
  429: "Too many requests or corrections in a short time",
  500: "The service has failed",
  503: "The service cannot do this now",
};

const ADVICE = {
  401: "Press \"Give a key\".",
  403: "Ask the person who runs the service.",
  413: "Shorten the text, or ask the person who runs the service to raise the limit.",
  429: "Wait a little, then do it again.",
  503: "Try again in a moment; nothing was changed.",
};

const SCOPES = ["predict", "correct", "admin"];

/** Whether a key is wanted, or another one. */
export const isRefusedAccess = (error) => error.status === 401 || isOtherScope(error);

const isOtherScope = ({ status, wanted }) => status === 403 && SCOPES.includes(wanted);

/** { title, detail, advice } of an error of a request. */
export function explainProblem(error) {
  if (error instanceof Unreachable) {
    return {
      title: "The service did not answer",
      detail: "Whether this was done is not known.",
      advice: "Look at the log before you do it again.",
    };
  }
  if (!error.status) return { title: "This page has failed", detail: String(error.message), advice: "Reload it." };
  if (isOtherScope(error)) {
    return {
      title: "Your key may not do this",
      detail: `Its scope is "${error.got}", and this wants "${error.wanted}"`,
      advice: "The person who runs the service can make such a key: "
        + `hardlimit key add MODEL NAME --scope ${error.wanted}`,
    };
  }
  if (error.status === 401) return { title: MEANING[401], detail: "", advice: ADVICE[401] };
  const title = MEANING[error.status] ?? error.title ?? `The service answered ${error.status}`;
  return { title, detail: detailOf(error), advice: textOf(error.fix) || ADVICE[error.status] || "" };
}

/** Sentences of parts: each begins with a capital letter and ends with a full stop. */
export function sentences(...parts) {
  return parts.filter(Boolean).map((one) => {
    const begun = one.charAt(0).toUpperCase() + one.slice(1);
    return /[.!?]$/u.test(begun) ? begun : `${begun}.`;
  }).join(" ");
}

function detailOf(problem) {
  const detail = textOf(problem.detail);
  if (detail) return detail;
  const got = problem.got === undefined || problem.got === null ? "" : `got ${textOf(problem.got)}`;
  const wanted = problem.wanted ? `wanted ${textOf(problem.wanted)}` : "";
  return [got, wanted].filter(Boolean).join(", ");
}

function textOf(value) {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
