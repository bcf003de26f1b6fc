import { z } from "zod";
import { BatchRequest } from "../contract/batches";
import { CrawlRequest } from "../contract/crawls";
import { integer } from "../contract/fields";
import { SchemaName } from "../contract/schema-library";
import { GET_WAIT_MAX_S } from "../model/limits";

export const TOOL_PAGES = { default: 10, max: 20 };

export const GetJobRequest = z.strictObject({
  job_id: z.string().describe("The id of the job, as returned by another tool."),
  wait: integer(0, GET_WAIT_MAX_S)
    .optional()
    .describe("The maximum number of seconds to wait until the job has ended. Default: 0."),
  offset: integer(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("The position in the result's text where this call begins: the `next_offset` of an earlier call."),
});

const { endpoint, defaults, ignore_invalid, dry_run, max_credits } = BatchRequest.shape;
/** The tool has no webhook parameters, because an agent reads the results with other tools. */
const { webhook_url: _, webhook_events: _1, metadata: _2, tags: _3, ...crawlOptions } = CrawlRequest.shape;

const wait = integer(0, GET_WAIT_MAX_S)
  .default(0)
  .describe(
    "The maximum number of seconds to wait until all pages have ended. The tool then also returns the first pages.",
  );

export const BatchToolRequest = z.strictObject({
  endpoint,
  requests: z
    .array(z.looseObject({ url: z.string().describe("An absolute http or https URL.") }))
    .describe("The pages, at most 1,000. Each page has a url, and can have the parameters of the endpoint's tool."),
  defaults,
  ignore_invalid,
  dry_run,
  max_credits,
  wait,
});

export const CrawlToolRequest = z.strictObject({ ...crawlOptions, wait });

export const GetBatchRequest = z.strictObject({
  id: z.string().describe("The id of the batch or crawl, as returned by another tool."),
  cursor: integer(0, Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe("The number of the last page that you have seen. Only later pages are returned."),
  limit: integer(1, TOOL_PAGES.max).default(TOOL_PAGES.default).describe("The number of pages to return."),
  wait,
});

export const GetSchemaRequest = z.strictObject({
  name: SchemaName.describe("The kind of page."),
});

export const CancelRequest = z.strictObject({
  id: z.string().describe("The id of the job, batch or crawl, as returned by another tool."),
});
