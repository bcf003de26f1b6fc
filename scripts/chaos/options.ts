import { parseArgs } from "node:util";

export interface Options {
  seed: number;
  jobs: number;
  kills: number;
}

/**
 * Of the command line. Throws with what would be right: without a job, or a kill, nothing would have been put to the
 * test.
 */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      jobs: { type: "string", default: "150" },
      kills: { type: "string", default: "10" },
    },
  });
  return {
    seed: toWhole("--seed", values.seed, 0),
    jobs: toWhole("--jobs", values.jobs, 1),
    kills: toWhole("--kills", values.kills, 1),
  };
}

function toWhole(name: string, given: string, least: number): number {
  const value = Number(given);
  if (given === "" || !Number.isInteger(value) || value < least) {
    throw new Error(`${name} takes a whole number from ${least} up.`);
  }
  return value;
}
