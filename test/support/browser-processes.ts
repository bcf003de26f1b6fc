import { readdirSync, readFileSync } from "node:fs";

/** Returns true if this test run started the browser with this command line. */
export function isOwnBrowser(commandLine: string): boolean {
  return commandLine.includes(`--user-data-dir=${process.env.TMPDIR}`);
}

/**
 * Returns the process ids of the browsers in `sessions`, a comma-separated list of ids. Each profile folder is named
 * after its session. Child processes aren't included: their command lines contain `--type`.
 */
export function browsersOf(query: URLSearchParams): number[] {
  const sessions = query.get("sessions")?.split(",").filter(Boolean) ?? [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        if (!isOwnBrowser(commandLine) || commandLine.includes(" --type=")) return false;
        return sessions.some((id) => commandLine.includes(`profile-${id}`));
      } catch {
        return false; // Skips the process, because it ended after it was listed.
      }
    })
    .map(Number);
}

/** Sends a signal to the browsers and returns their number. SIGKILL simulates a crash, SIGSTOP a hang. */
export function signalBrowsers(pids: number[], signal: "SIGKILL" | "SIGSTOP"): number {
  for (const pid of pids) process.kill(pid, signal);
  return pids.length;
}
