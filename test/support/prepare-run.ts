import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeAssets } from "../../scripts/assets.ts";
import { setUpBrowser } from "../../scripts/browser.ts";
import { writePageScripts } from "../../scripts/page-scripts.ts";
import { writePdfjs } from "../../scripts/pdfjs.ts";
import { removeAbandonedFolders } from "../../scripts/processes.ts";

const NAME = "extraction-test";

/**
 * Creates the temporary folder of this run, finds the browser, and writes the generated code. The processes and runtimes
 * of the tests start afterward and inherit the environment variables. Each Vitest project calls this function, and only
 * the first call in a run does anything.
 */
export async function prepareRun(): Promise<void> {
  if (process.env.EXTRACTION_TEST_FOLDER !== undefined) return;
  const parent = hasSharedMemory() ? "/dev/shm" : tmpdir();
  // A run that was killed leaves its folder behind.
  await removeAbandonedFolders(parent, NAME);
  const folder = mkdtempSync(join(parent, `${NAME}-${process.pid}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  Object.assign(process.env, (await setUpBrowser()).env, {
    EXTRACTION_TEST_FOLDER: folder,
    // The browsers keep their profiles in this folder. Tests recognize the browsers by its path.
    TMPDIR: folder,
    // Each command that a test starts is a new Node process. They share their compiled code.
    NODE_COMPILE_CACHE: join(folder, "compiled"),
  });
  // wrangler generates these files before it bundles the Worker. Vitest doesn't.
  writeAssets();
  await Promise.all([writePdfjs(), writePageScripts()]);
}

/**
 * Returns true if this system has a file system in memory for the databases and browser profiles of the tests. On a
 * disk, the databases would wait for each write. The file system needs 2 GiB, and must be able to run scripts.
 */
function hasSharedMemory(): boolean {
  try {
    const mount = readFileSync("/proc/mounts", "utf8").match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1];
    const { bavail, bsize } = statfsSync("/dev/shm");
    return mount !== undefined && !mount.split(",").includes("noexec") && bavail * bsize >= 2 ** 31;
  } catch {
    return false;
  }
}

export { prepareRun as setup };
