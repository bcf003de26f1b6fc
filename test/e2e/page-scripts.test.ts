import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readPageScripts } from "../../scripts/page-scripts.ts";

const scripts = await readPageScripts();

describe.each(Object.keys(scripts))("the text of %s", (name) => {
  const text = scripts[name] ?? "";

  it("is an expression that evaluates to the function, in a scope without anything else", () => {
    expect(runInNewContext(`typeof ${text}`, {})).toBe("function");
  });

  it("has no helpers of the bundler, no strict mode and no renamed classes", () => {
    // A page could find out from a class named WebSocket2 that it runs in this service.
    expect(text).not.toMatch(
      /\b__\w+\(|\bimport\b|\bexport\b|\brequire\b|use strict|\b(?:WebSocket|IntersectionObserver)\d/,
    );
  });
});

it("finds all page scripts", () => {
  expect(Object.keys(scripts)).toEqual(["disarm", "installQuiet", "takeSnapshot", "waitForSelector"]);
});
