import { getOpenApiMetadata } from "@asteasolutions/zod-to-openapi";
import type { JSONObject } from "@modelcontextprotocol/server";
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

type JsonSchema = JSONObject;

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
  return Object.entries(describeAll()).flatMap(([name, { tool }]) =>
    TOOLS[name as ToolName].scopes.some((scope) => scopes.includes(scope)) ? [tool] : [],
  );
}

/** Returns the JSON Schema of `options` of a tool. Returns null if the tool has no options. */
export function describeOptions(name: string): JsonSchema | null {
  return isToolName(name) ? describeAll()[name].options : null;
}

/** Returns where a caller of the tool finds the rules of its parameters. */
export function describeParameters(name: ToolName): string {
  const schema = "The input schema of the tool describes its parameters.";
  return describeOptions(name) === null
    ? schema
    : `${schema} For those in options, call read with the id options://${name}.`;
}

/** Describes all tools and their options. Converting their schemas takes long, so an isolate does it only once. */
const describeAll = lazy(() => {
  const all = Object.entries(TEXTS).map(([name, text]) => [name, describe(name as ToolName, text)]);
  return Object.fromEntries(all) as { [N in ToolName]: ReturnType<typeof describe> };
});

function describe(name: ToolName, { title, description, parameters }: ToolTexts) {
  const { properties, required = [] } = describeInput(name);
  const shown = Object.entries(parameters).map(([parameter, text]) => [
    parameter,
    { ...shorten(properties[parameter] ?? {}), ...(text !== "" && { description: text }) },
  ]);
  const others = Object.entries(properties).filter(([parameter]) => !Object.hasOwn(parameters, parameter));
  const names = others.map(([parameter]) => parameter).join(", ");
  const about = `Other parameters, which the resource options://${name} describes: ${names}.`;
  const options = { type: "object", properties: Object.fromEntries(others), additionalProperties: false };
  const tool: ToolDescription = {
    name,
    title,
    description,
    inputSchema: {
      type: "object",
      properties: {
        ...Object.fromEntries(shown),
        ...(others.length > 0 && { options: { type: "object", description: about } }),
      },
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: OUTPUTS[name] ?? RESULT },
    annotations: ANNOTATIONS[TOOLS[name].effect],
  };
  return { tool, options: others.length > 0 ? options : null };
}

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

/** The keywords that a model can write a value without. No shown parameter has a member with such a name. */
const OMITTED = /^(description|examples|format|m(in|ax)(Length|Items)|propertyNames|additionalProperties)$/;

function shorten(schema: JsonSchema): JsonSchema {
  // zod adds the limits of safe integers to every integer.
  const isOmitted = (key: string, value: unknown) =>
    OMITTED.test(key) || Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return JSON.parse(JSON.stringify(schema, (key, value) => (isOmitted(key, value) ? undefined : value)));
}
