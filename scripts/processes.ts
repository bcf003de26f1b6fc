import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const TERM_WAIT_MS = 2000;
const KILL_WAIT_MS = 1000;
const POLL_MS = 50;

/** In the folder of the state: the process that uses it. */
const LOCK_FILE = "service.pid";
const SERVICE_SCRIPT = /^(?:.*\/)?scripts\/start\.ts$/;

/**
 * End the browsers (processes with a `--user-data-dir`) whose command line the caller recognises: first SIGTERM, then,
 * two seconds later, SIGKILL. Answers how many got a signal. A browser's own children end with it. None on Windows.
 */
export async function endBrowsers(belongsToUs: (commandLine: string) => boolean): Promise<number> {
  const signalled = new Set<number>();
  const steps = [
    { signal: "SIGTERM", waitMs: TERM_WAIT_MS },
    { signal: "SIGKILL", waitMs: KILL_WAIT_MS },
  ] as const;
  for (const { signal, waitMs } of steps) {
    let left = await findBrowsers(belongsToUs);
    for (const pid of left) {
      if (sendSignal(pid, signal)) signalled.add(pid);
    }
    const deadline = Date.now() + waitMs;
    while (left.length > 0 && Date.now() < deadline) {
      await sleep(POLL_MS);
      left = await findBrowsers(belongsToUs);
    }
    if (left.length === 0) break;
  }
  return signalled.size;
}

/** End them at once, as a crash does. Answers how many there were. */
export async function killBrowsers(belongsToUs: (commandLine: string) => boolean): Promise<number> {
  const pids = await findBrowsers(belongsToUs);
  return pids.filter((pid) => sendSignal(pid, "SIGKILL")).length;
}

async function findBrowsers(belongsToUs: (commandLine: string) => boolean): Promise<number[]> {
  const all = await listProcesses();
  return all
    .filter(({ pid, commandLine }) => pid !== process.pid && commandLine.includes(" --user-data-dir="))
    .filter(({ commandLine }) => belongsToUs(commandLine))
    .map(({ pid }) => pid);
}

interface Process {
  pid: number;
  commandLine: string;
}

async function listProcesses(): Promise<Process[]> {
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") {
    const { stdout } = await promisify(execFile)("ps", ["-axww", "-o", "pid=,command="], { maxBuffer: 2 ** 26 });
    return stdout.split("\n").map((line) => {
      const [pid = "", ...words] = line.trim().split(" ");
      return { pid: Number(pid), commandLine: words.join(" ") };
    });
  }
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      // A process may end between the listing and the reading.
      const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      return { pid: Number(pid), commandLine: words.replaceAll("\0", " ").trimEnd() };
    }),
  );
}

/** False when the process had already ended. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/**
 * Removes our user's folders named `<prefix>-<pid>-…` whose process doesn't run any more. A process that was killed couldn't remove
 * its own.
 */
export async function removeAbandonedFolders(
  parent: string,
  prefix: string,
  remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(new RegExp(`^${prefix}-(\\d+)-`).exec(name)?.[1]);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    const folder = join(parent, name);
    try {
      const { uid } = await lstat(folder);
      if (process.getuid === undefined || uid === process.getuid()) await remove(folder);
    } catch {
      // Another start may remove it at the same time, or it holds another user's files. It only takes up space, so we go on.
    }
  }
}

/**
 * Locks the folder of the state for this process. Returns null, or the process id of another service that uses the folder. Two
 * services would corrupt each other's databases.
 */
export function lockFolder(folder: string): number | null {
  const file = join(folder, LOCK_FILE);
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const holder = readHolder(file);
  if (holder !== process.pid && isService(holder)) return holder;
  // Its process was killed, so it couldn't remove the file.
  writeFileSync(file, String(process.pid));
  return null;
}

/** Unlocks the folder if this process locked it. */
export function unlockFolder(folder: string): void {
  const file = join(folder, LOCK_FILE);
  if (readHolder(file) === process.pid) rmSync(file, { force: true });
}

/** Returns NaN if the file can't be read or names no process. */
function readHolder(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, "utf8"), 10);
  } catch {
    // It doesn't exist, or its folder doesn't.
    return Number.NaN;
  }
}

/** Another program may have the process id of a service that has ended. Only Linux lets us check that cheaply. */
function isService(pid: number): boolean {
  if (!(pid > 0) || !isRunning(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return words.some((word) => SERVICE_SCRIPT.test(word));
  } catch {
    // It ended meanwhile.
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * The processes that started this one, as text to compare: its parent and, under npm on Linux, npm itself. npm runs a shell, which
 * runs us, and the shell outlives an npm that is killed.
 */
export function findStarters(): string {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || process.platform !== "linux") return String(parent);
  try {
    // The name may hold blanks and parentheses, so the fields are counted from its end: state, parent.
    const [, grandparent] = readFileSync(`/proc/${parent}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return `${parent} ${grandparent}`;
  } catch {
    return `${parent} gone`;
  }
}

/**
 * Makes `handler` the only handler of the signals that end a process. Miniflare and the launcher of browsers add handlers of their own,
 * which would end the process at once.
 */
export function handleEndSignals(handler: () => void): void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, handler);
  process.on("newListener", (name: string, listener: () => void) => {
    if (signals.includes(name)) setImmediate(() => process.off(name, listener));
  });
}
