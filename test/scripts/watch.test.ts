import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { watchFolders } from "../../scripts/watch.ts";

/** Creates a project with the folder src/lib. */
function createProject(): string {
  const project = mkdtempSync(join(tmpdir(), "watch-"));
  onTestFinished(() => rmSync(project, { recursive: true }));
  mkdirSync(join(project, "src", "lib"), { recursive: true });
  return project;
}

it("reports every edit that replaces a file, also in a new folder", async () => {
  const project = createProject();
  const reported = new Set<string>();
  const stop = watchFolders(project, ["src"], async (file) => void reported.add(file));
  onTestFinished(stop);

  mkdirSync(join(project, "src", "new"));
  await expect.poll(() => [...reported]).toEqual(["src/new"]);
  for (const file of ["src/lib/id.ts", "src/new/app.ts"]) {
    for (const text of ["first", "second", "third"]) {
      reported.clear();
      const path = join(project, file);
      writeFileSync(`${path}.tmp`, text);
      renameSync(`${path}.tmp`, path);
      await expect.poll(() => [...reported]).toEqual([file]);
    }
  }
});

it("reports an edit once, waits for the reload to end, and ignores generated modules", async () => {
  const project = createProject();
  const reported: string[] = [];
  let running = 0;
  const stop = watchFolders(project, ["src"], async (file) => {
    reported.push(file);
    expect(++running).toBe(1);
    await sleep(300);
    running--;
  });
  onTestFinished(stop);
  const write = (name: string) => writeFileSync(join(project, "src", name), "text");

  write("x.generated.mjs");
  write("lib/id.ts");
  write("lib/id.ts");
  await expect.poll(() => reported).toEqual(["src/lib/id.ts"]);
  write("app.ts");
  await expect.poll(() => reported).toEqual(["src/lib/id.ts", "src/app.ts"]);
});
