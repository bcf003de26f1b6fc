// Checks requests against the published types of OpenAI and Anthropic. The stand-in server rejects all other requests
// with status 400.

import type { IncomingHttpHeaders } from "node:http";
import { isObject } from "./is-object.ts";

type Json = Record<string, unknown>;
export type Provider = "openai" | "anthropic";

/**
 * Returns a sentence with the rule that a request breaks, worded like the provider's error. Returns null if the request
 * is valid.
 */
export function brokenRule(provider: Provider, headers: IncomingHttpHeaders, body: unknown): string | null {
  if (!headers["content-type"]?.startsWith("application/json")) return "content-type: must be application/json";
  if (!isObject(body)) return "body: must be a JSON object";
  return provider === "openai" ? findOpenaiError(headers, body) : findAnthropicError(headers, body);
}

type Check = (value: unknown, body: Json) => boolean;

const text: Check = (value) => typeof value === "string" && value !== "";
const flag: Check = (value) => typeof value === "boolean";
const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 1;

const OPENAI: Record<string, Check> = {
  model: text,
  messages: (value) =>
    isList(value) && value.every((message) => isMessage(message, ["system", "developer", "user", "assistant"])),
  max_completion_tokens: count,
  response_format: isResponseFormat,
  stream: flag,
  stream_options: (value, body) => body.stream === true && hasOnly(value, { include_usage: flag }),
};

const ANTHROPIC: Record<string, Check> = {
  model: text,
  max_tokens: count,
  messages: (value) => isList(value) && value.every((message) => isMessage(message, ["user", "assistant"])),
  system: text,
  stream: flag,
  output_config: (value) => isObject(value) && hasOnly(value, { format: isOutputFormat }),
  tools: (value) => isList(value) && value.every(isTool),
  tool_choice: (value, body) =>
    hasOnly(value, { type: (type) => type === "tool", name: text, disable_parallel_tool_use: flag }) &&
    isList(body.tools) &&
    body.tools.some((tool) => isObject(tool) && isObject(value) && tool.name === value.name),
};

function findOpenaiError(headers: IncomingHttpHeaders, body: Json): string | null {
  if (!/^Bearer \S/.test(headers.authorization ?? "")) return "authorization: missing";
  return findInvalidMember(body, OPENAI, ["model", "messages"]);
}

function findAnthropicError(headers: IncomingHttpHeaders, body: Json): string | null {
  if (!headers["x-api-key"]) return "x-api-key: missing";
  if (!/^(2023-06-01|2026-10-21)$/.test(String(headers["anthropic-version"])))
    return "anthropic-version: not a version";
  const roles = isList(body.messages) ? body.messages.map((message) => (isObject(message) ? message.role : null)) : [];
  if (roles[0] !== "user") return "messages: first message must use the user role";
  if (roles.at(-1) !== "user") return "messages: this model does not support assistant message prefill";
  if (isList(body.messages) && body.messages.some((message) => isObject(message) && isBlank(message.content)))
    return "messages: text content blocks must contain non-whitespace text";
  return findInvalidMember(body, ANTHROPIC, ["model", "max_tokens", "messages"]);
}

function isBlank(content: unknown): boolean {
  return typeof content === "string" && content.trim() === "";
}

function findInvalidMember(body: Json, checks: Record<string, Check>, required: string[]): string | null {
  for (const name of required) if (!(name in body)) return `${name}: field required`;
  for (const [name, value] of Object.entries(body)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) return `${name}: extra inputs are not permitted`;
    if (!check(value, body)) return `${name}: invalid`;
  }
  return null;
}

function isMessage(value: unknown, roles: string[]): boolean {
  return hasOnly(value, {
    role: (role) => roles.includes(String(role)),
    content: (content) => text(content, {}) || (isList(content) && content.every(isPart)),
  });
}

/** Returns true for a part of a user's message, in the form of OpenAI or of Anthropic. */
function isPart(value: unknown): boolean {
  const isType = (name: string) => (type: unknown) => type === name;
  const isMedia = (type: unknown) => type === "image/jpeg" || type === "image/png";
  const isUrl = (url: unknown) => /^data:image\/(?:jpeg|png);base64,[\w+/]+=*$/.test(String(url));
  return [
    { type: isType("text"), text },
    { type: isType("image_url"), image_url: (image: unknown) => hasOnly(image, { url: isUrl }) },
    {
      type: isType("image"),
      source: (source: unknown) => hasOnly(source, { type: isType("base64"), media_type: isMedia, data: text }),
    },
  ].some((checks) => hasOnly(value, checks));
}

function isResponseFormat(value: unknown, body: Json): boolean {
  if (!isObject(value)) return false;
  // OpenAI's error: "'messages' must contain the word 'json' in some form, to use 'response_format' of type
  // 'json_object'."
  if (value.type === "json_object")
    return hasOnly(value, { type: text }) && /json/i.test(JSON.stringify(body.messages));
  const isFormat: Check = (format) =>
    hasOnly(format, {
      name: (name) => /^[\w-]{1,64}$/.test(String(name)),
      schema: (schema) => isObject(schema) && schema.type === "object",
      strict: flag,
    }) &&
    isObject(format) &&
    (format.strict !== true || isStrict(format.schema, "openai"));
  return value.type === "json_schema" && hasOnly(value, { type: text, json_schema: isFormat });
}

function isOutputFormat(value: unknown): boolean {
  return hasOnly(value, {
    type: (type) => type === "json_schema",
    schema: (schema) => isStrict(schema, "anthropic"),
  });
}

function isTool(value: unknown): boolean {
  return hasOnly(value, {
    name: (name) => /^[\w-]{1,128}$/.test(String(name)),
    description: text,
    input_schema: (schema) => isObject(schema) && schema.type === "object",
  });
}

const NOT_IN_STRICT = [
  ...[
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "prefixItems",
  ],
  ...[
    "minLength",
    "maxLength",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "contains",
    "default",
  ],
];
const NOT_IN_ANTHROPIC = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "maxItems",
  "pattern",
];

/**
 * Returns true if the schema and all schemas in it follow the rules of strict mode. Objects must be closed, unsupported
 * keywords aren't allowed, and OpenAI requires every property.
 */
function isStrict(schema: unknown, provider: Provider): boolean {
  if (!isObject(schema)) return false;
  const unsupported = provider === "openai" ? NOT_IN_STRICT : [...NOT_IN_STRICT, ...NOT_IN_ANTHROPIC];
  if (unsupported.some((keyword) => keyword in schema)) return false;
  const properties = isObject(schema.properties) ? schema.properties : {};
  if (schema.type === "object") {
    if (schema.additionalProperties !== false) return false;
    const required = isList(schema.required) ? schema.required : [];
    if (provider === "openai" && !Object.keys(properties).every((name) => required.includes(name))) return false;
  }
  const subschemas = [
    ...Object.values(properties),
    ...("items" in schema ? [schema.items] : []),
    ...(isList(schema.anyOf) ? schema.anyOf : []),
    ...Object.values(isObject(schema.$defs) ? schema.$defs : {}),
  ];
  return subschemas.every((part) => isStrict(part, provider));
}

/**
 * Returns true if the value is an object that has only members of `checks`, and each member passes its check. Every
 * member is optional.
 */
function hasOnly(value: unknown, checks: Record<string, Check>): boolean {
  return isObject(value) && Object.entries(value).every(([name, part]) => checks[name]?.(part, value) ?? false);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}
