// The product as a user starts it: one command, real parts, HTTP alone.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "../../scripts/free-port.ts";

export interface Product {
  base: string;
  live: string;
  test: string;
  output: () => string;
  /** Ctrl-C in a terminal: the whole group gets it. */
  stop: () => Promise<void>;
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
}

export async function startProduct({ state, temporary, allowedHosts, env = {} }: Options): Promise<Product> {
  const args = ["start", "--", "--port", String(await freePort()), "--persist-to", state];
  const child = spawn("npm", [...args, "--var", `ALLOWED_PRIVATE_HOSTS:${allowedHosts}`], {
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
