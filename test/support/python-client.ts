import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

/** The reason for which a test is skipped. */
export const NO_PYTHON = "Requires Python 3.10 or later, and httpx, hatchling and pytest from a package index.";

const PACKAGE = resolve(import.meta.dirname, "../../clients/python");
const run = promisify(execFile);

/**
 * Builds the wheel of the Python client and installs it in a new environment in the folder, with pytest. Returns the
 * path of the environment's interpreter. Returns null if Python or the packages aren't available.
 */
export async function installPythonClient(folder: string): Promise<string | null> {
  const python = join(folder, "venv", "bin", "python");
  const hasPackages = await run("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"])
    .then(() => run("python3", ["-m", "venv", join(folder, "venv")]))
    .then(() => run(python, ["-m", "pip", "install", "-q", "httpx", "hatchling", "pytest"]))
    .then(
      () => true,
      () => false,
    );
  if (!hasPackages) return null;
  const wheels = join(folder, "wheels");
  await run(python, ["-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", wheels, PACKAGE]);
  const [wheel = ""] = await readdir(wheels);
  await run(python, ["-m", "pip", "install", "-q", "--no-index", join(wheels, wheel)]);
  return python;
}
