// Refusals in plain words: what happened, and what to do.
import { Unreachable } from "./api.js";

const MEANING = {
  400: "The service cannot read this request",
  401: "A key is needed",
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
  403: "Another key, or whoever runs the service, may be allowed to.",
  413: "Shorten the text, or let whoever runs the service raise the limit.",
  429: "Wait a little, then do it again.",
  503: "Try again in a moment; nothing was changed.",
};

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
  const title = MEANING[error.status] ?? error.title ?? `The service answered ${error.status}`;
  return { title, detail: sentence(error), advice: textOf(error.fix) || ADVICE[error.status] || "" };
}

function sentence(problem) {
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
