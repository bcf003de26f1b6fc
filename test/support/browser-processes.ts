import { readdirSync, readFileSync } from "node:fs";

/** Whether the browser was started by this run. */
export function isOurs(commandLine: string): boolean {
  return commandLine.includes(`--user-data-dir=${process.env.TMPDIR}`);
}

/** The processes of the `sessions`, after which profiles are named; without their children, which name a `--type`. */
export function browsersOf(query: URLSearchParams): number[] {
  const sessions = query.get("sessions")?.split(",").filter(Boolean) ?? [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        if (!isOurs(commandLine) || commandLine.includes(" --type=")) return false;
        return sessions.some((id) => commandLine.includes(`profile-${id}`));
      } catch {
        return false; // It ended between the listing and the reading.
      }
    })
    .map(Number);
}

/** SIGKILL ends them as a crash would, SIGSTOP makes them hang. Answers how many there were. */
export function signalBrowsers(pids: number[], signal: "SIGKILL" | "SIGSTOP"): number {
  for (const pid of pids) process.kill(pid, signal);
  return pids.length;
}
