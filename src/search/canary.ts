import { now as readClock } from "../lib/clock";
import { isOn } from "../lib/env";
import { newId } from "../lib/id";
import { ENGINE_NAMES, type EngineName } from "../model/engine";
import { AppError } from "../model/errors";
import { SERP_RESULTS_DEFAULT } from "../model/limits";
import { NoCapacityError } from "../model/run-context";
import { SERP_CHECK_EVERY_MS, SERP_CHECK_TIMEOUT_MS } from "../model/search-limits";
import { claimSerpCheck, finishSerpCheck, type SerpCheck } from "../store/serp-checks";
import type { SearchQuery } from "./results/result-page";
import { search } from "./search";

/** The text that the hourly check searches for. */
const CHECK_QUERY = "weather";

/**
 * Searches every engine once an hour if SERP_CANARY is on, and stores the outcomes. The outcomes show the operator when
 * an engine has changed its pages. Returns the number of engines that were searched.
 */
export async function checkEngines(env: Env, now: number): Promise<number> {
  if (!isOn(env.SERP_CANARY)) return 0;
  const checked = await Promise.all(ENGINE_NAMES.map((engine) => checkEngine(env, engine, now)));
  return checked.filter(Boolean).length;
}

async function checkEngine(env: Env, engine: EngineName, now: number): Promise<boolean> {
  const id = await claimSerpCheck(env.DB, { engine, now, since: now - SERP_CHECK_EVERY_MS });
  if (id === null) return false;
  await finishSerpCheck(env.DB, id, await trySearch(env, engine));
  return true;
}

async function trySearch(env: Env, engine: EngineName): Promise<Omit<SerpCheck, "engine" | "checkedAt">> {
  const startedAt = readClock();
  const signal = AbortSignal.timeout(SERP_CHECK_TIMEOUT_MS);
  const context = { env, id: newId(), account: null, origin: env.PUBLIC_URL, signal };
  const query: SearchQuery = { text: CHECK_QUERY, place: null, language: "en", device: "desktop" };
  try {
    const found = await search(context, { engine, query, maxResults: SERP_RESULTS_DEFAULT });
    const { source, disputed, timeMs: durationMs } = found;
    const results = found.organic.length;
    return { outcome: results > 0 ? "results" : "no_results", source, results, disputed, durationMs };
  } catch (error) {
    const durationMs = readClock() - startedAt;
    return { outcome: toOutcome(error, signal), source: null, results: 0, disputed: 0, durationMs };
  }
}

function toOutcome(error: unknown, signal: AbortSignal): string {
  if (error instanceof AppError) return error.code;
  if (error instanceof NoCapacityError) return "no_capacity";
  return signal.aborted ? "timeout" : "internal_error";
}
