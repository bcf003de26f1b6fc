import type { ActionOutcome } from "../../browser/protocol";
import { SCREENSHOT_TOO_LARGE } from "../../browser/screenshot";
import type { Action } from "../../contract/actions";
import type { ScrapeData } from "../../contract/scrape";
import { joinPngStrips } from "../../lib/png";
import { AppError } from "../../model/errors";
import { LARGE_PAGE_BYTES, MAX_SCREENSHOT_BYTES } from "../../model/page-limits";
import type { RunContext } from "../../model/run-context";
import { putActionScreenshot } from "../../store/objects";
import { toScreenshotUrl } from "./screenshot-url";

type ActionResults = NonNullable<ScrapeData["actions"]>;

/** Stores the screenshots of a page's actions. Returns the results of the actions. */
export async function storeActionResults(
  { env, job, acquireLargeLock }: Pick<RunContext, "env" | "job" | "acquireLargeLock">,
  outcomes: readonly ActionOutcome[],
): Promise<ActionResults> {
  const bytes = outcomes.flatMap(({ screenshot = [] }) => screenshot).reduce((sum, each) => sum + each.byteLength, 0);
  if (bytes > LARGE_PAGE_BYTES) await acquireLargeLock();
  const results: ActionResults = [];
  let number = 0;
  for (const { index, type, durationMs, url, html, screenshot, endReached } of outcomes) {
    const result: ActionResults[number] = {
      index,
      type,
      duration_ms: durationMs,
      url,
      ...(html !== undefined && { html }),
      ...(endReached !== undefined && { end_reached: endReached }),
    };
    if (screenshot !== undefined) {
      const png = await joinPngStrips(screenshot, MAX_SCREENSHOT_BYTES);
      if (png === null) throw new AppError("target_too_large", SCREENSHOT_TOO_LARGE);
      await putActionScreenshot(env.STORE, { jobId: job.id, run: job.run, number }, png);
      result.screenshot_url = await toScreenshotUrl(env, job, number);
      number++;
    }
    results.push(result);
  }
  return results;
}

/** Returns the mock outcomes of actions, for test keys. */
export function mockActionOutcomes(
  actions: readonly Action[],
  { url, html, screenshot }: { url: string; html: string; screenshot: () => Uint8Array },
): ActionOutcome[] {
  return actions.map((action, index) => ({
    index,
    type: action.type,
    durationMs: 0,
    url,
    ...(action.type === "html" && { html }),
    ...(action.type === "screenshot" && { screenshot: [screenshot()] }),
    ...(action.type === "scroll" && action.to === "end" && { endReached: true }),
  }));
}
