import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join, resolve } from "node:path";
import { killBrowsers } from "../processes.ts";
import { waitUntilReady } from "../ready.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
const WRANGLER = join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js");
const READY_TIMEOUT_MS = 120_000;
const CRON_TIMEOUT_MS = 30_000;

export interface ServiceOptions {
  port: number;
  /** The folder of the state, in which the database has been made. */
  state: string;
  /** Where everything temporary goes: by this path its browsers are known. */
  temporary: string;
  /** The file with its secrets. */
  envFile: string;
  variables: Record<string, string>;
  environment: NodeJS.ProcessEnv;
  /** What it says is added to this file. */
  log: string;
}

/** `wrangler dev`, from its start to its end. */
export interface Service {
  base: string;
  /** Resolves as soon as it answers. Throws when it ended by itself, or takes too long. */
  ready: () => Promise<void>;
  /** Cron, as at this time (Unix ms). False when it failed, or when there was nobody to ask. */
  runCron: (at: number) => Promise<boolean>;
  /** The browsers alone; answers how many there were. */
  killBrowsers: () => Promise<number>;
  /**
   * Everything at once, without a word: as when a machine loses its power. False when it had ended by itself before.
   */
  kill: () => Promise<boolean>;
}

export function launch(options: ServiceOptions): Service {
  const { port, state, temporary, envFile, variables, environment } = options;
  const base = `http://127.0.0.1:${port}`;
  const log = openSync(options.log, "a");
  const args = ["dev", "--port", String(port), "--ip", "127.0.0.1", "--persist-to", state, "--env-file", envFile];
  const vars = Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const child = spawn(process.execPath, [WRANGLER, ...args, "--show-interactive-dev-session=false", ...vars], {
    cwd: PROJECT,
    env: { ...environment, TMPDIR: temporary, WRANGLER_SEND_METRICS: "false" },
    // A group of its own: the runtime's processes die with it.
    detached: true,
    stdio: ["ignore", log, log],
  });
  const browsers = () => killBrowsers((commandLine) => commandLine.includes(`--user-data-dir=${temporary}`));
  return {
    base,
    ready: () => waitUntilReady(base, { timeoutMs: READY_TIMEOUT_MS, shouldContinue: () => isRunning(child) }),
    runCron: (at) => runCron(base, at),
    killBrowsers: browsers,
    kill: async () => {
      const wasAlive = await killGroup(child);
      await browsers();
      return wasAlive;
    },
  };
}

/** The process and all that it started. False when it had ended by itself. */
export async function killGroup(child: ChildProcess): Promise<boolean> {
  if (hasEnded(child) || child.pid === undefined) return false;
  const ended = once(child, "exit");
  process.kill(-child.pid, "SIGKILL");
  await ended;
  return true;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Throws when it has ended by itself. */
function isRunning(child: ChildProcess): boolean {
  if (hasEnded(child)) throw new Error(`wrangler dev ended by itself (${child.exitCode ?? child.signalCode}).`);
  return true;
}

async function runCron(base: string, at: number): Promise<boolean> {
  const signal = AbortSignal.timeout(CRON_TIMEOUT_MS);
  return await fetch(`${base}/cdn-cgi/local/scheduled?time=${at}`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
