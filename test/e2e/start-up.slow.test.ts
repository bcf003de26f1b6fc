import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { BUNDLE_GOAL_BYTES, LAZY_MODULES } from "../../lab/bench/start-up.ts";
import { bundle, evaluatedAtStart } from "../../scripts/bundle.ts";

it("has a bundle that is at most 10% larger than the goal", async () => {
  const folder = mkdtempSync(join(tmpdir(), "start-up-"));
  try {
    await bundle(resolve("src/index.ts"), join(folder, "worker.mjs"));
    expect(statSync(join(folder, "worker.mjs")).size).toBeLessThan(1.1 * BUNDLE_GOAL_BYTES);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("doesn't evaluate modules at startup that only some requests need", async () => {
  const folder = mkdtempSync(join(tmpdir(), "start-up-"));
  try {
    const built = await bundle(resolve("src/index.ts"), join(folder, "worker.mjs"), { minify: false });
    const early = [...evaluatedAtStart(built)];
    expect(early).toContain("src/app.ts");
    for (const part of LAZY_MODULES) {
      expect(
        Object.keys(built.inputs).some((path) => path.includes(part)),
        `${part} is missing from the bundle`,
      ).toBe(true);
      expect(early.filter((path) => path.includes(part))).toEqual([]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
