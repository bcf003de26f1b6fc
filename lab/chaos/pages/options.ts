import { parseArguments, readInteger } from "../../../scripts/options.ts";
import { SCENARIO_NAMES, type ScenarioName } from "./scenarios.ts";

export const USAGE = `npm run lab -- chaos-pages [--kind crawl|batch|cancel] [--pages N] [--kills N] [--seed N]

  --kind NAME  crawl: a crawl of a site with traps. batch: a batch in which every tenth page fails. cancel: the same batch, canceled after half of its pages (default crawl)
  --pages N    the number of pages of the site or of the batch (default 2,000 for a crawl, and 1,000 for a batch)
  --kills N    how often the service is killed (default 10 for a crawl, and 5 for a batch)
  --seed N     repeats the kills of an earlier run (default: random)
  --help       prints this help`;

export interface Options {
  kind: ScenarioName;
  pages: number;
  kills: number;
  seed: number;
}

/** The site needs at least this number of pages. */
const LEAST_PAGES = 200;
const MOST_BATCH_PAGES = 1_000;

/** Parses the command line. Throws if a value is invalid. */
export function readOptions(args: string[]): Options {
  const { values } = parseArguments({
    args,
    options: {
      kind: { type: "string", default: "crawl" },
      pages: { type: "string" },
      kills: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  const kind = SCENARIO_NAMES.find((name) => name === values.kind);
  if (kind === undefined) throw new Error(`--kind must be ${SCENARIO_NAMES.join(", ")}, but is '${values.kind}'.`);
  const [pages, kills] = kind === "crawl" ? ["2000", "10"] : ["1000", "5"];
  const range = { least: LEAST_PAGES, ...(kind === "crawl" ? {} : { most: MOST_BATCH_PAGES }) };
  return {
    kind,
    pages: readInteger("--pages", values.pages ?? pages, range),
    kills: readInteger("--kills", values.kills ?? kills, { least: 0 }),
    seed: readInteger("--seed", values.seed, { least: 0 }),
  };
}
