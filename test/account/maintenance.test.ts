import { runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { newTaggedId, toIdStart } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { JobMessage } from "../../src/model/job";
import { DAY_MS, R2_TIMEOUT_MS } from "../../src/model/limits";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";

const NOW = Date.now();

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: NOW });
  vi.spyOn(console, "error").mockImplementation(() => {});
}

/** A bucket whose calls don't end before `respond` is called. */
class SilentStore {
  calls = 0;
  readonly #responses = Promise.withResolvers<void>();
  readonly #called = Promise.withResolvers<void>();
  #last: Promise<void> | null = null;

  /** Resolves when the bucket has been called. */
  get called(): Promise<void> {
    return this.#called.promise;
  }

  delete(): Promise<unknown> {
    return this.#call();
  }

  list(): Promise<unknown> {
    return this.#call();
  }

  #call(): Promise<unknown> {
    this.calls++;
    this.#called.resolve();
    this.#last = this.#responses.promise.then(() => undefined);
    return this.#last;
  }

  /** Ends all calls and waits until the last call has ended. */
  async respond(): Promise<void> {
    this.#responses.resolve();
    await this.#last;
  }
}

/** A bucket without objects. */
const EMPTY_STORE = {
  list: async () => ({ objects: [], truncated: false }),
  delete: async () => {},
} as unknown as R2Bucket;

/** Runs the alarm with this bucket. Returns the ids of the jobs whose queue messages it sent. */
async function runAlarm(account: AccountRef, store: R2Bucket | SilentStore): Promise<string[]> {
  const sent: string[] = [];
  const sendBatch = async (messages: { body: JobMessage }[]) => void sent.push(...messages.map(({ body }) => body.job));
  await runInDurableObject(objectOf(account), async (instance) => {
    const object = instance as unknown as { env: Env; alarm: () => Promise<void> };
    const bindings = object.env;
    const queue = { sendBatch } as unknown as Queue;
    object.env = { ...bindings, STORE: store as unknown as R2Bucket, JOBS: queue, RENDERS: queue };
    const alarm = object.alarm();
    if (store instanceof SilentStore) {
      await Promise.race([store.called, alarm]);
      await vi.advanceTimersByTimeAsync(R2_TIMEOUT_MS);
    }
    await alarm;
    object.env = bindings;
  });
  return sent;
}

describe("retention", () => {
  it("doesn't stop the alarm from recovering jobs if R2 doesn't respond, and is retried later", async () => {
    const account = await openObject();
    const old = newJob(account, { id: toIdStart(NOW - 31 * DAY_MS) + newTaggedId(account.tag).slice(13) });
    await stubOf(account).createJob(old);
    await stubOf(account).cancel(old);
    await sqlIn(account, "UPDATE jobs SET ended_at = ?", NOW - 31 * DAY_MS);
    const job = newJob(account);
    await stubOf(account).createJob(job);
    useFakeTimers();
    const store = new SilentStore();
    const makeDue = () => sqlIn(account, "UPDATE account SET maintenance_at = 1");
    const isExpired = async () => (await stubOf(account).get(old))?.expired;

    await makeDue();
    expect(await runAlarm(account, store)).toEqual([]);
    expect(store.calls).toBe(1);
    const [state] = await sqlIn<{ maintenance_at: number }>(account, "SELECT maintenance_at FROM account");
    expect(state?.maintenance_at).toBe(NOW + 5 * 60_000);

    // The first R2 call may still be running, so the alarm starts no second call.
    await makeDue();
    await sqlIn(account, "UPDATE jobs SET due_at = 0 WHERE id = ?", job.id);
    expect(await runAlarm(account, store)).toEqual([job.id]);
    expect([store.calls, await isExpired()]).toEqual([1, false]);

    await runInDurableObject(objectOf(account), () => store.respond());
    const silent = new SilentStore();
    await makeDue();
    await runAlarm(account, silent);
    expect([silent.calls, await isExpired()]).toEqual([1, false]);

    // After 15 minutes, a call that never ended no longer blocks retention.
    vi.setSystemTime(Date.now() + 15 * 60_000);
    await makeDue();
    await runAlarm(account, EMPTY_STORE);
    expect(await isExpired()).toBe(true);
  });
});

describe("an erasure", () => {
  it("is retried by the alarm if R2 doesn't respond", async () => {
    const account = await openObject();
    await stubOf(account).erase();
    useFakeTimers();
    await runAlarm(account, new SilentStore());
    expect(await stubOf(account).readState()).toMatchObject({ kind: "erasing" });
    const next = await runInDurableObject(objectOf(account), (_, { storage }) => storage.getAlarm());
    expect(next).not.toBeNull();
    await runAlarm(account, EMPTY_STORE);
    expect(await stubOf(account).readState()).toMatchObject({ kind: "erased" });
  });
});
