import { Hono } from "hono";
import { readSmallResult } from "../../../jobs/read-job";
import { discardResult } from "../../../jobs/temporary";
import { log, toLogged } from "../../../lib/log";
import { AppError } from "../../../model/errors";
import type { Job } from "../../../model/job";
import { MAX_CONVERTED_BYTES } from "../../../model/limits";
import { FILE_TYPES, toScreenshotFile } from "../../../model/page-files";
import { getPdf, getScreenshot, openResult } from "../../../store/objects";
import { ALL_TABLES } from "../../result-view/downloads";
import { readTables, toCsv } from "../../result-view/result-tables";
import { toDownloadHeaders } from "../../ui/download";
import type { DashboardContext, DashboardEnv } from "../../ui/env";
import { toSize } from "../../ui/format";
import { expectJob } from "./find-job";

/** The downloads of a job's result: as JSON, Markdown, CSV, image or PDF. */
export const downloads = new Hono<DashboardEnv>();

downloads.get("/jobs/:id/result", async (c) => {
  const job = await expectJob(c, c.req.param("id"));
  const headers = toHeaders(job, "application/json", "json");
  if (job.result !== null) {
    if (job.isTemporary) c.executionCtx.waitUntil(discardResult(c.env, job));
    return c.body(job.result, 200, headers);
  }
  const object = job.resultStored ? await openResult(c.env.STORE, job.id, job.run) : null;
  if (object === null) throw resultExpired();
  // Streams the result, because it may be too large for memory.
  const { readable, writable } = new FixedLengthStream(object.size);
  c.executionCtx.waitUntil(
    object.body
      .pipeTo(writable)
      .then(() => (job.isTemporary ? discardResult(c.env, job) : undefined))
      // The error means that the user has canceled the download.
      .catch((error) => log("warn", "result_not_sent", { job_id: job.id, ...toLogged(error) })),
  );
  return c.body(readable, 200, headers);
});

downloads.get("/jobs/:id/result/markdown", async (c) => {
  const job = await expectJob(c, c.req.param("id"));
  const { markdown } = await readData(c, job);
  if (typeof markdown !== "string") throw new AppError("not_found", "The result has no Markdown.");
  return c.body(markdown, 200, toHeaders(job, "text/markdown; charset=utf-8", "md"));
});

downloads.get("/jobs/:id/result/csv", async (c) => {
  const job = await expectJob(c, c.req.param("id"));
  const tables = await readTables(job.endpoint, await readData(c, job));
  const number = c.req.query("table") ?? "0";
  const chosen = number === ALL_TABLES ? tables : tables.filter((_, index) => String(index) === number);
  if (chosen.length === 0) throw new AppError("not_found", "The result has no table with this number.");
  return c.body(toCsv(chosen), 200, toHeaders(job, "text/csv; charset=utf-8", "csv"));
});

downloads.get("/jobs/:id/result/:file{screenshot|pdf}", async (c) => {
  const job = await expectJob(c, c.req.param("id"));
  const isPdf = c.req.param("file") === "pdf";
  const object = job.status === "completed" ? await (isPdf ? getPdf : getScreenshot)(c.env.STORE, job.id) : null;
  if (object === null) throw new AppError("not_found", "The result has no such file, or the file has expired.");
  const { contentType, extension } = isPdf ? FILE_TYPES.pdf : toScreenshotFile(object.httpMetadata?.contentType);
  const headers = toHeaders(job, contentType, extension);
  return c.body(object.body, 200, { ...headers, "content-length": String(object.size) });
});

/** Reads the result of a job. Throws AppError if the result has expired or is too large to be converted. */
async function readData(c: DashboardContext, job: Job): Promise<Record<string, unknown>> {
  const data = job.status === "completed" ? await readSmallResult(c.env, job, MAX_CONVERTED_BYTES) : null;
  if (data === null) throw resultExpired();
  if (data !== "too large") return data;
  const limit = toSize(MAX_CONVERTED_BYTES);
  throw new AppError("payload_too_large", `The result is larger than ${limit}. Download it as JSON instead.`);
}

function resultExpired(): AppError {
  return new AppError("not_found", "The job has no result, or the result has expired.");
}

function toHeaders({ endpoint, id }: Job, contentType: string, extension: string) {
  return toDownloadHeaders(`${endpoint}-${id}.${extension}`, contentType);
}
