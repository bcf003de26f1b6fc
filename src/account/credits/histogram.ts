/**
 * The ratio of a bucket's upper bound to its lower bound. With this ratio, a percentile is at most 5% away from a
 * measured value. Histograms of different days, keys and endpoints can be added, because they have the same buckets.
 * Source of the buckets: DDSketch (Masson, Rim, Lee: "DDSketch: a fast and fully-mergeable quantile sketch with
 * relative-error guarantees", VLDB 2019).
 */
const GROWTH = 1.1;

/** The number of values in each bucket. The keys are bucket numbers. */
export type Histogram = Readonly<Record<string, number>>;

/** Returns the bucket number of a duration (ms). Bucket 0 is below 1 ms, and bucket n starts at 1.1^(n - 1) ms. */
export function bucketOf(ms: number): number {
  return ms < 1 ? 0 : 1 + Math.floor(Math.log(ms) / Math.log(GROWTH));
}

/** Adds a histogram to `sum`. */
export function addHistogram(sum: Record<string, number>, histogram: Histogram): void {
  for (const [bucket, count] of Object.entries(histogram)) sum[bucket] = (sum[bucket] ?? 0) + count;
}

/**
 * Returns a nearest-rank percentile in whole milliseconds. `share` is 0.5 for the median. The value is the middle of
 * the bucket that contains the percentile. Returns null for an empty histogram.
 */
export function toPercentile(histogram: Histogram, share: number): number | null {
  const buckets = Object.entries(histogram)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((a, b) => a.bucket - b.bucket);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let left = Math.max(1, Math.ceil(total * share));
  for (const { bucket, count } of buckets) {
    left -= count;
    if (left <= 0) return bucket === 0 ? 0 : Math.round(GROWTH ** (bucket - 0.5));
  }
  return null;
}
