import { exponential, randomFrom } from "./random.ts";

interface Arrivals {
  /** Jobs a second that come in the mean, independently of each other. */
  perSecond: number;
  jobs: number;
  seed: number;
}

/** When each of them comes, ms. The same for the same seed. */
export function toArrivals({ perSecond, jobs, seed }: Arrivals): number[] {
  const random = randomFrom(seed);
  let at = 0;
  return Array.from({ length: jobs }, () => {
    at += exponential(random, 1_000 / perSecond);
    return at;
  });
}
