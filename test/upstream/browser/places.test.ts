import { describe, expect, it } from "vitest";
import { Places } from "../../../src/upstream/browser/places";

describe("places", () => {
  it("bound those who are inside and those who wait", async () => {
    const places = new Places(2, 1);
    const leave = await places.take({ waitMs: 10 });
    await places.take({ waitMs: 10 });
    expect(places.isFull).toBe(true);
    const waiting = places.take({ waitMs: 10_000 });
    await expect(places.take({ waitMs: 10_000 })).rejects.toThrow("Too many renders wait");
    leave();
    leave();
    await waiting;
    await expect(places.take({ waitMs: 1 })).rejects.toThrow("No browser had a place free");
    expect(places.taken).toBe(2);
  });

  it("let in whoever must be alone when all have left, and nobody else meanwhile", async () => {
    const places = new Places(2, 4);
    const order: string[] = [];
    const arrived = (who: string) => (left: () => void) => {
      order.push(who);
      return left;
    };
    const leave = await places.take({ waitMs: 1_000 });
    const alone = places.take({ alone: true, waitMs: 1_000 }).then(arrived("alone"));
    const other = places.take({ waitMs: 1_000 }).then(arrived("other"));
    leave();
    const leaveAlone = await alone;
    expect([order, places.taken]).toEqual([["alone"], 1]);
    leaveAlone();
    await other;
    expect(order).toEqual(["alone", "other"]);
  });
});
