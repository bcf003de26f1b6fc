import { toPositiveNumber } from "../lib/env";
import { log } from "../lib/log";
import { AppError } from "../model/errors";
import { ALONE_BROWSERS, BROWSERS_DEFAULT, SECOND_MS } from "../model/limits";
import { PLAN_LIMITS } from "../model/plan";
import { NoCapacityError } from "../model/run-context";
import type { RenderedPage, RenderReply, RenderRequest } from "./protocol";

const NO_BROWSER_RETRY_MS = 15 * SECOND_MS;
/** The account of the service's own renders, such as the canary's. */
const SERVICE = "service";
const SERVICE_RENDERS = PLAN_LIMITS.enterprise.concurrentRenders;

/** An account that renders, and how many renders it may have at a time. */
export interface RenderingAccount {
  id: string;
  concurrentRenders: number;
}

/** A page to render. `renderForAccount` adds the account and its limit. */
type PageRenderRequest = Omit<RenderRequest, "account" | "maxRenders">;

/** A render for an account. `concurrentRenders` is the account's limit in all browsers together. */
type AccountRenderRequest = Omit<RenderRequest, "maxRenders"> & { concurrentRenders: number };

/**
 * Renders a page for an account, or for the service itself (null), within the account's limit. Throws NoCapacityError
 * if no browser has a free slot, and AppError for an answer.
 */
export async function renderForAccount(
  env: Env,
  account: RenderingAccount | null,
  request: PageRenderRequest,
  signal: AbortSignal,
): Promise<RenderedPage> {
  const { id, concurrentRenders } = account ?? { id: SERVICE, concurrentRenders: SERVICE_RENDERS };
  return await renderPage(env, { ...request, account: id, concurrentRenders }, signal);
}

/**
 * Renders a page in the first browser that has a free slot, so that few browsers need to run. If all are full, the render waits at one
 * of them. If the browser is lost, the render is retried alone. Throws NoCapacityError if no browser has a free slot, and AppError
 * for an answer.
 */
export async function renderPage(
  env: Env,
  accountRequest: AccountRenderRequest,
  signal: AbortSignal,
): Promise<RenderedPage> {
  const reply = await renderAnywhere(env, accountRequest, signal);
  if (reply.kind !== "lost") return toPage(reply);
  const { concurrentRenders: _, ...request } = accountRequest;
  const host = `alone-${toHash(request.account) % ALONE_BROWSERS}`;
  const alone = await renderAt(env, host, { ...request, maxRenders: 1 }, { wait: true, alone: true }, signal);
  if (alone.kind === "failed" && alone.endedBrowser) await blame(env, request.account);
  return toPage(alone);
}

async function renderAnywhere(
  env: Env,
  { concurrentRenders, ...request }: AccountRenderRequest,
  signal: AbortSignal,
): Promise<RenderReply> {
  const hosts = divideRenders(browserNames(env), concurrentRenders, toHash(request.account));
  for (const { name, maxRenders } of hosts) {
    const reply = await renderAt(env, name, { ...request, maxRenders }, { wait: false }, signal);
    if (reply.kind !== "full") return reply;
  }
  const { name = "", maxRenders = 0 } = hosts[toHash(request.id) % hosts.length] ?? {};
  return await renderAt(env, name, { ...request, maxRenders }, { wait: true }, signal);
}

/** Divides an account's renders between the browsers, because each browser only knows its own. `offset` selects those with the remainder. */
function divideRenders(names: string[], renders: number, offset: number): { name: string; maxRenders: number }[] {
  const whole = Math.floor(renders / names.length);
  const remainder = Math.max(1, Math.floor(renders)) - whole * names.length;
  return names
    .map((name, i) => ({ name, maxRenders: whole + ((i + offset) % names.length < remainder ? 1 : 0) }))
    .filter(({ maxRenders }) => maxRenders > 0);
}

/** Makes the account's renders run alone for a while after one of its pages ended a browser, so that other accounts aren't affected. */
async function blame(env: Env, account: string): Promise<void> {
  log("warn", "browser_ended_by_page", { account_id: account });
  const hosts = browserNames(env).map((name) => env.BROWSER_HOST.getByName(name));
  await Promise.allSettled(hosts.map((host) => host.blame(account)));
}

function browserNames(env: Env): string[] {
  const count = Math.floor(toPositiveNumber(env.BROWSERS, BROWSERS_DEFAULT));
  return Array.from({ length: count }, (_, i) => `browser-${i}`);
}

/** Checks each running browser. Throws an Error that names those that don't answer. */
export async function checkBrowsers(env: Env): Promise<void> {
  const names = browserNames(env);
  const states = await Promise.all(names.map((name) => env.BROWSER_HOST.getByName(name).check()));
  const dead = names.filter((_, i) => states[i] === "dead");
  if (dead.length > 0) throw new Error(`${dead.join(", ")} doesn't answer.`);
}

async function renderAt(
  env: Env,
  name: string,
  request: RenderRequest,
  options: { wait: boolean; alone?: boolean },
  signal: AbortSignal,
): Promise<RenderReply> {
  signal.throwIfAborted();
  const host = env.BROWSER_HOST.getByName(name);
  const onAbort = () => {
    // Without the cancellation the render ends too, only later.
    host.cancel(request.id).catch(() => undefined);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await host.render(request, options);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function toPage(reply: RenderReply): RenderedPage {
  if (reply.kind === "page") return reply;
  if (reply.kind === "full") throw new NoCapacityError(reply.message, NO_BROWSER_RETRY_MS);
  if (reply.kind === "lost") throw new NoCapacityError("The browser was lost.", NO_BROWSER_RETRY_MS);
  throw new AppError(reply.code, reply.message, reply.retryable === undefined ? {} : { retryable: reply.retryable });
}

/** Returns a hash of the id (FNV-1a, 32 bits). */
function toHash(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
