import { describe, expect, it } from "vitest";
import { RenderSlots, type SlotRequest } from "../../src/browser/render-slots";
import { SHARED_SLOTS_MS } from "../../src/model/page-limits";

/** Returns RenderSlots with a fake clock, and a list of events: acquired and evicted slots, in order. */
function setUp(size: number, maxWaiting = 4, { isExclusive = false } = {}) {
  const clock = { now: 0 };
  const slots = new RenderSlots(size, maxWaiting, () => clock.now, { isExclusive });
  const events: string[] = [];
  const acquire = (account: string, more: Partial<SlotRequest> & { as?: string; waitMs?: number } = {}) => {
    const { as = account, waitMs = 10_000, ...rest } = more;
    const request = { account, limit: 100, onEvicted: () => events.push(`${as} evicted`), ...rest };
    const acquired = slots.acquire(request, waitMs).then((release) => {
      events.push(as);
      return release;
    });
    // Some tests end while an account still waits for a slot. The wait then rejects, and the rejection must be handled.
    acquired.catch(() => undefined);
    return acquired;
  };
  return { slots, clock, events, acquire };
}

describe("render slots", () => {
  it("limit the renders and the waiters of an account", async () => {
    const { slots, acquire } = setUp(2, 1);
    const release = await acquire("a");
    await acquire("a");
    expect(slots.isFull({ account: "a", limit: 100 })).toBe(true);
    const waiting = acquire("a");
    await expect(acquire("a")).rejects.toThrow("Too many renders of this account are waiting");
    release();
    release();
    await waiting;
    await expect(acquire("a", { waitMs: 1 })).rejects.toThrow("No browser had a free slot");
    expect(slots.inUse).toBe(2);
  });

  it("give an account no more than its limit, although other slots are free", async () => {
    const { slots, events, acquire } = setUp(4);
    await acquire("a", { limit: 2 });
    const release = await acquire("a", { limit: 2 });
    const third = acquire("a", { limit: 2, as: "third" });
    expect(slots.isFull({ account: "a", limit: 2 })).toBe(true);
    expect(slots.isFull({ account: "b", limit: 2 })).toBe(false);
    release();
    await third;
    expect(events).toEqual(["a", "a", "third"]);
  });

  it("evict the newest renders of an account beyond half when another account comes", async () => {
    const { events, acquire } = setUp(4);
    const releases = [];
    for (const as of ["a1", "a2", "a3", "a4"]) releases.push(await acquire("a", { as }));
    const other = acquire("b");
    expect(events).toEqual(["a1", "a2", "a3", "a4", "a3 evicted", "a4 evicted"]);
    releases[2]?.();
    await other;
    // The account waits for a slot again, because it holds half of the slots.
    const back = acquire("a", { as: "a3 again" });
    releases[3]?.();
    const second = acquire("b", { as: "b2" });
    await second;
    expect(events.slice(6)).toEqual(["b", "b2"]);
    releases[0]?.();
    await back;
    expect(events.at(-1)).toBe("a3 again");
  });

  it("evict nothing for an account that has reached its own limit", async () => {
    const { events, acquire } = setUp(6);
    for (const as of ["a1", "a2", "a3"]) await acquire("a", { as });
    await acquire("b", { limit: 1 });
    void acquire("b", { limit: 1, as: "b2" });
    expect(events).toEqual(["a1", "a2", "a3", "b"]);
  });

  it("limit an account to half of the slots until another account has been gone for SHARED_SLOTS_MS", async () => {
    const { slots, clock, acquire } = setUp(4);
    (await acquire("b"))();
    await acquire("a");
    await acquire("a");
    expect(slots.isFull({ account: "a", limit: 100 })).toBe(true);
    clock.now += SHARED_SLOTS_MS + 1;
    expect(slots.isFull({ account: "a", limit: 100 })).toBe(false);
  });

  it("go to the waiting accounts in rotation, regardless of the number of waiting renders", async () => {
    const { events, acquire } = setUp(2);
    const releases = [await acquire("x"), await acquire("y")];
    const waiting = ["a1", "a2", "a3"].map((as) => acquire("a", { as }));
    const others = ["b1", "b2"].map((as) => acquire("b", { as }));
    releases[0]?.();
    releases[1]?.();
    const entered = await Promise.all([waiting[0], others[0]]);
    expect(events.slice(2)).toEqual(["a1", "b1"]);
    entered[0]?.();
    await waiting[1];
    entered[1]?.();
    await others[1];
    expect(events.slice(4)).toEqual(["a2", "b2"]);
  });
});

describe("exclusive render slots", () => {
  const setUpExclusive = (size: number) => setUp(size, 4, { isExclusive: true });

  it("are held by one account at a time, which may hold all of them", async () => {
    const { slots, events, acquire } = setUpExclusive(2);
    const first = await acquire("a", { as: "a1" });
    const second = await acquire("a", { as: "a2" });
    expect(slots.isFull({ account: "b", limit: 100 })).toBe(true);
    const waiting = acquire("b");
    first();
    expect(events).toEqual(["a1", "a2"]);
    second();
    await waiting;
    expect(events).toEqual(["a1", "a2", "b"]);
  });

  it("aren't given to the same account again while another account waits", async () => {
    const { slots, events, acquire } = setUpExclusive(2);
    const release = await acquire("a", { as: "a1" });
    const b1 = acquire("b", { as: "b1" });
    const b2 = acquire("b", { as: "b2" });
    const again = acquire("a", { as: "a2" });
    expect(slots.isFull({ account: "a", limit: 100 })).toBe(true);
    release();
    const releases = [await b1, await b2];
    expect(events).toEqual(["a1", "b1", "b2"]);
    for (const releaseOne of releases) releaseOne();
    await again;
    expect(events).toEqual(["a1", "b1", "b2", "a2"]);
  });

  it("are given to the same account again as soon as no other account waits", async () => {
    const { events, acquire } = setUpExclusive(2);
    await acquire("a", { as: "a1" });
    const other = acquire("b", { waitMs: 1 });
    const more = acquire("a", { as: "a2" });
    await expect(other).rejects.toThrow("No browser had a free slot in time.");
    await more;
    expect(events).toEqual(["a1", "a2"]);
  });

  it("keep the limit of an account", async () => {
    const { events, acquire } = setUpExclusive(4);
    const release = await acquire("a", { as: "a1" });
    const waiting = ["b1", "b2", "b3"].map((as) => acquire("b", { as, limit: 2 }));
    release();
    const [first] = await Promise.all(waiting.slice(0, 2));
    expect(events).toEqual(["a1", "b1", "b2"]);
    first?.();
    await waiting[2];
    expect(events).toEqual(["a1", "b1", "b2", "b3"]);
  });
});
