import { parseArguments, readInteger } from "../../scripts/options.ts";

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
    seed: readInteger("--seed", values.seed, { least: 0 }),
    jobs: readInteger("--jobs", values.jobs, { least: 1 }),
    kills: readInteger("--kills", values.kills, { least: 1 }),
  };
}
