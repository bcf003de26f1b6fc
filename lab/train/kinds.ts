import { fitModel, type LogisticModel, predict, type Samples } from "./logistic.ts";
import { FOLDS } from "./pages.ts";
import { Names, type Read } from "./read.ts";
import { type Step, toSteps } from "./steps.ts";

const PENALTY = 6;
const EPOCHS = 60;
const MIN_PAGES = 8;

export interface LearnedKinds {
  /** The contents of kinds.json. */
  json: string;
  /** The kind and its likelihood for each page, by models that didn't see the page's domain, and by the final model. */
  heldOut: { kind: string; likelihood: number }[];
  final: { kind: string; likelihood: number }[];
}

/** Learns one logistic regression for each kind. */
export function learnKinds({ pages, source }: Read): LearnedKinds {
  const { PAGE_KINDS } = source;
  const names = new Names();
  const rows = pages.map(({ signals }) =>
    Float32Array.from([...signals].flatMap(([name, value]) => [names.indexOf(name), value])),
  );
  const known = pages.map(({ page }) => page.kind);
  const labelled = known.flatMap((kind, at) => (kind === null ? [] : [at]));
  const steps = toSteps(names.list, rows, { minRows: MIN_PAGES, sample: 1 });
  const samples: Samples = { ...toSamples(rows, steps), labels: new Uint8Array(rows.length) };
  const forKind = (kind: string, chosen: number[]) => {
    const labels = Uint8Array.from(known, (one) => Number(one === kind));
    return fitModel(
      { ...samples, labels },
      { featureCount: steps.length, penalty: PENALTY, epochs: EPOCHS, chosen: Uint32Array.from(chosen) },
    );
  };
  const final = PAGE_KINDS.map((kind) => forKind(kind, labelled));
  const folds = Array.from({ length: FOLDS }, (_, fold) =>
    PAGE_KINDS.map((kind) =>
      forKind(
        kind,
        labelled.filter((at) => pages[at]?.page.fold !== fold),
      ),
    ),
  );
  const judge = (models: readonly LogisticModel[], at: number) => {
    const odds = models.map((model) => logOdds(predict(samples, model, at)));
    const powers = odds.map((one) => Math.exp(one - Math.max(...odds)));
    const total = powers.reduce((sum, one) => sum + one, 0);
    const best = powers.indexOf(Math.max(...powers));
    return { kind: PAGE_KINDS[best] ?? "article", likelihood: (powers[best] ?? 0) / total };
  };
  return {
    json: toJson(steps, final),
    heldOut: pages.map(({ page }, at) => judge(folds[page.fold] ?? final, at)),
    final: pages.map((_, at) => judge(final, at)),
  };
}

function logOdds(likelihood: number): number {
  return Math.log(likelihood / (1 - likelihood));
}

function toSamples(rows: readonly Float32Array[], steps: readonly Step[]): Omit<Samples, "labels"> {
  const features = rows.map((row) => {
    const values = new Map<number, number>();
    for (let k = 0; k < row.length; k += 2) values.set(row[k] ?? 0, row[k + 1] ?? 0);
    return steps.flatMap(({ name, above }, feature) => ((values.get(name) ?? 0) > above ? [feature] : []));
  });
  const starts = new Uint32Array(rows.length + 1);
  for (const [at, active] of features.entries()) starts[at + 1] = (starts[at] ?? 0) + active.length;
  return { starts, features: Uint16Array.from(features.flat()), importance: new Float32Array(rows.length).fill(1) };
}

function toJson(steps: readonly Step[], models: readonly LogisticModel[]): string {
  const round = (value: number) => Math.round(value * 1000) / 1000;
  const byLabel = new Map<string, number[][]>();
  for (const [feature, { label, above }] of steps.entries()) {
    const row = [above, ...models.map((model) => round(model[feature] ?? 0))];
    byLabel.set(label, [...(byLabel.get(label) ?? []), row]);
  }
  const lines = [...byLabel]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, rows]) => `    ${JSON.stringify(label)}: ${JSON.stringify(rows)}`);
  const bias = models.map((model) => round(model.at(-1) ?? 0));
  return `{\n  "bias": ${JSON.stringify(bias)},\n  "steps": {\n${lines.join(",\n")}\n  }\n}\n`;
}
