import { parseArguments } from "../../scripts/options.ts";

export const USAGE = `npm run chaos -- [--seed N] [--jobs N] [--kills N]

  --seed N     repeats the plan of an earlier run (default: random)
  --jobs N     the number of jobs (default 150)
  --kills N    how often the service is killed (default 10)
  --help       prints this help`;

export interface Options {
  seed: number;
  jobs: number;
  kills: number;
}

/** Parses the command line. Throws if a value is invalid. At least one job and one kill are required. */
export function readOptions(args: string[]): Options {
  const { values } = parseArguments({
    args,
    options: {
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      jobs: { type: "string", default: "150" },
      kills: { type: "string", default: "10" },
    },
  });
  return {
    seed: toInteger("--seed", values.seed, 0),
    jobs: toInteger("--jobs", values.jobs, 1),
    kills: toInteger("--kills", values.kills, 1),
  };
}

function toInteger(name: string, given: string, least: number): number {
  const value = Number(given);
  if (given === "" || !Number.isInteger(value) || value < least) {
    throw new Error(`${name} must be a whole number of at least ${least}, but is '${given}'.`);
  }
  return value;
}
