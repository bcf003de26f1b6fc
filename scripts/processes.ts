import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const TERM_WAIT_MS = 2000;
const KILL_WAIT_MS = 1000;
const POLL_MS = 50;

/** A service that uses the state folder stores its process id in this file. */
const LOCK_FILE = "service.pid";
const SERVICE_SCRIPT = /^(?:.*\/)?scripts\/start\.ts$/;

/**
 * Ends browsers (processes with a `--user-data-dir`) if `belongsToUs` returns true for the command line. Sends SIGTERM.
 * Sends SIGKILL if a browser still runs two seconds later. A browser's child processes end with it. Returns the number
 * of browsers that got a signal, which is always 0 on Windows.
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

/**
 * Simulates a crash of browsers: kills them immediately if `belongsToUs` returns true for the command line. Returns the
 * number of killed browsers.
 */
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
      // The process may have ended since `readdir` listed it. In that case, it counts as a process without a command
      // line.
      const words = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      return { pid: Number(pid), commandLine: words.replaceAll("\0", " ").trimEnd() };
    }),
  );
}

/** Returns false if the process had already ended. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/**
 * Removes the current user's folders named `<prefix>-<pid>-…` whose process has ended. A process that is killed leaves
 * its folder behind.
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
      // Ignores the error. Another process may be removing the folder, or the folder may have another user's files. A
      // leftover folder only uses disk space.
    }
  }
}

/**
 * Locks the state folder for this process and returns null. If another service uses the folder, returns that service's
 * process id. Two services that share a folder would corrupt each other's databases.
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
  // The process that wrote the lock file was killed before it could remove the file.
  writeFileSync(file, String(process.pid));
  return null;
}

/** Returns the process id of the service that uses the folder, or null if there is none. */
export function findService(folder: string): number | null {
  const holder = readHolder(join(folder, LOCK_FILE));
  return isService(holder) ? holder : null;
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
    // The file or its folder doesn't exist.
    return Number.NaN;
  }
}

/**
 * Returns true if the process is a running service. After a service has ended, another program may reuse its process
 * id. Only Linux offers a cheap way to detect this. Other systems only check that the process exists.
 */
function isService(pid: number): boolean {
  if (!(pid > 0) || !isRunning(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return words.some((word) => SERVICE_SCRIPT.test(word));
  } catch {
    // The process has ended since the check above.
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Returns the ids of the processes that started this one: its parent process and, under npm on Linux, npm itself.
 * Checks npm too, because npm starts this process through a shell, and the shell keeps running if npm is killed. The
 * result is a string, so that callers can compare two results.
 */
export function findStarters(): string {
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined || process.platform !== "linux") return String(parent);
  try {
    // The process name may contain spaces and parentheses. The fields after its closing parenthesis are: state, parent
    // id.
    const [, grandparent] = readFileSync(`/proc/${parent}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return `${parent} ${grandparent}`;
  } catch {
    return `${parent} gone`;
  }
}

/**
 * Makes `handler` the only handler of SIGINT, SIGTERM and SIGHUP. Miniflare and the browser launcher add handlers that
 * would exit the process immediately, so this function removes them.
 */
export function handleEndSignals(handler: () => void): void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, handler);
  process.on("newListener", (name: string, listener: () => void) => {
    if (signals.includes(name)) setImmediate(() => process.off(name, listener));
  });
}
