// The parts that the command line selects. A selected part runs in full. Without a selection, all parts of the default run
// make fewer calls, so that they end in five minutes.

const fromEnvironment = (process.env.BENCH ?? "").split(",").filter((name) => name !== "");
const fromArguments = process.argv.slice(2).filter((word) => !word.startsWith("-"));

/** The names of the selected parts. */
export const SELECTED: readonly string[] = [...fromEnvironment, ...fromArguments];

/** Returns the number of calls of a part. The environment variable `name` overrides both numbers. */
export function chooseCount(name: string, counts: { short: number; full: number }): number {
  const given = process.env[name];
  if (given !== undefined) return Number(given);
  return SELECTED.length > 0 ? counts.full : counts.short;
}
