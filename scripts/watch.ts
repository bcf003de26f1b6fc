import { type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";

/** Editors write a file in several steps, so a change is reported after this time without another one. */
const SETTLE_MS = 100;

/**
 * Calls `onChange` with the path of a changed file after each edit in one of the project's folders. If files change
 * during a call, the next call follows when it ends. Ignores generated modules and the packed client, because the calls
 * may write them. Returns a function that ends the watch.
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
  const watchers = new Map<string, FSWatcher>();
  // A recursive watch would lose a file on Linux when an editor replaces it with a new one.
  const watchFolder = (folder: string): void => {
    const path = join(project, folder);
    // The folder may be new, may have been removed again, or may be a file.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
    watchers.get(folder)?.close();
    const watcher = watch(path, (_, name) => {
      if (name === null || name.includes(".generated.") || name === "client.tgz" || name.endsWith("~")) return;
      changed = join(folder, name);
      watchFolder(changed);
      clearTimeout(timer);
      timer = setTimeout(() => void run(), SETTLE_MS);
    });
    watchers.set(folder, watcher);
    for (const name of readdirSync(path)) watchFolder(join(folder, name));
  };
  for (const folder of folders) watchFolder(folder);
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}
