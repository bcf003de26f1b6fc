import { parse as parseSelector } from "css-what";
import { selectorProblem } from "../html/selectors";
import { schemaProblem } from "../json-schema/admit";
import type { Mode } from "../model/api-key";
import { AppError } from "../model/errors";
import { availableModels, chooseModel } from "../models/models";
import { egressPolicy, refusal } from "../net/egress";
import { parseProxies, proxyFor } from "../net/proxy-config";
import { findPlace } from "../search/places/places";

/** Who asks for a job, and where this service was reached. */
export interface Asking {
  env: Env;
  mode: Mode;
  origin: string;
}

/** What the address alone shows; names are resolved, and redirects followed, when the job runs. A test key asks nobody. */
export function checkTarget({ env, mode, origin }: Asking, url: string): void {
  if (mode === "test") return;
  const reason = refusal(url, egressPolicy(env.ALLOWED_PRIVATE_HOSTS, [env.PUBLIC_URL, origin]));
  if (reason === null) return;
  throw new AppError("invalid_target", reason, { status: 400, details: [{ path: "url", message: reason }] });
}

/** A page from another country than was asked for is never sold. A test key asks nobody. */
export function checkProxy({ env, mode }: Asking, country: string): void {
  if (mode === "test") return;
  if (proxyFor(parseProxies(env.PROXIES), country, "check") !== null) return;
  const message = `No proxy is configured for the country ${country}.`;
  throw new AppError("proxy_unavailable", message, {
    status: 400,
    retryable: false,
    details: [{ path: "proxy_country", message }],
  });
}

/** For the browser, which knows more selectors than we do: whether it can be read at all. */
export function checkSelector(selector: string): void {
  try {
    parseSelector(selector);
  } catch (cause) {
    throw notSelector("wait_for", cause instanceof Error ? cause.message : "it can't be parsed");
  }
}

/** For the conversion: whether it can be matched. */
export function checkSelectors(selectors: readonly string[], parameter: string): void {
  for (const [i, selector] of selectors.entries()) {
    const problem = selectorProblem(selector);
    if (problem !== null) throw notSelector(`${parameter}.${i}`, problem);
  }
}

function notSelector(path: string, problem: string): AppError {
  const message = `is not a CSS selector: ${problem.replace(/\.$/, "")}`;
  return new AppError("invalid_request", `The parameter '${path}' ${message}.`, { details: [{ path, message }] });
}

/** The caller's schema: what would be right is told with the path to it. */
export function checkSchema(schema: Record<string, unknown>): void {
  const problem = schemaProblem(schema);
  if (problem === null) return;
  const path = ["schema", ...problem.path].join(".");
  throw new AppError("invalid_request", `The parameter '${path}' ${problem.message}.`, {
    details: [{ path, message: problem.message }],
  });
}

/** A place without a country can't be searched from. */
export function checkPlace(location: string): void {
  if (findPlace(location) !== null) return;
  const message =
    "names no place that is known: give an ISO country code, a country's English name, a city, or 'City, Country'";
  throw new AppError("invalid_request", `The parameter 'location' ${message}.`, {
    details: [{ path: "location", message }],
  });
}

/** A model that can be asked. A test key asks none: for it, a name of one of the two will do. */
export function checkModel({ env, mode }: Asking, model: string | undefined): void {
  const models = availableModels(env);
  const isKnown = model === undefined || models.accepted.includes(model);
  if (mode === "live" || !isKnown) chooseModel(models, model);
}
