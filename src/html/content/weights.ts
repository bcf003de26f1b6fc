import { getOrMake } from "../../lib/lazy";
import type { PageKind } from "../../model/page-kinds";
import { between, type LineRange, type Region, runningSum, type TextLine } from "../main-content/regions";
import type { ContentFacts, LineGroup, SharedEvidence } from "./content-facts";
import { placeEvidence, type SharedWitness, type Witness } from "./evidence";
import { lineEvidence } from "./line-evidence";
import { kindName, nameOnKind } from "./page-kind";
import table from "./weights.json";

/**
 * The weights of all evidence, made by `npm run lab -- train`. Each piece of evidence has steps. A value above a step
 * adds the step's weight. The first weight is for the first round, which looks at each line separately. The second weight
 * is for the second round, which also looks at the likelihood of the lines around it. The sum is a log-odds.
 */
interface WeightTable {
  bias: readonly [first: number, second: number];
  steps: Readonly<Record<string, Steps>>;
}

type Steps = readonly (readonly [above: number, first: number, second: number])[];

type Sums = ReturnType<typeof toSums>;

const { bias, steps } = table as unknown as WeightTable;
const SUMS_BY_KIND = new Map<PageKind, ReadonlyMap<string, readonly Sums[]>>();

/** The names of the evidence about the region of a line and the regions around it. */
const REGION_LEVELS = [1, 2, 3, 4].map((level) => `likelihood of region ${level}`);
const PARTS = [30, 100, 300].map((words) => ({ words, name: `likelihood of ${words} words around` }));
const WINDOWS = [3, 10].map((lines) => ({ lines, name: `likelihood of ${lines} lines around` }));
const REACH = 40;
const UNKNOWN = 0.5;

/** Returns the steps of each name on pages of a kind, including those that count only on this kind. */
function sumsFor(kind: PageKind): ReadonlyMap<string, readonly Sums[]> {
  return getOrMake(SUMS_BY_KIND, kind, () => {
    const sumsOf = (name: string) =>
      [name, nameOnKind(name, kind)].flatMap((one) => (steps[one] ? [toSums(steps[one])] : []));
    return new Map(Object.keys(steps).map((name) => [name, sumsOf(name)]));
  });
}

/** Returns the steps of a name, with the sums of the weights up to each step. */
function toSums(own: Steps) {
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
  const places = new RegionCache<readonly [first: number, second: number]>();
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
    const place = places.getOrMake(line.region, () => {
      [one, two] = [0, 0];
      placeEvidence(line.region, facts, see, seeShared);
      return [one, two];
    });
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

/**
 * Values of regions. The lines of a region without children follow each other, so only the value of the last one is
 * kept. The values of all cells of a large table would take more memory than the page.
 */
class RegionCache<Value> {
  readonly #values = new Map<Region, Value>();
  #last: { region: Region; value: Value } | null = null;

  getOrMake(region: Region, make: () => Value): Value {
    if (region.children.length > 0) return getOrMake(this.#values, region, make);
    if (this.#last?.region !== region) this.#last = { region, value: make() };
    return this.#last.value;
  }
}

/** Converts log-odds to a likelihood from 0 to 1. */
function likelihood(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/**
 * The evidence in the lines around a line: how likely they are content after the first round. `likelihoods` has a value
 * from 0 to 1 for each line. Means are weighted by words.
 */
export class Surroundings {
  readonly #facts: ContentFacts;
  readonly #likelihoods: Float64Array;
  readonly #words: Float64Array;
  readonly #likely: Float64Array;
  readonly #groups: ReadonlyMap<LineGroup | undefined, number>;
  readonly #regions = new RegionCache<SharedEvidence>();

  constructor(facts: ContentFacts, likelihoods: Float64Array) {
    const { lines } = facts.page;
    const wordsOf = (line: TextLine) => line.words + 0.01;
    const likelyWordsOf = (line: TextLine) => wordsOf(line) * (likelihoods[line.index] ?? 0);
    this.#facts = facts;
    this.#likelihoods = likelihoods;
    this.#words = runningSum(lines, wordsOf);
    this.#likely = runningSum(lines, likelyWordsOf);
    const groups = Map.groupBy(lines, ({ index }) => facts.groups[index]).entries();
    const sum = (own: readonly TextLine[], of: (line: TextLine) => number) =>
      own.reduce((all, one) => all + of(one), 0);
    this.#groups = new Map(groups.map(([group, own]) => [group, sum(own, likelyWordsOf) / sum(own, wordsOf)]));
  }

  /** Gives the evidence around the line with this index. */
  evidence(index: number, see: Witness): void {
    const { page, groups } = this.#facts;
    const line = page.lines[index];
    if (!line) return;
    for (const [name, value] of this.#around(line.region)) see(name, value);
    see("likelihood of its group", this.#groups.get(groups[index]) ?? 0);
    see("likelihood", this.#at(index));
    see("likelihood of the line before", this.#at(index - 1));
    see("likelihood of the line after", this.#at(index + 1));
    const count = page.lines.length;
    for (const { lines, name } of WINDOWS)
      see(name, this.#mean({ start: Math.max(0, index - lines), end: Math.min(count, index + lines + 1) }));
    let [before, after] = [0, 0];
    for (let offset = 0; offset <= REACH; offset++) {
      before = Math.max(before, this.#at(index - offset));
      after = Math.max(after, this.#at(index + offset));
    }
    see("highest likelihood before", before);
    see("highest likelihood after", after);
  }

  #around(region: Region): SharedEvidence {
    return this.#regions.getOrMake(region, () => {
      const { page, aroundHeadline } = this.#facts;
      const around = region.withAncestors();
      const ranges = around.filter(
        ({ start, end }, at) => start !== around[at - 1]?.start || end !== around[at - 1]?.end,
      );
      const block = around.findLast((at) => !aroundHeadline.has(at)) ?? page.root;
      const part = (words: number) => ranges.find((range) => between(this.#words, range) >= words) ?? page.root;
      return [
        ...REGION_LEVELS.map((name, level) => [name, this.#mean(ranges[level] ?? page.root)] as const),
        ...PARTS.map(({ words, name }) => [name, this.#mean(part(words))] as const),
        ["likelihood of the block", this.#mean(block)],
        ["likelihood of the page", this.#mean(page.root)],
      ];
    });
  }

  #at(index: number): number {
    return this.#likelihoods[index] ?? 0;
  }

  #mean(range: LineRange): number {
    const words = between(this.#words, range);
    return words > 0 ? between(this.#likely, range) / words : UNKNOWN;
  }
}
