import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { findPackagedChromium } from "./chromium-package.ts";

/** The Chrome version that the installed Miniflare expects (`BROWSER_VERSION` in its dist/src/index.js). */
const MINIFLARE_CHROME = "126.0.6478.182";
const CACHE = resolve(import.meta.dirname, "../.cache");
// The folder of the wrapper script. Miniflare may download a Chrome to another folder, so neither overwrites the other.
const WRAPPER_CACHE = join(CACHE, "wrapper");

// Miniflare's own arguments already disable most background traffic. The arguments below also block connections to
// private hosts, because request interception doesn't see these connections:
// - The enabled features block WebSockets, shared and service workers, WebRTC and WebTransport from public to private
//   addresses.
// - --force-webrtc-ip-handling-policy blocks WebRTC over UDP.
// - --block-new-web-contents blocks new windows. Only the headless shell supports it.
const ARGUMENTS = [
  `--enable-features=${[
    "LocalNetworkAccessChecks",
    "LocalNetworkAccessChecksWebSockets",
    "LocalNetworkAccessChecksWebTransport",
    "LocalNetworkAccessChecksWebRTC",
    "LocalNetworkAccessForWorkers",
  ].join(",")}`,
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--block-new-web-contents",
  // This argument stops an installed Chrome from updating its components.
  "--disable-component-update",
  // Without this argument, the browser would print the console messages of pages.
  "--log-level=3",
];

export interface LocalBrowser {
  source: "CHROME_PATH" | "@sparticuz/chromium" | "installed" | "download";
  /** Null for "download": Miniflare downloads its own Chrome at the first launch, which requires internet access. */
  executable: string | null;
  /** The wrapper script that starts the browser with its arguments and environment. Null for "download". */
  script: string | null;
  /** The environment variables for a child process that runs Miniflare. */
  env: Record<string, string>;
}

interface SetUpOptions {
  /** The cache folder of the wrapper script. */
  folder?: string;
  /** More arguments of the browser. */
  more?: string[];
  /** Is called before a browser is unpacked, which takes several seconds. */
  onUnpack?: () => void;
}

type FoundBrowser = { source: LocalBrowser["source"]; executable: string; env?: Record<string, string> };

/**
 * Finds a browser. Writes a script that runs the browser to the path where Miniflare expects its Chrome. Uses the first
 * browser that exists: CHROME_PATH, the Chromium of the npm package `@sparticuz/chromium` (Linux x64), an installed
 * Chrome or Chromium. If there is no browser, Miniflare downloads one. On Windows, Miniflare always downloads one,
 * because a script can't replace `chrome.exe`. Throws if CHROME_PATH isn't an executable file. Can be called
 * repeatedly.
 */
export async function setUpBrowser({
  folder = WRAPPER_CACHE,
  more = [],
  onUnpack = () => {},
}: SetUpOptions = {}): Promise<LocalBrowser> {
  const wrapper = wrapperPath(folder);
  const found = wrapper === null ? null : await findBrowser(onUnpack);
  if (wrapper === null || found === null) {
    return { source: "download", executable: null, script: null, env: { XDG_CACHE_HOME: CACHE } };
  }
  await writeWhole(wrapper.script, toScript(found, more));
  // With this marker file, Miniflare doesn't delete the folder and download Chrome after a failed launch.
  await writeWhole(join(wrapper.folder, ".miniflare-install-complete"), "");
  return {
    source: found.source,
    executable: found.executable,
    script: wrapper.script,
    env: { XDG_CACHE_HOME: folder },
  };
}

/**
 * Returns the path where Miniflare expects its Chrome, in the folder layout of `@puppeteer/browsers`. Returns null on
 * Windows.
 */
function wrapperPath(cache: string): { folder: string; script: string } | null {
  const arm = process.arch === "arm64";
  const inFolder = (platform: string, ...path: string[]) => {
    const folder = join(cache, ".wrangler", "chrome", `${platform}-${MINIFLARE_CHROME}`);
    return { folder, script: join(folder, ...path) };
  };
  if (process.platform === "linux") return inFolder(arm ? "linux_arm" : "linux", "chrome-linux64", "chrome");
  if (process.platform !== "darwin") return null;
  const name = "Google Chrome for Testing";
  const bundle = `chrome-mac-${arm ? "arm64" : "x64"}`;
  return inFolder(arm ? "mac_arm" : "mac", bundle, `${name}.app`, "Contents", "MacOS", name);
}

async function findBrowser(onUnpack: () => void): Promise<FoundBrowser | null> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) {
    const executable = resolve(CHROME_PATH);
    if (!isExecutable(executable)) {
      throw new Error(
        `CHROME_PATH must be an executable file, but is "${CHROME_PATH}". Set it to the full path of Chrome or Chromium, or unset it.`,
      );
    }
    return { source: "CHROME_PATH", executable };
  }
  const packaged = await findPackagedChromium(CACHE, onUnpack);
  if (packaged !== null) return { source: "@sparticuz/chromium", ...packaged };
  const installed = installedPaths().find(isExecutable);
  return installed === undefined ? null : { source: "installed", executable: installed };
}

function installedPaths(): string[] {
  if (process.platform === "darwin") {
    return ["Google Chrome", "Chromium"].flatMap((name) =>
      ["/Applications", join(homedir(), "Applications")].map((root) => `${root}/${name}.app/Contents/MacOS/${name}`),
    );
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  return ["google-chrome-stable", "google-chrome", "chromium", "chromium-browser"].flatMap((name) =>
    folders.map((folder) => join(folder, name)),
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Returns the wrapper script. `exec` replaces the shell with the browser, so that Miniflare's signal ends the browser.
 * The script starts two more processes:
 * - One reads the browser's stderr to the end and forwards the line with the browser's address. Miniflare stops reading
 *   after that line. Without this process, a page could make the browser write until the pipe is full, which would
 *   block the browser.
 * - One waits for the end of stdin and then kills the browser. Stdin is a pipe that Miniflare's process holds open.
 *   Without this process, a browser whose parent was killed would run forever.
 */
function toScript({ source, executable, env = {} }: FoundBrowser, more: string[]): string {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  const args = [...ARGUMENTS, ...(canSandbox() ? [] : ["--no-sandbox"]), ...more.map(quote)];
  return `#!/bin/sh
# Generated by scripts/browser.ts. Source of the browser: ${source}.
${exports.join("")}pipe="\${TMPDIR:-/tmp}/browser-stderr-$$"
mkfifo -m 600 "$pipe" || exit 1
{
  rm -f "$pipe"
  exec grep --line-buffered '^DevTools listening on ' >&2
} < "$pipe" &
exec 3<&0
sh -c 'cat; kill -KILL "$1"' watch-parent $$ <&3 3<&- > /dev/null 2>&1 &
exec 3<&-
exec ${quote(executable)} ${args.join(" ")} "$@" 2> "$pipe"
`;
}

/**
 * Returns true if Chrome's sandbox works. The sandbox doesn't work for root, and it needs a user namespace, which
 * AppArmor may forbid.
 */
function canSandbox(): boolean {
  if (process.platform !== "linux") return true;
  return process.getuid?.() !== 0 && spawnSync("unshare", ["--user", "--map-root-user", "true"]).status === 0;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Replaces the file atomically, because a browser may be starting from it. Does nothing if the content is the same. */
async function writeWhole(path: string, content: string): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => null)) === content) return;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, content);
  await chmod(draft, 0o755);
  await rename(draft, path);
}

if (import.meta.main) {
  const { source, executable } = await setUpBrowser();
  console.log(
    executable === null
      ? "No browser found. Miniflare downloads Chrome at the first launch."
      : `Browser: ${source} (${executable}).`,
  );
}
