import { log, toLogged } from "../lib/log";
import { formatSeconds } from "../lib/time-limit";
import { RENDER_TIMEOUT_MS } from "../model/page-limits";
import { BrowserRefusedError, isLaunchFailure } from "./acquire";
import { RenderError, type RenderReply, type RenderRequest } from "./protocol";
import { NoSlotError } from "./render-slots";

/** Thrown if the browser crashes or stops responding during a render. Any page in the browser may be the cause. */
export class BrowserLostError extends Error {
  override readonly name = "BrowserLostError";
}

/** Thrown if a browser can't start, because of a limit or because no browser is installed. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
}

/** Thrown if the render's slot is needed for another account. The render starts again when a slot is free. */
export class EvictedError extends Error {
  override readonly name = "EvictedError";
}

/** Thrown if the caller has disconnected. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";
}

/** The reply for a page that crashed its browser while it was the only page. */
export const ENDED_BROWSER: RenderReply = {
  kind: "failed",
  code: "render_failed",
  message: "The browser crashed or stopped responding while it rendered the page.",
  endedBrowser: true,
};

const DAILY_LIMIT_REACHED: RenderReply = {
  kind: "failed",
  code: "unavailable",
  message: "The service has used up its browser time for today. It can render pages again after 00:00 UTC.",
  retryable: true,
};

/** Converts the error of a render to a reply. Logs errors that aren't meant for the caller. */
export function toReply(error: unknown, request: Pick<RenderRequest, "id">): RenderReply {
  if (error instanceof RenderError) {
    const { code, message, retryable, details, targetBusy } = error;
    return {
      kind: "failed",
      code,
      message,
      ...(retryable !== undefined && { retryable }),
      ...(details && { details }),
      ...(targetBusy && { targetBusy }),
    };
  }
  if (error instanceof BrowserLostError) return { kind: "lost" };
  // The caller has disconnected, so the message isn't used.
  if (error instanceof CancelledError) return { kind: "full", message: error.message };
  if (error instanceof LaunchError && isLaunchFailure(error.cause)) {
    return {
      kind: "failed",
      code: "render_failed",
      message:
        "The service could not start a browser. Install Chrome or Chromium, or set CHROME_PATH, and restart the service.",
      isBrowserMissing: true,
    };
  }
  if (error instanceof NoSlotError || error instanceof LaunchError) {
    log("warn", "render_not_started", { render: request.id, ...toLogged(error) });
    if (!(error.cause instanceof BrowserRefusedError)) return { kind: "full", message: error.message };
    const { isDailyLimit, retryAfterMs } = error.cause;
    if (isDailyLimit) return DAILY_LIMIT_REACHED;
    return { kind: "full", message: error.message, retryAfterMs };
  }
  log("error", "render_error", { render: request.id, ...toLogged(error) });
  return { kind: "failed", code: "render_failed", message: "The page could not be rendered." };
}

/**
 * Returns the error of a render that took too long. The error is about the browser if the render had no tab yet, and
 * otherwise about the target. `ms` is the time limit of the render. `action` is the action that was running, or null.
 */
export function toTimeoutError({
  hasTab,
  ms = RENDER_TIMEOUT_MS,
  action = null,
}: {
  hasTab: boolean;
  ms?: number;
  action?: string | null;
}): RenderError {
  const reached = action === null ? "" : ` ${action} was running.`;
  return hasTab
    ? new RenderError("target_timeout", `The page was not rendered within ${formatSeconds(ms)}.${reached}`)
    : new RenderError("render_failed", `The browser did not open a tab within ${formatSeconds(RENDER_TIMEOUT_MS)}.`);
}
