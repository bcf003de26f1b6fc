import { Actions } from "../../../contract/actions";
import { invalidParameter } from "../../../contract/invalid-request";
import { RenderMode, WaitUntil } from "../../../contract/load-options";
import { ScrapeFormat } from "../../../contract/scrape";
import { toPrice } from "../../../endpoints/endpoints";
import { toRenderMode } from "../../../endpoints/scrape/formats";
import { toModelLines } from "../../../endpoints/scrape/price";
import { describeJsonError } from "../../../http/json-problem";
import { isObject } from "../../../json-schema/keywords";
import { sizeProblem } from "../../../json-schema/schema-problem";
import type { Endpoint } from "../../../model/endpoint";
import { AppError } from "../../../model/errors";
import type { Prices } from "../../../model/prices";
import { totalOf } from "../../../model/receipt";
import { DEFAULTS, type FieldKind, PARAMETERS, REQUIRED } from "./parameters";
import { readCookieLines, readCredentials, readHeaderLines, toCookieLines, toHeaderLines } from "./session-values";

/**
 * The playground's form fields as text, by parameter name. Links that fill the form have the same names in their query.
 */
export type FormValues = URLSearchParams;

type RequestBody = Record<string, unknown>;

/** The name of the field with the parameters of the kind `other`. */
export const OTHER_FIELD = "other";
const INDENT = 2;

/**
 * Returns the values of a new form: the values of a link or an earlier request, and the defaults for other parameters.
 */
export function fillForm(endpoint: Endpoint, given: FormValues): FormValues {
  const values = toFormValues(endpoint, DEFAULTS[endpoint]);
  const kinds: Record<string, FieldKind> = PARAMETERS[endpoint];
  for (const name of new Set(given.keys())) {
    const isJson = kinds[name] === "json" || name === OTHER_FIELD;
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

/** Converts a request's body to form values. JSON is indented, unless `indent` is 0. */
export function toFormValues(endpoint: Endpoint, body: object, indent = INDENT): FormValues {
  const values = new URLSearchParams();
  const kinds: Record<string, FieldKind> = PARAMETERS[endpoint];
  const other = Object.entries(body).filter(([name]) => kinds[name] === "other");
  if (other.length > 0) values.set(OTHER_FIELD, JSON.stringify(Object.fromEntries(other), null, indent));
  for (const [name, value] of Object.entries(body)) {
    const kind = kinds[name];
    if (kind === "choices") for (const choice of value as string[]) values.append(name, choice);
    else if (kind === "lines") values.set(name, (value as string[]).join("\n"));
    else if (kind === "json") values.set(name, JSON.stringify(value, null, indent));
    else if (kind === "headers") values.set(name, toHeaderLines(value as Parameters<typeof toHeaderLines>[0]));
    else if (kind === "cookies") values.set(name, toCookieLines(value as Parameters<typeof toCookieLines>[0]));
    else if (kind === "credentials") values.set(name, Object.values(value as object).join(":"));
    else if (kind !== undefined && kind !== "other") values.set(name, String(value));
  }
  return values;
}

/**
 * Converts form values to a request's body. Omits parameters with default values. Doesn't validate the body. Throws
 * AppError `invalid_request` if the field of a JSON parameter isn't valid JSON.
 */
export function toBody(endpoint: Endpoint, values: FormValues): RequestBody {
  const defaults: RequestBody = DEFAULTS[endpoint];
  const other = readOther(endpoint, values);
  const own = Object.entries(PARAMETERS[endpoint]).map(
    ([name, kind]) =>
      [
        name,
        kind === "other"
          ? other[name]
          : (readField(values, name, kind) ?? (name === REQUIRED[endpoint] ? "" : undefined)),
      ] as const,
  );
  // Unknown parameters are kept, because the validation refuses them and suggests the right names.
  const unknown = Object.entries(other).filter(([name]) => !Object.hasOwn(PARAMETERS[endpoint], name));
  const entries = [...own, ...unknown].filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(defaults[name]),
  );
  return Object.fromEntries(entries);
}

/** Returns the names of the parameters that share the field `other`. */
export function otherParameters(endpoint: Endpoint): string[] {
  return Object.entries<FieldKind>(PARAMETERS[endpoint]).flatMap(([name, kind]) => (kind === "other" ? [name] : []));
}

/** Reads the field `other`. Throws AppError `invalid_request` if it isn't a JSON object of such parameters. */
function readOther(endpoint: Endpoint, values: FormValues): RequestBody {
  const value = readField(values, OTHER_FIELD, "json") ?? {};
  const kinds: Record<string, FieldKind> = PARAMETERS[endpoint];
  if (!isObject(value)) throw invalidParameter(OTHER_FIELD, "must be a JSON object");
  // A link can fill this field. The link must not set parameters that shared links omit, such as `webhook_url`.
  const misplaced = Object.keys(value).find((name) => (kinds[name] ?? "other") !== "other");
  if (misplaced === undefined) return value;
  throw invalidParameter(OTHER_FIELD, `must not contain '${misplaced}', because the form has a separate field for it`);
}

/** Returns the request's body, or the error message if a JSON field is invalid. */
export function tryToBody(endpoint: Endpoint, values: FormValues): RequestBody | string {
  try {
    return toBody(endpoint, values);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Returns true if one of these parameters differs from its default. */
export function hasNonDefault(endpoint: Endpoint, values: FormValues, names: readonly string[]): boolean {
  const defaults: RequestBody = DEFAULTS[endpoint];
  return names.some((name) => !["", String(defaults[name] ?? "")].includes(values.get(name)?.trim() ?? ""));
}

/**
 * Returns the lowest and the highest price of the request with a live key, in credits. `most` is lower than `least` if
 * the limit `max_credits` doesn't allow the request.
 */
export function toCredits(prices: Prices, endpoint: Endpoint, values: FormValues): { least: number; most: number } {
  const body = tryToBody(endpoint, values);
  const mode = toRenderMode(typeof body === "string" ? { formats: [] } : toRenderFields(body));
  const formats = values.getAll("formats").flatMap((format) => ScrapeFormat.safeParse(format).data ?? []);
  const models = endpoint === "scrape" ? totalOf(toModelLines(prices, { formats })) : 0;
  const strategy = endpoint === "parse" ? values.get("strategy") : null;
  const isFromPage = strategy === "page";
  const mayUsePage = isFromPage || strategy === "auto";
  const most = isFromPage ? prices.parseWithoutModel : toPrice(prices, endpoint, mode !== "never") + models;
  const least = mayUsePage ? prices.parseWithoutModel : toPrice(prices, endpoint, mode === "always") + models;
  const limit = readField(values, "max_credits", "number");
  // A limit below the highest price means that only the method with the lowest price is used.
  return { least, most: typeof limit === "number" && limit < most ? Math.min(least, limit) : most };
}

/** Returns the parameters that determine the price. Omits invalid values, because the body isn't validated. */
function toRenderFields({
  render,
  wait_for,
  wait_until,
  wait_ms,
  actions,
  viewport,
  timezone,
  geolocation,
  formats,
}: RequestBody): Parameters<typeof toRenderMode>[0] {
  return {
    render: RenderMode.safeParse(render).data,
    wait_for: typeof wait_for === "string" ? wait_for : undefined,
    wait_until: WaitUntil.safeParse(wait_until).data,
    wait_ms: typeof wait_ms === "number" ? wait_ms : undefined,
    actions: Actions.safeParse(actions).data,
    viewport: isObject(viewport) ? viewport : undefined,
    timezone: typeof timezone === "string" ? timezone : undefined,
    geolocation: isObject(geolocation) ? geolocation : undefined,
    formats: (Array.isArray(formats) ? formats : []).flatMap((format) => ScrapeFormat.safeParse(format).data ?? []),
  };
}

function readField(values: FormValues, name: string, kind: FieldKind): unknown {
  if (kind === "choices") return values.getAll(name);
  const text = values.get(name) ?? "";
  if (text.trim() === "") return undefined;
  switch (kind) {
    case "line":
      return text.trim();
    case "url":
      return addScheme(text.trim());
    case "text":
      return text;
    case "lines":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    case "number":
      // Keeps other text unchanged, so that the validation refuses it.
      return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text.trim();
    case "boolean":
      return text === "true";
    case "json":
      return readJson(name, text);
    case "other":
      return undefined;
    case "headers":
      return readHeaderLines(text);
    case "cookies":
      return readCookieLines(text);
    case "credentials":
      return readCredentials(text.trim());
  }
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

/** Parses a JSON field. Refuses large values, because the page shows them several times and formats them recursively. */
function readJson(name: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidParameter(name, `must be valid JSON. ${describeJsonError(text) ?? ""}`.trim(), { cause });
  }
  const problem = sizeProblem(value);
  if (problem !== null) throw invalidParameter(name, problem.message);
  return value;
}
