import { z } from "zod";
import { BatchRequest } from "../contract/batches";
import { CrawlRequest } from "../contract/crawls";
import { integer } from "../contract/fields";
import { JobListQuery } from "../contract/jobs";
import { ParseRequest } from "../contract/parse";
import { SchemaName } from "../contract/schema-library";
import { checkView, VIEW_OPTIONS } from "../contract/view-options";
import { GET_WAIT_MAX_S, LIST_LIMIT_MAX } from "../model/limits";

const { endpoint, defaults, ignore_invalid, dry_run, max_credits } = BatchRequest.shape;
/** The tool has no webhook parameters, because an agent reads the results with other tools. */
const { webhook_url: _, webhook_events: _1, metadata: _2, tags: _3, ...crawlOptions } = CrawlRequest.shape;

export const TOOL_PAGES = { default: 10, max: 20 };

const wait = integer(0, GET_WAIT_MAX_S).default(0);

export const ParseToolRequest = z.strictObject({
  ...ParseRequest.shape,
  prompt: ParseRequest.shape.prompt.optional(),
  schema: z.union([z.record(z.string(), z.unknown()), SchemaName]).optional(),
});

export const BatchToolRequest = z.strictObject({
  endpoint,
  requests: z.array(z.looseObject({ url: z.string() })),
  defaults,
  ignore_invalid,
  dry_run,
  max_credits,
  wait,
});

export const CrawlToolRequest = z.strictObject({ ...crawlOptions, wait });

export const ReadRequest = z
  .strictObject({
    id: z.string(),
    ...VIEW_OPTIONS,
    cursor: integer(0, Number.MAX_SAFE_INTEGER).default(0),
    limit: integer(1, TOOL_PAGES.max)
      .default(TOOL_PAGES.default)
      .describe("The maximum number of pages of a batch or crawl."),
    wait,
  })
  .superRefine(checkView);

const { status, endpoint: ofEndpoint, q, cursor } = JobListQuery.shape;
export const ListJobsRequest = z.strictObject({
  status,
  endpoint: ofEndpoint,
  q,
  cursor,
  limit: integer(1, LIST_LIMIT_MAX).default(10),
});

export const UsageRequest = z.strictObject({});

export const CancelRequest = z.strictObject({ id: z.string() });
