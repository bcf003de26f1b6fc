import { ENGINE_NAMES, type EngineName } from "../model/engine";
import { MINUTE_MS } from "../model/limits";
import { ENGINES } from "../search/engines/engines";
import type { SerpCheck } from "../store/serp-checks";

/** The time after which a check without an outcome counts as interrupted. Before that, it may still be running. */
const RUNNING_MS = 5 * MINUTE_MS;

export interface EngineState {
  engine: EngineName;
  label: string;
  /** The outcome of the last check. Null if there was none on the last day. */
  lastOutcome: string | null;
  lastAt: number | null;
  /** True if the last two checks failed. */
  isFailing: boolean;
}

/** Returns the state of each engine. `checks` are the checks of the last day, newest first. */
export function toEngineStates(checks: readonly SerpCheck[], now: number): EngineState[] {
  return ENGINE_NAMES.map((engine) => {
    const own = checks.filter((of) => of.engine === engine && (of.outcome !== null || of.checkedAt < now - RUNNING_MS));
    const [last] = own;
    return {
      engine,
      label: ENGINES[engine].label,
      lastOutcome: last === undefined ? null : (last.outcome ?? "interrupted"),
      lastAt: last?.checkedAt ?? null,
      isFailing: own.length > 1 && own.slice(0, 2).every(({ outcome }) => !isWorking(outcome)),
    };
  });
}

/** Returns true if a check found results. The checks use a query for which every engine has results. */
function isWorking(outcome: string | null): boolean {
  return outcome === "results";
}
