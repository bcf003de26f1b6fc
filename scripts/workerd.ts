import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * Writes a script to `folder` that runs workerd. A second process of the script kills workerd at most two seconds after
 * the script's parent process ends. Otherwise, workerd would keep running and block its port if the parent process was
 * killed. Returns the environment variable that makes Miniflare use the script.
 */
export function setUpWorkerd(folder: string): { MINIFLARE_WORKERD_PATH?: string } {
  if (process.platform === "win32") return {};
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
  return { MINIFLARE_WORKERD_PATH: path };
}
