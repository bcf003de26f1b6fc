import { toPositiveNumber } from "../lib/env";
import { log } from "../lib/log";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { ALONE_BROWSERS, BROWSERS_DEFAULT } from "../model/page-limits";
import { PLAN_LIMITS } from "../model/plan";
import { NoCapacityError } from "../model/run-context";
import { browserHost } from "../store/namespaces";
import type { BrowserFacts, RenderedPage, RenderReply, RenderRequest } from "./protocol";

const NO_BROWSER_RETRY_MS = 15 * SECOND_MS;
/** The account id for the service's own renders, such as the hourly check of the search engines. */
const SERVICE = "service";
const SERVICE_RENDERS = PLAN_LIMITS.enterprise.concurrentRenders;

/** The number of browsers that are asked for a free slot at the same time. */
const ASKED_TOGETHER = 10;

/** An account and its limit of concurrent renders. */
export interface RenderingAccount {
  id: string;
  concurrentRenders: number;
}

/** A render request without the limit for one browser. */
type AccountRequest = Omit<RenderRequest, "maxRenders">;

/** Thrown if this service has no browser. Another request fails in the same way. */
export class BrowserMissingError extends AppError {}

/**
 * Renders a page for an account within its limit. If `account` is null, the render belongs to the service itself. If the
 * browser crashes, the render is retried in a separate browser. Throws NoCapacityError if no browser has a free slot,
 * and AppError for an error that the caller gets.
 */
export async function renderForAccount(
  env: Env,
  account: RenderingAccount | null,
  page: Omit<AccountRequest, "account">,
  signal: AbortSignal,
): Promise<RenderedPage> {
  const { id, concurrentRenders } = account ?? { id: SERVICE, concurrentRenders: SERVICE_RENDERS };
  const request = { ...page, account: id };
  const reply = await renderAnywhere(env, { request, concurrentRenders }, signal);
  if (reply.kind !== "lost") return requirePage(reply);
  const host = `alone-${toHash(request.account) % ALONE_BROWSERS}`;
  const alone = await renderAt(env, host, { ...request, maxRenders: 1 }, { wait: true, alone: true }, signal);
  if (alone.kind === "failed" && alone.endedBrowser) await blame(env, request.account);
  return requirePage(alone);
}

/**
 * Renders a page in the first browser that has a free slot. This order keeps the number of running browsers low. The
 * next browsers are asked for a free slot while the first one is called, so that full browsers don't delay the render.
 * If all browsers are full, the render waits for a slot.
 */
async function renderAnywhere(
  env: Env,
  { request, concurrentRenders }: { request: AccountRequest; concurrentRenders: number },
  signal: AbortSignal,
): Promise<RenderReply> {
  const hosts = divideRenders(browserNames(env), concurrentRenders, toHash(request.account));
  const others: Promise<boolean>[] = [];
  for (const [i, { name, maxRenders }] of hosts.entries()) {
    for (const next of i % ASKED_TOGETHER === 0 ? hosts.slice(i + 1, i + 1 + ASKED_TOGETHER) : []) {
      const asked = browserHost(env, next.name).hasFreeSlot({ account: request.account, limit: next.maxRenders });
      // If the browser's object can't be reached, the render throws the error.
      others.push(asked.catch(() => true));
    }
    if (i > 0 && !(await others[i - 1])) continue;
    const reply = await renderAt(env, name, { ...request, maxRenders }, { wait: false }, signal);
    if (reply.kind !== "full") return reply;
  }
  const { name = "", maxRenders = 0 } = hosts[toHash(request.id) % hosts.length] ?? {};
  return await renderAt(env, name, { ...request, maxRenders }, { wait: true }, signal);
}

/**
 * Divides an account's limit of renders among the browsers, because each browser only counts its own renders. `offset`
 * selects the browsers that get the remainder.
 */
function divideRenders(names: string[], renders: number, offset: number): { name: string; maxRenders: number }[] {
  const whole = Math.floor(renders / names.length);
  const remainder = Math.max(1, Math.floor(renders)) - whole * names.length;
  return names
    .map((name, i) => ({ name, maxRenders: whole + ((i + offset) % names.length < remainder ? 1 : 0) }))
    .filter(({ maxRenders }) => maxRenders > 0);
}

/** Makes the account's renders run alone for a while, because one of its pages crashed a shared browser. */
async function blame(env: Env, account: string): Promise<void> {
  log("warn", "browser_ended_by_page", { account_id: account });
  const hosts = browserNames(env).map((name) => browserHost(env, name));
  await Promise.allSettled(hosts.map((host) => host.blame(account)));
}

function browserNames(env: Env): string[] {
  const count = Math.floor(toPositiveNumber(env.BROWSERS, BROWSERS_DEFAULT));
  return Array.from({ length: count }, (_, i) => `browser-${i}`);
}

/** Pings each running browser. Throws an Error that names the browsers that don't respond. */
export async function checkBrowsers(env: Env): Promise<void> {
  const names = browserNames(env);
  const states = await Promise.all(names.map((name) => browserHost(env, name).check()));
  const dead = names.filter((_, i) => states[i] === "dead");
  if (dead.length > 0) throw new Error(`These browsers don't respond: ${dead.join(", ")}.`);
  const missing = names.filter((_, i) => states[i] === "not_started");
  if (missing.length > 0) throw new Error(`These browsers could not be started: ${missing.join(", ")}.`);
}

/** Returns the facts about each browser. `facts` is null if the browser isn't running. */
export async function inspectBrowsers(env: Env): Promise<{ name: string; facts: BrowserFacts | null }[]> {
  const names = browserNames(env);
  return await Promise.all(names.map(async (name) => ({ name, facts: await browserHost(env, name).inspect() })));
}

/** Returns the totals of all browsers. `waiting` is the number of renders that wait for a slot. */
export async function readRenderSlots(env: Env): Promise<{ inUse: number; size: number; waiting: number }> {
  const slots = await Promise.all(browserNames(env).map((name) => browserHost(env, name).slots()));
  const sum = (pick: (of: (typeof slots)[number]) => number) => slots.reduce((total, of) => total + pick(of), 0);
  return { inUse: sum((of) => of.inUse), size: sum((of) => of.size), waiting: sum((of) => of.waiting) };
}

async function renderAt(
  env: Env,
  name: string,
  request: RenderRequest,
  options: { wait: boolean; alone?: boolean },
  signal: AbortSignal,
): Promise<RenderReply> {
  signal.throwIfAborted();
  const host = browserHost(env, name);
  const onAbort = () => {
    // If the cancellation fails, the render ends at its own timeout.
    host.cancel(request.id).catch(() => undefined);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await host.render(request, options);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function requirePage(reply: RenderReply): RenderedPage {
  if (reply.kind === "page") return reply;
  if (reply.kind === "full") throw new NoCapacityError(reply.message, reply.retryAfterMs ?? NO_BROWSER_RETRY_MS);
  if (reply.kind === "lost")
    throw new NoCapacityError("The browser crashed or stopped responding.", NO_BROWSER_RETRY_MS);
  if (reply.isBrowserMissing) throw new BrowserMissingError(reply.code, reply.message);
  const { code, message, retryable, details, targetBusy } = reply;
  throw new AppError(code, message, {
    ...(retryable !== undefined && { retryable }),
    ...(details && { details }),
    targetBusy,
  });
}

/** Returns a hash of the id (FNV-1a, 32 bits). */
function toHash(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
