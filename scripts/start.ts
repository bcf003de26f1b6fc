// What `npm start` runs: the whole service on this machine. Arguments after `--` go to `wrangler dev`.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LocalBrowser, setUpBrowser } from "./browser.ts";
import { freePort } from "./free-port.ts";
import { LOCAL_EMAIL, prepareDatabase, readSecrets, writeEnvFile } from "./local-state.ts";
import { endBrowsers } from "./processes.ts";
import { waitUntilReady } from "./ready.ts";
import { serveResolver } from "./resolver.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const WRANGLER = join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js");
const DEFAULT_PORT = 8787;
const DEFAULT_RATE = 600;
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const CRON_MS = 60_000;
const PARENT_CHECK_MS = 500;

const args = readArguments(process.argv.slice(2));
const stateFolder = resolve(PROJECT, args.persistTo ?? ".wrangler/state");
const port = await choosePort(args.port);
const base = `http://${args.ip ?? "127.0.0.1"}:${port}`;
// Browsers keep their profiles in here: by this path we know our own when we end them.
const temporary = mkdtempSync(join(tmpdir(), "web-data-extraction-"));

let dev: ChildProcess | null = null;
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
// npm's shell takes a SIGTERM for itself and leaves us behind: when it is gone, so is whoever started us.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) void stop(0);
}, PARENT_CHECK_MS).unref();

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stop(1);
}

async function main(): Promise<void> {
  const browser = await setUpBrowser();
  const secrets = readSecrets(stateFolder);
  const env = {
    ...process.env,
    ...browser.env,
    TMPDIR: temporary,
    XDG_CONFIG_HOME: join(PROJECT, ".cache", "config"),
    WRANGLER_SEND_METRICS: "false",
  };
  console.log("Preparing the local database …");
  const linkToken = randomBytes(32).toString("hex");
  prepareDatabase(stateFolder, { secrets, ratePerMinute: readRate(), linkToken, env });

  const sample = await serveSample();
  const sampleHost = `127.0.0.1:${(sample.address() as AddressInfo).port}`;
  const allowed = [sampleHost, ...(args.vars.get("ALLOWED_PRIVATE_HOSTS") ?? "").split(",")].filter(Boolean).join(",");
  const devArgs = ["dev", "--port", String(port), "--ip", args.ip ?? "127.0.0.1", "--persist-to", stateFolder];
  devArgs.push("--env-file", writeEnvFile(stateFolder, secrets), "--show-interactive-dev-session=false");
  devArgs.push("--var", `ALLOWED_PRIVATE_HOSTS:${allowed}`);
  // The local runtime lets callers forge CF-Connecting-IP. On loopback all have one address; elsewhere none is known.
  if (!args.vars.has("CALLER_ADDRESS")) {
    devArgs.push("--var", `CALLER_ADDRESS:${isLoopback(args.ip) ? "127.0.0.1" : "unknown"}`);
  }
  if (!args.vars.has("DNS_RESOLVER")) devArgs.push("--var", `DNS_RESOLVER:${await serveResolver()}`);
  const admins = [LOCAL_EMAIL, args.vars.get("ADMIN_EMAILS")].filter(Boolean).join(",");
  devArgs.push("--var", `ADMIN_EMAILS:${admins}`);
  for (const [name, value] of args.vars)
    if (name !== "ALLOWED_PRIVATE_HOSTS" && name !== "ADMIN_EMAILS") devArgs.push("--var", `${name}:${value}`);
  // What wrangler says goes to stderr, so that scripts can read our lines on stdout.
  const child = spawn(process.execPath, [WRANGLER, ...devArgs, ...args.rest], {
    cwd: PROJECT,
    env,
    stdio: ["ignore", process.stderr, process.stderr],
  });
  dev = child;
  child.once("exit", (code) => {
    if (stopping) return;
    console.error(`wrangler dev ended by itself (${code}).`);
    void stop(code === 0 ? 0 : 1);
  });

  await waitUntilReady(base, { timeoutMs: READY_TIMEOUT_MS, goesOn: () => !stopping });
  // Grants the local account its credits, and tells the gates of its keys the rate of this start.
  await sweep();
  await scrapeSample(`http://${sampleHost}/`, secrets.live, browser);
  console.log(`live key: ${secrets.live}`);
  console.log(`test key: ${secrets.test}`);
  console.log(`dashboard: ${base}/dashboard`);
  console.log(`sign in, once: ${base}/dashboard/link?token=${linkToken}`);
  console.log(`ready: ${base}`);
  void runCron();
}

/** Scrapes the sample through the public API, as any caller would, and says how to repeat it. */
async function scrapeSample(url: string, key: string, browser: LocalBrowser): Promise<void> {
  const body = JSON.stringify({ url, js_render: true });
  const response = await fetch(`${base}/v1/scrape?wait=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  const answer = (await response.json()) as { data?: { markdown: string }; error?: { message: string } };
  if (answer.data === undefined) {
    console.log(`\nThe sample page could not be rendered: ${answer.error?.message ?? `status ${response.status}`}`);
    if (browser.executable === null)
      console.log("Everything but rendering works. Install Chrome or Chromium, or set CHROME_PATH.");
  } else {
    console.log(`\nThe sample page, rendered with ${browser.source}:\n\n${answer.data.markdown}`);
  }
  console.log(`\nAgain, by hand:
curl -s '${base}/v1/scrape?wait=true' -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'\n`);
}

/** The platform runs the cron trigger by itself; the local runtime only when asked. */
async function runCron(): Promise<void> {
  while (!stopping) {
    await sleep(CRON_MS, undefined, { ref: false });
    await sweep().catch((error) => console.error(`The sweep did not run: ${error}`));
  }
}

async function sweep(): Promise<void> {
  const response = await fetch(`${base}/cdn-cgi/local/scheduled`);
  if (!response.ok) throw new Error(`The sweep answered with status ${response.status}: ${await response.text()}`);
}

function isLoopback(ip: string | null): boolean {
  return ip === null || ip === "localhost" || ip === "::1" || ip.startsWith("127.");
}

function readRate(): number {
  const text = args.vars.get("LOCAL_RATE_PER_MINUTE") ?? process.env.LOCAL_RATE_PER_MINUTE ?? String(DEFAULT_RATE);
  const rate = Number(text);
  if (!Number.isInteger(rate) || rate < 1)
    throw new Error(`LOCAL_RATE_PER_MINUTE is "${text}"; it must be a whole number from 1 up.`);
  return rate;
}

function serveSample(): Promise<Server> {
  const page = readFileSync(join(import.meta.dirname, "sample", "index.html"));
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(page);
  });
  return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(server)));
}

/** Ends everything that this start began: the runtime first, then the browsers that it left. */
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (dev !== null && dev.exitCode === null) {
    const ended = once(dev, "exit");
    dev.kill("SIGINT");
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS)]);
    if (dev.exitCode === null && dev.signalCode === null) dev.kill("SIGKILL");
  }
  await endBrowsers((commandLine) => commandLine.includes(`--user-data-dir=${temporary}`));
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}

interface Arguments {
  port: number | null;
  ip: string | null;
  persistTo: string | null;
  vars: Map<string, string>;
  rest: string[];
}

/** Takes out what this script must know itself; `--name value` and `--name=value` mean the same. */
function readArguments(argv: string[]): Arguments {
  const result: Arguments = { port: null, ip: null, persistTo: null, vars: new Map(), rest: [] };
  const words = argv.flatMap((word) => (/^--(port|ip|persist-to|var)=/.test(word) ? splitOnce(word, "=") : [word]));
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "--port") result.port = Number(words.shift());
    else if (word === "--ip") result.ip = words.shift() ?? null;
    else if (word === "--persist-to") result.persistTo = words.shift() ?? null;
    else if (word === "--var") {
      const [name = "", value = ""] = splitOnce(words.shift() ?? "", ":");
      result.vars.set(name, value);
    } else result.rest.push(word);
  }
  return result;
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** The port that was asked for, which must be free; without one the usual port, or any other when it is taken. */
async function choosePort(asked: number | null): Promise<number> {
  const found = await freePort(asked ?? DEFAULT_PORT);
  if (asked === null || asked === 0 || found === asked) return found;
  console.error(`The port ${asked} is taken. Give another with --port, or end what listens there.`);
  process.exit(1);
}
