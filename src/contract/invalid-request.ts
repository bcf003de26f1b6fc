import { getOpenApiMetadata } from "@asteasolutions/zod-to-openapi";
import type { z } from "@hono/zod-openapi";
import { AppError, type ErrorDetail } from "../model/errors";
import { noteAbout, suggestParameter, suggestValue } from "./peer-names";
import { ScrapeRequest } from "./scrape";
import { maybeSecret } from "./secret-fields";

/** The members of a zod issue that an error response uses. */
interface Issue {
  path: PropertyKey[];
  code?: string | undefined;
  expected?: string | undefined;
  keys?: string[] | undefined;
  values?: unknown[] | undefined;
  origin?: string | undefined;
  /** The issues of each branch of a union. */
  errors?: Issue[][] | undefined;
  message: string;
}

/** The request that a schema refused. A message is more specific if these are known. */
interface RefusedInput {
  /** The parameters. Messages quote short values. */
  value?: unknown;
  /** The schema of the parameters. Messages suggest its fields. */
  schema?: z.ZodType | undefined;
  /** The operation's other parameters: those of the body for a query, and those of the query for a body. */
  other?: { place: "query" | "body"; schema: z.ZodType | undefined };
}

/** A detail of the response. `suggestion` is the path of the parameter that an unknown one probably stands for. */
interface Finding extends ErrorDetail {
  suggestion?: string | null | undefined;
}

/** The length of the longest value that an error message quotes. */
const MAX_QUOTED_CHARS = 40;
/** The length of the longest menu of which a message lists all values. */
const MAX_LISTED_OPTIONS = 20;
/** The number of details that the message repeats. */
const MAX_SENTENCES = 3;
/** The number of details of one request. A body can have more invalid values than a caller reads. */
const MAX_DETAILS = 50;

/** Returns the error for a schema's issues: a detail for each of MAX_DETAILS, and a message about the first. */
export function toInvalidRequest(issues: readonly object[], input: RefusedInput = {}): AppError {
  const findings = issues
    .slice(0, MAX_DETAILS)
    .flatMap((issue) => toFindings(issue as Issue, input))
    .slice(0, MAX_DETAILS);
  const missing = new Set(findings.filter(({ message }) => message.startsWith(REQUIRED)).map(({ path }) => path));
  // A parameter with a wrong name explains why the right one is missing, so it is named first.
  const sorted = findings.toSorted((a, b) => Number(explains(b, missing)) - Number(explains(a, missing)));
  const details = sorted.map(({ path, message }) => ({ path, message }));
  const unexplained = sorted.find(({ suggestion }) => suggestion === null);
  const parent = unexplained?.path.split(".").slice(0, -1);
  const known = parent === undefined ? [] : knownFields(input.schema, parent, input.value);
  // The reference doesn't describe an unknown parameter.
  const described = sorted[0]?.message.startsWith(UNKNOWN) ? undefined : sorted[0]?.path;
  const parameter = sorted[0]?.suggestion ?? described;
  return new AppError("invalid_request", toMessage(details), { details, hint: toKnownHint(known), parameter });
}

/** Returns the value as the schema parses it. Throws AppError `invalid_request` if it is invalid. */
export function parseWith<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues, { value, schema });
  return parsed.data;
}

function toKnownHint(known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  return known.length === 1
    ? `The only known parameter is ${known[0]}.`
    : `The known parameters are ${known.join(", ")}.`;
}

/** The parts of an error about one parameter, in addition to its rule. */
interface InvalidParameter {
  /** The given value. The message quotes it if it is short. */
  given?: string | undefined;
  /** The cause of the error. The text follows a colon. */
  reason?: string | undefined;
  /** The value that the caller probably meant. */
  suggestion?: string | null | undefined;
  /** The kind of name in `path`. Default: parameter. */
  kind?: "parameter" | "field" | "header";
  hint?: string | undefined;
  cause?: unknown;
}

/** Returns an error about one parameter. `rule` completes a sentence that begins with the parameter's name. */
export function invalidParameter(path: string, rule: string, more: InvalidParameter = {}): AppError {
  const { given = "", reason, suggestion = null, kind = "parameter", hint, cause } = more;
  const quoted = isQuotable(given) ? `, not '${given}'` : "";
  const question = suggestion === null ? "" : `. Did you mean '${suggestion}'?`;
  const details = [{ path, message: `${rule}${quoted}${reason === undefined ? "" : `: ${reason}`}${question}` }];
  return new AppError("invalid_request", toMessage(details, kind), { details, hint, parameter: path, cause });
}

/** Returns an error about several parameters. The message describes the first one. */
export function invalidParameters(details: ErrorDetail[], hint?: string): AppError {
  return new AppError("invalid_request", toMessage(details), { details, hint, parameter: details[0]?.path });
}

/** Throws AppError invalid_request if the body isn't a JSON object. */
export function checkIsObject(body: unknown): void {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return;
  throw new AppError("invalid_request", `The body must be a JSON object, not ${withArticle(typeOf(body))}.`);
}

function explains({ suggestion }: Finding, missing: ReadonlySet<string>): boolean {
  return typeof suggestion === "string" && missing.has(suggestion);
}

function toMessage(details: readonly ErrorDetail[], kind = "parameter"): string {
  if (details.length === 0) return "The request is not valid.";
  const sentences = details.slice(0, MAX_SENTENCES).map(({ path, message }) => {
    const end = /[.?!]$/.test(message) ? "" : ".";
    return `The ${kind} '${path}' ${message}${end}`;
  });
  const rest = details.length - MAX_SENTENCES;
  return [...sentences, ...(rest > 0 ? [`${rest} more: see 'details'.`] : [])].join(" ");
}

/** Returns the findings of an issue. An issue about unknown parameters has one for each unknown parameter. */
function toFindings(issue: Issue, input: RefusedInput): Finding[] {
  const path = issue.path.map(String).join(".");
  if (issue.code === "invalid_union") {
    // If the value has the type of exactly one branch, only the findings of this branch apply.
    const branch = issue.errors?.find((errors) => errors.every((error) => error.path.length > 0));
    if (branch !== undefined)
      return branch.flatMap((error) => toFindings({ ...error, path: [...issue.path, ...error.path] }, input));
  }
  if (issue.code === "unrecognized_keys" && issue.keys !== undefined) {
    const at = (name: string) => (path === "" ? name : `${path}.${name}`);
    return issue.keys.slice(0, MAX_DETAILS).map((key) => {
      const { message, suggestion }: Omit<Finding, "path"> = describeUnknown(key, issue.path, input);
      return { path: at(key), message, suggestion: suggestion ? at(suggestion) : suggestion };
    });
  }
  const value = issue.path.reduce<unknown>((parent, key) => fieldsOf(parent)[key], input.value);
  // A query parameter that is given twice is a list. A parameter can be repeated only if its schema accepts a list.
  if (input.other?.place === "body" && Array.isArray(value) && issue.code !== "custom")
    return [{ path, message: "must not be repeated" }];
  const rule = toRule(issue, maybeSecret(issue.path) ? undefined : value, findExample(input.schema, issue.path));
  // A missing value of a menu or of a union breaks the rule about its values, too.
  const isMissing = input.value !== undefined && value === undefined && rule.startsWith("must ");
  const isOfValue = ["invalid_value", "invalid_union", "invalid_type"].includes(issue.code ?? "");
  return [{ path: path === "" ? "body" : path, message: isMissing && isOfValue ? `${REQUIRED}; it ${rule}` : rule }];
}

function fieldsOf(value: unknown): Record<PropertyKey, unknown> {
  return Object(value) as Record<PropertyKey, unknown>;
}

const UNKNOWN = "is not a known parameter";
const REQUIRED = "is required";

function describeUnknown(key: string, path: readonly PropertyKey[], { value, schema, other }: RefusedInput) {
  if (path.length === 0 && other !== undefined && knownFields(other.schema).includes(key)) {
    if (other.place === "body") return { message: "belongs in the JSON body, not in the URL" };
    const given = String((Object(value) as Record<string, unknown>)[key]);
    return { message: `belongs in the URL, not in the body: ?${key}=${isQuotable(given) ? given : "…"}` };
  }
  const known = knownFields(schema, path, value);
  const isNumber =
    typeof fieldsOf(path.reduce<unknown>((parent, name) => fieldsOf(parent)[name], value))[key] === "number";
  // Similar services use one parameter for a selector and for a time.
  const named = suggestParameter(key, known);
  const suggestion = named === "wait_for" && isNumber && known.includes("wait_ms") ? "wait_ms" : named;
  if (suggestion !== null) return { message: `${UNKNOWN}. Did you mean '${suggestion}'?`, suggestion };
  const note = noteAbout(key);
  if (note !== null) return { message: `${UNKNOWN}. ${note}` };
  const place = path.length > 0 ? undefined : known.find((name) => name === "scrape" || name === "defaults");
  const option = place === undefined ? null : suggestParameter(key, knownFields(ScrapeRequest));
  if (option === null) return { message: UNKNOWN, suggestion };
  const rename = option === key ? "" : ` Did you mean '${place}.${option}'?`;
  return { message: `${UNKNOWN}. Options of the pages belong in '${place}'.${rename}`, suggestion };
}

/**
 * Returns the rule that the parameter breaks. The text completes a sentence that begins with the parameter's name.
 * `example` is a right value as JSON, or an empty string.
 */
function toRule(issue: Issue, value: unknown, example: string): string {
  const { code, values, message } = issue;
  const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? [];
  if (received === "undefined") return REQUIRED;
  if (expected !== undefined && received !== undefined) return toTypeRule(expected, received, { value, example });
  if (code === "invalid_value" && message.startsWith("Invalid option: ") && values !== undefined) {
    return toOptionRule(values.map(String), value);
  }
  const rule = toSizeRule(message) ?? message.replace(/^Invalid input: /, "is invalid: ").replace(/\.$/, "");
  // The advice that follows the rule begins after the first semicolon or full stop.
  const end = /; |\. /.exec(rule)?.index ?? rule.length;
  return `${rule.slice(0, end)}${quote(issue, value)}${rule.slice(end)}`;
}

/** Rewrites zod's own texts about sizes, such as `Too small: expected number to be >=1`. Returns null for other texts. */
function toSizeRule(message: string): string | null {
  const [, verb = "", sign = "", size = "", unit = ""] =
    /^Too (?:small|big): expected \w+ to (be|have) ([<>]=?)(-?[\d.]+)( \w+)?$/.exec(message) ?? [];
  const words = SIZE_WORDS[sign];
  return words === undefined ? null : `must ${verb} ${words} ${size}${unit}`;
}

const SIZE_WORDS: Readonly<Record<string, string>> = {
  ">=": "at least",
  "<=": "at most",
  ">": "more than",
  "<": "less than",
};

function toTypeRule(
  expected: string,
  received: string,
  { value, example }: { value: unknown; example: string },
): string {
  if (expected === "int" && typeof value === "number") return `must be a whole number, not ${value}`;
  const rule = `must be ${withArticle(expected)}${example === "" ? "" : `, such as ${example}`}, not`;
  if (typeof value === "string" && value.trimStart().startsWith("{")) {
    return `${rule} a string. Send the JSON itself, without quotation marks around it.`;
  }
  if (typeof value !== "string" || !isQuotable(value)) return `${rule} ${withArticle(received)}`;
  const isUnquoted =
    expected === "boolean" ? /^(?:true|false)$/.test(value) : expected === "number" && isNumeric(value);
  if (isUnquoted) return `${rule} the string '${value}'. Send it without quotation marks.`;
  if (expected === "array") {
    const items = JSON.stringify(value.split(/, */));
    return `must be an array, not the string '${value}'. Did you mean ${items}?`;
  }
  return `${rule} a string`;
}

function toOptionRule(options: readonly string[], value: unknown): string {
  const rule =
    options.length > MAX_LISTED_OPTIONS
      ? `must be one of the ${options.length} values that the API reference lists`
      : `must be one of ${options.join(", ")}`;
  // Firecrawl's formats can be objects with a type.
  const name = typeof value === "object" ? (Object(value) as { type?: unknown }).type : value;
  if (!["string", "number", "boolean"].includes(typeof name)) return rule;
  const suggestion = suggestValue(String(name), options);
  const question = suggestion === null ? "" : `. Did you mean '${suggestion}'?`;
  if (typeof value === "object") return `${rule}, not an object${question}`;
  if (typeof value !== "string") return `${rule}, not ${value}${question}`;
  return `${rule}${isQuotable(value) ? `, not '${value}'` : ""}${question}`;
}

/** Returns the given value for the message, or an empty string if the rule isn't about the value. */
function quote({ code, origin, message }: Issue, value: unknown): string {
  const isAboutValue =
    code === "invalid_value" ||
    code === "invalid_format" ||
    code === "invalid_union" ||
    code === "invalid_type" ||
    (code === "custom" && message.startsWith("must be ")) ||
    ((code === "too_small" || code === "too_big") && origin === "number");
  if (!isAboutValue) return "";
  if (typeof value === "number" || typeof value === "boolean") return `, not ${value}`;
  if (typeof value !== "string" || !isQuotable(value)) return "";
  return code === "invalid_type" && isNumeric(value)
    ? `, not the string '${value}'. Send it without quotation marks.`
    : `, not '${value}'`;
}

/** Returns true if a message can repeat the text. URLs and email addresses are omitted, because they can have secrets. */
function isQuotable(text: string): boolean {
  return text !== "" && text.length <= MAX_QUOTED_CHARS && !/:\/\/|@/.test(text);
}

function isNumeric(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function withArticle(type: string): string {
  if (type === "null") return type;
  if (type === "record") return "an object";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** The members of a zod schema's definition that lead to the fields of an object. */
interface Definition {
  shape?: Record<string, z.ZodType>;
  /** The schema inside an optional schema or a default. */
  innerType?: z.ZodType;
  /** The input of a transformation. */
  in?: z.ZodType;
  /** The items of an array. */
  element?: z.ZodType;
  options?: z.ZodType[];
  /** The name of the field that selects a member of the union. */
  discriminator?: string;
}

/**
 * Returns the names of the fields that a request's schema has at the path. Returns an empty list if the path isn't that
 * of an object. `value` is the request, which selects the member of a union.
 */
function knownFields(schema: z.ZodType | undefined, path: readonly PropertyKey[] = [], value?: unknown): string[] {
  const { shape, innerType, in: input, element, options, discriminator } = (schema?.def ?? {}) as Definition;
  const inside = innerType ?? input;
  if (inside !== undefined) return knownFields(inside, path, value);
  if (options !== undefined) {
    const selected =
      discriminator === undefined ? options : options.filter((option) => isSelected(option, discriminator, value));
    return selected.flatMap((option) => knownFields(option, path, value));
  }
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(shape ?? {});
  return knownFields(shape?.[String(first)] ?? element, rest, (Object(value) as Record<PropertyKey, unknown>)[first]);
}

/** The length of the longest example in a message. */
const MAX_EXAMPLE_CHARS = 80;

/** Returns the parameter's example in the API reference as JSON. Empty if it has none, or only a long one. */
function findExample(schema: z.ZodType | undefined, path: readonly PropertyKey[]): string {
  const [name, index] = path;
  const field = path.length <= 2 ? fieldOf(schema, String(name)) : undefined;
  const example: unknown = field === undefined ? undefined : getOpenApiMetadata(field).example;
  const item: unknown = Array.isArray(example) && typeof index === "number" ? example[0] : undefined;
  const text = JSON.stringify(index === undefined ? example : item);
  return text !== undefined && text.length <= MAX_EXAMPLE_CHARS ? text : "";
}

/** Returns the schema of a field. Undefined if the schema isn't that of an object. */
function fieldOf(schema: z.ZodType | undefined, name: string): z.ZodType | undefined {
  const { shape, innerType, in: input } = (schema?.def ?? {}) as Definition;
  return shape?.[name] ?? (schema === undefined ? undefined : fieldOf(innerType ?? input, name));
}

/** Returns true if the value has the discriminator of this member of a union. */
function isSelected(option: z.ZodType, discriminator: string, value: unknown): boolean {
  const field = (option.def as Definition).shape?.[discriminator];
  return field?.safeParse((Object(value) as Record<string, unknown>)[discriminator]).success === true;
}
