// Creates a batch whose pages have results of over 1 MB, and reads its lines (NDJSON) more slowly than the service can
// send them. If the service didn't wait for the reader, its memory would grow with the number of pages.
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

interface Service {
  base: string;
  /** A test key. The mock page `large.test` needs no site. */
  key: string;
}

/** The largest batch. */
const MAX_BATCH_PAGES = 1_000;
const BYTES_PER_S = 25_000_000;
const LINE_END = 10;

/** Runs a batch, and returns its id after its end. */
export async function runLargeBatch({ base, key }: Service, pages: number): Promise<string> {
  if (pages > MAX_BATCH_PAGES) throw new Error(`A batch has at most ${MAX_BATCH_PAGES} pages.`);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const requests = Array.from({ length: pages }, (_, index) => ({ url: `https://large.test/${index}` }));
  const body = JSON.stringify({ endpoint: "scrape", requests });
  const created = await fetch(`${base}/v1/batch`, { method: "POST", headers, body });
  if (created.status !== 202) throw new Error(await created.text());
  const { batch_id: id } = (await created.json()) as { batch_id: string };
  for (;;) {
    const response = await fetch(`${base}/v1/batch/${id}?wait=30&limit=1`, { headers });
    const { completed_at: end, counts } = (await response.json()) as {
      completed_at?: string;
      counts: { completed: number };
    };
    if (end === undefined) continue;
    if (counts.completed !== pages) throw new Error(`Only ${counts.completed} of ${pages} pages completed.`);
    return id;
  }
}

/**
 * Reads the lines of a batch at a limited rate. Calls `onLine` with the number of complete lines, and waits until it
 * returns.
 */
export async function readSlowly(
  { base, key }: Service,
  id: string,
  onLine: (lines: number) => Promise<void>,
): Promise<{ lines: number; bytes: number }> {
  const headers = { authorization: `Bearer ${key}`, accept: "application/x-ndjson" };
  const request = get(`${base}/v1/batch/${id}`, { headers });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`The service responded with status ${response.statusCode}.`);
  let [lines, bytes] = [0, 0];
  let startedAt = performance.now();
  // While this loop waits, Node.js stops reading from the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) {
      const before = performance.now();
      await onLine(++lines);
      startedAt += performance.now() - before;
    }
    const early = (bytes / BYTES_PER_S) * 1_000 - (performance.now() - startedAt);
    if (early > 10) await sleep(early);
  }
  return { lines, bytes };
}
