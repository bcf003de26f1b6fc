// Checks requests and responses against the Worker's OpenAPI document.
import { type Schema, Validator } from "@cfworker/json-schema";
import { expect } from "vitest";
import { closeSchema, resolve } from "./schema";

type Json = Record<string, unknown>;

interface Media {
  schema: Json;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, { required?: boolean; schema: Json }>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  security: unknown[];
  "x-scopes"?: string[];
  parameters?: { name: string; in: string; required?: boolean; schema: Json }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, ResponseObject>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    headers: Record<string, unknown>;
    responses: Record<string, ResponseObject>;
    schemas: Record<string, Json>;
  };
}

/** The parts of a test's request that the OpenAPI document describes. */
export interface TestRequest {
  method: string;
  path: string;
  body?: string | undefined;
}

/** The OpenAPI document describes only these paths. All other paths are pages. */
const DOCUMENTED = /^\/(v1|screenshots|pdfs|health)(\/|$)/;

export class Contract {
  readonly document: OpenApiDocument;
  readonly #validators = new WeakMap<object, Validator>();

  constructor(raw: unknown) {
    // The format of URLs isn't checked, because the service accepts spaces, and shows URLs without their secrets.
    const text = JSON.stringify(raw, (name, value) => (name === "format" && value === "uri" ? undefined : value));
    this.document = resolve(JSON.parse(text)) as OpenApiDocument;
  }

  /** Returns the operation for a method and a path, or null if the OpenAPI document doesn't define one. */
  operation(method: string, path: string): Operation | null {
    const wanted = (method === "HEAD" ? "GET" : method).toLowerCase();
    const segments = path.split("/");
    const fits = (template: string) => {
      const names = template.split("/");
      return names.length === segments.length && names.every((name, i) => name.startsWith("{") || name === segments[i]);
    };
    const templates = Object.keys(this.document.paths).filter(fits);
    // Prefers a path without parameters, as OpenAPI requires.
    const [template] = templates.sort((a, b) => a.split("{").length - b.split("{").length);
    return (template === undefined ? undefined : this.document.paths[template]?.[wanted]) ?? null;
  }

  /** Returns the differences between a response and the OpenAPI document, or an empty list if there are none. */
  async problemsOf(request: TestRequest, response: Response): Promise<string[]> {
    const { pathname, searchParams } = new URL(request.path, "https://any");
    // No operation has this response, so the document can't contain it.
    if (response.status === 405) return response.headers.has("allow") ? [] : ["the header Allow is missing"];
    if (!DOCUMENTED.test(pathname) || request.method === "OPTIONS") return [];
    const operation = this.operation(request.method, pathname);
    const documentedResponse =
      operation === null
        ? this.#unroutedResponse(response.status, pathname)
        : operation.responses[String(response.status)];
    if (documentedResponse === undefined)
      return [`the status ${response.status} is not documented: ${await response.text()}`];
    return [
      ...this.#headerProblems(documentedResponse, response),
      ...(await this.#bodyProblems(documentedResponse, response, request.method === "HEAD")),
      // Requests to /health aren't checked. It allows unknown parameters, because monitors add their own.
      ...(operation !== null && response.ok && !pathname.startsWith("/health")
        ? this.#requestProblems(operation, request, searchParams)
        : []),
    ];
  }

  /** Returns the differences between a webhook delivery and the OpenAPI document. */
  eventProblems(headers: Record<string, string>, body: string): string[] {
    const event = JSON.parse(body) as { event: string };
    const operation = this.document.webhooks[event.event]?.post;
    if (operation === undefined) return [`the event ${event.event} is not documented`];
    const documented = new Map(operation.parameters?.map((each) => [each.name.toLowerCase(), each]));
    const undocumented = Object.keys(headers).filter((name) => name.startsWith("x-webhook-") && !documented.has(name));
    return [
      ...undocumented.map((name) => `the header ${name} is not documented`),
      ...[...documented].flatMap(([name, { required, schema }]) => {
        if (headers[name] === undefined) return required ? [`the header ${name} is missing`] : [];
        return this.#validate(schema, headers[name], `the header ${name}`);
      }),
      ...this.#validate(mediaOf(operation.requestBody)?.schema ?? {}, event, "the event"),
    ];
  }

  /** Returns the differences between an operation's examples and its schemas. */
  exampleProblems({ operationId, requestBody, responses }: Operation): string[] {
    const bodies = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}));
    return bodies.flatMap(({ schema, example, examples = {} }) =>
      [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].flatMap(
        (value) => this.#validate(schema, value, `an example of ${operationId}`),
      ),
    );
  }

  /**
   * Returns the documented response to a request that matches no operation, for example because its path is unknown.
   */
  #unroutedResponse(status: number, pathname: string): ResponseObject | undefined {
    const shared = Object.values(this.document.components.responses);
    const notFound = this.document.paths["/v1/jobs/{id}"]?.get?.responses["404"];
    const documentedResponse =
      status === 404
        ? notFound
        : shared.find((each) => codesOf(each).some((code) => UNROUTED_CODES[status]?.includes(code)));
    if (documentedResponse === undefined || pathname.startsWith("/v1")) return documentedResponse;
    // Omits the rate limit headers, because only paths under /v1 return them.
    const headers = Object.entries(documentedResponse.headers ?? {}).filter(
      ([name]) => !name.startsWith("X-RateLimit-"),
    );
    return { ...documentedResponse, headers: Object.fromEntries(headers) };
  }

  #headerProblems(documentedResponse: ResponseObject, response: Response): string[] {
    const documented = documentedResponse.headers ?? {};
    const problems = Object.entries(documented).flatMap(([name, { required, schema }]) => {
      const text = response.headers.get(name);
      if (text === null) return required ? [`the header ${name} is missing`] : [];
      return this.#validate(schema, schema.type === "integer" ? Number(text) : text, `the header ${name}`);
    });
    const undocumented = Object.keys(this.document.components.headers).filter(
      (name) => response.headers.has(name) && documented[name] === undefined,
    );
    return [...problems, ...undocumented.map((name) => `the header ${name} is not documented`)];
  }

  async #bodyProblems(documentedResponse: ResponseObject, response: Response, isHead: boolean): Promise<string[]> {
    const type = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
    const media = documentedResponse.content?.[type];
    if (documentedResponse.content !== undefined && media === undefined)
      return [`the content type '${type}' is not documented`];
    if (media === undefined) return (await response.text()) === "" ? [] : ["a body is not documented"];
    if (isHead || type !== "application/json") return [];
    const body = await response.json<{ error?: { code: string } }>();
    const problems = this.#validate(media.schema, body, "the body");
    const code = response.ok ? undefined : body.error?.code;
    if (code !== undefined && !codesOf(documentedResponse).includes(code))
      problems.push(`the code '${code}' is not documented`);
    return problems;
  }

  /** Checks that the OpenAPI document allows an accepted request. */
  #requestProblems(operation: Operation, { body }: TestRequest, query: URLSearchParams): string[] {
    const parameters = operation.parameters?.filter((parameter) => parameter.in === "query") ?? [];
    const problems = [...query].flatMap(([name, text]) => {
      // The Worker ignores a parameter with an empty name.
      if (name === "") return [];
      // In the query, a parameter with the style deepObject has its key in brackets.
      const parameter = parameters.find((each) => each.name === name.replace(/\[.*\]$/s, ""));
      if (parameter === undefined) return [`the parameter ${name} was accepted but is not documented`];
      const value = toDocumentedValue(parameter.schema, name, text);
      return this.#validate(parameter.schema, value, `the parameter ${name}`);
    });
    const media = mediaOf(operation.requestBody);
    if (media === null || body === undefined) return problems;
    // Removes a byte order mark, because RFC 8259, section 8.1, lets a parser ignore it.
    const value = JSON.parse(body.replace(/^\ufeff/, ""));
    return [...problems, ...this.#validate(media.schema, value, "the accepted request")];
  }

  #validate(schema: Json, value: unknown, what: string): string[] {
    const validator = this.#validators.get(schema) ?? new Validator(closeSchema(schema) as Schema, "2020-12", false);
    this.#validators.set(schema, validator);
    const { valid, errors } = validator.validate(value);
    if (valid) return [];
    return errors.map(({ instanceLocation, error }) => `${what} at ${instanceLocation}: ${error}`);
  }
}

/** Returns the error codes that the examples of a response contain. */
export function codesOf(documentedResponse: ResponseObject): string[] {
  return Object.keys(documentedResponse.content?.["application/json"]?.examples ?? {});
}

/** Some requests fail before the router finds their operation. These are their error codes, by status. */
const UNROUTED_CODES: Record<number, string[]> = {
  401: ["missing_api_key"],
  403: ["ip_not_allowed"],
  413: ["payload_too_large"],
  429: ["rate_limited"],
  500: ["internal_error"],
  503: ["unavailable"],
};

function mediaOf(body: { content: Record<string, Media> } | undefined): Media | null {
  return body?.content["application/json"] ?? null;
}

/** Fails the test if a response differs from the OpenAPI document. */
export function expectNoProblems(request: TestRequest, response: Response, problems: string[]): void {
  const name = `${request.method} ${request.path} (status ${response.status})`;
  expect(problems, `${name} differs from the OpenAPI document`).toEqual([]);
}

/** Converts the value of a query parameter to the type in its schema. */
function toDocumentedValue({ type }: Json, name: string, text: string): unknown {
  if (type === "integer") return Number(text);
  if (type === "array") return [text];
  return type === "object" ? { [name.slice(name.indexOf("[") + 1, -1)]: text } : text;
}
