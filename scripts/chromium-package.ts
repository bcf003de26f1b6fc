import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
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
 * The Chromium of the npm package `@sparticuz/chromium`, unpacked into `<cache>/chromium-<version>` the first time.
 * Null where there is none: another system, or an installation without devDependencies.
 */
export async function findPackagedChromium(cache: string): Promise<PackagedChromium | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const manifest = packageManifest();
  if (manifest === null) return null;
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { version: string };
  const folder = join(cache, `chromium-${version}`);
  // The folder gets this name only once it is whole and its browser has run.
  if (!existsSync(folder)) {
    try {
      await unpack(folder);
    } catch (error) {
      console.warn(`The Chromium of @sparticuz/chromium ${version} can't be used here: ${String(error)}`);
      return null;
    }
    await removeOthers(cache, folder);
  }
  return inFolder(folder);
}

function packageManifest(): URL | null {
  try {
    return new URL("../package.json", import.meta.resolve("@sparticuz/chromium"));
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

/** The package's own file names folders of AWS Lambda. The system's fonts follow, for scripts that Open Sans lacks. */
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
    // The package unpacks into the temporary folder, adds its libraries only where it sees Lambda, and changes the
    // environment of the process that imports it: hence a child with an environment of its own.
    const script = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;
    await run(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" },
      timeout: UNPACK_TIMEOUT_MS,
    });
    await writeFile(join(unfinished, "fonts.conf"), toFontsConf(folder));
    // Fontconfig prefers a cache folder that exists.
    await mkdir(join(unfinished, FONT_CACHE));
    const { executable, env } = inFolder(unfinished);
    // Fails where the C library is musl, or older than the binary's.
    await run(executable, ["--version"], { env: { ...process.env, ...env }, timeout: UNPACK_TIMEOUT_MS });
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another set-up may have finished first.
    if (!existsSync(folder)) throw error;
  }
}

/** Remove the folders of earlier versions (200 MB each), and what an interrupted set-up left. */
async function removeOthers(cache: string, folder: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith("chromium-") || name === basename(folder)) continue;
    const path = join(cache, name);
    const info = await stat(path).catch(() => null);
    const inUse = name.includes("-unpacking-") && info !== null && Date.now() - info.mtimeMs < ABANDONED_AFTER_MS;
    if (!inUse) await rm(path, { recursive: true, force: true });
  }
}
