import { sum } from "../figures.ts";
import type { LearnedKinds } from "./kinds.ts";
import { fitModel, type LogisticModel, predict, type Samples } from "./logistic.ts";
import { FOLDS, type Labels } from "./pages.ts";
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

/** A choice of labels and of evidence to learn a model with. */
interface View {
  labels: keyof Labels;
  /** Returns true if the model uses the evidence with this name. */
  uses(name: string): boolean;
}

/** The evidence that tells a text from its copies and from repeated sections. */
const COPY_EVIDENCE = /repeats earlier words|heading about/;
const ALIGNED: View = { labels: "aligned", uses: () => true };
const BY_TEXT: View = { labels: "byText", uses: (name) => !COPY_EVIDENCE.test(name) };

/**
 * Learns the weights of the two rounds. The second round learns with the likelihoods of the models of the first round
 * that didn't see the page, because the likelihoods of pages that a model knows are too good.
 */
export function learnLines(read: Read, kinds: LearnedKinds): LearnedLines {
  const names = new Names();
  for (const name of read.names.list) names.indexOf(name);
  const own = read.pages.map((page, at) => withKind(page, kinds.heldOut[at]?.kind ?? "article", read, names));
  const first = learn(read, [...names.list], own);
  const held = likelihoods(read, first, "heldOut");
  const evidence = read.pages.map((page, at) =>
    withSurroundings(page, own[at] ?? [], held[at] ?? new Float64Array(), names),
  );
  const ownFinal = read.pages.map((page, at) => withKind(page, kinds.final[at]?.kind ?? "article", read, names));
  const firstFinal = { ...first, samples: toSamples(read, ownFinal, first.steps, ALIGNED) };
  const likely = likelihoods(read, firstFinal, "final");
  const evidenceFinal = read.pages.map((page, at) =>
    withSurroundings(page, ownFinal[at] ?? [], likely[at] ?? new Float64Array(), names),
  );
  const second = learn(read, names.list, evidence);
  const final = { ...second, samples: toSamples(read, evidenceFinal, second.steps, ALIGNED) };
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

/**
 * Learns the models of a round. Each is the mean of two models that err in different ways. The one with aligned
 * labels is better for forums and services, because it leaves out quotes and repeated sections. The other one is better
 * for collections and products, because it keeps lists whose entries repeat their labels.
 */
function learn(read: Read, names: readonly string[], evidence: readonly Float32Array[][]): Round {
  const steps = toSteps(names, evidence.flat());
  const aligned = toSamples(read, evidence, steps, ALIGNED);
  const views = [aligned, toSamples(read, evidence, steps, BY_TEXT)];
  const folds = read.pages.flatMap(({ page, texts }) => texts.map(() => page.fold));
  const learnView = (samples: Samples, fold: number) => {
    const chosen = folds.flatMap((one, at) => ((samples.importance[at] ?? 0) > 0 && one !== fold ? [at] : []));
    const options = { featureCount: steps.length, penalty: PENALTY, epochs: EPOCHS };
    return fitModel(samples, { ...options, chosen: Uint32Array.from(chosen) });
  };
  const models = Array.from({ length: FOLDS }, (_, fold) => meanOf(views.map((samples) => learnView(samples, fold))));
  return { steps, models, final: meanOf(models), samples: aligned };
}

/** Returns the importance of each line of a page. */
function importanceOf({ page, labels }: ReadPage, view: View): number[] {
  const own = labels[view.labels];
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

function toSamples(read: Read, evidence: readonly Float32Array[][], steps: readonly Step[], view: View): Samples {
  const byName: { above: number; feature: number }[][] = [];
  for (const [feature, { name, label, above }] of steps.entries())
    if (view.uses(label)) byName[name] = [...(byName[name] ?? []), { above, feature }];
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
    labels: Uint8Array.from(
      read.pages.flatMap(({ labels }) => labels[view.labels].map(({ isContent }) => Number(isContent))),
    ),
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
