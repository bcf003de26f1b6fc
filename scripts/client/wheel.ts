import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";

const PACKAGE = "web_data_extraction";
/** The oldest time that a zip file can have, so that the same sources give the same file. */
const MODIFIED = "1980-01-01T12:00:00";

/**
 * Builds the wheel of the Python client, which contains only Python
 * (https://packaging.python.org/en/latest/specifications/binary-distribution-format/). `folder` has its pyproject.toml.
 */
export function buildWheel(folder: string): { name: string; bytes: Uint8Array } {
  const project = readFileSync(join(folder, "pyproject.toml"), "utf8");
  const read = (name: string) => new RegExp(`^${name} = \\[?"(.*?)"\\]?$`, "m").exec(project)?.[1] ?? "";
  const dependencies = read("dependencies").split('", "');
  const info = `${PACKAGE}-${read("version")}.dist-info`;
  const metadata = `Metadata-Version: 2.1
Name: ${read("name")}
Version: ${read("version")}
Summary: ${read("description")}
License: MIT
Requires-Python: ${read("requires-python")}
${dependencies.map((name) => `Requires-Dist: ${name}`).join("\n")}
Description-Content-Type: text/markdown

${readFileSync(join(folder, "README.md"), "utf8")}`;
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(join(folder, PACKAGE)).sort())
    if (/\.py$|^py\.typed$/.test(name)) files[`${PACKAGE}/${name}`] = readFileSync(join(folder, PACKAGE, name));
  files[`${info}/METADATA`] = Buffer.from(metadata);
  files[`${info}/WHEEL`] = Buffer.from(
    "Wheel-Version: 1.0\nGenerator: build-client\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
  );
  const hashOf = (bytes: Uint8Array) => `sha256=${createHash("sha256").update(bytes).digest("base64url")}`;
  const lines = Object.entries(files).map(([path, bytes]) => `${path},${hashOf(bytes)},${bytes.byteLength}\n`);
  files[`${info}/RECORD`] = Buffer.from(`${lines.join("")}${info}/RECORD,,\n`);
  return { name: `${PACKAGE}-${read("version")}-py3-none-any.whl`, bytes: zipSync(files, { mtime: MODIFIED }) };
}
