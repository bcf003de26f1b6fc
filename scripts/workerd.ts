import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * V8's flags for the local runtime. The runtime has about 30 isolates. In each isolate that is in use, the space for new
 * objects would grow to 48 MB. With this limit of 4 MB per half, it grows to 12 MB.
 */
const V8_FLAGS = "--max-semi-space-size=4";

/**
 * Writes a script to `folder` that runs workerd. A second process of the script kills workerd at most two seconds after
 * the script's parent process ends. Otherwise, workerd would keep running and block its port if the parent process was
 * killed. Returns the environment variables that make Miniflare use the script and V8's flags.
 */
export function setUpWorkerd(folder: string): Record<string, string> {
  const flags = { MINIFLARE_WORKERD_V8_FLAGS: process.env.MINIFLARE_WORKERD_V8_FLAGS ?? V8_FLAGS };
  if (process.platform === "win32") return flags;
  const fromMiniflare = createRequire(import.meta.resolve("miniflare"));
  const { default: workerd } = fromMiniflare("workerd") as { default: string };
  const path = join(folder, "workerd");
  mkdirSync(folder, { recursive: true });
  // `watch-parent` is the process that kills workerd. It closes fd 3, because Miniflare reads fd 3 until every process
  // has closed it.
  writeFileSync(
    path,
    `#!/bin/sh
sh -c 'while kill -0 "$1" && kill -0 "$2"; do sleep 1; done; kill -KILL "$2"' watch-parent "$PPID" $$ \\
  < /dev/null > /dev/null 2>&1 3>&- &
exec '${workerd.replaceAll("'", `'\\''`)}' "$@"
`,
  );
  chmodSync(path, 0o755);
  return { ...flags, MINIFLARE_WORKERD_PATH: path };
}
