import { describe, expect, it } from "vitest";
import readme from "../../README.md?raw";
import { app } from "../../src/app";

describe("the README's table of operations", () => {
  it("has every operation of the API, and no other", () => {
    const shown = [...readme.matchAll(/^\| `([A-Z]+ \/v1\/\S+)` \|/gm)].map(([, operation]) => operation);
    const served = app.routes
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/v1/"))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect(shown.sort()).toEqual([...new Set(served)].sort());
  });
});
