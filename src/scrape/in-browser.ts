import { NoCapacityError } from "../jobs/job";
import { SECOND_MS } from "../limits";
import { NoBrowserError, renderPage } from "../upstream/browser/client";
import type { RenderedPage, RenderRequest } from "../upstream/browser/protocol";

const NO_BROWSER_RETRY_MS = 15 * SECOND_MS;

/** A render on a job's behalf. Throws NoCapacityError when no browser has a place free, and AppError for an answer. */
export async function renderInBrowser(env: Env, request: RenderRequest, signal: AbortSignal): Promise<RenderedPage> {
  try {
    return await renderPage(env, request, signal);
  } catch (error) {
    if (error instanceof NoBrowserError)
      throw new NoCapacityError(error.message, NO_BROWSER_RETRY_MS, { cause: error });
    throw error;
  }
}
