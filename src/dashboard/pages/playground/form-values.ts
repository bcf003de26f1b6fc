import type { EndpointRequests } from "../../../contract/endpoint-schemas";
import { RenderMode, ScrapeFormat } from "../../../contract/scrape";
import { toPrice } from "../../../endpoints/endpoints";
import { toRenderMode } from "../../../endpoints/scrape/formats";
import type { Endpoint } from "../../../model/endpoint";
import { AppError } from "../../../model/errors";
import { SERP_RESULTS_DEFAULT } from "../../../model/limits";

/**
 * The playground's form fields as text, by parameter name. Links that fill the form have the same names in their query.
 */
export type FormValues = URLSearchParams;

type RequestBody = Record<string, unknown>;

/**
 * The form's representation of a parameter. `lines` is a list with one entry per line, `choices` a list of checkboxes.
 * A `url` may omit the scheme.
 */
type FieldKind = "line" | "url" | "text" | "lines" | "choices" | "number" | "boolean" | "json";

/** All parameters of the API. The type requires each of them. */
const PARAMETERS: { [E in Endpoint]: Record<keyof EndpointRequests[E], FieldKind> } = {
  scrape: {
    url: "url",
    formats: "choices",
    render: "line",
    js_render: "boolean",
    wait_for: "line",
    only_main_content: "boolean",
    include_selectors: "lines",
    exclude_selectors: "lines",
    hidden_text: "line",
    proxy_country: "line",
    webhook_url: "url",
  },
  parse: {
    url: "url",
    html: "text",
    prompt: "text",
    schema: "json",
    model: "line",
    evidence: "boolean",
    hidden_text: "line",
    webhook_url: "url",
  },
  serp: {
    query: "line",
    engine: "line",
    location: "line",
    language: "line",
    num_results: "number",
    device: "line",
    webhook_url: "url",
  },
};

/** The API's default values, which a request can omit. */
const DEFAULTS = {
  scrape: { formats: ["markdown"], render: "never", only_main_content: true, hidden_text: "drop" },
  parse: { evidence: false, hidden_text: "drop" },
  serp: { engine: "google", num_results: SERP_RESULTS_DEFAULT, device: "desktop" },
} satisfies { [E in Endpoint]: Partial<EndpointRequests[E]> };

/** The required parameters. They are sent even if they are empty, so that the error message names them. */
const REQUIRED: { [E in Endpoint]: string } = { scrape: "url", parse: "prompt", serp: "query" };

/**
 * Returns the values of a new form: the values of a link or an earlier request, and the defaults for other parameters.
 */
export function fillForm(endpoint: Endpoint, given: FormValues): FormValues {
  const values = toFormValues(endpoint, DEFAULTS[endpoint]);
  for (const name of new Set(given.keys())) {
    values.delete(name);
    for (const value of given.getAll(name)) values.append(name, value);
  }
  // The form has one field for both parameters.
  if (values.get("js_render") === "true" && !given.has("render")) values.set("render", "always");
  values.delete("js_render");
  return values;
}

/** Converts a request's body to form values. */
export function toFormValues(endpoint: Endpoint, body: object): FormValues {
  const values = new URLSearchParams();
  const kinds: Record<string, FieldKind> = PARAMETERS[endpoint];
  for (const [name, value] of Object.entries(body)) {
    const kind = kinds[name];
    if (kind === "choices") for (const choice of value as string[]) values.append(name, choice);
    else if (kind === "lines") values.set(name, (value as string[]).join("\n"));
    else if (kind === "json") values.set(name, JSON.stringify(value, null, 2));
    else if (kind !== undefined) values.set(name, String(value));
  }
  return values;
}

/**
 * Converts form values to a request's body. Omits parameters with default values. Doesn't validate the body. Throws
 * AppError `invalid_request` if the field of a JSON parameter isn't valid JSON.
 */
export function toBody(endpoint: Endpoint, values: FormValues): RequestBody {
  const defaults: RequestBody = DEFAULTS[endpoint];
  const entries = Object.entries(PARAMETERS[endpoint])
    .map(
      ([name, kind]) =>
        [name, readField(values, name, kind) ?? (name === REQUIRED[endpoint] ? "" : undefined)] as const,
    )
    .filter(([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(defaults[name]));
  return Object.fromEntries(entries);
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

/** Returns the lowest and the highest price of the request with a live key, in credits. */
export function toCredits(endpoint: Endpoint, values: FormValues): { least: number; most: number } {
  const mode = toRenderMode({
    render: RenderMode.safeParse(values.get("render")).data,
    wait_for: values.get("wait_for")?.trim() || undefined,
    formats: values.getAll("formats").flatMap((format) => ScrapeFormat.safeParse(format).data ?? []),
  });
  return { least: toPrice(endpoint, mode === "always"), most: toPrice(endpoint, mode !== "never") };
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

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `is not valid JSON: ${cause instanceof Error ? cause.message : "it can't be parsed"}`;
    throw new AppError("invalid_request", `The parameter '${name}' ${message}.`, {
      details: [{ path: name, message }],
      cause,
    });
  }
}
