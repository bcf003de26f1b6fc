import type { BatchRecord, PageRecord } from "../../src/contract/batches";
import { type Client, readEnded } from "./client";

/** The response of a batch. */
export interface BatchBody extends BatchRecord {
  success: boolean;
  pages: PageRecord[];
  next_cursor?: string;
  meta: { credits_max: number };
  invalid?: { index: number; details: { path: string; message: string }[] }[];
  data: Record<string, unknown>;
  error: { code: string; message: string; details?: { path: string; message: string }[] } & BatchRecord["error"] & {};
}

/** Sends a request for a batch. */
export async function postBatch(
  client: Client,
  body: Record<string, unknown>,
  init: RequestInit = {},
): Promise<BatchBody & { httpStatus: number }> {
  const response = await client.call("POST", "/v1/batch", { endpoint: "scrape", ...body }, init);
  return { ...(await response.json<BatchBody>()), httpStatus: response.status };
}

/** Reads a batch and a part of its pages. */
export async function getBatch(client: Client, id: string, query = ""): Promise<BatchBody> {
  return await (await client.call("GET", `/v1/batch/${id}${query}`)).json<BatchBody>();
}

/** Waits until a batch has ended, and returns it with up to 100 pages. */
export async function awaitBatch(client: Client, id: string): Promise<BatchBody> {
  await readEnded(client, `/v1/batch/${id}`);
  return await getBatch(client, id, "?limit=100");
}
