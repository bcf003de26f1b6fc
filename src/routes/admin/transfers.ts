import { type Context, Hono } from "hono";
import { z } from "zod";
import { callAccount } from "../../account/client";
import { activateRestored, eraseAccount, importChunk, openRestore, streamExport } from "../../account/restore-account";
import { DirectoryExport, exportDirectory } from "../../directory/directory-export";
import { resealAccount } from "../../jobs/reseal";
import { lazyModule } from "../../lib/lazy";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { toAccountRef } from "../../store/accounts";
import { listAccountObjects, openAccountObject, putAccountObject } from "../../store/objects";
import { OPERATOR, readAccount, readBody, readNextAccounts, readQuery } from "./input";

const MAX_CHUNK_BYTES = 8 * 1024 * 1024;

export const transfers = new Hono<AppEnv>();

/**
 * Streams the account as NDJSON: one line with the directory's data, one line per row, and a last line that reports
 * whether rows changed during the export.
 */
transfers.get("/accounts/:id/export", async (c) => {
  const account = await readAccount(c);
  const directory = await exportDirectory(c.env.DB, account);
  const body = streamExport(c.env, toAccountRef(account), directory);
  return c.body(body, 200, { "content-type": "application/x-ndjson" });
});

/** Returns a page of the keys of the account's R2 objects. */
transfers.get("/accounts/:id/objects", async (c) => {
  const { tag } = await readAccount(c);
  const { cursor } = readQuery(c, z.strictObject({ cursor: z.string().optional() }));
  return c.json({ success: true, data: await listAccountObjects(c.env.STORE, tag, cursor) });
});

transfers.get("/accounts/:id/objects/:key{.+}", async (c) => {
  const { tag } = await readAccount(c);
  const key = c.req.param("key");
  const object = await openAccountObject(c.env.STORE, tag, key);
  if (object === null) throw new AppError("not_found", `The account has no R2 object '${key}'.`);
  const headers = new Headers({ "content-length": String(object.size) });
  object.writeHttpMetadata(headers);
  // Removes the Content-Encoding header of archived days, which are stored gzipped. With this header, the client would
  // decompress them.
  headers.delete("content-encoding");
  headers.set("x-content-encoding", object.httpMetadata?.contentEncoding ?? "");
  return new Response(object.body, { headers, encodeBody: "manual" });
});

transfers.put("/accounts/:id/objects/:key{.+}", async (c) => {
  const { tag } = await readAccount(c);
  const contentType = c.req.header("content-type") ?? "application/octet-stream";
  const contentEncoding = c.req.header("x-content-encoding") ?? "";
  const metadata = { contentType, ...(contentEncoding === "" ? {} : { contentEncoding }) };
  const key = c.req.param("key");
  const stored = await putAccountObject(c.env.STORE, tag, { key, body: c.req.raw.body, metadata });
  if (!stored) {
    const message = `The R2 key '${key}' isn't the account's. It must be like 'results/${tag}/…'.`;
    throw new AppError("invalid_request", message);
  }
  return c.body(null, 204);
});

/** Starts or continues the import of an account in its location. `cursor` is the number of imported rows. */
transfers.post("/imports", async (c) => {
  const header = await readBody(c, DirectoryExport);
  return c.json({ success: true, data: await openRestore(c.env, header) });
});

transfers.put("/imports/:id/rows", async (c) => {
  const { next } = readQuery(c, z.strictObject({ next: z.coerce.number().int().min(0).optional() }));
  const rows = await importChunk(c.env, c.req.param("id"), { lines: await readChunk(c), next: next ?? null });
  return c.json({ success: true, data: { rows } });
});

transfers.post("/imports/:id/finish", async (c) => {
  const header = await readBody(c, DirectoryExport);
  await activateRestored(c.env, header, OPERATOR);
  return c.json({ success: true, data: { id: header.account.id } });
});

transfers.post("/accounts/:id/erase", async (c) => {
  await eraseAccount(c.env, { accountId: c.req.param("id"), actor: OPERATOR });
  return c.json({ success: true, data: { id: c.req.param("id"), state: "erasing" } }, 202);
});

/** Starts the account's Durable Object. When the object starts, it sets its alarm again if the alarm was lost. */
transfers.post("/accounts/:id/wake", async (c) => {
  const account = toAccountRef(await readAccount(c));
  await callAccount(c.env, account, (stub) => stub.wake());
  return c.body(null, 204);
});

async function readChunk(c: Context<AppEnv>): Promise<string> {
  const text = await c.req.text();
  if (text.length > MAX_CHUNK_BYTES) {
    throw new AppError("payload_too_large", `The chunk is larger than the limit of ${MAX_CHUNK_BYTES} bytes.`);
  }
  return text;
}

// Loaded on demand, because better-auth is large.
const loadTwoFactors = lazyModule(() => import("../../directory/reseal-two-factors"));

/** Encrypts the secrets of the next accounts with the current keys, and in the end those of two-factor sign-in. */
transfers.post("/reseal", async (c) => {
  const { accounts, next } = await readNextAccounts(c);
  const data = { accounts: accounts.length, resealed: 0, unreadable: [] as string[], unreachable: [] as string[] };
  for (const account of accounts) {
    try {
      const done = await resealAccount(c.env, account);
      data.resealed += done?.resealed ?? 0;
      if ((done?.unreadable ?? 0) > 0) data.unreadable.push(account.id);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      data.unreachable.push(account.id);
    }
  }
  const two_factor = next === null ? await (await loadTwoFactors()).resealTwoFactors(c.env) : null;
  return c.json({ success: true, data: { ...data, next, two_factor } });
});
