import type { PageKind } from "../../model/page-kinds";
import type { Region } from "../main-content/regions";
import type { ContentFacts } from "./content-facts";
import { placeEvidence, type SharedEvidence, type SharedWitness, type Witness } from "./evidence";
import { lineEvidence } from "./line-evidence";
import { kindName, nameOnKind } from "./page-kind";
import { Surroundings } from "./surroundings";
import table from "./weights.json";

/**
 * The weights of all evidence, made by `npm run lab -- train`. Each piece of evidence has steps. A value above a step
 * adds the step's two weights: the first for the first round, which looks at each line on its own, and the second for
 * the second round, which also looks at the likelihood of the lines around it. The sum is a log-odds.
 */
interface WeightTable {
  bias: readonly [first: number, second: number];
  steps: Readonly<Record<string, Steps>>;
}

type Steps = readonly (readonly [above: number, first: number, second: number])[];

/** The steps of a name, with the sums of the weights up to each step. */
interface Sums {
  above: Float64Array;
  first: Float64Array;
  second: Float64Array;
}

const { bias, steps } = table as unknown as WeightTable;
const SUMS_BY_KIND = new Map<PageKind, ReadonlyMap<string, readonly Sums[]>>();

/** Returns the steps of each name on pages of a kind, including those that count only on this kind. */
function sumsFor(kind: PageKind): ReadonlyMap<string, readonly Sums[]> {
  const known = SUMS_BY_KIND.get(kind);
  if (known) return known;
  const found = new Map<string, readonly Sums[]>();
  for (const [name, own] of Object.entries(steps)) {
    const onKind = steps[nameOnKind(name, kind)];
    found.set(name, [toSums(own), ...(onKind ? [toSums(onKind)] : [])]);
  }
  SUMS_BY_KIND.set(kind, found);
  return found;
}

function toSums(own: Steps): Sums {
  let [first, second] = [0, 0];
  return {
    above: Float64Array.from(own, ([above]) => above),
    first: Float64Array.from(own, ([, weight]) => (first += weight)),
    second: Float64Array.from(own, ([, , weight]) => (second += weight)),
  };
}

/** Returns the likelihood that a line is content, from 0 to 1, for each line of the page. */
export function likelihoodsOf(facts: ContentFacts, kind: PageKind): Float64Array {
  const { lines } = facts.page;
  const first = new Float64Array(lines.length);
  const second = new Float64Array(lines.length);
  const places = new Map<Region, readonly [first: number, second: number]>();
  const shared = new Map<SharedEvidence, readonly [first: number, second: number]>();
  const sumsByName = sumsFor(kind);
  let [one, two] = bias;
  const see: Witness = (name, value) => {
    if (value === 0) return;
    const found = sumsByName.get(name);
    if (!found) return;
    for (const { above, first, second } of found) {
      let step = -1;
      while (step + 1 < above.length && value > (above[step + 1] ?? 0)) step++;
      if (step < 0) continue;
      one += first[step] ?? 0;
      two += second[step] ?? 0;
    }
  };
  const seeShared: SharedWitness = (evidence) => {
    let sums = shared.get(evidence);
    if (!sums) {
      const [before, beforeTwo] = [one, two];
      for (const [name, value] of evidence) see(name, value);
      sums = [one - before, two - beforeTwo];
      [one, two] = [before, beforeTwo];
      shared.set(evidence, sums);
    }
    one += sums[0];
    two += sums[1];
  };
  see(kindName(kind), 1);
  const start = [one, two] as const;
  let wordsBefore = 0;
  for (const line of lines) {
    let place = places.get(line.region);
    if (!place) {
      [one, two] = [0, 0];
      placeEvidence(line.region, facts, see, seeShared);
      place = [one, two];
      places.set(line.region, place);
    }
    [one, two] = [start[0] + place[0], start[1] + place[1]];
    lineEvidence(line, facts, wordsBefore, see);
    first[line.index] = one;
    second[line.index] = two;
    wordsBefore += line.words;
  }
  const surroundings = new Surroundings(facts, first.map(likelihood));
  for (let at = 0; at < lines.length; at++) {
    two = second[at] ?? 0;
    surroundings.evidence(at, see);
    second[at] = two;
  }
  return second.map(likelihood);
}

/** Converts log-odds to a likelihood from 0 to 1. */
function likelihood(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
