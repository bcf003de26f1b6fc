/**
 * A model of a queue. Its consumers take batches of messages. Account B shares the queue with busy accounts, which
 * always have waiting jobs.
 */
export interface FairnessModel {
  consumers: number;
  batch: number;
  jobMs: number;
  /** The number of accounts that always have waiting jobs. */
  busyAccounts: number;
  /** The limit of concurrent jobs for each busy account. */
  slots: number;
  /** The number of jobs of account B. B sends the next job as soon as one has ended. */
  jobs: number;
  seed: number;
}

/** The waiting times of account B's jobs. */
export interface FairnessOutcome {
  /** The largest number of other accounts' jobs that started while a job of B waited. */
  mostJobsAhead: number;
  meanWaitMs: number;
  mostWaitMs: number;
}

interface QueuedJob {
  isB: boolean;
  sentAt: number;
  /** The number of other accounts' jobs that had started before this job was sent. */
  startedBefore: number;
}

/** Simulates the queue. The same seed always returns the same outcome. */
export function simulateFairness(model: FairnessModel): FairnessOutcome {
  const { consumers, batch, jobMs, busyAccounts, slots, jobs, seed } = model;
  const random = randomFrom(seed);
  const queue: QueuedJob[] = [];
  // Future events, ordered by time. An event ends a job or frees a consumer.
  const events: { at: number; run: () => void }[] = [];
  const waits: number[] = [];
  let [now, free, started, mostJobsAhead] = [0, consumers, 0, 0];
  const send = (isB: boolean) => queue.push({ isB, sentAt: now, startedBefore: started });
  const schedule = (at: number, run: () => void) => {
    const index = events.findIndex((event) => event.at > at);
    events.splice(index < 0 ? events.length : index, 0, { at, run });
  };
  const start = ({ isB, sentAt, startedBefore }: QueuedJob): number => {
    const endsAt = now + exponential(random, jobMs);
    if (isB) {
      waits.push(now - sentAt);
      mostJobsAhead = Math.max(mostJobsAhead, started - startedBefore);
    } else started++;
    // The account's Durable Object sends the next job when one has ended.
    schedule(endsAt, () => send(isB));
    return endsAt;
  };
  for (let i = 0; i < busyAccounts * slots; i++) send(false);
  // B starts after the other accounts have been running for a while.
  schedule(10 * jobMs, () => send(true));
  while (waits.length < jobs) {
    while (free > 0 && queue.length > 0) {
      free--;
      const endsAt = Math.max(...queue.splice(0, batch).map(start));
      schedule(endsAt, () => free++);
    }
    const next = events.shift();
    if (next === undefined) break;
    now = next.at;
    next.run();
  }
  const mean = waits.reduce((total, wait) => total + wait, 0) / waits.length;
  return { mostJobsAhead, meanWaitMs: mean, mostWaitMs: Math.max(...waits) };
}

/** Returns a generator of random numbers from 0 to 1 (mulberry32). The same seed always returns the same numbers. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns an exponentially distributed random time with this mean. */
function exponential(random: () => number, mean: number): number {
  return -mean * Math.log(1 - random());
}
