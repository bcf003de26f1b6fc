import { sum } from "../figures.ts";
import dependsOnKind from "./depends-on-kind.json" with { type: "json" };
import type { LearnedKinds } from "./kinds.ts";
import { fitModel, type LogisticModel, predict, type Samples } from "./logistic.ts";
import { FOLDS, type Labels } from "./pages.ts";
import { Names, type Read, type ReadPage } from "./read.ts";
import { type Step, toSteps } from "./steps.ts";

/** Evidence that means something else on each kind of page. It also counts with the kind in front of its name. */
const DEPENDS_ON_KIND: ReadonlySet<string> = new Set(dependsOnKind);
const PENALTY = 50;
const EPOCHS = 12;
/** Long pages count more than short ones, but less than in proportion to their words. */
const LENGTH_POWER = 0.8;
const MIN_WORDS = 20;

export interface LearnedLines {
  /** The contents of weights.json. */
  json: string;
  /** The likelihood of each line by models that didn't see the page's domain, and by the final model. */
  heldOut: Float64Array[];
  final: Float64Array[];
}

interface Round {
  steps: Step[];
  models: LogisticModel[];
  final: LogisticModel;
  samples: Samples;
}

/**
 * The weights are the mean of one training for each way to label the second copy of a text. The mean varies less than a
 * single training.
 */
const VIEWS: readonly (keyof Labels)[] = ["firstCopy", "noCopy", "allCopies"];

/** The models and likelihoods of one training. */
interface LearnedView {
  rounds: readonly [first: Round, second: Round];
  heldOut: Float64Array[];
  final: Float64Array[];
}

/** Learns the weights with each view of the labels, and returns their mean. */
export function learnLines(read: Read, kinds: LearnedKinds): LearnedLines {
  const views = VIEWS.map((view) => learnView(read, kinds, view));
  return {
    json: toJson(views.map(({ rounds }) => rounds)),
    heldOut: meanLikelihoods(views.map(({ heldOut }) => heldOut)),
    final: meanLikelihoods(views.map(({ final }) => final)),
  };
}

/**
 * Learns the weights of the two rounds. The second round learns with the likelihoods of the models of the first round
 * that didn't see the page, because the likelihoods of pages that a model knows are too good.
 */
function learnView(read: Read, kinds: LearnedKinds, view: keyof Labels): LearnedView {
  const names = new Names();
  for (const name of read.names.list) names.indexOf(name);
  const own = read.pages.map((page, at) => withKind(page, kinds.heldOut[at]?.kind ?? "article", read, names));
  const first = learn(read, [...names.list], own, view);
  const held = likelihoods(read, first, "heldOut");
  const evidence = read.pages.map((page, at) =>
    withSurroundings(page, own[at] ?? [], held[at] ?? new Float64Array(), names),
  );
  const ownFinal = read.pages.map((page, at) => withKind(page, kinds.final[at]?.kind ?? "article", read, names));
  const firstFinal = { ...first, samples: toSamples(read, ownFinal, first.steps, view) };
  const likely = likelihoods(read, firstFinal, "final");
  const evidenceFinal = read.pages.map((page, at) =>
    withSurroundings(page, ownFinal[at] ?? [], likely[at] ?? new Float64Array(), names),
  );
  const second = learn(read, names.list, evidence, view);
  const final = { ...second, samples: toSamples(read, evidenceFinal, second.steps, view) };
  return {
    rounds: [first, second],
    heldOut: likelihoods(read, second, "heldOut"),
    final: likelihoods(read, final, "final"),
  };
}

/** Returns the likelihoods of the mean of the views' log-odds. */
function meanLikelihoods(views: readonly Float64Array[][]): Float64Array[] {
  const logOdds = (likelihood: number) => Math.log(likelihood / (1 - likelihood));
  const [first = []] = views;
  return first.map((lines, page) =>
    Float64Array.from(lines, (_, line) => {
      const mean = sum(views.map((view) => logOdds(view[page]?.[line] ?? 0.5))) / views.length;
      return 1 / (1 + Math.exp(-mean));
    }),
  );
}

/** Adds the evidence that depends on the page's kind. */
function withKind({ evidence }: ReadPage, kind: string, { source }: Read, names: Names): Float32Array[] {
  const onKind = names.list.map((name) =>
    DEPENDS_ON_KIND.has(name) ? names.indexOf(source.nameOnKind(name, kind)) : null,
  );
  const own = names.indexOf(source.kindName(kind));
  return evidence.map((row) => {
    const found = [...row, own, 1];
    for (let k = 0; k < row.length; k += 2) {
      const name = onKind[row[k] ?? 0];
      if (typeof name === "number") found.push(name, row[k + 1] ?? 0);
    }
    return Float32Array.from(found);
  });
}

function withSurroundings(
  page: ReadPage,
  evidence: readonly Float32Array[],
  likelihoods: Float64Array,
  names: Names,
): Float32Array[] {
  const around = page.surroundings(likelihoods);
  return evidence.map((own, at) => {
    const found = [...own];
    around(at, (name, value) => {
      const index = names.indexOf(name);
      if (value !== 0) found.push(index, value);
    });
    return Float32Array.from(found);
  });
}

/** Learns the models of a round. */
function learn(read: Read, names: readonly string[], evidence: readonly Float32Array[][], view: keyof Labels): Round {
  const steps = toSteps(names, evidence.flat());
  const samples = toSamples(read, evidence, steps, view);
  const folds = read.pages.flatMap(({ page, texts }) => texts.map(() => page.fold));
  const learnWithout = (fold: number) => {
    const chosen = folds.flatMap((one, at) => ((samples.importance[at] ?? 0) > 0 && one !== fold ? [at] : []));
    const options = { featureCount: steps.length, penalty: PENALTY, epochs: EPOCHS };
    return fitModel(samples, { ...options, chosen: Uint32Array.from(chosen) });
  };
  const models = Array.from({ length: FOLDS }, (_, fold) => learnWithout(fold));
  return { steps, models, final: meanOf(models), samples };
}

/** Returns the importance of each line of a page. */
function importanceOf({ page, labels }: ReadPage, view: keyof Labels): number[] {
  const own = labels[view];
  const total = sum(own.map(({ importance }) => importance));
  const words = Math.max(MIN_WORDS, total);
  const isText = page.set === "wcxb" || page.set === "articles";
  // Sets with few labelled lines get the importance that a page of 500 words with labels has.
  const scale = isText ? words ** -LENGTH_POWER : total > 0 ? 500 ** (1 - LENGTH_POWER) / total : 0;
  return own.map(({ importance }) => importance * scale * page.importance);
}

/** Returns the mean of models. The mean of the models of all folds varies less than a model of all pages. */
function meanOf(models: readonly LogisticModel[]): LogisticModel {
  const size = models[0]?.length ?? 0;
  return Float32Array.from({ length: size }, (_, at) => sum(models.map((model) => model[at] ?? 0)) / models.length);
}

function toSamples(
  read: Read,
  evidence: readonly Float32Array[][],
  steps: readonly Step[],
  view: keyof Labels,
): Samples {
  const byName: { above: number; feature: number }[][] = [];
  for (const [feature, { name, above }] of steps.entries())
    byName[name] = [...(byName[name] ?? []), { above, feature }];
  const rows = evidence.flat();
  const active = (row: Float32Array, use: (feature: number) => void) => {
    for (let k = 0; k < row.length; k += 2)
      for (const { above, feature } of byName[row[k] ?? 0] ?? []) if ((row[k + 1] ?? 0) > above) use(feature);
  };
  // The features are counted first, because an array for each line would need gigabytes.
  const starts = new Uint32Array(rows.length + 1);
  for (const [at, row] of rows.entries()) {
    let count = 0;
    active(row, () => count++);
    starts[at + 1] = (starts[at] ?? 0) + count;
  }
  const flat = new Uint16Array(starts[rows.length] ?? 0);
  let next = 0;
  for (const row of rows)
    active(row, (feature) => {
      flat[next++] = feature;
    });
  const weights = Float32Array.from(read.pages.flatMap((page) => importanceOf(page, view)));
  const used = weights.filter((weight) => weight > 0);
  const mean = used.reduce((sum, weight) => sum + weight, 0) / Math.max(1, used.length);
  return {
    starts,
    features: flat,
    labels: Uint8Array.from(read.pages.flatMap(({ labels }) => labels[view].map(({ isContent }) => Number(isContent)))),
    importance: weights.map((weight) => weight / mean),
  };
}

function likelihoods(read: Read, { models, final, samples }: Round, by: "heldOut" | "final"): Float64Array[] {
  let at = 0;
  return read.pages.map(({ page, texts }) => {
    const model = by === "final" ? final : (models[page.fold] ?? final);
    return Float64Array.from(texts, () => predict(samples, model, at++));
  });
}

/** Returns the contents of weights.json: the mean of the views' weights. A step that a view doesn't have counts as 0. */
function toJson(views: readonly (readonly [Round, Round])[]): string {
  const weights = new Map<string, Map<number, [first: number, second: number]>>();
  const add = ({ steps, final }: Round, at: 0 | 1) => {
    for (const [index, { label, above }] of steps.entries()) {
      const own = weights.get(label) ?? new Map<number, [number, number]>();
      const step = own.get(above) ?? [0, 0];
      step[at] += (final[index] ?? 0) / views.length;
      weights.set(label, own.set(above, step));
    }
  };
  for (const [first, second] of views) {
    add(first, 0);
    add(second, 1);
  }
  const round = (value: number) => Math.round(value * 1000) / 1000;
  const bias = ([0, 1] as const).map((at) =>
    round(sum(views.map((rounds) => rounds[at].final.at(-1) ?? 0)) / views.length),
  );
  const lines = [...weights]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => {
      const steps = [...own].toSorted(([a], [b]) => a - b).map(([above, step]) => [above, ...step.map(round)]);
      return `    ${JSON.stringify(name)}: ${JSON.stringify(steps)}`;
    });
  return `{\n  "bias": [${bias.join(", ")}],\n  "steps": {\n${lines.join(",\n")}\n  }\n}\n`;
}
