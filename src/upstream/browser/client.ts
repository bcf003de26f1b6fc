import { AppError } from "../../errors";
import { toPositiveNumber } from "../../lib/variables";
import { BROWSERS_DEFAULT } from "../../limits";
import type { RenderedPage, RenderReply, RenderRequest } from "./protocol";

/** Every browser is taken, or none may start now: worth another try a little later. */
export class NoBrowserError extends Error {
  override readonly name = "NoBrowserError";
}

/**
 * Renders a page in one of the browsers: the first that has a place free, so that few need to run; when all are full,
 * it stands in line at one. Throws AppError for an answer, NoBrowserError when no place came free.
 */
export async function renderPage(env: Env, request: RenderRequest, signal: AbortSignal): Promise<RenderedPage> {
  const count = Math.floor(toPositiveNumber(env.BROWSERS, BROWSERS_DEFAULT));
  const names = Array.from({ length: count }, (_, i) => `browser-${i}`);
  for (const name of names) {
    const reply = await ask(env, name, request, false, signal);
    if (reply.kind !== "full") return toPage(reply);
  }
  const reply = await ask(env, names[toIndex(request.id, count)] ?? "browser-0", request, true, signal);
  if (reply.kind === "full") throw new NoBrowserError(reply.message);
  return toPage(reply);
}

async function ask(
  env: Env,
  name: string,
  request: RenderRequest,
  wait: boolean,
  signal: AbortSignal,
): Promise<RenderReply> {
  signal.throwIfAborted();
  const host = env.BROWSER_HOST.getByName(name);
  const onAbort = () => {
    host.cancel(request.id).catch(() => undefined); // It ends by itself, only later.
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await host.render(request, { wait });
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function toPage(reply: Exclude<RenderReply, { kind: "full" }>): RenderedPage {
  if (reply.kind === "page") return reply;
  throw new AppError(reply.code, reply.message, reply.retryable === undefined ? {} : { retryable: reply.retryable });
}

/** The same render, the same line. */
function toIndex(id: string, count: number): number {
  return Number.parseInt(id.replaceAll("-", "").slice(-6), 16) % count || 0;
}
