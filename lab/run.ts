// `npm run lab -- <program>` and `npm run eval -- <program>`: run one program, or list the programs. The first argument
// is the name of the npm script.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { didYouMean } from "../scripts/options.ts";
import { PROGRAMS, type Program } from "./programs.ts";

const PROJECT = resolve(import.meta.dirname, "..");

const [script, name, ...rest] = process.argv.slice(2);
const programs = script === "eval" ? PROGRAMS.eval : PROGRAMS.lab;
const program = name !== undefined && Object.hasOwn(programs, name) ? programs[name] : undefined;
if (program !== undefined) {
  process.exitCode = await run(program, rest);
} else if (name === undefined || name === "--help") {
  console.log(toUsage());
} else {
  console.error(`${toUsage()}\n\nUnknown program '${name}'.${didYouMean(name, Object.keys(programs))}`);
  process.exitCode = 1;
}

function toUsage(): string {
  const width = Math.max(...Object.keys(programs).map((name) => name.length)) + 2;
  const lines = Object.entries(programs).map(([name, { answers }]) => `  ${name.padEnd(width)}${answers}`);
  return `npm run ${script} -- <program> [options]\n\n${lines.join("\n")}\n\nlab/README.md describes the programs.`;
}

/** Runs a program in the project's folder. Returns its exit code. */
function run({ node, environment }: Program, rest: string[]): Promise<number> {
  const child = spawn(process.execPath, [...node, ...rest], {
    cwd: PROJECT,
    env: { ...environment, ...process.env },
    stdio: "inherit",
  });
  // A terminal sends SIGINT to both processes. The program decides how to end.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
