import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { BatchLine } from "../account/batches/batch-list";
import {
  BatchId,
  BatchListQuery,
  type BatchListResponse,
  type BatchRecord,
  type BatchResponse,
  type ChangedBatch,
  PagesQuery,
} from "../contract/batches";
import { NoQuery } from "../contract/common";
import type { ChangedCrawl, CrawlListResponse, CrawlRecord, CrawlResponse } from "../contract/crawls";
import { describeErrors, describeResponse } from "../contract/responses";
import { type ViewOptions, viewOf } from "../contract/view-options";
import { type createRouter, operation } from "../http/router";
import { readPagesJson, streamPages } from "../jobs/batch-stream";
import { cancelBatch, getOwnBatch, listOwnBatches, resumeBatch } from "../jobs/batches";
import { checkScope } from "../keys/errors";
import type { Scope } from "../model/api-key";
import type { Batch, BatchKind } from "../model/batch";
import type { AppEnv } from "../model/env";
import { SECOND_MS } from "../model/limits";

type Page = z.output<typeof BatchResponse | typeof CrawlResponse>;
type List = z.output<typeof BatchListResponse | typeof CrawlListResponse>;
type Changed = z.output<typeof ChangedBatch | typeof ChangedCrawl>;

/** The differences between the operations of batches and those of crawls. */
interface KindOperations {
  kind: BatchKind;
  /** The end of the names of the operations in the API reference. */
  name: "Batch" | "Crawl";
  /** The scopes of which a change requires one. */
  scopes: readonly Scope[];
  schemas: { page: z.ZodType<Page>; changed: z.ZodType<Changed>; list: z.ZodType<List> };
  examples: {
    list: object;
    page: { success: true; pages: object[] };
    running: object;
    ended: object;
    canceled: object;
  };
  toListed: (lines: readonly BatchLine[]) => List["data"];
  toRecord: (env: Env, batch: Batch) => Promise<BatchRecord | z.output<typeof CrawlRecord>>;
  /** Runs after a batch or crawl was resumed. */
  onResumed?: (env: Env, batch: Batch) => Promise<void>;
}

/** Adds the operations that read, cancel and resume a batch or crawl. */
export function addBatchOperations(router: ReturnType<typeof createRouter>, operations: KindOperations): void {
  const { kind, name, scopes, schemas, examples, toListed, toRecord, onResumed } = operations;
  const params = z.object({ id: BatchId });
  const success = true as const;

  const listRoute = createRoute({
    method: "get",
    path: `/${kind}`,
    ...operation(name === "Batch" ? "listBatches" : "listCrawls", "jobs"),
    request: { query: BatchListQuery },
    responses: {
      200: describeResponse(`A part of the list.`, schemas.list, {
        example: { success, data: [examples.list] },
      }),
      ...describeErrors(),
    },
  });

  router.openapi(listRoute, async (c) => {
    const { batches, next } = await listOwnBatches(c.env, c.var.caller, { kind, ...c.req.valid("query") });
    const list = { success, data: toListed(batches), ...(next !== null && { next_cursor: next }) };
    return c.json(list as List, 200);
  });

  const getRoute = createRoute({
    method: "get",
    path: `/${kind}/{id}`,
    ...operation(`get${name}`, "jobs"),
    request: { params, query: PagesQuery },
    responses: {
      200: withPageLines(
        describeResponse(`The ${kind}.`, schemas.page, { example: examples.page }),
        examples.page.pages,
      ),
      ...describeErrors({ 404: ["not_found"] }),
    },
  });

  router.openapi(getRoute, async (c) => {
    const { id } = c.req.valid("param");
    const { wait = 0, cursor, limit, results, ...fields } = c.req.valid("query");
    const { account, mode } = c.var.caller;
    const batch = await getOwnBatch(c.env, account, { mode, id, kind, waitMs: wait * SECOND_MS });
    const view = viewOf(fields);
    // The casts are necessary, because the declared types don't include responses that are already JSON.
    if (acceptsLines(c)) return respondWithLines(c, batch, { after: cursor, view }) as never;
    const part = { cursor, limit, results, view };
    const [record, pages] = await Promise.all([toRecord(c.env, batch), readPagesJson(c.env, batch, part)]);
    const members = JSON.stringify({ success, ...record }).slice(0, -1);
    return c.body(`${members},${pages}}`, 200, { "content-type": "application/json" }) as never;
  });

  const cancelRoute = createRoute({
    method: "delete",
    path: `/${kind}/{id}`,
    ...operation(`cancel${name}`, ...scopes),
    request: { params, query: NoQuery },
    responses: {
      200: describeResponse(`The ${kind}.`, schemas.changed, { example: examples.canceled }),
      ...describeErrors({ 404: ["not_found"] }),
    },
  });

  router.openapi(cancelRoute, async (c) => {
    const { account, mode } = c.var.caller;
    const batch = await getOwnBatch(c.env, account, { mode, id: c.req.valid("param").id, kind });
    checkScope(c.var.caller, batch.endpoint);
    return c.json({ success, ...(await toRecord(c.env, await cancelBatch(c.env, batch))) }, 200);
  });

  const resumeRoute = createRoute({
    method: "post",
    path: `/${kind}/{id}/resume`,
    ...operation(`resume${name}`, ...scopes),
    request: { params, query: NoQuery },
    responses: {
      200: describeResponse(`The ${kind} was returned unchanged.`, schemas.changed, { example: examples.ended }),
      202: describeResponse(`The ${kind} continues.`, schemas.changed, {
        headers: ["Location", "Retry-After"],
        example: examples.running,
      }),
      ...describeErrors({ 402: ["insufficient_credits"], 404: ["not_found"] }),
    },
  });

  router.openapi(resumeRoute, async (c) => {
    const { account, mode } = c.var.caller;
    const found = await getOwnBatch(c.env, account, { mode, id: c.req.valid("param").id, kind });
    checkScope(c.var.caller, found.endpoint);
    const { isResumed, batch } = await resumeBatch(c.env, found, c.var.caller);
    if (isResumed) await onResumed?.(c.env, batch);
    const body = { success, ...(await toRecord(c.env, batch)) };
    if (!isResumed) return c.json(body, 200);
    setAcceptedHeaders(c, batch);
    return c.json(body, 202);
  });
}

/** Sets the headers of a response with a batch or crawl that is running. */
export function setAcceptedHeaders(c: Context<AppEnv>, { kind, id }: Batch): void {
  c.header("Location", `/v1/${kind}/${id}`);
  c.header("Retry-After", "1");
}

const NDJSON = "application/x-ndjson";

const PageLines = z.string().openapi({
  description:
    "One JSON object on each line: an ended page as in `pages`, with its complete result. To continue after an interruption, send the `number` of the last complete line as `cursor`. If the response can't contain all pages, its last line contains only `next_cursor`.",
});

/** Describes the response with one line per page, in addition to the JSON response. `pages` is the example. */
function withPageLines<Content extends object>(
  response: { description: string; content: Content },
  pages: readonly object[],
) {
  const example = pages.map((page) => `${JSON.stringify(page)}\n`).join("");
  return { ...response, content: { ...response.content, [NDJSON]: { schema: PageLines, example } } };
}

/** Returns true if the request accepts only the format with one line per page. */
function acceptsLines(c: Context<AppEnv>): boolean {
  return c.req.header("accept")?.toLowerCase().includes(NDJSON) === true;
}

/** Responds with the ended pages after `cursor`, one on each line. */
function respondWithLines(
  c: Context<AppEnv>,
  batch: Batch,
  { after = 0, view }: { after: number | undefined; view: ViewOptions | null },
): Response {
  return c.body(streamPages(c.env, batch, { after, view }), 200, { "content-type": NDJSON });
}
