import { watch } from "node:fs";
import { join } from "node:path";

/** Editors write a file in several steps, so a change is reported after this time without another one. */
const SETTLE_MS = 100;

/**
 * Calls `onChange` with the path of a changed file after each edit in one of the project's folders. If files change during a
 * call, the next call follows when it ends. Ignores generated modules, because the calls may write them. Returns a function that ends the watch.
 */
export function watchFolders(
  project: string,
  folders: readonly string[],
  onChange: (file: string) => Promise<void>,
): () => void {
  let changed: string | null = null;
  let isRunning = false;
  let timer: NodeJS.Timeout | undefined;
  const run = async (): Promise<void> => {
    if (isRunning || changed === null) return;
    const file = changed;
    changed = null;
    isRunning = true;
    try {
      await onChange(file);
    } finally {
      isRunning = false;
      void run();
    }
  };
  const watchers = folders.map((folder) =>
    watch(join(project, folder), { recursive: true }, (_, name) => {
      if (name === null || name.includes(".generated.") || name.endsWith("~")) return;
      changed = join(folder, name);
      clearTimeout(timer);
      timer = setTimeout(() => void run(), SETTLE_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
