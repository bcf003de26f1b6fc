import { toPositiveNumber } from "../lib/env";
import { log } from "../lib/log";
import { AppError } from "../model/errors";
import { ALONE_BROWSERS, BROWSERS_DEFAULT } from "../model/limits";
import type { RenderedPage, RenderReply, RenderRequest } from "./protocol";

/** Every browser is taken, or none may start now: worth another try a little later. */
export class NoBrowserError extends Error {
  override readonly name = "NoBrowserError";
}

/** A render on behalf of an account. `concurrentRenders` is the account's limit in all browsers together. */
export type AccountRender = Omit<RenderRequest, "maxRenders"> & { concurrentRenders: number };

/**
 * Renders a page in one of the browsers: the first that has a free place, so that few need to run; when all are full, it waits at
 * one. A render whose browser was lost is repeated alone. Throws AppError for an answer, NoBrowserError when no place came free.
 */
export async function renderPage(env: Env, order: AccountRender, signal: AbortSignal): Promise<RenderedPage> {
  const reply = await renderAnywhere(env, order, signal);
  if (reply.kind !== "lost") return toPage(reply);
  const { concurrentRenders: _, ...request } = order;
  const host = `alone-${toNumber(order.account) % ALONE_BROWSERS}`;
  const alone = await ask(env, host, { ...request, maxRenders: 1 }, { wait: true, alone: true }, signal);
  if (alone.kind === "failed" && alone.endedBrowser) await blame(env, order.account);
  return toPage(alone);
}

async function renderAnywhere(
  env: Env,
  { concurrentRenders, ...order }: AccountRender,
  signal: AbortSignal,
): Promise<RenderReply> {
  const hosts = shareOut(browserNames(env), concurrentRenders, toNumber(order.account));
  for (const { name, maxRenders } of hosts) {
    const reply = await ask(env, name, { ...order, maxRenders }, { wait: false }, signal);
    if (reply.kind !== "full") return reply;
  }
  const { name = "", maxRenders = 0 } = hosts[toNumber(order.id) % hosts.length] ?? {};
  return await ask(env, name, { ...order, maxRenders }, { wait: true }, signal);
}

/** Divides an account's renders between the browsers, which don't know of each other. `offset` decides who gets the remainder. */
function shareOut(names: string[], renders: number, offset: number): { name: string; maxRenders: number }[] {
  const whole = Math.floor(renders / names.length);
  const remainder = Math.max(1, Math.floor(renders)) - whole * names.length;
  return names
    .map((name, i) => ({ name, maxRenders: whole + ((i + offset) % names.length < remainder ? 1 : 0) }))
    .filter(({ maxRenders }) => maxRenders > 0);
}

/** One of the account's pages ended a browser: its renders run alone for a while, so that no other account loses a browser. */
async function blame(env: Env, account: string): Promise<void> {
  log("warn", "browser_ended_by_page", { account_id: account });
  const hosts = browserNames(env).map((name) => env.BROWSER_HOST.getByName(name));
  await Promise.allSettled(hosts.map((host) => host.blame(account)));
}

function browserNames(env: Env): string[] {
  const count = Math.floor(toPositiveNumber(env.BROWSERS, BROWSERS_DEFAULT));
  return Array.from({ length: count }, (_, i) => `browser-${i}`);
}

/** Checks each browser that runs. Throws an Error that names the ones that don't answer. */
export async function checkBrowsers(env: Env): Promise<void> {
  const names = browserNames(env);
  const states = await Promise.all(names.map((name) => env.BROWSER_HOST.getByName(name).check()));
  const dead = names.filter((_, i) => states[i] === "dead");
  if (dead.length > 0) throw new Error(`${dead.join(", ")} doesn't answer.`);
}

async function ask(
  env: Env,
  name: string,
  request: RenderRequest,
  options: { wait: boolean; alone?: boolean },
  signal: AbortSignal,
): Promise<RenderReply> {
  signal.throwIfAborted();
  const host = env.BROWSER_HOST.getByName(name);
  const onAbort = () => {
    host.cancel(request.id).catch(() => undefined); // It ends by itself, only later.
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
  if (reply.kind === "full") throw new NoBrowserError(reply.message);
  if (reply.kind === "lost") throw new NoBrowserError("The browser was lost.");
  throw new AppError(reply.code, reply.message, reply.retryable === undefined ? {} : { retryable: reply.retryable });
}

/** A number that is the same for the same id (FNV-1a, 32 bits). */
function toNumber(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
