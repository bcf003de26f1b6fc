/** One binary feature: the value of a name is above a number. */
export interface Step {
  /** The index of the name. */
  name: number;
  label: string;
  above: number;
}

/** The quantiles of a name's values that become steps. */
const QUANTILES = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.95] as const;
/** A likelihood gets the same steps everywhere. */
const LIKELIHOOD_STEPS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95] as const;
const SAMPLE = 11;
/** A name needs at least this many lines. Rarer names tell nothing about other sites. */
const MIN_LINES = 300;

/** Chooses the steps of each name: 0 for a name with the values 0 and 1, quantiles for a name with more values. */
export function toSteps(
  names: readonly string[],
  rows: readonly Float32Array[],
  { minRows = MIN_LINES, sample = SAMPLE }: { minRows?: number; sample?: number } = {},
): Step[] {
  const values: number[][] = names.map(() => []);
  const counts = new Float64Array(names.length);
  const isFlag = names.map(() => true);
  const zeros = names.map(() => 0);
  for (const [at, row] of rows.entries())
    for (let k = 0; k < row.length; k += 2) {
      const [name, value] = [row[k] ?? 0, row[k + 1] ?? 0];
      counts[name] = (counts[name] ?? 0) + 1;
      if (value !== 1) isFlag[name] = false;
      if (at % sample === 0) values[name]?.push(value);
    }
  const sampled = Math.ceil(rows.length / sample);
  return names.flatMap((label, name) => {
    if ((counts[name] ?? 0) < minRows) return [];
    if (isFlag[name]) return [{ name, label, above: 0 }];
    if (label.includes("likelihood")) return LIKELIHOOD_STEPS.map((above) => ({ name, label, above }));
    zeros[name] = sampled - (values[name]?.length ?? 0);
    const sorted = [...Array.from({ length: zeros[name] ?? 0 }, () => 0), ...(values[name] ?? [])].toSorted(
      (a, b) => a - b,
    );
    const steps = QUANTILES.map((share) => round(sorted[Math.floor(share * sorted.length)] ?? 0));
    return [...new Set(steps)].map((above) => ({ name, label, above }));
  });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
