// Starts the service with `npm start` in its own processes. Tests use it only over HTTP.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { freePort } from "../../scripts/free-port.ts";

export interface Product {
  base: string;
  live: string;
  test: string;
  /** The origin of the sample site. */
  sample: string;
  /** The id of npm's process. */
  pid: number;
  output: () => string;
  /** Sends SIGINT to the process group, as Ctrl-C in a terminal does. */
  stop: () => Promise<void>;
  /** Kills only the start script. The kernel can do this when memory runs out. */
  killStartScript: () => void;
  /** Kills the process group, to simulate a power failure. */
  kill: () => Promise<void>;
}

interface Options {
  /** The folder for the service's state. */
  state: string;
  /** The folder for temporary files. The service's processes are found by this path. */
  temporary: string;
  /** A comma-separated list of host:port. */
  allowedHosts: string;
  env?: Record<string, string>;
  /** Additional arguments of `npm start`. */
  args?: string[];
  /** A file that replaces /etc/hosts for this service only. */
  hosts?: string;
}

/** Runs a command in its own mount namespace. The file $0 replaces /etc/hosts in this namespace. */
const WITH_HOSTS = 'mount --bind "$0" /etc/hosts && exec "$@"';

/** Returns true if this system permits replacing /etc/hosts in a mount namespace. */
export function canReplaceHosts(): boolean {
  return spawnSync("unshare", ["--mount", "sh", "-c", WITH_HOSTS, "/etc/hosts", "true"]).status === 0;
}

export async function startProduct({
  state,
  temporary,
  allowedHosts,
  env = {},
  args = [],
  hosts,
}: Options): Promise<Product> {
  const port = await freePort();
  const options = ["--port", String(port), "--persist-to", state, "--var", `ALLOWED_PRIVATE_HOSTS:${allowedHosts}`];
  const command = ["npm", "start", "--", ...options, ...args];
  const [program = "", ...words] =
    hosts === undefined ? command : ["unshare", "--mount", "sh", "-c", WITH_HOSTS, hosts, ...command];
  const child = spawn(program, words, {
    env: { ...process.env, ...env, TMPDIR: temporary },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const line = (name: string) => output.match(new RegExp(`^${name}: (\\S+)$`, "m"))?.[1];
  while (line("ready") === undefined) {
    if (child.exitCode !== null) throw new Error(`npm start exited before the service was ready:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    base: line("ready") ?? "",
    live: line("live key") ?? "",
    test: line("test key") ?? "",
    sample: line("sample site") ?? "",
    pid: child.pid ?? 0,
    output: () => output,
    killStartScript: () => killStart(port),
    stop: () => signalGroup(child, "SIGINT"),
    kill: () => signalGroup(child, "SIGKILL"),
  };
}

async function signalGroup(child: ChildProcess, signal: "SIGINT" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  process.kill(-child.pid, signal);
  await ended;
}

function killStart(port: number): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      if (words[1] === "scripts/start.ts" && words.includes(String(port))) process.kill(Number(pid), "SIGKILL");
    } catch {
      // Skips the process, because it ended after it was listed.
    }
  }
}
