// Exports, imports and compares accounts. An export is a folder with account.ndjson and the account's R2 objects in
// objects/.
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { AdminClient } from "./client.ts";

const CHUNK_ROWS = 1_000;
const CHUNK_CHARS = 2_000_000;
/**
 * The columns with the account's location and maintenance times. Their values change when an account is
 * imported.
 */
const PLACE_COLUMNS = ["object", "jurisdiction", "version", "maintenance_at", "expired_live", "expired_test"];

type Header = { format: string; version: number; account: { id: string; tag: string } } & Record<string, unknown>;

/** Writes an account to a folder. Returns false if rows changed during the export, which makes it inconsistent. */
export async function exportAccount(admin: AdminClient, id: string, folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const response = await admin.send("GET", `/accounts/${encodeURIComponent(id)}/export`);
  const file = toFile(folder);
  await pipeline(toStream(response), createWriteStream(file, { mode: 0o600 }));
  const { last } = await readEnds(file);
  let cursor: string | null = "";
  do {
    const query: string = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const listed: { keys: { key: string }[]; cursor: string | null } = await admin.call(
      "GET",
      `/accounts/${encodeURIComponent(id)}/objects${query}`,
    );
    for (const { key } of listed.keys) await exportObject(admin, id, { key, folder });
    cursor = listed.cursor;
  } while (cursor !== null);
  return !last.changed;
}

async function exportObject(admin: AdminClient, id: string, { key, folder }: { key: string; folder: string }) {
  const path = join(folder, "objects", ...key.split("/"));
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const response = await admin.send("GET", `/accounts/${encodeURIComponent(id)}/objects/${key}`);
  await pipeline(toStream(response), createWriteStream(path, { mode: 0o600 }));
  const type = response.headers.get("content-type") ?? "application/octet-stream";
  const encoding = response.headers.get("x-content-encoding") ?? "";
  await writeFile(`${path}${METADATA}`, JSON.stringify({ type, encoding }), { mode: 0o600 });
}

const METADATA = ".metadata.json";

/**
 * Restores an account from a folder and returns its id. Continues an interrupted import. `place` contains the fields
 * `location` and `jurisdiction` if they differ from the exported ones.
 */
export async function importAccount(
  admin: AdminClient,
  folder: string,
  place: Record<string, unknown> = {},
): Promise<string> {
  const file = toFile(folder);
  const { header, last } = await readEnds(file);
  if (last.changed)
    throw new Error("This export isn't consistent, because rows changed while it ran. Export the account again.");
  const { format: _, version: __, ...exported } = header;
  const directory = { ...exported, account: { ...exported.account, ...place } };
  const { id } = header.account;
  const { cursor } = await admin.call<{ cursor: number | null }>("POST", "/imports", directory);
  if (cursor !== null) await importRows(admin, id, { file, from: cursor, rows: last.rows });
  await admin.call("POST", `/imports/${encodeURIComponent(id)}/finish`, directory);
  await importObjects(admin, id, join(folder, "objects"));
  return id;
}

async function importRows(
  admin: AdminClient,
  id: string,
  { file, from, rows }: { file: string; from: number; rows: number },
): Promise<void> {
  let [chunk, chars, done]: [string[], number, number] = [[], 0, 0];
  const flush = async () => {
    const query = done === rows ? "" : `?next=${done}`;
    await admin.send("PUT", `/imports/${encodeURIComponent(id)}/rows${query}`, { body: `${chunk.join("\n")}\n` });
    [chunk, chars] = [[], 0];
  };
  let number = -1;
  for await (const line of toLines(createReadStream(file))) {
    number++;
    // Skips the header, which is the first line, and the row count, which is the last line.
    if (number === 0 || number > rows) continue;
    if (number <= from) {
      done = number;
      continue;
    }
    chunk.push(line);
    chars += line.length;
    done = number;
    if (chunk.length >= CHUNK_ROWS || chars >= CHUNK_CHARS || done === rows) await flush();
  }
  if (done !== rows) throw new Error(`${file} should have ${rows} rows, but has ${done}.`);
}

async function importObjects(admin: AdminClient, id: string, folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    if (name.endsWith(METADATA) || !(await stat(path)).isFile()) continue;
    const { type, encoding } = JSON.parse(await readFile(`${path}${METADATA}`, "utf8")) as Record<string, string>;
    const key = relative(folder, path).split(sep).join("/");
    await admin.send("PUT", `/accounts/${encodeURIComponent(id)}/objects/${key}`, {
      body: await readFile(path),
      headers: { "content-type": type ?? "", "x-content-encoding": encoding ?? "" },
    });
  }
}

/**
 * Compares an account of the service with its export. Returns a message with the first difference, or null if they
 * match.
 */
export async function compareAccount(admin: AdminClient, folder: string): Promise<string | null> {
  const file = toFile(folder);
  const { header } = await readEnds(file);
  const response = await admin.send("GET", `/accounts/${encodeURIComponent(header.account.id)}/export`);
  const [exported, current] = [toLines(createReadStream(file)), toLines(toStream(response))].map((lines) =>
    lines[Symbol.asyncIterator](),
  );
  for (let number = 1; ; number++) {
    const [a, b] = await Promise.all([exported?.next(), current?.next()]);
    if (a?.done && b?.done) return null;
    if (toComparable(a?.value) !== toComparable(b?.value)) {
      return `Line ${number} differs.\nexport:  ${a?.value ?? "(missing)"}\nservice: ${b?.value ?? "(missing)"}`;
    }
  }
}

/**
 * Returns the line without the values that may differ between two exports: the account's location, and the time at
 * which each key was last used.
 */
function toComparable(line: string | undefined): string | undefined {
  if (line === undefined) return undefined;
  const parsed = JSON.parse(line);
  if (Array.isArray(parsed)) {
    const [table, row] = parsed as [string, Record<string, unknown>];
    if (table !== "account") return line;
    return JSON.stringify(Object.entries(row).filter(([column]) => !PLACE_COLUMNS.includes(column)));
  }
  if (parsed.account === undefined) return JSON.stringify(parsed.rows);
  const { location: _, jurisdiction: __, ...account } = parsed.account;
  const keys = parsed.keys.map(({ last_used_at: _, ...key }: Record<string, unknown>) => key);
  return JSON.stringify({ account, keys });
}

async function readEnds(file: string): Promise<{ header: Header; last: { rows: number; changed: boolean } }> {
  let [first, end]: [string | null, string] = [null, ""];
  for await (const line of toLines(createReadStream(file))) {
    first ??= line;
    end = line;
  }
  const header = JSON.parse(first ?? "{}") as Header;
  const last = JSON.parse(end || "{}") as { rows?: number; changed?: boolean };
  if (header.format !== "account-export" || last.rows === undefined)
    throw new Error(`${file} isn't a complete export.`);
  return { header, last: { rows: last.rows, changed: last.changed === true } };
}

function toFile(folder: string): string {
  return join(folder, "account.ndjson");
}

function toLines(input: NodeJS.ReadableStream) {
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

function toStream(response: Response): Readable {
  return response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as never);
}
