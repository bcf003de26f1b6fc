import { invalidParameter } from "../../../contract/invalid-request";
import { describeJsonError } from "../../../http/json-problem";
import { isObject } from "../../../json-schema/keywords";
import { sizeProblem } from "../../../json-schema/schema-problem";
import { AppError, type ErrorDetail } from "../../../model/errors";
import { type Field, fieldsOf, type Operation, OTHER_FIELD } from "./operations";

/**
 * The playground's form fields as text, by parameter name. Links that fill the form have the same names in their query.
 * The field `view` says if the request is in the fields or, as JSON, in the field `body`.
 */
export type FormValues = URLSearchParams;

export type RequestBody = Record<string, unknown>;

/** The name of the field with the whole request as JSON. */
export const BODY_FIELD = "body";
const INDENT = 2;

/** Returns true if the user edits the request as JSON. */
export function isJsonView(values: FormValues): boolean {
  return values.get("view") === "json";
}

/** Returns the values of a new form: those of a link or an earlier request, and otherwise the defaults. */
export function fillForm(operation: Operation, given: FormValues): FormValues {
  const fields = fieldsOf(operation);
  const own = [...fields.values()].filter(({ kind, defaultValue }) => kind !== "other" && defaultValue !== undefined);
  const values = toFormValues(operation, Object.fromEntries(own.map(({ name, defaultValue }) => [name, defaultValue])));
  for (const name of new Set(given.keys())) {
    const isJson = fields.get(name)?.kind === "json" || name === OTHER_FIELD;
    values.delete(name);
    for (const value of given.getAll(name)) values.append(name, isJson ? indentJson(value) : value);
  }
  // The form has one field for both parameters.
  if (values.get("js_render") === "true" && !given.has("render")) values.set("render", "always");
  values.delete("js_render");
  return values;
}

/** Returns JSON with the indentation of the form. Returns other text unchanged. */
function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, INDENT);
  } catch {
    return text;
  }
}

/** Converts a request's body to form values. The body needn't be valid. JSON is indented, unless `indent` is 0. */
export function toFormValues(operation: Operation, body: object, indent = INDENT): FormValues {
  const values = new URLSearchParams();
  const fields = fieldsOf(operation);
  const other = Object.entries(body).filter(([name]) => fields.get(name)?.kind === "other");
  if (other.length > 0) values.set(OTHER_FIELD, JSON.stringify(Object.fromEntries(other), null, indent));
  for (const [name, value] of Object.entries(body)) {
    const kind = name === "js_render" ? "boolean" : fields.get(name)?.kind;
    if (kind === undefined || kind === "other" || kind === "file") continue;
    if (kind === "choices" && Array.isArray(value)) for (const choice of value) values.append(name, String(choice));
    else values.set(name, toText(kind, value, indent));
  }
  return values;
}

function toText(kind: Field["kind"], value: unknown, indent: number): string {
  if (typeof value === "string" && kind !== "json") return value;
  if (kind === "lines" && Array.isArray(value)) return value.join("\n");
  if (kind === "requests" && Array.isArray(value)) return value.map(toRequestLine).join("\n");
  return JSON.stringify(value, null, indent);
}

/** Returns the line of a batch's request: its URL, or a JSON object if the request has other parameters too. */
function toRequestLine(request: unknown): string {
  if (isObject(request) && typeof request.url === "string" && Object.keys(request).length === 1) return request.url;
  return JSON.stringify(request);
}

/**
 * Converts form values to a request's body. Omits parameters with default values. Doesn't validate the body. Throws
 * AppError `invalid_request` if the field of a JSON parameter isn't valid JSON.
 */
export function toBody(operation: Operation, values: FormValues): RequestBody {
  if (isJsonView(values)) return readBody(values);
  const fields = fieldsOf(operation);
  const other = readOther(fields, values);
  const body: RequestBody = {};
  for (const field of fields.values()) {
    const { name, kind, defaultValue } = field;
    const value = kind === "other" ? other[name] : readField(values, field);
    const isDefault = kind !== "other" && JSON.stringify(value) === JSON.stringify(defaultValue);
    if (value !== undefined && !isDefault) body[name] = value;
  }
  // Unknown parameters are kept, because the validation refuses them and suggests the right names.
  for (const [name, value] of Object.entries(other)) if (!fields.has(name)) body[name] = value;
  return body;
}

function readBody(values: FormValues): RequestBody {
  const text = values.get(BODY_FIELD) ?? "";
  const value = parseJson(BODY_FIELD, text === "" ? "{}" : text);
  if (!isObject(value)) throw invalidParameter(BODY_FIELD, "must be a JSON object");
  for (const [name, member] of Object.entries(value))
    for (const part of name === "requests" && Array.isArray(member) ? member : [member])
      if (typeof part === "object") assertSize(BODY_FIELD, part);
  return value;
}

/** Reads the field `other`. Throws AppError `invalid_request` if it isn't a JSON object of such parameters. */
function readOther(fields: ReadonlyMap<string, Field>, values: FormValues): RequestBody {
  const text = values.get(OTHER_FIELD) ?? "";
  const value = text.trim() === "" ? {} : readJson(OTHER_FIELD, text);
  if (!isObject(value)) throw invalidParameter(OTHER_FIELD, "must be a JSON object");
  // A link can fill this field. The link must not set parameters that shared links omit, such as `webhook_url`.
  const misplaced = Object.keys(value).find((name) => (fields.get(name)?.kind ?? "other") !== "other");
  if (misplaced === undefined) return value;
  throw invalidParameter(OTHER_FIELD, `must not contain '${misplaced}', because the form has a separate field for it`);
}

/** Returns the request's body, or the error message if a JSON field is invalid. */
export function tryToBody(operation: Operation, values: FormValues): RequestBody | string {
  try {
    return toBody(operation, values);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Returns the values with the same request in both views. If the edited view is invalid, changes nothing. */
export function syncViews(operation: Operation, values: FormValues): FormValues {
  const body = tryToBody(operation, values);
  if (typeof body === "string") return values;
  const isJson = isJsonView(values);
  const synced = isJson ? fillForm(operation, toFormValues(operation, body)) : new URLSearchParams(values);
  synced.set("view", isJson ? "json" : "form");
  synced.set(BODY_FIELD, isJson ? (values.get(BODY_FIELD) ?? "") : JSON.stringify(body, null, INDENT));
  return synced;
}

/** Returns true if one of these parameters differs from its default. */
export function hasNonDefault(operation: Operation, values: FormValues, names: readonly string[]): boolean {
  const fields = fieldsOf(operation);
  const isDefault = (name: string) =>
    ["", String(fields.get(name)?.defaultValue ?? "")].includes(values.get(name)?.trim() ?? "");
  return !names.every(isDefault);
}

/**
 * Returns the details of a refusal for the fields of the form. The path of a batch's request becomes the number of its
 * line. The path of a parameter without its own field becomes OTHER_FIELD.
 */
export function toFieldDetails(
  operation: Operation,
  values: FormValues,
  details: readonly ErrorDetail[],
): ErrorDetail[] {
  if (isJsonView(values)) {
    return details.map(({ path, message }) => ({
      path: BODY_FIELD,
      message: path === BODY_FIELD ? message : `'${path}' ${message}`,
    }));
  }
  const fields = fieldsOf(operation);
  const lines = (values.get("requests") ?? "").split("\n");
  const numbers = lines.flatMap((line, i) => (line.trim() === "" ? [] : [i + 1]));
  return details.map(({ path, message }) => {
    if (fields.get(path.split(".")[0] ?? "")?.kind === "other")
      return { path: OTHER_FIELD, message: `'${path}' ${message}` };
    const [, index, name = "url"] = /^requests\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
    if (index === undefined) return { path, message };
    const line = `Line ${numbers[Number(index)] ?? index}`;
    return { path: "requests", message: name === "url" ? `${line}: ${message}` : `${line}: '${name}' ${message}` };
  });
}

function readField(values: FormValues, { name, kind, defaultValue }: Field): unknown {
  if (kind === "choices") {
    const choices = values.getAll(name);
    return choices.length === 0 && defaultValue === undefined ? undefined : choices;
  }
  const text = values.get(name) ?? "";
  if (text.trim() === "" || kind === "file") return undefined;
  switch (kind) {
    case "line":
    case "choice":
      return text.trim();
    case "url":
      return addScheme(text.trim());
    case "text":
    case "other":
      return text;
    case "lines":
      return toLines(text);
    case "number":
      // Keeps other text unchanged, so that the validation refuses it.
      return /^-?\d{1,15}(?:\.\d{1,3})?$/.test(text.trim()) ? Number(text) : text.trim();
    case "boolean":
      return text === "true";
    case "json":
      return readJson(name, text);
    case "requests":
      return toLines(text).map((line) => (line.startsWith("{") ? readJson(name, line) : { url: addScheme(line) }));
  }
}

/** Returns the lines that aren't empty, without the white space around them. */
function toLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}

/**
 * Adds https:// to a host name without a scheme, such as `example.com/path` or `localhost:8787`. Returns any other text
 * unchanged, so that the validation refuses it.
 */
export function addScheme(text: string): string {
  const [, host = "", port] = /^([^\s/?#:@[\]]+|\[[\da-f:.]+\])(:\d+)?(?:[/?#]|$)/i.exec(text) ?? [];
  const isHost = port !== undefined ? host !== "" : /^(?:\[|[^.]+\.)/.test(host);
  return isHost ? `https://${text}` : text;
}

function readJson(name: string, text: string): unknown {
  const value = parseJson(name, text);
  assertSize(name, value);
  return value;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidParameter(name, `must be valid JSON. ${describeJsonError(text) ?? ""}`.trim(), { cause });
  }
}

/** Refuses large values, because the page shows them several times and formats them recursively. */
function assertSize(name: string, value: unknown): void {
  const problem = sizeProblem(value);
  if (problem !== null) throw invalidParameter(name, problem.message);
}
