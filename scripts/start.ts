// `npm start`: runs the whole service on this machine, in the local runtime (Miniflare).
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Miniflare, MiniflareOptions } from "miniflare";
import { ENGINE_NAMES, toOriginVariable } from "../src/model/engine.ts";
import { describeInvalidVariables } from "../src/model/variables.ts";
import { setUpBrowser } from "./browser.ts";
import { configuredHosts, EGRESS_WORKER, egressWorkerOptions } from "./egress/network.ts";
import { importPolicy, type MakePolicy } from "./egress/policy.ts";
import { serveSocksProxy } from "./egress/socks-proxy.ts";
import { freePort } from "./free-port.ts";
import { describeUnknownVariable, SECRETS } from "./known-variables.ts";
import { LISTEN_HOSTS, LISTEN_PORT } from "./listen/arguments.ts";
import {
  describeMovedState,
  LOCAL_EMAIL,
  LOCAL_KEYS_SQL,
  type LocalKeyRow,
  localAccountStatements,
  openStateFolder,
  readAdminToken,
  readSecrets,
  renewRevokedSecrets,
  toIsRevoked,
  writeServiceUrl,
} from "./local-state.ts";
import { hashFirstTables } from "./migrations.ts";
import { type Prepared, prepare } from "./prepare.ts";
import {
  endBrowsers,
  findStarters,
  handleEndSignals,
  lockFolder,
  removeAbandonedFolders,
  unlockFolder,
} from "./processes.ts";
import { waitUntilReady } from "./ready.ts";
import { serveResolver } from "./resolver.ts";
import { scrapeSample, serveSample, toSampleCommand } from "./sample.ts";
import { DEFAULT_PORT, readArguments, takeSecrets } from "./start-arguments.ts";
import { StartLog } from "./start-log.ts";
import { watchFolders } from "./watch.ts";
import { setUpWorkerd } from "./workerd.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const NAME = "web-data-extraction";
const DEFAULT_RATE = 600;
/** The only variable that the service itself doesn't have. It sets the rate of the local account. */
const RATE_VARIABLE = "LOCAL_RATE_PER_MINUTE";
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const CRON_MS = 60_000;
const PARENT_CHECK_MS = 500;

const startedAt = performance.now();
const args = readArguments();
const environment = takeSecrets(process.env);
/** The variables and secrets that the user has set. */
const given: Record<string, string> = Object.fromEntries([...environment, ...args.fileVars, ...args.vars]);
const stateFolder = resolve(PROJECT, args.persistTo ?? ".wrangler/state");
const ip = args.ip ?? "127.0.0.1";
const port = await choosePort(args.port);
const base = `http://${toUrlHost(ip)}:${port}`;
// The browsers keep their profiles in this folder. `stop` uses the path to find the browsers that this process started.
const temporary = mkdtempSync(join(tmpdir(), `${NAME}-${process.pid}-`));

const startLog = new StartLog(args);
let runtime: Miniflare | null = null;
let stopping = false;
/** True after a reload whose new and previous code both failed to start. */
let isStopped = false;
handleEndSignals(() => void stop(0));
// A signal may end npm or its shell without reaching this process. To detect that, this process checks its parent
// processes.
const starters = findStarters();
setInterval(() => {
  if (findStarters() !== starters) void stop(0);
}, PARENT_CHECK_MS).unref();

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stop(1);
}

async function main(): Promise<void> {
  console.log(`Starting ${NAME} ${readVersion()} …`);
  await removeAbandonedFolders(tmpdir(), NAME);
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const holder = lockFolder(stateFolder);
  if (holder !== null) {
    throw new Error(`Another service (process ${holder}) uses the state in ${stateFolder}. \
Stop it, or choose another folder with --persist-to.`);
  }
  // Runs on exit, because Miniflare's own signal handlers may exit the process before `stop` is done.
  process.once("exit", () => {
    writeServiceUrl(stateFolder, null);
    unlockFolder(stateFolder);
  });
  const { runtimeFolder, movedTo } = openStateFolder(stateFolder, hashFirstTables(PROJECT));
  if (movedTo !== null) console.log(describeMovedState(movedTo));
  if (!isLoopback(ip)) warnAboutNetwork();
  const browser = await setUpBrowser({ onUnpack: () => console.log("Unpacking the browser …") });
  // Miniflare reads the environment when its module is loaded, so local-runtime.ts is imported afterward.
  Object.assign(process.env, browser.env, setUpWorkerd(temporary), { TMPDIR: temporary });
  const { migrateDatabase, runCron, runStatements, startRuntime, toMiniflareOptions } = await import(
    "./local-runtime.ts"
  );

  const sampleHost = await serveSample();
  let secrets = readSecrets(stateFolder);
  const variables = await toVariables(sampleHost, secrets);
  // A model's key in the environment may be meant for another program, and using it costs money.
  if (environment.size > 0) console.log(`Secrets from the environment: ${[...environment.keys()].join(", ")}`);
  console.log("Building the Worker …");
  const { policy, options, schema, ...built } = await prepare(temporary);
  const known = [...Object.keys(options.bindings), ...SECRETS, RATE_VARIABLE];
  for (const [option, vars] of Object.entries({ "--var": args.vars, "--var-file": args.fileVars })) {
    const unknown = describeUnknownVariable(vars.keys(), known);
    if (unknown !== null) throw new Error(`${option}: ${unknown}`);
  }
  const bindings = { ...options.bindings, ...variables };
  Object.assign(bindings, await serveBrowserProxies(bindings, await importPolicy(policy)));
  const receivers = toLocalReceivers();
  // The service refuses these hosts for everything except webhooks, so the egress Worker can let them through.
  const reachable = [bindings.ALLOWED_PRIVATE_HOSTS, ...receivers].join(",");
  const toRuntimeArguments = ({
    worker,
    egress,
  }: Pick<Prepared, "worker" | "egress">): Parameters<typeof startRuntime> => [
    worker,
    {
      ...options,
      bindings: { ...bindings, LOCAL_RECEIVERS: receivers },
      name: NAME,
      outboundService: EGRESS_WORKER,
      // Miniflare's own port also serves its tools (/cdn-cgi/…), without a key. This direct socket doesn't serve them.
      unsafeDirectSockets: [{ host: ip, port }],
    },
    {
      auxiliaryWorkers: [
        egressWorkerOptions(readFileSync(egress, "utf8"), { ...bindings, ALLOWED_PRIVATE_HOSTS: reachable }),
      ],
      resourcePersistencePath: runtimeFolder,
      handleStructuredLogs: ({ message }: { message: string }) => {
        const text = startLog.format(message);
        if (text !== null) console.error(text);
      },
    },
  ];

  console.log(`Opening the state in ${toShortPath(stateFolder)} …`);
  const service = startRuntime(...toRuntimeArguments(built));
  runtime = service;
  await service.ready;

  const linkToken = randomBytes(32).toString("hex");
  const database = await service.getD1Database("DB", NAME);
  await migrateDatabase(database, schema);
  const { results } = await database.prepare(LOCAL_KEYS_SQL).all<LocalKeyRow>();
  secrets = renewRevokedSecrets(stateFolder, secrets, toIsRevoked(results));
  await runStatements(database, localAccountStatements({ secrets, ratePerMinute: readRate(), linkToken }));
  await waitUntilReady(toLocalUrl(), { timeoutMs: READY_TIMEOUT_MS, shouldContinue: () => !stopping });
  // Opens the local account's Durable Object, and invalidates the account's keys so that this start's rate limit
  // applies.
  await runCron(service, NAME);
  writeServiceUrl(stateFolder, toLocalUrl());
  const sample = { url: `http://${sampleHost}/`, base: toLocalUrl(), key: secrets.live };
  console.log("Rendering a sample page …");
  await scrapeSample(sample, { browser, verbose: args.verbose });
  console.log(`live key: ${secrets.live}`);
  console.log(`test key: ${secrets.test}`);
  console.log(`dashboard: ${toLocalUrl()}/dashboard`);
  console.log(`sign-in link (works once): ${toLocalUrl()}/dashboard/link?token=${linkToken}`);
  console.log(`docs: ${toLocalUrl()}/docs`);
  console.log(`sample site: ${sample.url.slice(0, -1)}`);
  console.log(toSampleCommand(sample));
  console.log(`ready: ${base}`);
  console.log(
    `Ready on ${base} after ${toSeconds(startedAt)}. Requests and jobs are logged below. Press Ctrl-C to stop.`,
  );
  startLog.ready();
  void repeatCron(service, runCron);
  if (args.watch) {
    const readOptions = (prepared: typeof built) => toMiniflareOptions(...toRuntimeArguments(prepared));
    let running = readOptions(built);
    watchFolders(PROJECT, ["src", "assets"], (file) =>
      reload(file, async () => {
        const next = readOptions(await prepare(temporary));
        await restart(service, next, running);
        running = next;
      }),
    );
  }
}

/** Runs the reload after an edit, and prints its time or its error. */
async function reload(file: string, run: () => Promise<void>): Promise<void> {
  const changedAt = performance.now();
  console.log(`${file} was changed. Building the Worker …`);
  try {
    await run();
    console.log(`Reloaded after ${toSeconds(changedAt)}.`);
  } catch (error) {
    if (stopping) return;
    console.error(error instanceof Error ? error.message : error);
    console.error(
      isStopped ? "The service is stopped until the next edit." : "The service continues with the previous code.",
    );
  }
}

/** Restarts the service with new code. If that code can't start, restarts it with the previous code, and throws. */
async function restart(service: Miniflare, next: MiniflareOptions, previous: MiniflareOptions): Promise<void> {
  startLog.pause();
  isStopped = true;
  try {
    await service.setOptions(next);
  } catch (error) {
    await service.setOptions(previous);
    isStopped = false;
    throw error;
  } finally {
    startLog.ready();
  }
  isStopped = false;
}

/** Returns a path in the project relative to it, and any other path unchanged. */
function toShortPath(path: string): string {
  const inside = relative(PROJECT, path);
  return inside.startsWith("..") ? path : inside;
}

function toSeconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}

/**
 * Returns the Worker's variables and secrets. The user's variables override the defaults of `npm start`. Throws for an
 * invalid variable.
 */
async function toVariables(
  sampleHost: string,
  secrets: { signing: string; encryption: string },
): Promise<Record<string, string>> {
  const [problem] = describeInvalidVariables(given);
  if (problem !== undefined) throw new Error(problem);
  return {
    SIGNING_SECRET: secrets.signing,
    ENCRYPTION_KEY: secrets.encryption,
    ADMIN_TOKEN: readAdminToken(stateFolder),
    PUBLIC_URL: toPublicUrl(),
    // The local runtime lets callers forge CF-Connecting-IP, so the service doesn't read it. On loopback, every caller
    // has the same address. On another interface, the caller's address is unknown.
    CALLER_ADDRESS: isLoopback(ip) ? "127.0.0.1" : "unknown",
    ...given,
    ALLOWED_PRIVATE_HOSTS: [sampleHost, given.ALLOWED_PRIVATE_HOSTS].filter(Boolean).join(","),
    ADMIN_EMAILS: [LOCAL_EMAIL, given.ADMIN_EMAILS].filter(Boolean).join(","),
    DNS_RESOLVER: given.DNS_RESOLVER ?? (await serveResolver()),
  };
}

/**
 * Returns the hosts of `npm run listen`, which only webhooks can reach. Returns none if other machines can reach this
 * service, because their users could then send requests to another program at this port.
 */
function toLocalReceivers(): string[] {
  return isLoopback(ip) && port !== LISTEN_PORT ? LISTEN_HOSTS : [];
}

/**
 * Starts the filtering proxies of the browser contexts and returns their URLs as variables. Pages reach only public
 * hosts and ALLOWED_PRIVATE_HOSTS. If variables replace the origins of search engines, SEARCH_BROWSER_PROXY also allows
 * these origins.
 */
async function serveBrowserProxies(bindings: Record<string, string>, makePolicy: MakePolicy) {
  const { ALLOWED_PRIVATE_HOSTS = "", PUBLIC_URL = "" } = bindings;
  const variables = ENGINE_NAMES.map(toOriginVariable).map((variable) => [variable, bindings[variable]]);
  const engines = configuredHosts(Object.fromEntries(variables));
  const serve = async (...allowed: string[]) => {
    const policy = makePolicy(allowed.filter(Boolean).join(","), [PUBLIC_URL]);
    return (await serveSocksProxy({ policy })).url;
  };
  return {
    BROWSER_PROXY: await serve(ALLOWED_PRIVATE_HOSTS),
    SEARCH_BROWSER_PROXY: engines === "" ? "" : await serve(ALLOWED_PRIVATE_HOSTS, engines),
  };
}

function readVersion(): string {
  return (JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as { version: string }).version;
}

/** Runs the cron trigger every minute, because the local runtime doesn't run cron triggers. */
async function repeatCron(service: Miniflare, run: (service: Miniflare, name: string) => Promise<void>): Promise<void> {
  while (!stopping) {
    await sleep(CRON_MS, undefined, { ref: false });
    await run(service, NAME).catch((error) => console.error(`The cron failed: ${error}`));
  }
}

function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || address.startsWith("127.");
}

function warnAboutNetwork(): void {
  console.error(`Warning: the service listens on ${ip}, so other machines can reach it. Anyone with a key can use it, and the
traffic isn't encrypted. Put a reverse proxy with TLS in front of it, and set PUBLIC_URL to the address of the proxy:
npm start -- --ip ${ip} --var PUBLIC_URL:https://extract.example.com`);
}

/**
 * Returns the base URL of links. If the service listens on all addresses, the URL has the machine's first external IPv4
 * address.
 */
function toPublicUrl(): string {
  if (ip !== "0.0.0.0" && ip !== "::") return base;
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  const outside = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  return `http://${outside?.address ?? "127.0.0.1"}:${port}`;
}

/** Returns the URL that processes on this machine use to reach the service. */
function toLocalUrl(): string {
  return ip === "0.0.0.0" || ip === "::" ? `http://127.0.0.1:${port}` : base;
}

function toUrlHost(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

function readRate(): number {
  const text = given[RATE_VARIABLE] ?? process.env[RATE_VARIABLE] ?? String(DEFAULT_RATE);
  const rate = Number(text);
  if (!Number.isInteger(rate) || rate < 1)
    throw new Error(`${RATE_VARIABLE} must be a whole number of at least 1, but is "${text}".`);
  return rate;
}

/** Stops the runtime, then the browsers that are still running. Removes the temporary folder and exits with `code`. */
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  await Promise.race([runtime?.dispose().catch(() => {}), sleep(STOP_TIMEOUT_MS)]);
  await endBrowsers((commandLine) => commandLine.includes(`--user-data-dir=${temporary}`));
  try {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    // A process that is still exiting may write to the folder. The next start of the service removes the folder.
    console.error(`The folder ${temporary} could not be removed: ${error}`);
  }
  process.exit(code);
}

/**
 * Returns the requested port. Exits if it is in use. If `requested` is null, returns the default port, or any free port
 * if the default port is in use.
 */
async function choosePort(requested: number | null): Promise<number> {
  const found = await freePort(requested ?? DEFAULT_PORT, ip).catch((error: Error) => {
    console.error(error.message);
    process.exit(1);
  });
  if (requested === null && found !== DEFAULT_PORT) console.log(`Port ${DEFAULT_PORT} is in use, using ${found}.`);
  if (requested === null || requested === 0 || found === requested) return found;
  console.error(`Port ${requested} is in use. Choose another port with --port, or stop the process that uses it.`);
  process.exit(1);
}
