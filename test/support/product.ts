// The product as a user starts it: one command, real parts, HTTP alone.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { freePort } from "../../scripts/free-port.ts";

export interface Product {
  base: string;
  live: string;
  test: string;
  output: () => string;
  /** Ctrl-C in a terminal: the whole group gets it. */
  stop: () => Promise<void>;
  /** The process that runs everything else, and nothing but it: as a kernel without memory does. */
  killAlone: () => void;
  /** As when the machine loses its power. */
  kill: () => Promise<void>;
}

interface Options {
  /** The folder of the state. */
  state: string;
  /** Where everything temporary goes: by this path its processes are known. */
  temporary: string;
  /** host:port, … */
  allowedHosts: string;
  env?: Record<string, string>;
  /** More arguments of `npm start`. */
  args?: string[];
  /** A file that takes the place of /etc/hosts, for the service and for nobody else. */
  hosts?: string;
}

/** Runs a command in a mount namespace of its own, where $0 lies over /etc/hosts. */
const WITH_HOSTS = 'mount --bind "$0" /etc/hosts && exec "$@"';

/** Whether this system lets us put another file in the place of /etc/hosts. */
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
  const own = ["--port", String(port), "--persist-to", state, "--var", `ALLOWED_PRIVATE_HOSTS:${allowedHosts}`];
  const command = ["npm", "start", "--", ...own, ...args];
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
    if (child.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    base: line("ready") ?? "",
    live: line("live key") ?? "",
    test: line("test key") ?? "",
    output: () => output,
    killAlone: () => killStart(port),
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
      // It ended between the listing and the reading.
    }
  }
}
