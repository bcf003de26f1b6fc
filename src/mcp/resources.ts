import type { Resource } from "@modelcontextprotocol/server";
import { READY_SCHEMAS } from "../contract/schema-library";
import type { Scope } from "../model/api-key";
import { describeOptions, describeTools } from "./tools";

export const RESOURCE_TYPE = "application/json";

/** Returns the resources about the tools that the key may call: their options, and the ready-made schemas for parse. */
export function listResources(scopes: readonly Scope[]): Resource[] {
  const tools = describeTools(scopes).filter(({ inputSchema }) => "options" in inputSchema.properties);
  const options = tools.map(({ name }) => ({
    ...{ uri: `options://${name}`, name: `${name}_options`, mimeType: RESOURCE_TYPE },
    description: `The parameters that a call of ${name} can have in options.`,
  }));
  const schemas = READY_SCHEMAS.map(({ name, title, description }) => ({
    ...{ uri: `schema://${name}`, name, title, description, mimeType: RESOURCE_TYPE },
  }));
  return [...options, ...(scopes.includes("parse") ? schemas : [])];
}

/** Returns the text of a resource, or null if it doesn't exist. */
export function readResource(uri: string): string | null {
  const [, kind, name] = /^(options|schema):\/\/(\w+)$/.exec(uri) ?? ["", "", ""];
  const ready = READY_SCHEMAS.find((each) => each.name === name);
  const found = kind === "options" ? describeOptions(name) : ready && { prompt: ready.prompt, schema: ready.schema };
  return found ? JSON.stringify(found) : null;
}
