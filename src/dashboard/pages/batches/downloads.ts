import { Hono } from "hono";
import { streamPages } from "../../../jobs/batch-stream";
import { now } from "../../../lib/clock";
import type { Batch } from "../../../model/batch";
import type { DashboardEnv } from "../../ui/env";
import { expectBatch } from "./find-batch";
import { streamZip } from "./zip";

/** The downloads of the results of a batch. */
export const batchDownloads = new Hono<DashboardEnv>();

batchDownloads.get("/batches/:id/pages.zip", async (c) => {
  const batch = await expectBatch(c);
  return c.body(streamZip(c.env, batch, now()), 200, toHeaders(batch, { type: "application/zip", extension: "zip" }));
});

batchDownloads.get("/batches/:id/pages.ndjson", async (c) => {
  const batch = await expectBatch(c);
  const headers = toHeaders(batch, { type: "application/x-ndjson", extension: "ndjson" });
  return c.body(streamPages(c.env, batch, { after: 0 }), 200, headers);
});

function toHeaders({ kind, id }: Batch, { type, extension }: { type: string; extension: string }) {
  return {
    "content-type": type,
    "content-disposition": `attachment; filename="${kind}-${id}.${extension}"`,
    "x-content-type-options": "nosniff",
  };
}
