/** One queue whose consumers take batches. Accounts with long queues of their own share it with account B. */
export interface FairnessModel {
  consumers: number;
  batch: number;
  jobMs: number;
  /** Accounts that always have jobs waiting. */
  busyAccounts: number;
  /** Jobs that each of them may run at once. */
  slots: number;
  /** B's jobs. The next is sent as soon as one has ended. */
  jobs: number;
  seed: number;
}

/** What B's jobs waited for. */
export interface FairnessOutcome {
  /** Jobs of other accounts that began between the sending and the begin of a job of B. */
  mostJobsAhead: number;
  meanWaitMs: number;
  mostWaitMs: number;
}

interface Message {
  isB: boolean;
  sentAt: number;
  /** Jobs of the others that had begun when it was sent. */
  begunBefore: number;
}

/** Simulates the queue. The outcome is the same for the same seed. */
export function simulateFairness(model: FairnessModel): FairnessOutcome {
  const { consumers, batch, jobMs, busyAccounts, slots, jobs, seed } = model;
  const random = randomFrom(seed);
  const queue: Message[] = [];
  // What happens next, by time: a job ends, or a consumer is free.
  const events: { at: number; run: () => void }[] = [];
  const waits: number[] = [];
  let [now, free, begun, mostJobsAhead] = [0, consumers, 0, 0];
  const send = (isB: boolean) => queue.push({ isB, sentAt: now, begunBefore: begun });
  const schedule = (at: number, run: () => void) => {
    const index = events.findIndex((event) => event.at > at);
    events.splice(index < 0 ? events.length : index, 0, { at, run });
  };
  const begin = ({ isB, sentAt, begunBefore }: Message): number => {
    const endsAt = now + exponential(random, jobMs);
    if (isB) {
      waits.push(now - sentAt);
      mostJobsAhead = Math.max(mostJobsAhead, begun - begunBefore);
    } else begun++;
    // An account's object sends the next job when one has ended.
    schedule(endsAt, () => send(isB));
    return endsAt;
  };
  for (let i = 0; i < busyAccounts * slots; i++) send(false);
  // B comes when the others are under way.
  schedule(10 * jobMs, () => send(true));
  while (waits.length < jobs) {
    while (free > 0 && queue.length > 0) {
      free--;
      const endsAt = Math.max(...queue.splice(0, batch).map(begin));
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

/** Returns numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns a time that is exponentially distributed around a mean. */
function exponential(random: () => number, mean: number): number {
  return -mean * Math.log(1 - random());
}
