import { expect, it } from "vitest";
import { fitModel, predict, randomNumbers, type Samples } from "../../../lab/train/logistic.ts";

/** Makes samples of three features. The label is the first feature, the second is its opposite, the third is noise. */
function makeSamples(count: number): Samples {
  const random = randomNumbers(7);
  const rows = Array.from({ length: count }, () => {
    const isOne = random() > 0.5;
    return { label: Number(isOne), active: [isOne ? 0 : 1, ...(random() > 0.5 ? [2] : [])] };
  });
  const starts = new Uint32Array(count + 1);
  for (const [at, { active }] of rows.entries()) starts[at + 1] = (starts[at] ?? 0) + active.length;
  return {
    starts,
    features: Uint16Array.from(rows.flatMap(({ active }) => active)),
    labels: Uint8Array.from(rows, ({ label }) => label),
    importance: new Float32Array(count).fill(1),
  };
}

const samples = makeSamples(400);
const all = Uint32Array.from({ length: 400 }, (_, at) => at);
const learn = (penalty: number, chosen = all) => fitModel(samples, { featureCount: 3, penalty, epochs: 20, chosen });

it("learns which features decide", () => {
  const model = learn(1);
  const [first = 0, second = 0, noise = 0] = model;
  expect(first).toBeGreaterThan(1);
  expect(second).toBeLessThan(-1);
  expect(Math.abs(noise)).toBeLessThan(0.3);
  for (const at of all) expect(Math.round(predict(samples, model, at))).toBe(samples.labels[at]);
});

it("keeps weights small with a high penalty", () => {
  expect(Math.abs(learn(1_000)[0] ?? 0)).toBeLessThan(Math.abs(learn(1)[0] ?? 0) / 5);
});

it("ignores samples without importance", () => {
  const wrong = { ...samples, labels: samples.labels.map((label, at) => (at < 100 ? 1 - label : label)) };
  const importance = samples.importance.map((_, at) => (at < 100 ? 0 : 1));
  const options = { featureCount: 3, penalty: 1, epochs: 20 };
  const model = fitModel({ ...wrong, importance }, { ...options, chosen: all });
  for (const at of all) expect(Math.round(predict(samples, model, at))).toBe(samples.labels[at]);
});
