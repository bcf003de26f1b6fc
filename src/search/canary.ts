import type { EngineName } from "../contract/serp";
import { now as readClock } from "../lib/clock";
import { newId } from "../lib/id";
import { isOn } from "../lib/variables";
import { AppError } from "../model/errors";
import { SERP_CHECK_EVERY_MS, SERP_CHECK_TIMEOUT_MS, SERP_RESULTS_DEFAULT } from "../model/limits";
import { NoCapacityError } from "../model/run";
import { claimSerpCheck, endSerpCheck, type SerpCheck } from "../store/serp-checks";
import type { Query } from "./engine";
import { search } from "./search";
import { waysOf } from "./sources";

const ENGINES: readonly EngineName[] = ["google", "bing", "yandex"];
const EVERYDAY: Query = { text: "weather", place: null, language: "en", device: "desktop" };

/**
 * Asks each engine one everyday query an hour, where SERP_CANARY is on, and writes down what came: whoever operates the
 * service sees a changed page before its customers do. Returns how many were asked.
 */
export async function checkEngines(env: Env, now: number): Promise<number> {
  if (!isOn(env.SERP_CANARY)) return 0;
  const asked = await Promise.all(ENGINES.map((engine) => checkEngine(env, engine, now)));
  return asked.filter(Boolean).length;
}

async function checkEngine(env: Env, engine: EngineName, now: number): Promise<boolean> {
  const id = await claimSerpCheck(env.DB, { engine, now, since: now - SERP_CHECK_EVERY_MS });
  if (id === null) return false;
  await endSerpCheck(env.DB, id, await ask(env, engine));
  return true;
}

async function ask(
  env: Env,
  engine: EngineName,
): Promise<Pick<SerpCheck, "outcome" | "source" | "results" | "durationMs">> {
  const startedAt = readClock();
  const signal = AbortSignal.timeout(SERP_CHECK_TIMEOUT_MS);
  const context = { env, id: newId(), accountId: null, origin: env.PUBLIC_URL, signal };
  const searched = { engine, query: EVERYDAY, wanted: SERP_RESULTS_DEFAULT };
  try {
    const { organic, source, timeMs } = await search(context, searched, waysOf(context, searched));
    return {
      outcome: organic.length > 0 ? "results" : "no_results",
      source,
      results: organic.length,
      durationMs: timeMs,
    };
  } catch (error) {
    return { outcome: toOutcome(error, signal), source: null, results: 0, durationMs: readClock() - startedAt };
  }
}

function toOutcome(error: unknown, signal: AbortSignal): string {
  if (error instanceof AppError) return error.code;
  if (error instanceof NoCapacityError) return "no_capacity";
  return signal.aborted ? "timeout" : "internal_error";
}
