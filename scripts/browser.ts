import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { findPackagedChromium } from "./chromium-package.ts";

/** The version that the installed miniflare looks for (`BROWSER_VERSION` in its dist/src/index.js). */
const MINIFLARE_CHROME = "126.0.6478.182";
const CACHE = resolve(import.meta.dirname, "../.cache");
// Its own folder, so that our script and a Chrome that miniflare downloaded never replace each other.
const WRAPPER_CACHE = join(CACHE, "wrapper");

// Miniflare's own arguments already stop most background traffic. These keep a page away from hosts that it must
// not reach by ways which request interception doesn't see: WebSockets, shared and service workers, WebRTC and
// WebTransport from a public address to a private one; WebRTC's UDP; new windows (only the headless shell knows
// that one). The last keeps an installed Chrome from updating its components.
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
  "--disable-component-update",
  // What pages write to their console isn't the browser's to print.
  "--log-level=3",
];

export interface LocalBrowser {
  source: "CHROME_PATH" | "@sparticuz/chromium" | "installed" | "download";
  /** Null for "download": miniflare fetches its own Chrome at the first launch, which takes the internet. */
  executable: string | null;
  /** What starts it, with all that it needs around it. Null for "download". */
  script: string | null;
  /** What a child that runs miniflare must get. */
  env: Record<string, string>;
}

type Found = { source: LocalBrowser["source"]; executable: string; env?: Record<string, string> };

/**
 * Put a script where miniflare looks for its Chrome, which runs the first of: CHROME_PATH, the Chromium of the npm
 * package `@sparticuz/chromium` (Linux x64), an installed Chrome or Chromium. With none of them, and on Windows,
 * where a script can't stand for `chrome.exe`, the download is left to miniflare. Throws when CHROME_PATH isn't an
 * executable file. A second call finds everything in place.
 */
export async function setUpBrowser(): Promise<LocalBrowser> {
  const wrapper = wrapperPath();
  const found = wrapper === null ? null : await findBrowser();
  if (wrapper === null || found === null) {
    return { source: "download", executable: null, script: null, env: { XDG_CACHE_HOME: CACHE } };
  }
  await writeWhole(wrapper.script, toScript(found));
  // Without this marker, one failed launch makes miniflare delete the folder and download.
  await writeWhole(join(wrapper.folder, ".miniflare-install-complete"), "");
  return {
    source: found.source,
    executable: found.executable,
    script: wrapper.script,
    env: { XDG_CACHE_HOME: WRAPPER_CACHE },
  };
}

/** Where miniflare looks, after `@puppeteer/browsers`. */
function wrapperPath(): { folder: string; script: string } | null {
  const arm = process.arch === "arm64";
  const inFolder = (platform: string, ...path: string[]) => {
    const folder = join(WRAPPER_CACHE, ".wrangler", "chrome", `${platform}-${MINIFLARE_CHROME}`);
    return { folder, script: join(folder, ...path) };
  };
  if (process.platform === "linux") return inFolder(arm ? "linux_arm" : "linux", "chrome-linux64", "chrome");
  if (process.platform !== "darwin") return null;
  const name = "Google Chrome for Testing";
  const bundle = `chrome-mac-${arm ? "arm64" : "x64"}`;
  return inFolder(arm ? "mac_arm" : "mac", bundle, `${name}.app`, "Contents", "MacOS", name);
}

async function findBrowser(): Promise<Found | null> {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) {
    const executable = resolve(CHROME_PATH);
    if (!isExecutable(executable)) {
      throw new Error(
        `CHROME_PATH is "${CHROME_PATH}", which isn't an executable file. Give the full path of Chrome or Chromium, or unset it.`,
      );
    }
    return { source: "CHROME_PATH", executable };
  }
  const packaged = await findPackagedChromium(CACHE);
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
 * `exec` makes the browser the process that miniflare ends. Two more processes run next to it:
 * - One reads the browser's stderr to the end and passes on the line that names the address. Miniflare stops reading after that
 *   line, so a page that makes the browser write enough would fill the pipe and stop the whole browser.
 * - One waits for the end of stdin, a pipe that miniflare's process holds open, and then kills the browser. Without it, a browser
 *   whose parent was killed would run forever.
 */
function toScript({ source, executable, env = {} }: Found): string {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  const args = [...ARGUMENTS, ...(canSandbox() ? [] : ["--no-sandbox"])];
  return `#!/bin/sh
# Written by scripts/browser.ts; the browser comes from: ${source}.
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

/** Chrome's sandbox refuses root and needs a user namespace with capabilities, which AppArmor may withhold. */
function canSandbox(): boolean {
  if (process.platform !== "linux") return true;
  return process.getuid?.() !== 0 && spawnSync("unshare", ["--user", "--map-root-user", "true"]).status === 0;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Replaces the file in one step: a browser may be starting from it. */
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
      ? "Browser: none found; miniflare downloads Chrome at the first launch."
      : `Browser: ${source} (${executable}).`,
  );
}
