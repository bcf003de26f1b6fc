import { KINDS, type KindName } from "./kinds.ts";
import { createRandom, type Random } from "./random.ts";

/** A request that will be made, and made again until it is known to have arrived. */
export interface PlannedJob {
  /** Stands in whatever it asks for, and is a part of no other job's. */
  id: string;
  kind: KindName;
  mode: "live" | "test";
  /** True: the caller waits for the result. */
  waits: boolean;
  /** How the receiver of its webhook behaves; null: it has none. */
  receiver: string | null;
  idempotencyKey: string | null;
  /** It is made once more after the kill, with the same key. */
  repeated: boolean;
  /** When, from the moment at which the service is ready. */
  afterMs: number;
}

/** From a start of the service to its end. */
export interface Round {
  jobs: PlannedJob[];
  lengthMs: number;
  /** Whether it ends with a kill of everything at once. */
  killed: boolean;
  /** From when on a browser that is there is killed, once; null: only with all else. */
  browsersAfterMs: number | null;
}

export interface Plan {
  seed: number;
  /** As many as there are kills, and a last one. */
  rounds: Round[];
}

const LEAST_ROUND_MS = 2_000;
const LONGEST_ROUND_MS = 7_000;
/** Of the last: long enough for browsers to start, and die, while the service lives on. */
const LAST_ROUND_MS = 15_000;

/** The same plan for the same figures. */
export function makePlan({ seed, jobs, kills }: { seed: number; jobs: number; kills: number }): Plan {
  const random = createRandom(seed);
  const names = Object.entries(KINDS).flatMap(([name, { share }]) => Array<KindName>(share).fill(name as KindName));
  const rounds = Array.from({ length: kills + 1 }, (_, at): Round => {
    const killed = at < kills;
    const lengthMs = killed ? random.between(LEAST_ROUND_MS, LONGEST_ROUND_MS) : LAST_ROUND_MS;
    // All are spread over the rounds as evenly as their number allows.
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
