import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { isId, newId, newTag, newTaggedId, toIdStart, toIdTime, toTag } from "../../src/lib/id";

afterEach(() => void vi.useRealTimers());

it("creates different UUIDs of version 7", () => {
  const ids = Array.from({ length: 100 }, newId);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(isId(id)).toBe(true);
});

it("creates ids that contain the current time", () => {
  const before = Date.now();
  const time = toIdTime(newId());
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});

it("creates ids in increasing order, also within a millisecond and if the clock goes back a little", () => {
  vi.useFakeTimers({ now: Date.now() });
  const ids = [newId(), newId(), newId()];
  vi.setSystemTime(Date.now() - 10_000);
  ids.push(newId());
  vi.setSystemTime(Date.now() + 10_001);
  ids.push(newId());
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

it("creates ids in increasing order even if the first random sequence is the highest", () => {
  vi.useFakeTimers({ now: Date.now() + 60_000 });
  const fill = <T>(array: T) => (array as Uint32Array).fill(0xffffffff) as T;
  const random = vi.spyOn(crypto, "getRandomValues").mockImplementation(fill);
  const ids = [newId(), newId(), newId()];
  random.mockRestore();
  expect(ids).toEqual([...new Set(ids)].toSorted());
});

it("follows a clock that is set back by more than ten seconds", () => {
  vi.useFakeTimers({ now: Date.now() });
  newId();
  vi.setSystemTime(Date.now() - 10_001);
  expect(toIdTime(newId())).toBe(Date.now());
});

it.each([
  ["an id in capitals", "018BCFE5-687B-7000-8000-000000000000"],
  ["a UUID of version 4", "018bcfe5-687b-4000-8000-000000000000"],
  ["a UUID of another variant", "018bcfe5-687b-7000-c000-000000000000"],
  ["an id with a line break", "018bcfe5-687b-7000-8000-000000000000\n"],
  ["an id without hyphens", "018bcfe5687b70008000000000000000"],
  ["an empty text", ""],
])("refuses %s", (_, text) => {
  expect(isId(text)).toBe(false);
});

it("sorts an id before the prefix of a later millisecond, but after the prefix of the same one", () => {
  fc.assert(
    fc.property(fc.integer({ min: -1_000, max: 1_000 }), (offset) => {
      const id = newId();
      expect(id < toIdStart(toIdTime(id) + offset)).toBe(offset > 0);
    }),
  );
});

it("returns the first prefix for a negative time", () => {
  expect(toIdStart(-1)).toBe("00000000-0000");
});

it("creates ids that end with the account's tag and contain their time", () => {
  const tag = newTag();
  expect(tag).toMatch(/^[0-9a-f]{10}$/);
  const ids = Array.from({ length: 100 }, () => newTaggedId(tag));
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) {
    expect(isId(id)).toBe(true);
    expect(toTag(id)).toBe(tag);
  }
});

it("creates different tags", () => {
  expect(new Set(Array.from({ length: 100 }, newTag)).size).toBe(100);
});
