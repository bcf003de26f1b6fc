import { ParseRequest } from "../../contract/parse";
import { ScrapeRequest } from "../../contract/scrape";
import { SerpRequest } from "../../contract/serp";
import { sleep } from "../../lib/clock";
import { AppError } from "../../model/errors";
import { SECOND_MS } from "../../model/limits";
import type { Execution, RunContext } from "../../model/run";
import { availableModels } from "../../models/models";
import { putScreenshot } from "../../store/objects";
import { toEvidenceMeta } from "../parse/evidence-meta";
import { toScreenshotUrl } from "../scrape/screenshot-url";
import { mockParse, mockScrape, mockSerp, mockVerification, toScript } from "./outcome";

/** As if one model had been asked once. */
const USAGE = { input_tokens: 812, output_tokens: 64, model_calls: 1, model_time_ms: 0 };

/** What a test key's job does: nothing outside, the same for the same request, in whatever way its target asks for. */
export async function mock({ env, job, signal }: RunContext): Promise<Execution> {
  const script = toScript(job.endpoint, job.request as { url?: string; query?: string });
  if (script.kind === "fails") {
    const { code, message, retryable } = script;
    throw new AppError(code, message, retryable === undefined ? {} : { retryable });
  }
  if (script.kind === "slow") await sleep(script.seconds * SECOND_MS, signal);
  const large = script.kind === "large";
  if (job.endpoint === "serp") {
    const data = mockSerp(SerpRequest.parse(job.request), { large });
    return { data, extras: { pages_fetched: Math.ceil(data.organic.length / 10), total_results_known: true } };
  }
  if (job.endpoint === "parse") {
    const request = ParseRequest.parse(job.request);
    const data = mockParse(request, { large });
    return {
      data,
      extras: {
        model_used: request.model ?? availableModels(env).accepted[0],
        rendered: false,
        parts: 1,
        usage: USAGE,
        ...(request.evidence === true && toEvidenceMeta(mockVerification(data))),
      },
    };
  }
  const { data, screenshot } = mockScrape(ScrapeRequest.parse(job.request), { large });
  if (screenshot === null) return { data };
  await putScreenshot(env.STORE, job.id, job.run, screenshot);
  return { data: { ...data, screenshot_url: await toScreenshotUrl(env, job) } };
}
