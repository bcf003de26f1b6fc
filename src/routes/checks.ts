import { parse as parseSelector } from "css-what";
import type { Context } from "hono";
import type { AppEnv } from "../env";
import { AppError } from "../errors";
import { selectorProblem } from "../html/selectors";
import { schemaProblem } from "../schema/admit";
import { findPlace } from "../serp/places";
import { egressPolicy, refusal } from "../upstream/egress";
import { availableModels, chooseModel } from "../upstream/models/models";
import { parseProxies, proxyFor } from "../upstream/proxies";
import { toOrigin } from "./http";

/** What the address alone shows; names are resolved, and redirects followed, when the job runs. A test key asks nobody. */
export function checkTarget(c: Context<AppEnv>, url: string): void {
  if (c.var.caller.mode === "test") return;
  const reason = refusal(url, policyOf(c));
  if (reason === null) return;
  throw new AppError("invalid_target", reason, { status: 400, details: [{ path: "url", message: reason }] });
}

/** What the address of a receiver alone shows; each delivery checks again. `parameter` is where it was given. */
export function checkWebhook(c: Context<AppEnv>, url: string, parameter = "webhook_url"): void {
  const reason = refusal(url, policyOf(c));
  if (reason === null) return;
  throw new AppError("invalid_request", `The parameter '${parameter}' must be publicly reachable: ${reason}`, {
    details: [{ path: parameter, message: reason }],
  });
}

/** A page from another country than was asked for is never sold. A test key asks nobody. */
export function checkProxy(c: Context<AppEnv>, country: string): void {
  if (c.var.caller.mode === "test") return;
  if (proxyFor(parseProxies(c.env.PROXIES), country, "check") !== null) return;
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
export function checkModel(c: Context<AppEnv>, model: string | undefined): void {
  const models = availableModels(c.env);
  const isKnown = model === undefined || models.accepted.includes(model);
  if (c.var.caller.mode === "live" || !isKnown) chooseModel(models, model);
}

function policyOf(c: Context<AppEnv>) {
  return egressPolicy(c.env.ALLOWED_PRIVATE_HOSTS, [c.env.PUBLIC_URL, toOrigin(c)]);
}
