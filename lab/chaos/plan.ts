import { KINDS, type KindName } from "./kinds.ts";
import { createRandom, type Random } from "./random.ts";

/** A planned request. The test repeats it until the service has received it. */
export interface PlannedJob {
  /** A unique id that the request body contains. No other job's id contains it. */
  id: string;
  kind: KindName;
  mode: "live" | "test";
  /** True for a synchronous request. */
  waits: boolean;
  /** The behavior of the job's webhook receiver. Null if the job has no webhook. */
  receiver: string | null;
  idempotencyKey: string | null;
  /** True if the request is sent once more after the kill, with the same idempotency key. */
  repeated: boolean;
  /** The delay (ms) of the request after the service is ready. */
  afterMs: number;
}

/** A round of the plan: the service starts, gets requests and ends. */
export interface Round {
  jobs: PlannedJob[];
  lengthMs: number;
  /** True if the round ends with a kill of the whole service. */
  killed: boolean;
  /**
   * The browsers can be killed from this time (ms) after the start of the round. The test kills them once, as soon as
   * at least one is running. Null if the round has no separate kill of the browsers.
   */
  browsersAfterMs: number | null;
}

export interface Plan {
  seed: number;
  /** One round for each kill, and a last round without a kill. */
  rounds: Round[];
}

const LEAST_ROUND_MS = 2_000;
const LONGEST_ROUND_MS = 7_000;
/**
 * The length of the last round. It is long enough for browsers to start and be killed while the service keeps running.
 */
const LAST_ROUND_MS = 15_000;

/** Creates a plan. The same arguments always return the same plan. */
export function makePlan({ seed, jobs, kills }: { seed: number; jobs: number; kills: number }): Plan {
  const random = createRandom(seed);
  const names = Object.entries(KINDS).flatMap(([name, { share }]) => Array<KindName>(share).fill(name as KindName));
  const rounds = Array.from({ length: kills + 1 }, (_, at): Round => {
    const killed = at < kills;
    const lengthMs = killed ? random.between(LEAST_ROUND_MS, LONGEST_ROUND_MS) : LAST_ROUND_MS;
    // The jobs are distributed evenly over the rounds.
    const count = Math.floor(((at + 1) * jobs) / (kills + 1)) - Math.floor((at * jobs) / (kills + 1));
    return {
      jobs: Array.from({ length: count }, (_, n) => planJob(random, names, `c${seed}-${at}-${n}-end`, lengthMs)),
      lengthMs,
      killed,
      browsersAfterMs: !killed || random.chance(0.5) ? random.between(0, Math.floor(lengthMs / 2)) : null,
    };
  });
  return { seed, rounds };
}

function planJob(random: Random, names: KindName[], id: string, lengthMs: number): PlannedJob {
  const kind = names[random.between(0, names.length - 1)] ?? "scrape, plain";
  const isKeyed = random.chance(0.4);
  return {
    id,
    kind,
    mode: random.chance(0.1) ? "test" : "live",
    waits: random.chance(0.4),
    receiver: random.chance(0.6) ? random.pick(["ok", "ok", "ok", "ok", "fail?times=1", "hangup", "gone"]) : null,
    idempotencyKey: isKeyed ? `key-${id}` : null,
    repeated: isKeyed && random.chance(0.6),
    afterMs: random.between(0, lengthMs),
  };
}
