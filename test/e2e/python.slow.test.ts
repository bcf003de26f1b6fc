// Installs the wheel of the Python client in an empty environment, and runs the tests of the package with it.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { installPythonClient, NO_PYTHON } from "../support/python-client.ts";

it("the Python client passes its tests when it is installed from its wheel", async ({ skip, onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), "extraction-python-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const python = await installPythonClient(folder);
  if (python === null) return skip(NO_PYTHON);
  const tests = resolve(import.meta.dirname, "../../clients/python/tests");
  const args = ["-m", "pytest", "-q", "-p", "no:cacheprovider", tests];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout } = await promisify(execFile)(python, args, { cwd: folder, env }).catch((error) => error);
  expect(stdout).toMatch(/^\d+ passed in /m);
});
