import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const TERM_WAIT_MS = 2000;
const KILL_WAIT_MS = 1000;
const POLL_MS = 50;

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
