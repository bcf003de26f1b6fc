import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { findWheels, writeClient } from "../../scripts/build-client.ts";

/** The reason for which a test is skipped. */
export const NO_PYTHON = "Requires Python 3.10 or later, and httpx and pytest from a package index.";

const run = promisify(execFile);

/**
 * Installs the wheel of the Python client in a new environment in the folder, with pytest. Returns the
 * path of the environment's interpreter. Returns null if Python or the packages aren't available.
 */
export async function installPythonClient(folder: string): Promise<string | null> {
  const python = join(folder, "venv", "bin", "python");
  const hasPackages = await run("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"])
    .then(() => run("python3", ["-m", "venv", join(folder, "venv")]))
    .then(() => run(python, ["-m", "pip", "install", "-q", "--retries", "0", "httpx", "pytest"]))
    .then(
      () => true,
      () => false,
    );
  if (!hasPackages) return null;
  await writeClient();
  await run(python, ["-m", "pip", "install", "-q", "--no-index", ...findWheels()]);
  return python;
}
