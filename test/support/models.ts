// A stand-in for OpenAI and Anthropic on one loopback server. It validates each request. A mark in the prompt selects
// the response: `[[good]]`, `[[error-500 some-id]]` or `[[good some-id {"name": "Tide lamp"}]]`. With `-once` after the
// behavior, only the first request gets this behavior, and later requests get a good answer. If the mark has no id, its
// behavior is used as the id.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { inflateSync } from "node:zlib";
import { isObject } from "./is-object.ts";
import { listen } from "./loopback.ts";
import { brokenRule, type Provider } from "./model-shapes.ts";
import { type Answer, streamError, streamEvents, untypedStreamError, wholeResponse } from "./model-wire.ts";
import { readBody } from "./read-body.ts";
import { sendJson } from "./responses.ts";

/** A logged request. */
export interface LoggedModelRequest {
  provider: Provider;
  headers: Record<string, string>;
  body: Record<string, unknown>;
  /** The provider's rule that the request breaks. Null if the request is valid. */
  broken: string | null;
}

export interface Models {
  origin: string;
  /** Returns the requests with this id in their mark, oldest first. */
  requests: (id: string) => LoggedModelRequest[];
  close: () => void;
}

interface Call {
  provider: Provider;
  body: Record<string, unknown>;
  mark: Mark;
  /** The number of requests with this mark so far, including this one. */
  count: number;
  response: ServerResponse;
}

interface Mark {
  behavior: string;
  id: string;
  /** The answer that the mark contains, or undefined. */
  answer: unknown;
}

export async function startModels(): Promise<Models> {
  const log = new Map<string, LoggedModelRequest[]>();
  const server = createServer(async (request, response) => {
    const provider = { "/v1/chat/completions": "openai", "/v1/messages": "anthropic" }[request.url ?? ""] as Provider;
    if (provider === undefined || request.method !== "POST") return void response.writeHead(404).end();
    const raw = (await readBody(request))?.toString();
    if (raw === undefined) return;
    const body = parse(raw);
    const mark = markIn(raw);
    const broken = brokenRule(provider, request.headers, body);
    const requests = log.get(mark.id) ?? [];
    log.set(mark.id, requests);
    requests.push({
      provider,
      headers: request.headers as Record<string, string>,
      body: body as LoggedModelRequest["body"],
      broken,
    });
    const call = { provider, body: isObject(body) ? body : {}, mark, count: requests.length, response };
    if (broken !== null) fail(call, 400, broken);
    else if (mark.behavior.endsWith("-once") && requests.length > 1) runBehavior("good", call);
    else runBehavior(mark.behavior.replace(/-once$/, ""), call);
  });
  return { ...(await listen(server)), requests: (id) => log.get(id) ?? [] };
}

function runBehavior(behavior: string, call: Call): void {
  const [, status] = /^error-(\d{3})$/.exec(behavior) ?? [];
  if (status !== undefined) fail(call, Number(status), "The prompt was: (quoted prompt)");
  else (BEHAVIORS[behavior] ?? respond)(call, goodAnswer(call));
}

/** The behaviors that a mark in the prompt can select. For any other behavior, the server sends a good answer. */
const BEHAVIORS: Record<string, (call: Call, good: Answer) => void> = {
  garbage: (call, good) => respond(call, { ...good, asTool: null, text: "Sure! Here it is: {name: " }),
  overflow: (call, good) => respond(call, { ...good, text: good.text.replace(":400", ":1e400") }),
  fenced: (call, good) => respond(call, { ...good, asTool: null, text: `\`\`\`json\n${good.text}\n\`\`\`` }),
  violate: (call, good) => respond(call, { ...good, text: makeInvalid(good.text) }),
  /**
   * The mark contains `{parts: […], repaired}`: one answer for each part of a page, and the answer to the repair
   * request.
   */
  "in-parts": (call, good) => respond(call, { ...good, text: JSON.stringify(answerInParts(call)) }),
  "in-parts-cut": (call, good) => {
    const text = JSON.stringify(answerInParts(call));
    respond(
      call,
      partOf(call) === null ? { ...good, asTool: null, text: text.slice(0, -2), end: "length" } : { ...good, text },
    );
  },
  empty: (call, good) => respond(call, { ...good, asTool: null, text: "" }),
  /** The mark contains `{items}`: the number of items in the answer. */
  many: (call, good) => respond(call, { ...good, text: JSON.stringify({ items: manyItems(call) }) }),
  blank: (call, good) => respond(call, { ...good, asTool: null, text: "\n \n" }),
  truncated: (call, good) => respond(call, { ...good, asTool: null, text: good.text.slice(0, -2), end: "length" }),
  full: (call, good) => respond(call, { ...good, asTool: null, text: good.text.slice(0, -2), end: "context_full" }),
  refuse: (call) => respond(call, { asTool: null, text: "I can't help with that.", end: "refusal" }),
  filtered: (call, good) => respond(call, { asTool: null, text: good.text.slice(0, 5), end: "filtered" }),
  unstreamed: (call, good) => sendJson(call.response, wholeResponse(call.provider, String(call.body.model), good)),
  "plain-only": (call, good) =>
    ["response_format", "output_config", "tools"].some((name) => name in call.body)
      ? fail(call, 400, "This server doesn't support the parameter.")
      : respond(call, good),

  /** Repeats a sequence of two retryable failures and a 400. */
  "failing-then-plain-only": (call) =>
    call.count % 3 === 0 ? runBehavior("plain-only", call) : fail(call, 500, "Broken.", { "retry-after-ms": "1" }),
  "too-long": (call) =>
    call.provider === "openai"
      ? fail(call, 400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.")
      : fail(call, 400, "prompt is too long: 208310 tokens > 200000 maximum"),
  "too-long-code": (call) => fail(call, 400, "No.", {}, "context_length_exceeded"),

  busy: (call) => fail(call, 429, "Slow down.", { "retry-after": "1" }),
  "busy-long": (call) => fail(call, 429, "Slow down.", { "retry-after": "120" }),
  "busy-moment": (call) => fail(call, 429, "Slow down.", { "retry-after-ms": "20" }),
  quota: (call) => fail(call, 429, "You exceeded your current quota.", {}, "insufficient_quota"),
  overloaded: (call) => fail(call, call.provider === "anthropic" ? 529 : 503, "Overloaded."),
  "no-retry": (call) => fail(call, 500, "A permanent error.", { "x-should-retry": "false" }),
  page: ({ response }) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Gateway</h1>"),

  reset: ({ response }) => response.socket?.destroy(),
  cut: (call, good) => stream(call, firstEventsOf(call, good), "destroy"),
  "early-end": (call, good) => stream(call, firstEventsOf(call, good), "end"),
  "broken-stream": (call, good) => stream(call, [...firstEventsOf(call, good), streamError(call.provider)], "end"),
  "untyped-stream": (call, good) =>
    stream(call, [...firstEventsOf(call, good), untypedStreamError(call.provider, "The prompt was: QUOTED.")], "end"),
  hang: () => {},
  "hang-head": (call) => stream(call, [":\n\n"]),
  "hang-middle": (call, good) => stream(call, firstEventsOf(call, good)),
  endless: (call, good) => void streamForever(call, { ...good, text: "x".repeat(200_000) }),
  slow: (call, good) => void streamSlowly(call, eventsOf(call, good)),
};

function respond(call: Call, answer: Answer): void {
  if (call.body.stream === true) stream(call, eventsOf(call, answer), "end");
  else sendJson(call.response, wholeResponse(call.provider, String(call.body.model), answer));
}

function eventsOf({ provider, body }: Call, answer: Answer): string[] {
  return streamEvents(provider, String(body.model), answer);
}

/** Returns the first events of the stream, up to and including the event with the first half of the text. */
function firstEventsOf(call: Call, answer: Answer): string[] {
  return eventsOf(call, answer).slice(0, call.provider === "openai" ? 2 : 4);
}

function stream({ response }: Call, parts: string[], then?: "end" | "destroy"): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  response.write(parts.join(""), () => {
    if (then === "end") response.end();
    if (then === "destroy") response.socket?.destroy();
  });
}

/** Streams the same text until the client closes the connection. */
async function streamForever(call: Call, answer: Answer): Promise<void> {
  const { response } = call;
  response.on("error", () => {}); // The client closed the connection.
  stream(call, firstEventsOf(call, answer));
  const piece = firstEventsOf(call, answer).at(-1) ?? "";
  while (!response.destroyed) {
    if (!response.write(piece)) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
}

/** Sends the events one by one, with a delay after each. */
async function streamSlowly({ response }: Call, parts: string[]): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  for (const part of parts) {
    response.write(part);
    await new Promise((resolve) => setTimeout(resolve, SLOW_EVENT_DELAY_MS));
  }
  response.end();
}

const SLOW_EVENT_DELAY_MS = 500;

function fail({ provider, response }: Call, status: number, message: string, headers = {}, code?: string): void {
  const openaiTypes: Record<number, string> = { 401: "invalid_request_error", 429: "rate_limit_error" };
  const anthropicTypes: Record<number, string> = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
  };
  const error =
    provider === "openai"
      ? { message, type: openaiTypes[status] ?? "server_error", param: null, code: code ?? null }
      : { type: code ?? anthropicTypes[status] ?? "api_error", message };
  sendJson(response, provider === "openai" ? { error } : { type: "error", error, request_id: "req_1" }, {
    status,
    headers,
  });
}

function goodAnswer({ body, mark }: Call): Answer {
  const tool = Array.isArray(body.tools) ? body.tools[0] : null;
  const asTool = isObject(tool) ? String(tool.name) : null;
  const schema = schemaIn(body);
  const hasKeywords = isObject(schema) && Object.keys(schema).some((keyword) => keyword !== "type");
  const value = mark.answer ?? (hasKeywords ? instanceOf(schema, schema, "name", 0) : { name: "a name" });
  return { text: JSON.stringify(value), asTool, end: "stop" };
}

function schemaIn(body: Record<string, unknown>): unknown {
  const at = (value: unknown, ...path: string[]): unknown =>
    path.reduce((part, name) => (isObject(part) || Array.isArray(part) ? (part as never)[name] : undefined), value);
  return (
    at(body, "response_format", "json_schema", "schema") ??
    at(body, "output_config", "format", "schema") ??
    at(body, "tools", "0", "input_schema")
  );
}

/** Builds a value for a schema. It supports only simple schemas, mostly types and references. */
function instanceOf(schema: unknown, root: unknown, name: string, depth: number): unknown {
  if (!isObject(schema) || depth > 12) return null;
  if (typeof schema.$ref === "string") {
    const path = schema.$ref.replace(/^#\/?/, "").split("/").filter(Boolean);
    const target = path.reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), root);
    return instanceOf(target, root, name, depth + 1);
  }
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return instanceOf(branches[0], root, name, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || isObject(schema.properties)) {
    const members = Object.entries(isObject(schema.properties) ? schema.properties : {});
    return Object.fromEntries(members.map(([key, part]) => [key, instanceOf(part, root, key, depth + 1)]));
  }
  if (type === "array") return [instanceOf(schema.items ?? {}, root, name, depth + 1)];
  if (type === "number" || type === "integer") return Math.max(7, Number(schema.minimum ?? 7));
  if (type === "boolean") return true;
  return type === "null" ? null : `a ${name}`;
}

/**
 * Large pages are split into parts. Returns the index of the part in the prompt, from 0, or null if the prompt has no
 * part.
 */
function partOf({ body }: Call): number | null {
  const [, number] = /This is part (\d+) of/.exec(messageTexts(JSON.stringify(body))) ?? [];
  return number === undefined ? null : Number(number) - 1;
}

function manyItems({ mark }: Call): unknown[] {
  const { items } = mark.answer as { items: number };
  return Array.from({ length: items }, (_, at) => ({ n: `Ship ${at}` }));
}

function answerInParts(call: Call): unknown {
  const { parts, repaired } = call.mark.answer as { parts: unknown[]; repaired: unknown };
  const part = partOf(call);
  return part === null ? repaired : parts[part];
}

/**
 * Makes an answer invalid by replacing its numbers with strings. If it has no numbers, returns an object with an
 * unknown member.
 */
function makeInvalid(text: string): string {
  const changed = text.replace(/:-?\d+(\.\d+)?/g, ':"not a number"');
  return changed === text ? '{"another":"member"}' : changed;
}

/** Returns the first mark, such as `[[good]]`, in a request to a model. */
function markIn(raw: string): Mark {
  const [, behavior = "good", id, rest] = /\[\[([a-z0-9-]+)(?: ([\w-]+))?( [\s\S]*)?\]\]/.exec(messageTexts(raw)) ?? [];
  return { behavior, id: id ?? behavior, answer: parsePrefix(rest ?? "") };
}

/** Returns the text of all messages and the bytes of their images, joined with newlines. */
function messageTexts(raw: string): string {
  const texts: string[] = [];
  JSON.stringify(parse(raw), (key, value) => {
    if (typeof value !== "string") return value;
    if (key === "content" || key === "system" || key === "text") texts.push(value);
    if (key === "data" || (key === "url" && value.startsWith("data:"))) texts.push(imageText(value));
    return value;
  });
  return texts.join("\n");
}

/** Returns the bytes of an image as text. A PNG must have one chunk of pixels. */
function imageText(data: string): string {
  const bytes = Buffer.from(data.slice(data.indexOf(",") + 1), "base64");
  const pixels = bytes.subarray(0, 4).toString("latin1") === "\x89PNG" ? bytes.indexOf("IDAT") : -1;
  if (pixels < 0) return bytes.toString();
  return inflateSync(bytes.subarray(pixels + 4, pixels + 4 + bytes.readUInt32BE(pixels - 4))).toString();
}

/** Parses the JSON at the start of `rest`, up to the end of the mark. Returns undefined if there is no JSON. */
function parsePrefix(rest: string): unknown {
  for (let end = rest.indexOf("]]"); ; end = rest.indexOf("]]", end + 1)) {
    const value = parse(end < 0 ? rest : rest.slice(0, end));
    if (value !== undefined || end < 0) return value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
