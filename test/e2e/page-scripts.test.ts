import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readPageScripts } from "../../scripts/page-scripts.ts";

const scripts = await readPageScripts();

describe.each(Object.keys(scripts))("the text of %s", (name) => {
  const text = scripts[name] ?? "";

  it("evaluates to a function in a scope with only Element", () => {
    // Some scripts read methods of Element before they run.
    expect(runInNewContext(`typeof ${text}`, { Element: class {} })).toBe("function");
  });

  it("contains no bundler helpers, no strict mode and no renamed classes", () => {
    // Bundlers can rename classes, for example to `WebSocket2`. A page could detect the service by these names.
    expect(text).not.toMatch(
      /\b__\w+\(|\bimport\b|\bexport\b|\brequire\b|use strict|\b(?:WebSocket|IntersectionObserver)\d/,
    );
  });
});

it("finds all page scripts", () => {
  expect(Object.keys(scripts)).toEqual([
    "disarm",
    "hideElements",
    "hideSkippedImages",
    "installQuiet",
    "locateElement",
    "prepareField",
    "readFrame",
    "readVisibility",
    "scrollPage",
    "selectOption",
    "showElement",
    "takeSnapshot",
    "waitForSelector",
  ]);
});
