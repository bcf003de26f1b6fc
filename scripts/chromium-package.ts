import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const UNPACK_TIMEOUT_MS = 120_000;
const FONT_CACHE = "fonts-cache";
const ABANDONED_AFTER_MS = 10 * 60_000;

export interface PackagedChromium {
  executable: string;
  env: { LD_LIBRARY_PATH: string; FONTCONFIG_FILE: string };
}

/**
 * Returns the Chromium of the npm package `@sparticuz/chromium`. The first call unpacks it into
 * `<cache>/chromium-<version>`, and calls `onUnpack` before. Returns null if it can't run on this system or if
 * devDependencies aren't installed.
 */
export async function findPackagedChromium(cache: string, onUnpack: () => void): Promise<PackagedChromium | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const manifest = packageManifest();
  if (manifest === null) return null;
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  const folder = join(cache, `chromium-${version}`);
  // The folder gets its final name only when it is complete and its browser has passed a test run.
  if (!existsSync(folder)) {
    onUnpack();
    try {
      await unpack(folder);
    } catch (error) {
      console.warn(`The Chromium of @sparticuz/chromium ${version} can't run on this system: ${String(error)}`);
      return null;
    }
    await removeOthers(cache, folder);
  }
  return inFolder(folder);
}

function packageManifest(): string | null {
  try {
    return findPackageJSON("@sparticuz/chromium", import.meta.url) ?? null;
  } catch {
    return null;
  }
}

function inFolder(folder: string): PackagedChromium {
  return {
    executable: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: join(folder, "al2023", "lib"), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  };
}

/**
 * Returns a font configuration that replaces the package's own, which has paths of AWS Lambda. It includes the system's
 * fonts for writing systems that the packaged Open Sans doesn't cover.
 */
function toFontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <cachedir>${escapeXml(join(folder, FONT_CACHE))}</cachedir>
  <dir prefix="relative">fonts</dir>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
</fontconfig>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

async function unpack(folder: string): Promise<void> {
  await mkdir(join(folder, ".."), { recursive: true });
  const unfinished = await mkdtemp(`${folder}-unpacking-`);
  try {
    // The package unpacks into the temporary folder, unpacks its libraries only on AWS Lambda, and changes the
    // environment variables of the process that imports it. Therefore a child process with separate variables imports
    // it.
    const script = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;
    await run(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" },
      timeout: UNPACK_TIMEOUT_MS,
    });
    await writeFile(join(unfinished, "fonts.conf"), toFontsConf(folder));
    // Fontconfig uses the first cache folder that exists, so this folder must exist.
    await mkdir(join(unfinished, FONT_CACHE));
    const { executable, env } = inFolder(unfinished);
    // A test run. It fails if the system's C library is musl, or is older than the version that the binary needs.
    await run(executable, ["--version"], { env: { ...process.env, ...env }, timeout: UNPACK_TIMEOUT_MS });
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another setup may have created the folder at the same time. In that case, uses the other setup's folder.
    if (!existsSync(folder)) throw error;
  }
}

/** Removes the folders of earlier versions (200 MB each) and the partial folders of interrupted setups. */
async function removeOthers(cache: string, folder: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith("chromium-") || name === basename(folder)) continue;
    const path = join(cache, name);
    const info = await stat(path).catch(() => null);
    const inUse = name.includes("-unpacking-") && info !== null && Date.now() - info.mtimeMs < ABANDONED_AFTER_MS;
    if (!inUse) await rm(path, { recursive: true, force: true });
  }
}
