import type { ZodType } from "zod";
import { checkIsObject, toInvalidRequest } from "../contract/invalid-request";
import { ParseRequest } from "../contract/parse";
import { needsBrowser, ScrapeRequest } from "../contract/scrape";
import { SerpRequest } from "../contract/serp";
import type { Endpoint } from "../model/endpoint";
import { startsInBrowser } from "../search/sources";
import { checkReceiver } from "../webhooks/receiver";
import {
  type Asking,
  checkModel,
  checkPlace,
  checkProxy,
  checkSchema,
  checkSelector,
  checkSelectors,
  checkTarget,
} from "./checks";
import { refuseByScript } from "./refuse-by-script";

/** The validated body of each endpoint. */
interface Requests {
  scrape: ScrapeRequest;
  parse: ParseRequest;
  serp: SerpRequest;
}

/** What can be admitted as a job: a request that has passed every check which needs nothing from outside. */
export interface Work {
  endpoint: Endpoint;
  request: Requests[Endpoint];
  /** It begins in the browser. */
  rendered: boolean;
}

const schemas: { [E in Endpoint]: ZodType<Requests[E]> } = {
  scrape: ScrapeRequest,
  parse: ParseRequest,
  serp: SerpRequest,
};

/** Checks what the schema can't, and returns whether the request begins in the browser. */
const checks: { [E in Endpoint]: (request: Requests[E], asking: Asking) => boolean } = {
  scrape: checkScrape,
  parse: checkParse,
  serp: checkSerp,
};

/** A validated request as work. Throws AppError for whatever is known to be wrong with it before it is tried. */
export function prepare<E extends Endpoint>(endpoint: E, request: Requests[E], asking: Asking): Work {
  const work = { endpoint, request, rendered: checks[endpoint](request, asking) };
  if (asking.mode === "test") refuseByScript(work);
  return work;
}

/** Any JSON value as work: validated by the endpoint's schema, with the errors that its route answers with. */
export function readWork(endpoint: Endpoint, body: unknown, asking: Asking): Work {
  checkIsObject(body);
  return validated(endpoint, body, asking);
}

function validated<E extends Endpoint>(endpoint: E, body: unknown, asking: Asking): Work {
  const parsed = schemas[endpoint].safeParse(body);
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);
  return prepare(endpoint, parsed.data, asking);
}

function checkScrape(request: ScrapeRequest, asking: Asking): boolean {
  checkTarget(asking, request.url);
  checkWebhook(asking, request);
  if (request.wait_for !== undefined) checkSelector(request.wait_for);
  checkSelectors(request.include_selectors ?? [], "include_selectors");
  checkSelectors(request.exclude_selectors ?? [], "exclude_selectors");
  if (request.proxy_country !== undefined) checkProxy(asking, request.proxy_country);
  return needsBrowser(request);
}

function checkParse(request: ParseRequest, asking: Asking): boolean {
  if (request.url !== undefined) checkTarget(asking, request.url);
  checkWebhook(asking, request);
  if (request.schema !== undefined) checkSchema(request.schema);
  checkModel(asking, request.model);
  return false;
}

function checkSerp(request: SerpRequest, asking: Asking): boolean {
  checkWebhook(asking, request);
  if (request.location !== undefined) checkPlace(request.location);
  return asking.mode === "live" && startsInBrowser(asking.env, request.engine);
}

function checkWebhook({ env, origin }: Asking, { webhook_url: url }: Requests[Endpoint]): void {
  if (url !== undefined) checkReceiver(env, { url, origin, parameter: "webhook_url" });
}
