import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Region } from "./settings.ts";
import type { Wanted } from "./wanted.ts";

export interface Result {
  ok: boolean;
  stdout: string;
  /** Everything that wrangler wrote to stdout and stderr, for error messages. */
  output: string;
}

/**
 * Runs wrangler's commands. The scripts use the command line, because it is a stable interface and wrangler's modules
 * aren't.
 */
export interface Wrangler {
  /** Runs a command without a configuration, or with the one that `args` name. */
  run: (args: string[], env?: Record<string, string>) => Promise<Result>;
  /**
   * Runs a command with a configuration that names only the Worker and the account. This is necessary for commands that
   * create or find a resource by its name. With bindings, they would use the id of a binding or add a binding.
   */
  runWithoutBindings: (args: string[]) => Promise<Result>;
}

/** Runs wrangler with these arguments in the folder `cwd`. `env` is added to the environment. */
export type RunWrangler = (args: string[], options: { cwd: string; env: Record<string, string> }) => Promise<Result>;

interface Options {
  project: string;
  runWrangler: RunWrangler;
  wanted: Wanted;
}

/** Disables colors, the banner with its update check, and metrics, because the output is parsed. */
const QUIET = { NO_COLOR: "1", FORCE_COLOR: "0", WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };
/** The variable that shows the build step (scripts/dev-state.ts) that the configuration contains the settings. */
const WITH_SETTINGS = { DEPLOYS_WITH_SETTINGS: "1" };

/** Runs wrangler as a child process. `program` and `before` are the program and its first arguments. */
export function inChildProcess(program: string, ...before: string[]): RunWrangler {
  return (args, { cwd, env }) =>
    new Promise((done, failed) => {
      // Without stdin, wrangler doesn't prompt. The operator has already confirmed the steps.
      const child = spawn(program, [...before, ...args], {
        cwd,
        env: { ...process.env, ...QUIET, ...WITH_SETTINGS, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [out, all]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on("data", (data) => out.push(data));
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => all.push(data));
      child.once("error", failed);
      child.once("close", (code) => done({ ok: code === 0, stdout: toText(out), output: toText(all).trim() }));
    });
}

export function toWrangler({ project, runWrangler, wanted }: Options): Wrangler {
  const config = join(project, ".cache", "deploy.json");
  const run = (args: string[], env: Record<string, string> = {}) => runWrangler(args, { cwd: project, env });
  return {
    run,
    runWithoutBindings: (args) => {
      const { worker: name, accountId: account_id, compatibilityDate: compatibility_date } = wanted;
      mkdirSync(join(project, ".cache"), { recursive: true });
      writeFileSync(
        config,
        JSON.stringify({ name, compatibility_date, ...(account_id === null ? {} : { account_id }) }),
      );
      return run([...args, "--config", config]);
    },
  };
}

/** Returns wrangler's options for the region of a resource. A jurisdiction takes precedence over a location. */
export function toRegionOptions(
  { location, jurisdiction }: Region,
  supported: readonly (keyof Region)[] = ["location", "jurisdiction"],
): string[] {
  if (jurisdiction !== null && supported.includes("jurisdiction")) return ["--jurisdiction", jurisdiction];
  return location !== null && supported.includes("location") ? ["--location", location] : [];
}

function toText(pieces: Buffer[]): string {
  return stripVTControlCharacters(Buffer.concat(pieces).toString("utf8"));
}

/**
 * Parses the JSON in a command's output and skips text before it. Throws with the output if the command failed or has
 * no JSON.
 */
export function readJson<T>({ ok, stdout, output }: Result): T {
  const start = stdout.search(/^[[{]/m);
  if (!ok || start < 0) throw new Error(output);
  return JSON.parse(stdout.slice(start)) as T;
}
