import { getOpenApiMetadata } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { ENDPOINT_SCHEMAS } from "../contract/endpoint-schemas";
import { ENDPOINTS } from "../endpoints/endpoints";
import { lazy } from "../lib/lazy";
import { ENDPOINT_SCOPES, type Scope } from "../model/api-key";
import { PAGE_ENDPOINTS } from "../model/batch";
import { ENDPOINT_NAMES, type Endpoint } from "../model/endpoint";
import {
  BatchToolRequest,
  CancelRequest,
  CrawlToolRequest,
  GetBatchRequest,
  GetJobRequest,
  GetSchemaRequest,
} from "./tool-requests";

/** A tool as `tools/list` describes it. */
interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: { title: string; readOnlyHint: boolean; openWorldHint: boolean };
}

interface Tool {
  /** An API key can call the tool if it has one of these scopes. */
  scopes: readonly Scope[];
  title: string;
  description: string;
  input: z.ZodType;
}

export type ToolName = Endpoint | "batch" | "crawl" | "get_job" | "get_batch" | "get_schema" | "cancel";

/** The tools: one per endpoint, and the tools for batches, crawls and jobs. */
export const TOOLS: { [N in ToolName]: Tool } = {
  ...(Object.fromEntries(ENDPOINT_NAMES.map((endpoint) => [endpoint, toTool(endpoint)])) as { [E in Endpoint]: Tool }),
  batch: {
    scopes: PAGE_ENDPOINTS,
    title: "Scrape or parse many pages",
    description:
      "Starts a batch of up to 1,000 pages of one endpoint, which run in the background. Returns its id. If you set wait, it also returns the first pages. Use get_batch to read the pages.",
    input: BatchToolRequest,
  },
  crawl: {
    scopes: ["scrape"],
    title: "Crawl a site",
    description:
      "Starts a crawl, which visits the pages of a site in the background: the first page, the pages of the sitemaps, and the pages that these pages link to. Returns its id. If you set wait, it also returns the first pages. Each page costs as much as a scrape, so set a small limit. Use get_batch to read the pages. Use map if you need only the URLs.",
    input: CrawlToolRequest,
  },
  get_job: {
    scopes: ["jobs"],
    title: "Read a job",
    description:
      "Returns the status of a job, and its result if it has completed. Use it for a job that took longer than a tool call may wait.",
    input: GetJobRequest,
  },
  get_batch: {
    scopes: ["jobs"],
    title: "Read a batch or crawl",
    description:
      "Returns the counts and credits of a batch or crawl, and one part of its pages with the beginning of their content.",
    input: GetBatchRequest,
  },
  get_schema: {
    scopes: ["parse"],
    title: "Read a ready-made schema",
    description:
      "Returns a schema and a prompt for parse, for a common kind of page. Pages often declare the required properties of these schemas, so with strategy: auto, a parse often needs no language model. You can change the schema.",
    input: GetSchemaRequest,
  },
  cancel: {
    scopes: [...new Set(Object.values(ENDPOINT_SCOPES))],
    title: "Cancel a job, batch or crawl",
    description: "Cancels a job, a batch or a crawl that hasn't ended. Unfinished pages aren't charged.",
    input: CancelRequest,
  },
};

/** The tools that don't request pages. */
const NO_REQUESTS: readonly string[] = ["get_job", "get_batch", "get_schema", "cancel"] satisfies ToolName[];

function toTool(endpoint: Endpoint): Tool {
  return {
    scopes: [ENDPOINT_SCOPES[endpoint]],
    ...ENDPOINTS[endpoint].tool,
    input: ENDPOINT_SCHEMAS[endpoint].request,
  };
}

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}

/** Returns the tools that the key may call, as `tools/list` describes them. */
export function describeTools(scopes: readonly Scope[]): ToolDescription[] {
  return listTools().filter(({ name }) => isToolName(name) && TOOLS[name].scopes.some((each) => scopes.includes(each)));
}

/** Describes all tools. Converting their schemas takes long, so an isolate does it only once. */
const listTools = lazy((): ToolDescription[] =>
  Object.entries(TOOLS).map(([name, { title, description, input }]) => ({
    name,
    title,
    description,
    inputSchema: toInputSchema(input),
    // Except for `cancel`, a call changes nothing besides the balance of credits.
    annotations: { title, readOnlyHint: name !== "cancel", openWorldHint: !NO_REQUESTS.includes(name) },
  })),
);

/** Returns the JSON Schema of a tool's input with the contract's descriptions. The call checks refinements. */
function toInputSchema(input: z.ZodType): ToolDescription["inputSchema"] {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const { description, example, format } = getOpenApiMetadata(zodSchema as unknown as z.ZodType);
      if (description !== undefined) jsonSchema.description = description;
      if (format !== undefined) jsonSchema.format = format;
      if (example !== undefined) jsonSchema.examples = [example];
      // Removes patterns, because JSON Schema has no flags for them. Without the `i` flag, the contract's patterns
      // would refuse valid input.
      if (jsonSchema.pattern !== undefined) delete jsonSchema.pattern;
    },
  });
  return { ...schema, type: "object" };
}
