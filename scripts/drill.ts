// `npm run drill`: practices a restore, a rotation of the keys, and an erasure with the local service. It fills one
// service, exports its account, and restores it into an empty service with other keys.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type AdminClient, openAdmin } from "./admin/client.ts";
import { resealAll } from "./admin/reseal.ts";
import { compareAccount, exportAccount, importAccount } from "./admin/transfer.ts";
import { freePort } from "./free-port.ts";
import { parseOptions } from "./options.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const ERASED_MS = 120_000;
const JOBS = 5;
/** The number of characters of `npm start`'s messages that are kept. */
const MESSAGE_CHARS = 4_000;

parseOptions("npm run drill    practices a restore, a rotation of the keys and an erasure with the local service", {
  options: {},
});

const work = mkdtempSync(join(tmpdir(), "extraction-drill-"));
/** The running service, and the function that ends it. */
let service: { base: string; admin: AdminClient } | null = null;
let stop = async (): Promise<void> => {};

try {
  await drill();
  console.log("The drill succeeded.");
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stop();
  rmSync(work, { recursive: true, force: true });
}

async function drill(): Promise<void> {
  const [before, after] = [newKeys(), newKeys()];
  const backup = join(work, "backup");
  await step("Start a service", () => start("first", before));
  const { id } = await call<{ id: string }>("POST", "/accounts", { name: "Drill", plan: "pro" });
  const { key } = await call<{ key: string }>("POST", `/accounts/${id}/keys`, { mode: "test" });
  await step(`Run ${JOBS} jobs and set a webhook`, async () => {
    await api(key, "PUT", "/v1/webhooks", { url: "https://example.com/webhook" });
    for (let i = 0; i < JOBS; i++) await api(key, "POST", "/v1/scrape?wait=true", { url: `https://example.com/${i}` });
  });
  const expected = await readData(key);
  await step("Export the account", async () => {
    if (!(await exportAccount(admin(), id, backup))) throw new Error("The export isn't consistent.");
  });
  await step("Start an empty service with new keys", async () => {
    await stop();
    await start("second", { ...after, ...asPrevious(before) });
  });
  await step("Restore the account", () => importAccount(admin(), backup));
  await step("Compare the account with its export", async () => {
    const difference = await compareAccount(admin(), backup);
    if (difference !== null) throw new Error(difference);
  });
  await step("Encrypt the secrets with the new keys", async () => {
    const { lines, isComplete } = await resealAll(admin());
    if (!isComplete) throw new Error(lines.join("\n"));
  });
  await step("Restart without the previous keys", async () => {
    await stop();
    await start("second", after);
  });
  await step("Read the jobs, results and webhook secret", async () => {
    const found = await readData(key);
    if (!isDeepStrictEqual(found, expected)) throw new Error("The restored account has different data.");
    await api(key, "POST", "/v1/scrape?wait=true", { url: "https://example.com/new" });
  });
  await step("Erase the account, and prove it", () => eraseAndProve(id, key));
}

/** Returns what the customer sees: the jobs with their results, and the webhook settings with the secret. */
async function readData(key: string): Promise<unknown> {
  const { data } = await api<{ data: { job_id: string }[] }>(key, "GET", "/v1/jobs");
  const jobs = await Promise.all(data.map(({ job_id }) => api(key, "GET", `/v1/jobs/${job_id}`)));
  return { jobs, webhook: await api(key, "GET", "/v1/webhooks") };
}

async function eraseAndProve(id: string, key: string): Promise<void> {
  await call("POST", `/accounts/${id}/erase`);
  const response = await send(key, "GET", "/v1/usage");
  if (response.status !== 401) throw new Error(`The key of the erased account got status ${response.status}.`);
  const deadline = Date.now() + ERASED_MS;
  const isGone = async () => (await admin().call<unknown[]>("GET", `/accounts?search=${id}`)).length === 0;
  while (!(await isGone())) {
    if (Date.now() > deadline) throw new Error("The account is still listed.");
    await sleep(500);
  }
}

async function start(name: string, keys: Record<string, string>): Promise<void> {
  const [state, port] = [join(work, name), await freePort()];
  const vars = Object.entries(keys).flatMap(([variable, value]) => ["--var", `${variable}:${value}`]);
  const options = ["--port", String(port), "--persist-to", state, ...vars];
  const child = spawn(process.execPath, [join(PROJECT, "scripts", "start.ts"), ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  stop = () => end(child);
  await untilReady(child);
  service = { base: `http://127.0.0.1:${port}`, admin: openAdmin({ "persist-to": state }) };
}

/**
 * Waits for the line `ready: …`. Throws with the latest messages if the service ends before. Continues to read the
 * output, so that its pipes never fill up.
 */
async function untilReady({ stdout, stderr }: ChildProcess): Promise<void> {
  if (stdout === null || stderr === null) throw new Error("The output of npm start isn't a pipe.");
  let messages = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    messages = (messages + text).slice(-MESSAGE_CHARS);
  });
  const lines = createInterface({ input: stdout });
  await new Promise<void>((ready, failed) => {
    lines.on("line", (line) => line.startsWith("ready: ") && ready());
    lines.on("close", () =>
      failed(new Error(`npm start ended before it was ready. Its latest messages:\n${messages}`)),
    );
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

function admin(): AdminClient {
  if (service === null) throw new Error("No service is running.");
  return service.admin;
}

async function call<Data>(method: string, path: string, body?: unknown): Promise<Data> {
  return await admin().call<Data>(method, path, body);
}

async function api<Body>(key: string, method: string, path: string, body?: unknown): Promise<Body> {
  const response = await send(key, method, path, body);
  if (!response.ok) throw new Error(`${method} ${path} got status ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

async function send(key: string, method: string, path: string, body?: unknown): Promise<Response> {
  return await fetch(`${service?.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function newKeys() {
  const newKey = () => randomBytes(32).toString("hex");
  return { ENCRYPTION_KEY: newKey(), SIGNING_SECRET: newKey() };
}

function asPrevious({ ENCRYPTION_KEY, SIGNING_SECRET }: ReturnType<typeof newKeys>) {
  return { ENCRYPTION_KEY_PREVIOUS: ENCRYPTION_KEY, SIGNING_SECRET_PREVIOUS: SIGNING_SECRET };
}

async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  const startedAt = Date.now();
  await run();
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${name}`);
}
