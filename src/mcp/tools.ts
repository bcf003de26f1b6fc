import { getOpenApiMetadata } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { ENDPOINT_SCHEMAS } from "../contract/endpoint-schemas";
import { lazy } from "../lib/lazy";
import { ENDPOINT_SCOPES, type Scope } from "../model/api-key";
import { PAGE_ENDPOINTS } from "../model/batch";
import { ENDPOINT_NAMES, type Endpoint } from "../model/endpoint";
import {
  BatchToolRequest,
  CancelRequest,
  CrawlToolRequest,
  ListJobsRequest,
  ParseToolRequest,
  ReadRequest,
  UsageRequest,
} from "./tool-requests";
import texts from "./tools.json";

export type ToolName = Endpoint | "batch" | "crawl" | "read" | "list_jobs" | "usage" | "cancel";

type JsonSchema = { [keyword: string]: unknown };

/** A tool as `tools/list` describes it. */
interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; properties: { [name: string]: JsonSchema }; [keyword: string]: unknown };
  outputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: { readOnlyHint: boolean; [hint: string]: boolean };
}

interface Tool {
  /** An API key can call the tool if it has one of these scopes. */
  scopes: readonly Scope[];
  /** All parameters of the tool: those that the list of tools shows, and the others, which are in `options`. */
  input: z.ZodType;
  effect: keyof typeof ANNOTATIONS;
}

interface ToolTexts {
  title: string;
  description: string;
  /** The descriptions of the parameters that the list of tools shows. An empty one is omitted. */
  parameters: { [name: string]: string };
}

const ANNOTATIONS = {
  spends: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  reads: { readOnlyHint: true, openWorldHint: false },
  cancels: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
};

/** The tools: one per endpoint, and the tools for batches, crawls and jobs. */
export const TOOLS: { readonly [N in ToolName]: Tool } = {
  ...(Object.fromEntries(ENDPOINT_NAMES.map((endpoint) => [endpoint, toTool(endpoint)])) as { [E in Endpoint]: Tool }),
  batch: { scopes: PAGE_ENDPOINTS, input: BatchToolRequest, effect: "spends" },
  crawl: { scopes: ["scrape"], input: CrawlToolRequest, effect: "spends" },
  read: { scopes: ["jobs"], input: ReadRequest, effect: "reads" },
  list_jobs: { scopes: ["jobs"], input: ListJobsRequest, effect: "reads" },
  usage: { scopes: ["jobs"], input: UsageRequest, effect: "reads" },
  cancel: { scopes: [...new Set(Object.values(ENDPOINT_SCOPES))], input: CancelRequest, effect: "cancels" },
};

const TEXTS: { readonly [N in ToolName]: ToolTexts } = texts;

function toTool(endpoint: Endpoint): Tool {
  const input = endpoint === "parse" ? ParseToolRequest : ENDPOINT_SCHEMAS[endpoint].request;
  return { scopes: [ENDPOINT_SCOPES[endpoint]], input, effect: "spends" };
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
  Object.entries(TEXTS).map(([name, { title, description, parameters }]) => {
    const { properties, required = [] } = describeInput(name as ToolName);
    const shown = Object.entries(parameters).map(([parameter, text]) => [
      parameter,
      { ...shorten(properties[parameter] ?? {}), ...(text !== "" && { description: text }) },
    ]);
    const others = Object.keys(properties).filter((parameter) => !Object.hasOwn(parameters, parameter));
    const options = {
      type: "object",
      description: `Other parameters, which the resource options://${name} describes: ${others.join(", ")}.`,
    };
    return {
      name,
      title,
      description,
      inputSchema: {
        type: "object" as const,
        properties: Object.fromEntries([...shown, ...(others.length > 0 ? [["options", options]] : [])]),
        ...(required.length > 0 && { required }),
        additionalProperties: false,
      },
      outputSchema: { type: "object" as const, properties: OUTPUTS[name as ToolName] ?? RESULT },
      annotations: ANNOTATIONS[TOOLS[name as ToolName].effect],
    };
  }),
);

/** The members of `structuredContent` that every agent can use. A result has more members. */
const RESULT = {
  job_id: { type: "string" },
  status: { type: "string" },
  content: { type: "string", description: "Untrusted data between two marks." },
  next_offset: { anyOf: [{ type: "integer" }, { type: "null" }] },
};
const OUTPUTS: { readonly [N in ToolName]?: { [name: string]: JsonSchema } } = {
  list_jobs: { jobs: { type: "array", items: { type: "object" } }, next_cursor: { type: "string" } },
  usage: { balance: { type: "integer" } },
  cancel: { status: { type: "string" } },
};

/** Returns the JSON Schema of the parameters in `options` of a tool. Returns null if the tool has no options. */
export function describeOptions(name: string): JsonSchema | null {
  if (!isToolName(name)) return null;
  const { properties } = describeInput(name);
  const others = Object.entries(properties).filter(([option]) => !Object.hasOwn(TEXTS[name].parameters, option));
  if (others.length === 0) return null;
  return { type: "object", properties: Object.fromEntries(others), additionalProperties: false };
}

/** Returns the JSON Schema of all parameters with the contract's descriptions. The call checks refinements. */
function describeInput(name: ToolName): { properties: { [name: string]: JsonSchema }; required?: string[] } {
  const schema = z.toJSONSchema(TOOLS[name].input, {
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
  return schema as ReturnType<typeof describeInput>;
}

/** Returns the keywords of a schema that a model needs to write a value. */
function shorten(schema: JsonSchema): JsonSchema {
  const { type, enum: values, minimum, maximum, default: standard, items, anyOf, properties, required } = schema;
  const inner = (each: unknown) => shorten(each as JsonSchema);
  return {
    ...(type !== undefined && { type }),
    ...(values !== undefined && { enum: values }),
    ...(isLimit(minimum) && { minimum }),
    ...(isLimit(maximum) && { maximum }),
    ...(standard !== undefined && { default: standard }),
    ...(items !== undefined && { items: inner(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inner) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties as object).map(([name, each]) => [name, inner(each)])),
    }),
    ...(required !== undefined && { required }),
  };
}

/** Returns false for the limits that zod adds to every integer. */
function isLimit(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}
