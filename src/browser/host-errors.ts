import { log, toLogged } from "../lib/log";
import { RENDER_TIMEOUT_MS, SECOND_MS } from "../model/limits";
import { RenderError, type RenderReply, type RenderRequest } from "./protocol";
import { NoSlotError } from "./render-slots";

/** The browser ended or stopped answering during a render. Any of its pages may be the cause. */
export class BrowserLostError extends Error {
  override readonly name = "BrowserLostError";
}

/** No browser may start now, or none is installed. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
}

/** The render's slot is needed for another account. The render starts again when a slot is free. */
export class EvictedError extends Error {
  override readonly name = "EvictedError";
}

/** The caller has disconnected. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";
}

/** The reply for a page that ended its browser while it ran alone. */
export const ENDED_BROWSER: RenderReply = {
  kind: "failed",
  code: "render_failed",
  message: "The browser ended or stopped answering while it rendered the page.",
  endedBrowser: true,
};

/** Turns the error of a render into its reply. Logs every error that isn't an answer to the caller. */
export function toReply(error: unknown, request: RenderRequest): RenderReply {
  if (error instanceof RenderError) {
    const { code, message, retryable } = error;
    return { kind: "failed", code, message, ...(retryable === undefined ? {} : { retryable }) };
  }
  if (error instanceof BrowserLostError) return { kind: "lost" };
  // The caller has gone, so the message doesn't matter.
  if (error instanceof CancelledError) return { kind: "full", message: error.message };
  if (error instanceof LaunchError && isLaunchFailure(error.cause)) {
    return {
      kind: "failed",
      code: "render_failed",
      message:
        "No browser could be started here. Install Chrome or Chromium, or set CHROME_PATH, and start the service again.",
    };
  }
  if (error instanceof NoSlotError || error instanceof LaunchError) {
    log("warn", "render_not_started", { render: request.id, ...toLogged(error) });
    return { kind: "full", message: error.message };
  }
  log("error", "render_error", { render: request.id, ...toLogged(error) });
  return { kind: "failed", code: "render_failed", message: "The page could not be rendered." };
}

/** Returns the error of a render that took too long. It is the target's only if the render had a tab. */
export function toTimeoutError({ hasTab }: { hasTab: boolean }): RenderError {
  const seconds = RENDER_TIMEOUT_MS / SECOND_MS;
  return hasTab
    ? new RenderError("target_timeout", `The page was not rendered within ${seconds} seconds.`)
    : new RenderError("render_failed", `The browser opened no tab within ${seconds} seconds.`);
}

/** Returns true for the local runtime's error of a browser that didn't start. The platform's errors name limits. */
export function isLaunchFailure(error: unknown): boolean {
  return error instanceof Error && error.message.includes("Failed to launch local browser");
}
