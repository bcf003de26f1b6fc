import { readdirSync, readFileSync } from "node:fs";

/** The parts of command lines by which the processes of `npm start` are recognized. */
const KINDS: [kind: string, sign: RegExp][] = [
  ["Node.js", /\bstart\.ts\b/],
  ["workerd", /\bworkerd serve\b/],
  ["Chromium", /--user-data-dir=|--type=/],
];

/**
 * Returns the memory of a process and its descendants by kind of process, as PSS in MB. PSS divides shared memory
 * between the processes that share it, so the figures can be added up. Requires Linux.
 */
export function readMemory(root: number): Record<string, number> {
  const memory: Record<string, number> = {};
  for (const pid of findTree(root)) {
    try {
      const kind = toKind(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "));
      const pss = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1024;
      memory[kind] = (memory[kind] ?? 0) + pss;
    } catch {
      // The process has ended since `findTree` listed it.
    }
  }
  const total = Object.values(memory).reduce((all, pss) => all + pss, 0);
  return Object.fromEntries(Object.entries({ ...memory, total }).map(([kind, pss]) => [kind, Math.round(pss)]));
}

function toKind(commandLine: string): string {
  return KINDS.find(([, sign]) => sign.test(commandLine))?.[0] ?? "npm";
}

/** Returns the ids of a process and all its descendants. */
function findTree(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      // The process name may contain spaces and parentheses. The parent id is the second field after its closing
      // parenthesis.
      const stat = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1) ?? "";
      const parent = Number(stat.split(" ")[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // The process has ended.
    }
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}
