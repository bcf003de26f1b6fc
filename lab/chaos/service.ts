import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join, resolve } from "node:path";
import { killBrowsers } from "../../scripts/processes.ts";
import { waitUntilReady } from "../../scripts/ready.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
const WRANGLER = join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js");
const READY_TIMEOUT_MS = 120_000;
const CRON_TIMEOUT_MS = 30_000;

export interface ServiceOptions {
  port: number;
  /** The state folder. It must already have the database. */
  state: string;
  /** The folder for temporary files. Its path identifies the service's browsers. */
  temporary: string;
  /** The env file with the service's secrets. */
  envFile: string;
  variables: Record<string, string>;
  environment: NodeJS.ProcessEnv;
  /** The service's output is appended to this file. */
  log: string;
}

/** A running `wrangler dev` process. */
export interface Service {
  base: string;
  /** Resolves when the service responds. Rejects if the process has exited or the timeout expires. */
  ready: () => Promise<void>;
  /** Triggers the cron with this time (Unix ms). Returns false if it fails or the service doesn't respond. */
  runCron: (at: number) => Promise<boolean>;
  /** Kills only the browsers. Returns their number. */
  killBrowsers: () => Promise<number>;
  /** Kills all processes with SIGKILL, like a power failure. Returns false if the service had already exited. */
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
    // `detached` creates a process group. `killGroup` can then also kill the runtime's processes.
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

/** Kills the process group of `child` with SIGKILL. Returns false if the process had already exited. */
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

/** Returns true if the process is running. Throws if it has exited. */
function isRunning(child: ChildProcess): boolean {
  if (hasEnded(child)) throw new Error(`wrangler dev exited unexpectedly (${child.exitCode ?? child.signalCode}).`);
  return true;
}

async function runCron(base: string, at: number): Promise<boolean> {
  const signal = AbortSignal.timeout(CRON_TIMEOUT_MS);
  return await fetch(`${base}/cdn-cgi/local/scheduled?time=${at}`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}
