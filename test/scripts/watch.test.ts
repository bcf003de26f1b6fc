import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { watchFolders } from "../../scripts/watch.ts";

it("reports an edit once, waits for the reload to end, and ignores generated modules", async () => {
  const project = mkdtempSync(join(tmpdir(), "watch-"));
  mkdirSync(join(project, "src", "lib"), { recursive: true });
  const reported: string[] = [];
  let running = 0;
  const stop = watchFolders(project, ["src"], async (file) => {
    reported.push(file);
    expect(++running).toBe(1);
    await sleep(300);
    running--;
  });
  onTestFinished(() => {
    stop();
    rmSync(project, { recursive: true });
  });
  const write = (name: string) => writeFileSync(join(project, "src", name), "text");

  write("x.generated.mjs");
  write("lib/id.ts");
  write("lib/id.ts");
  await expect.poll(() => reported).toEqual(["src/lib/id.ts"]);
  write("app.ts");
  await expect.poll(() => reported).toEqual(["src/lib/id.ts", "src/app.ts"]);
});
