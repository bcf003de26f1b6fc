import { describe, expect, it } from "vitest";
import { toRenderMethod } from "../../src/model/render-method";

describe("RENDER_METHOD", () => {
  it.each([
    [undefined, "sessions"],
    ["", "sessions"],
    ["sessions", "sessions"],
    [" quick-actions ", "quick-actions"],
  ])("%j means %s", (text, method) => {
    expect(toRenderMethod(text)).toBe(method);
  });

  it("must be a known value", () => {
    expect(() => toRenderMethod("quick")).toThrow(
      'RENDER_METHOD is "quick". It must be "sessions", "quick-actions" or empty.',
    );
  });
});
