// `npm run lab -- drill`: practices a restore, a rotation of the keys, and an erasure with the local service. It fills
// one service, exports its account, and restores it into an empty service with other keys.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type AdminClient, openAdmin } from "../scripts/admin/client.ts";
import { resealAll } from "../scripts/admin/reseal.ts";
import { compareAccount, exportAccount, importAccount } from "../scripts/admin/transfer.ts";
import { parseOptions } from "../scripts/options.ts";
import { type Product, startProduct } from "../test/support/product.ts";

const ERASED_MS = 120_000;
const JOBS = 5;

parseOptions(
  `npm run lab -- drill

Practices a restore, a rotation of the keys and an erasure with the local service.`,
  {},
);

const work = mkdtempSync(join(tmpdir(), "extraction-drill-"));
/** A text that is only in the data of the drill's account. */
const MARKER = `drill-${randomBytes(8).toString("hex")}`;
let service: { product: Product; admin: AdminClient } | null = null;

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
  const { key } = await call<{ key: string }>("POST", `/accounts/${id}/keys`, { mode: "test", name: MARKER });
  await step(`Run ${JOBS + 1} jobs and set a webhook`, async () => {
    await api(key, "PUT", "/v1/webhooks", { url: `https://example.com/${MARKER}` });
    for (let i = 0; i < JOBS; i++) await api(key, "POST", "/v1/scrape?wait=true", { url: toUrl(`${i}`) });
    // A large result is stored in R2.
    await api(key, "POST", "/v1/scrape?wait=true", { url: `https://large.test/${MARKER}` });
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
    await api(key, "POST", "/v1/scrape?wait=true", { url: toUrl("new") });
  });
  if (findText(join(work, "second"), MARKER).length < 2) throw new Error("The search doesn't find the account's data.");
  await step("Erase the account, and search its data in the databases and in R2", () => eraseAndProve(id, key));
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
  while (!service?.product.output().includes("account_erased")) {
    if (Date.now() > deadline) throw new Error("The erasure didn't end.");
    await sleep(500);
  }
  const accounts = await admin().call<unknown[]>("GET", `/accounts?search=${id}`);
  if (accounts.length > 0) throw new Error("The account is still listed.");
  await stop();
  const places = findText(join(work, "second"), MARKER);
  if (places.length > 0) throw new Error(`The data of the account is still in ${places.join(", ")}.`);
}

/** Returns the tables and the files of R2 that contain the text. Deleted rows are ignored. */
function findText(folder: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ name, parentPath }) => {
    const path = join(parentPath, name);
    if (name.endsWith(".sqlite")) return findRows(path, text).map((table) => `${path} (${table})`);
    return !/\.sqlite-(?:wal|shm)$/.test(name) && readFileSync(path).includes(text) ? [path] : [];
  });
}

/** Returns the tables with a row that contains the text. */
function findRows(path: string, text: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
    const hasText = (row: object) => Object.values(row).some((value) => toBuffer(value).includes(text));
    return tables.map(({ name }) => name).filter((name) => readTable(database, name).some(hasText));
  } finally {
    database.close();
  }
}

function readTable(database: DatabaseSync, name: string): object[] {
  const statement = database.prepare(`SELECT * FROM "${name}"`);
  // The local runtime stores times that are too large for numbers.
  statement.setReadBigInts(true);
  return statement.all();
}

function toBuffer(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
}

function toUrl(page: string): string {
  return `https://example.com/${MARKER}/${page}`;
}

async function start(name: string, keys: Record<string, string>): Promise<void> {
  const state = join(work, name);
  const args = Object.entries(keys).flatMap(([variable, value]) => ["--var", `${variable}:${value}`]);
  const product = await startProduct({ state, temporary: work, allowedHosts: "", args });
  service = { product, admin: openAdmin({ "persist-to": state }) };
}

async function stop(): Promise<void> {
  await service?.product.stop();
  service = null;
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
  return await fetch(`${service?.product.base}${path}`, {
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
