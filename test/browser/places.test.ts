import { describe, expect, it } from "vitest";
import { type PlaceRequest, Places } from "../../src/browser/places";
import { SHARED_PLACES_MS } from "../../src/model/limits";

/** Places with a clock of their own, and what happens in them. */
function setUp(size: number, maxWaiting = 4) {
  const clock = { now: 0 };
  const places = new Places(size, maxWaiting, () => clock.now);
  const events: string[] = [];
  const take = (account: string, more: Partial<PlaceRequest> & { as?: string; waitMs?: number } = {}) => {
    const { as = account, waitMs = 10_000, ...rest } = more;
    const request = { account, limit: 100, onEvicted: () => events.push(`${as} evicted`), ...rest };
    return places.take(request, waitMs).then((leave) => {
      events.push(as);
      return leave;
    });
  };
  return { places, clock, events, take };
}

describe("places", () => {
  it("bound those who are inside and those of an account who wait", async () => {
    const { places, take } = setUp(2, 1);
    const leave = await take("a");
    await take("a");
    expect(places.isFull({ account: "a", limit: 100 })).toBe(true);
    const waiting = take("a");
    await expect(take("a")).rejects.toThrow("Too many renders of this account wait");
    leave();
    leave();
    await waiting;
    await expect(take("a", { waitMs: 1 })).rejects.toThrow("No browser had a place free");
    expect(places.taken).toBe(2);
  });

  it("give an account no more than its limit, though others are free", async () => {
    const { places, events, take } = setUp(4);
    await take("a", { limit: 2 });
    const leave = await take("a", { limit: 2 });
    const third = take("a", { limit: 2, as: "third" });
    expect(places.isFull({ account: "a", limit: 2 })).toBe(true);
    expect(places.isFull({ account: "b", limit: 2 })).toBe(false);
    leave();
    await third;
    expect(events).toEqual(["a", "a", "third"]);
  });

  it("take the youngest beyond half back from an account when another comes", async () => {
    const { events, take } = setUp(4);
    const leaves = [];
    for (const as of ["a1", "a2", "a3", "a4"]) leaves.push(await take("a", { as }));
    const other = take("b");
    expect(events).toEqual(["a1", "a2", "a3", "a4", "a3 evicted", "a4 evicted"]);
    leaves[2]?.();
    await other;
    // It wants the place back, but has half of them.
    const back = take("a", { as: "a3 again" });
    leaves[3]?.();
    const second = take("b", { as: "b2" });
    await second;
    expect(events.slice(6)).toEqual(["b", "b2"]);
    leaves[0]?.();
    await back;
    expect(events.at(-1)).toBe("a3 again");
  });

  it("take nothing back for an account that waits because of its own limit", async () => {
    const { events, take } = setUp(6);
    for (const as of ["a1", "a2", "a3"]) await take("a", { as });
    await take("b", { limit: 1 });
    void take("b", { limit: 1, as: "b2" });
    expect(events).toEqual(["a1", "a2", "a3", "b"]);
  });

  it("keep an account at half for a moment after another has left, and give it all after that", async () => {
    const { places, clock, take } = setUp(4);
    (await take("b"))();
    await take("a");
    await take("a");
    expect(places.isFull({ account: "a", limit: 100 })).toBe(true);
    clock.now += SHARED_PLACES_MS + 1;
    expect(places.isFull({ account: "a", limit: 100 })).toBe(false);
  });

  it("go to the waiting accounts in turn, however many of one wait", async () => {
    const { events, take } = setUp(2);
    const leaves = [await take("x"), await take("y")];
    const waiting = ["a1", "a2", "a3"].map((as) => take("a", { as }));
    const others = ["b1", "b2"].map((as) => take("b", { as }));
    leaves[0]?.();
    leaves[1]?.();
    const entered = await Promise.all([waiting[0], others[0]]);
    expect(events.slice(2)).toEqual(["a1", "b1"]);
    entered[0]?.();
    await waiting[1];
    entered[1]?.();
    await others[1];
    expect(events.slice(4)).toEqual(["a2", "b2"]);
  });
});
