/** Samples with binary features: `features` has the active features of all samples, from `starts[i]` to `starts[i + 1]`. */
export interface Samples {
  starts: Uint32Array;
  features: Uint16Array;
  labels: Uint8Array;
  /** The importance of each sample. Samples with 0 aren't used. */
  importance: Float32Array;
}

/** The weight of each feature, and the bias as the last number. */
export type LogisticModel = Float32Array;

export interface FitOptions {
  featureCount: number;
  /** The strength of the L2 penalty. */
  penalty: number;
  epochs: number;
  /** The samples to learn from. */
  chosen: Uint32Array;
}

const RATE = 0.3;
/** The start of the sums of squares. It limits the first steps of a rare feature. */
const FIRST_SQUARE = 1e-3;

/**
 * Fits a logistic regression by stochastic gradient descent with AdaGrad (Duchi, Hazan and Singer, 2011). Returns the
 * mean of the weights after the second half of the epochs. The penalty of a feature is spread over the samples that have
 * it. The result is the same for the same input.
 */
export function fitModel(samples: Samples, { featureCount, penalty, epochs, chosen }: FitOptions): LogisticModel {
  const { starts, features, labels, importance } = samples;
  const weights = new Float32Array(featureCount + 1);
  const squares = new Float32Array(featureCount + 1).fill(FIRST_SQUARE);
  const mean = new Float64Array(featureCount + 1);
  const counts = countFeatures(samples, featureCount, chosen);
  const update = (feature: number, gradient: number) => {
    const square = (squares[feature] ?? 0) + gradient * gradient;
    squares[feature] = square;
    weights[feature] = (weights[feature] ?? 0) - (RATE * gradient) / Math.sqrt(square);
  };
  const random = randomNumbers(1);
  const order = chosen.slice();
  const last = Math.floor(epochs / 2);
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(order, random);
    for (const at of order) {
      const [start, end] = [starts[at] ?? 0, starts[at + 1] ?? 0];
      const error = (predict(samples, weights, at) - (labels[at] ?? 0)) * (importance[at] ?? 0);
      update(featureCount, error);
      for (let k = start; k < end; k++) {
        const feature = features[k] ?? 0;
        update(feature, error + (penalty * (weights[feature] ?? 0)) / (counts[feature] ?? 1));
      }
    }
    if (epoch < epochs - last) continue;
    for (let feature = 0; feature <= featureCount; feature++)
      mean[feature] = (mean[feature] ?? 0) + (weights[feature] ?? 0) / last;
  }
  return Float32Array.from(mean);
}

function countFeatures({ starts, features }: Samples, featureCount: number, chosen: Uint32Array): Float32Array {
  const counts = new Float32Array(featureCount).fill(1);
  for (const at of chosen)
    for (let k = starts[at] ?? 0; k < (starts[at + 1] ?? 0); k++)
      counts[features[k] ?? 0] = (counts[features[k] ?? 0] ?? 0) + 1;
  return counts;
}

function shuffle(order: Uint32Array, random: () => number): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
}

/** Returns the likelihood of a sample, from 0 to 1. */
export function predict({ starts, features }: Samples, model: LogisticModel, at: number): number {
  let sum = model.at(-1) ?? 0;
  for (let k = starts[at] ?? 0; k < (starts[at + 1] ?? 0); k++) sum += model[features[k] ?? 0] ?? 0;
  return 1 / (1 + Math.exp(-sum));
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
