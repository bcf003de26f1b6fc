import { getOpenApiMetadata } from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { ENDPOINT_SCHEMAS } from "../contract/endpoint-schemas";
import { ENDPOINTS } from "../endpoints/endpoints";
import type { Scope } from "../model/api-key";
import { ENDPOINT_NAMES, type Endpoint } from "../model/endpoint";
import { GET_WAIT_MAX_S } from "../model/limits";

/** A tool as `tools/list` describes it. */
export interface ToolDescription {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: { title: string; readOnlyHint: boolean; openWorldHint: boolean };
}

interface Tool {
  scope: Scope;
  title: string;
  description: string;
  input: z.ZodType;
}

const WAIT_RULE = `must be a whole number from 0 to ${GET_WAIT_MAX_S}`;

export const GetJobRequest = z.strictObject({
  job_id: z.string().describe("The id of the job, as returned by another tool."),
  wait: z
    .int(WAIT_RULE)
    .min(0, WAIT_RULE)
    .max(GET_WAIT_MAX_S, WAIT_RULE)
    .optional()
    .describe("The number of seconds to wait for the end of the job. Default: 0."),
});

export type ToolName = Endpoint | "get_job";

/** One tool per endpoint, and one that reads a job. An API key can call a tool only if it has the tool's scope. */
export const TOOLS: { [N in ToolName]: Tool } = {
  ...(Object.fromEntries(ENDPOINT_NAMES.map((endpoint) => [endpoint, toTool(endpoint)])) as { [E in Endpoint]: Tool }),
  get_job: {
    scope: "jobs",
    title: "Read a job",
    description:
      "Returns the status of a job, and its result if it has completed. Use it for a job that took longer than a tool call may wait.",
    input: GetJobRequest,
  },
};

function toTool(endpoint: Endpoint): Tool {
  return { scope: endpoint, ...ENDPOINTS[endpoint].tool, input: ENDPOINT_SCHEMAS[endpoint].request };
}

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}

/** Returns the tools that the key may call, as `tools/list` describes them. */
export function describeTools(scopes: readonly Scope[]): ToolDescription[] {
  return Object.entries(TOOLS)
    .filter(([, tool]) => scopes.includes(tool.scope))
    .map(([name, { title, description, input }]) => ({
      name,
      title,
      description,
      inputSchema: toInputSchema(input),
      // `readOnlyHint` is true, because a call changes nothing except the balance of credits.
      annotations: { title, readOnlyHint: true, openWorldHint: name !== "get_job" },
    }));
}

/**
 * Returns the JSON Schema of a tool's input, with the descriptions from the contract. Refinements that JSON Schema
 * can't express are checked when the tool is called.
 */
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
