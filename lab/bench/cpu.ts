import { readdirSync, readFileSync } from "node:fs";
import { median } from "../figures.ts";

/** The kinds of processes that render a page: the browsers, the local runtime, and this process with the local proxy. */
const KINDS = ["chromium", "workerd", "node"] as const;
/** The CPU time (ms) of each kind of process. */
export type CpuTimes = Record<(typeof KINDS)[number], number>;

/** The unit of times in /proc, in milliseconds (`getconf CLK_TCK` is 100 on Linux). */
const TICK_MS = 10;

/**
 * Returns the CPU time (ms) that this process and its descendants have used so far. A process that has ended counts in
 * its parent. Returns null if the system isn't Linux.
 */
export function readCpuTimes(): CpuTimes | null {
  if (process.platform !== "linux") return null;
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  const times: CpuTimes = { chromium: 0, workerd: 0, node: 0 };
  const members = new Set([process.pid]);
  // A parent may have a higher id than its child, so the loop ends when it finds no more descendants.
  for (let size = 0; size < members.size; ) {
    size = members.size;
    for (const { pid, parent } of all) if (members.has(parent)) members.add(pid);
  }
  for (const { pid, name, ms } of all) if (members.has(pid)) times[toKind(name)] += ms;
  return times;
}

/** Returns the differences between two readings, divided by `count`. */
export function perCall(before: CpuTimes, after: CpuTimes, count: number): CpuTimes {
  return Object.fromEntries(KINDS.map((kind) => [kind, (after[kind] - before[kind]) / count])) as CpuTimes;
}

/** Returns the median of each kind of process. */
export function medianOf(times: CpuTimes[]): CpuTimes {
  return Object.fromEntries(KINDS.map((kind) => [kind, median(times.map((each) => each[kind]))])) as CpuTimes;
}

/** Returns the CPU time of all kinds of processes. */
export function totalOf(times: CpuTimes): number {
  return KINDS.reduce((total, kind) => total + times[kind], 0);
}

interface ProcessTimes {
  pid: number;
  parent: number;
  name: string;
  /** The CPU time of the process and of its ended children, in milliseconds. */
  ms: number;
}

/** Returns no process if it has ended. */
function readProcess(pid: number): ProcessTimes[] {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return [];
  }
  // The name may contain spaces and parentheses. The fields after its closing parenthesis begin with the state (3).
  const end = stat.lastIndexOf(")");
  const fields = stat.slice(end + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((total, field) => total + Number(field), 0);
  return [{ pid, parent: Number(fields[1]), name: stat.slice(stat.indexOf("(") + 1, end), ms: ticks * TICK_MS }];
}

function toKind(name: string): keyof CpuTimes {
  if (name.startsWith("workerd")) return "workerd";
  return name.startsWith("node") || name === "MainThread" ? "node" : "chromium";
}
