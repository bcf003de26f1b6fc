import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTrap, shapeOf } from "../../../src/crawl/url-shape";

const urlOf = (path: string) => new URL(path, "https://example.com");
const maxOf = (path: string) => shapeOf(urlOf(path))?.max ?? null;
const shape = (path: string) => shapeOf(urlOf(path))?.shape;

describe("isTrap", () => {
  it.each<[name: string, path: string, expected: boolean]>([
    ["a normal path", "/a/b/c", false],
    ["a segment that occurs twice", "/a/b/a", false],
    ["a segment that occurs three times", "/a/b/a/b/a", true],
    ["a number that occurs three times", "/2024/03/03/03", false],
    ["20 segments", `/${Array.from({ length: 20 }, (_, i) => `s${i}`).join("/")}`, false],
    ["21 segments", `/${Array.from({ length: 21 }, (_, i) => `s${i}`).join("/")}`, true],
    ["10 parameters", `/?${Array.from({ length: 10 }, (_, i) => `p${i}=1`).join("&")}`, false],
    ["11 parameters", `/?${Array.from({ length: 11 }, (_, i) => `p${i}=1`).join("&")}`, true],
    ["1,000 characters", `/${"a".repeat(1_000 - "https://example.com/".length)}`, false],
    ["1,001 characters", `/${"a".repeat(1_001 - "https://example.com/".length)}`, true],
    ["empty segments", "/a//b///c", false],
  ])("decides about %s", (_, path, expected) => {
    expect(isTrap(urlOf(path))).toBe(expected);
  });

  it("ends every loop of relative links", () => {
    const segment = fc.string({ unit: fc.constantFrom("a", "b", "c", "-"), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        expect(isTrap(urlOf(`/${segments.join("/")}/`.repeat(3)))).toBe(true);
      }),
    );
  });
});

describe("shapeOf", () => {
  it("has no limit for paths without numbers and parameters", () => {
    for (const path of ["/", "/about", "/docs/start.html", "/caf%C3%A9".replace(/\d/g, "")])
      expect(shapeOf(urlOf(path))).toBeNull();
  });

  it.each<[path: string, max: number]>([
    ["/products/17", 5_000],
    ["/list?page=2", 2_000],
    ["/list?color=red&size=m", 2_000],
    ["/list?color=red&size=m&sort=price", 200],
    ["/calendar/view", 100],
    ["/2024/05/", 100],
    ["/events/2024-5", 100],
    ["/list?month=5", 100],
    ["/list?from=a&to=b", 100],
    ["/2024/13/", 5_000],
    ["/article-120245/", 5_000],
    ["/calendars/1", 5_000],
  ])("limits %s to %i URLs", (path, max) => {
    if (path === "/calendar/view") expect(shapeOf(urlOf(`${path}?d=1`))?.max).toBe(max);
    else expect(maxOf(path)).toBe(max);
  });

  it("is the same for other numbers and values, and for another order of the parameters", () => {
    expect(shape("/a/1?x=1&y=2")).toBe(shape("/a/234?y=&x=5&x=6"));
    expect(shape("/a/1")).not.toBe(shape("/b/1"));
    expect(shape("/a/1")).not.toBe(shape("/a/1?x=1"));
    expect(shapeOf(new URL("https://a.example/1"))?.shape).not.toBe(shapeOf(new URL("https://b.example/1"))?.shape);
  });

  it("never depends on the values of parameters, unless one is a date", () => {
    const value = fc.string({ unit: fc.constantFrom("a", "b", "%20", "x"), maxLength: 8 });
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(shapeOf(urlOf(`/p?q=${a}`))).toEqual(shapeOf(urlOf(`/p?q=${b}`)));
      }),
    );
  });
});
