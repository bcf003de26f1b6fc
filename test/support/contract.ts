// Holds every answer, and every request that was taken, against the OpenAPI document of the Worker that gave it.
import { type Schema, Validator } from "@cfworker/json-schema";
import { expect } from "vitest";
import { closed, resolve } from "./schema";

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
  security: unknown[];
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

/** What a test asked, as far as the document speaks of it. */
export interface TestRequest {
  method: string;
  path: string;
  body?: string | undefined;
}

/** Of these paths the document tells; the others are pages. */
const DOCUMENTED = /^\/(v1|screenshots|health)(\/|$)/;

export class Contract {
  readonly document: OpenApiDocument;
  readonly #validators = new WeakMap<object, Validator>();

  constructor(raw: unknown) {
    this.document = resolve(raw) as OpenApiDocument;
  }

  /** The operation that a request means; null where there is none. */
  operation(method: string, path: string): Operation | null {
    const wanted = (method === "HEAD" ? "GET" : method).toLowerCase();
    const segments = path.split("/");
    const fits = (template: string) => {
      const names = template.split("/");
      return names.length === segments.length && names.every((name, i) => name.startsWith("{") || name === segments[i]);
    };
    const templates = Object.keys(this.document.paths).filter(fits);
    // A path without parameters stands before one with them.
    const [template] = templates.sort((a, b) => a.split("{").length - b.split("{").length);
    return (template === undefined ? undefined : this.document.paths[template]?.[wanted]) ?? null;
  }

  /** What is wrong with the answer by the document; empty when nothing is. */
  async problemsOf(request: TestRequest, response: Response): Promise<string[]> {
    const { pathname, searchParams } = new URL(request.path, "https://any");
    if (!DOCUMENTED.test(pathname) || request.method === "OPTIONS") return [];
    const operation = this.operation(request.method, pathname);
    const answer =
      operation === null ? this.#elsewhere(response.status, pathname) : operation.responses[String(response.status)];
    if (answer === undefined) return [`the status ${response.status} is not documented: ${await response.text()}`];
    return [
      ...this.#headerProblems(answer, response),
      ...(await this.#bodyProblems(answer, response, request.method === "HEAD")),
      // A monitor may add what it likes to an address.
      ...(operation !== null && response.ok && !pathname.startsWith("/health")
        ? this.#requestProblems(operation, request, searchParams)
        : []),
    ];
  }

  /** What is wrong with a webhook's delivery. */
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
        return this.#findProblems(schema, headers[name], `the header ${name}`);
      }),
      ...this.#findProblems(mediaOf(operation.requestBody)?.schema ?? {}, event, "the event"),
    ];
  }

  /** What is wrong with the examples of an operation. */
  exampleProblems({ operationId, requestBody, responses }: Operation): string[] {
    const bodies = [requestBody, ...Object.values(responses)].flatMap((each) => Object.values(each?.content ?? {}));
    return bodies.flatMap(({ schema, example, examples = {} }) =>
      [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)].flatMap(
        (value) => this.#findProblems(schema, value, `an example of ${operationId}`),
      ),
    );
  }

  /** Where no operation is: no such path, no such method, or no way in. */
  #elsewhere(status: number, pathname: string): ResponseObject | undefined {
    const shared = Object.values(this.document.components.responses);
    const notFound = this.document.paths["/v1/jobs/{id}"]?.get?.responses["404"];
    const answer =
      status === 404
        ? notFound
        : shared.find((each) => codesOf(each).some((code) => ELSEWHERE[status]?.includes(code)));
    if (answer === undefined || pathname.startsWith("/v1")) return answer;
    // The rate of a key is told where keys are shown.
    const headers = Object.entries(answer.headers ?? {}).filter(([name]) => !name.startsWith("X-RateLimit-"));
    return { ...answer, headers: Object.fromEntries(headers) };
  }

  #headerProblems(answer: ResponseObject, response: Response): string[] {
    const documented = answer.headers ?? {};
    const problems = Object.entries(documented).flatMap(([name, { required, schema }]) => {
      const text = response.headers.get(name);
      if (text === null) return required ? [`the header ${name} is missing`] : [];
      return this.#findProblems(schema, schema.type === "integer" ? Number(text) : text, `the header ${name}`);
    });
    const undocumented = Object.keys(this.document.components.headers).filter(
      (name) => response.headers.has(name) && documented[name] === undefined,
    );
    return [...problems, ...undocumented.map((name) => `the header ${name} is not documented`)];
  }

  async #bodyProblems(answer: ResponseObject, response: Response, isHead: boolean): Promise<string[]> {
    const type = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
    const media = answer.content?.[type];
    if (answer.content !== undefined && media === undefined) return [`the content type '${type}' is not documented`];
    if (media === undefined) return (await response.text()) === "" ? [] : ["a body is not documented"];
    if (isHead || type !== "application/json") return [];
    const body = await response.json<{ error?: { code: string } }>();
    const problems = this.#findProblems(media.schema, body, "the body");
    const code = response.ok ? undefined : body.error?.code;
    if (code !== undefined && !codesOf(answer).includes(code)) problems.push(`the code '${code}' is not documented`);
    return problems;
  }

  /** What was taken must be what the document lets in. */
  #requestProblems(operation: Operation, { body }: TestRequest, query: URLSearchParams): string[] {
    const parameters = operation.parameters?.filter((parameter) => parameter.in === "query") ?? [];
    const problems = [...query].flatMap(([name, text]) => {
      // Nothing that a caller could have misspelt.
      if (name === "") return [];
      const parameter = parameters.find((each) => each.name === name);
      if (parameter === undefined) return [`the parameter ${name} was taken and is not documented`];
      const value = parameter.schema.type === "integer" ? Number(text) : text;
      return this.#findProblems(parameter.schema, value, `the parameter ${name}`);
    });
    const media = mediaOf(operation.requestBody);
    if (media === null || body === undefined) return problems;
    // A byte order mark may be passed over (RFC 8259, 8.1), and is.
    const value = JSON.parse(body.replace(/^\ufeff/, ""));
    return [...problems, ...this.#findProblems(media.schema, value, "the request that was taken")];
  }

  #findProblems(schema: Json, value: unknown, what: string): string[] {
    const validator = this.#validators.get(schema) ?? new Validator(closed(schema) as Schema, "2020-12", false);
    this.#validators.set(schema, validator);
    const { valid, errors } = validator.validate(value);
    if (valid) return [];
    return errors.map(({ instanceLocation, error }) => `${what} at ${instanceLocation}: ${error}`);
  }
}

/** The codes that an answer is documented with. */
export function codesOf(answer: ResponseObject): string[] {
  return Object.keys(answer.content?.["application/json"]?.examples ?? {});
}

/** Codes of answers that come before it is known what is asked for. */
const ELSEWHERE: Record<number, string[]> = {
  401: ["missing_api_key"],
  403: ["ip_not_allowed"],
  405: ["method_not_allowed"],
  413: ["payload_too_large"],
  429: ["rate_limited"],
  500: ["internal_error"],
  503: ["unavailable"],
};

function mediaOf(body: { content: Record<string, Media> } | undefined): Media | null {
  return body?.content["application/json"] ?? null;
}

/** Fails the test that got an answer which the document doesn't tell of. */
export function expectNoProblems(request: TestRequest, response: Response, problems: string[]): void {
  expect(
    problems,
    `${request.method} ${request.path} answered ${response.status}, against its OpenAPI document`,
  ).toEqual([]);
}
