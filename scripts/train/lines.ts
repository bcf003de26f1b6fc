import { sum } from "../figures.ts";
import type { LearnedKinds } from "./kinds.ts";
import { fitModel, type LogisticModel, predict, type Samples } from "./logistic.ts";
import { FOLDS } from "./pages.ts";
import { Names, type Read, type ReadPage } from "./read.ts";
import { type Step, toSteps } from "./steps.ts";

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
 * Learns the weights of the two rounds. The second round learns with the likelihoods of the models of the first round
 * that didn't see the page, because the likelihoods of pages that a model knows are too good.
 */
export function learnLines(read: Read, kinds: LearnedKinds): LearnedLines {
  const importance = read.pages.map(({ page, labels }) => {
    const total = labels.reduce((sum, label) => sum + label.importance, 0);
    const words = Math.max(MIN_WORDS, total);
    const isText = page.set === "wcxb" || page.set === "articles";
    // Sets with few labelled lines get the importance that a page of 500 words with labels has.
    const scale = isText ? words ** -LENGTH_POWER : total > 0 ? 500 ** (1 - LENGTH_POWER) / total : 0;
    return labels.map((label) => label.importance * scale * page.importance);
  });
  const names = new Names();
  for (const name of read.names.list) names.indexOf(name);
  const own = read.pages.map((page, at) => withKind(page, kinds.heldOut[at]?.kind ?? "article", read, names));
  const first = learn(read, [...names.list], own, importance);
  const held = likelihoods(read, first, "heldOut");
  const evidence = read.pages.map((page, at) =>
    withSurroundings(page, own[at] ?? [], held[at] ?? new Float64Array(), names),
  );
  const ownFinal = read.pages.map((page, at) => withKind(page, kinds.final[at]?.kind ?? "article", read, names));
  const firstFinal = { ...first, samples: toSamples(read, ownFinal, first.steps, importance) };
  const likely = likelihoods(read, firstFinal, "final");
  const evidenceFinal = read.pages.map((page, at) =>
    withSurroundings(page, ownFinal[at] ?? [], likely[at] ?? new Float64Array(), names),
  );
  const second = learn(read, names.list, evidence, importance);
  const final = { ...second, samples: toSamples(read, evidenceFinal, second.steps, importance) };
  return {
    json: toJson(first, second),
    heldOut: likelihoods(read, second, "heldOut"),
    final: likelihoods(read, final, "final"),
  };
}

/** Adds the evidence that depends on the page's kind. */
function withKind({ evidence }: ReadPage, kind: string, { source }: Read, names: Names): Float32Array[] {
  const onKind = names.list.map((name) => source.nameOnKind(name, kind)).map((name) => name && names.indexOf(name));
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

function learn(
  read: Read,
  names: readonly string[],
  evidence: readonly Float32Array[][],
  importance: number[][],
): Round {
  const steps = toSteps(names, evidence.flat());
  const samples = toSamples(read, evidence, steps, importance);
  const folds = read.pages.flatMap(({ page, labels }) => labels.map(() => page.fold));
  const chosen = (test: (fold: number) => boolean) =>
    Uint32Array.from(folds.flatMap((fold, at) => ((samples.importance[at] ?? 0) > 0 && test(fold) ? [at] : [])));
  const run = (picked: Uint32Array) =>
    fitModel(samples, { featureCount: steps.length, penalty: PENALTY, epochs: EPOCHS, chosen: picked });
  const models = Array.from({ length: FOLDS }, (_, fold) => run(chosen((one) => one !== fold)));
  return { steps, models, final: meanOf(models), samples };
}

/** Returns the mean of the models of all folds. It varies less than a model of all pages. */
function meanOf(models: readonly LogisticModel[]): LogisticModel {
  const size = models[0]?.length ?? 0;
  return Float32Array.from({ length: size }, (_, at) => sum(models.map((model) => model[at] ?? 0)) / models.length);
}

function toSamples(
  read: Read,
  evidence: readonly Float32Array[][],
  steps: readonly Step[],
  importance: readonly number[][],
): Samples {
  const byName: { above: number; feature: number }[][] = [];
  for (const [feature, { name, above }] of steps.entries())
    byName[name] = [...(byName[name] ?? []), { above, feature }];
  const rows = evidence.flat();
  const starts = new Uint32Array(rows.length + 1);
  const features: number[][] = rows.map((row) => {
    const active: number[] = [];
    for (let k = 0; k < row.length; k += 2)
      for (const { above, feature } of byName[row[k] ?? 0] ?? []) if ((row[k + 1] ?? 0) > above) active.push(feature);
    return active;
  });
  for (const [at, active] of features.entries()) starts[at + 1] = (starts[at] ?? 0) + active.length;
  const flat = new Uint16Array(starts[rows.length] ?? 0);
  for (const [at, active] of features.entries()) flat.set(active, starts[at]);
  const weights = Float32Array.from(importance.flat());
  const used = weights.filter((weight) => weight > 0);
  const mean = used.reduce((sum, weight) => sum + weight, 0) / Math.max(1, used.length);
  return {
    starts,
    features: flat,
    labels: Uint8Array.from(read.pages.flatMap(({ labels }) => labels.map(({ isContent }) => Number(isContent)))),
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

function toJson(first: Round, second: Round): string {
  const weights = new Map<string, [number, number, number][]>();
  const round = (value: number) => Math.round(value * 1000) / 1000;
  const add = ({ steps, final }: Round, at: 1 | 2) => {
    for (const [index, { label, above }] of steps.entries()) {
      const weight = round(final[index] ?? 0);
      const known = weights.get(label) ?? [];
      const step = known.find(([one]) => one === above) ?? [above, 0, 0];
      if (!known.includes(step as [number, number, number])) known.push(step as [number, number, number]);
      step[at] = weight;
      weights.set(label, known);
    }
  };
  add(first, 1);
  add(second, 2);
  const lines = [...weights]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, steps]) => `    ${JSON.stringify(name)}: ${JSON.stringify(steps)}`);
  return `{\n  "bias": [${round(first.final.at(-1) ?? 0)}, ${round(second.final.at(-1) ?? 0)}],\n  "steps": {\n${lines.join(",\n")}\n  }\n}\n`;
}
