import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Processor time of the local runtime so far, ms: the Worker's, and that of the local D1, queues and R2 with it. Linux. */
export function processorMs(): number {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in brackets may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (!stat.includes("(workerd)") || Number(fields[1]) !== process.pid) continue;
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended meanwhile: not ours.
    }
  }
  return (ticks * 1_000) / TICKS_PER_SECOND;
}
