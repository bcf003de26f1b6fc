import type { ParseRequest } from "../../../contract/parse";
import { needsBrowser, type ScrapeRequest } from "../../../contract/scrape";
import type { SerpRequest } from "../../../contract/serp";
import { toPrice } from "../../../endpoints/price";
import type { Endpoint } from "../../../model/endpoint";
import { AppError } from "../../../model/errors";
import { SERP_RESULTS_DEFAULT } from "../../../model/limits";

/**
 * What the playground's form holds, by the names of the endpoint's parameters, as it was typed. The same in a form that is
 * sent and in a link that fills it.
 */
export type Values = URLSearchParams;

type Body = Record<string, unknown>;

/** How a parameter is written in a form: lines are a list with an entry on each, choices one with a box for each. */
type Kind = "line" | "text" | "lines" | "choices" | "number" | "boolean" | "json";

/** Each parameter of the contract. */
const PARAMETERS: {
  scrape: Record<keyof ScrapeRequest, Kind>;
  parse: Record<keyof ParseRequest, Kind>;
  serp: Record<keyof SerpRequest, Kind>;
} = {
  scrape: {
    url: "line",
    formats: "choices",
    js_render: "boolean",
    wait_for: "line",
    only_main_content: "boolean",
    include_selectors: "lines",
    exclude_selectors: "lines",
    proxy_country: "line",
    webhook_url: "line",
  },
  parse: {
    url: "line",
    html: "text",
    prompt: "text",
    schema: "json",
    model: "line",
    evidence: "boolean",
    webhook_url: "line",
  },
  serp: {
    query: "line",
    engine: "line",
    location: "line",
    language: "line",
    num_results: "number",
    device: "line",
    webhook_url: "line",
  },
};

/** What needn't be said. */
const DEFAULTS = {
  scrape: { formats: ["markdown"], js_render: false, only_main_content: true },
  parse: { evidence: false },
  serp: { engine: "google", num_results: SERP_RESULTS_DEFAULT, device: "desktop" },
} satisfies { scrape: Partial<ScrapeRequest>; parse: Partial<ParseRequest>; serp: Partial<SerpRequest> };

/** Empty, these are sent all the same: the refusal then says what is wanted. */
const REQUIRED: Record<Endpoint, string> = { scrape: "url", parse: "prompt", serp: "query" };

/** A form that nobody has touched yet, with what a link or an earlier request says. */
export function fill(endpoint: Endpoint, given: Values): Values {
  const values = toValues(endpoint, DEFAULTS[endpoint]);
  for (const name of new Set(given.keys())) {
    values.delete(name);
    for (const value of given.getAll(name)) values.append(name, value);
  }
  return values;
}

/** A request's body as a form holds it. */
export function toValues(endpoint: Endpoint, body: object): Values {
  const values = new URLSearchParams();
  const kinds: Record<string, Kind> = PARAMETERS[endpoint];
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
 * The body of the request that the form stands for, with what differs from the defaults. It isn't validated yet; throws
 * AppError invalid_request for what no body can be made of.
 */
export function toBody(endpoint: Endpoint, values: Values): Body {
  const defaults: Body = DEFAULTS[endpoint];
  const entries = Object.entries(PARAMETERS[endpoint])
    .map(([name, kind]) => [name, read(values, name, kind) ?? (name === REQUIRED[endpoint] ? "" : undefined)] as const)
    .filter(([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(defaults[name]));
  return Object.fromEntries(entries);
}

/** Whether the form says something else about one of these parameters than the default. */
export function saysMore(endpoint: Endpoint, values: Values, names: readonly string[]): boolean {
  const defaults: Body = DEFAULTS[endpoint];
  return names.some((name) => !["", String(defaults[name] ?? "")].includes(values.get(name)?.trim() ?? ""));
}

/** What the request costs with a live key. */
export function toCredits(endpoint: Endpoint, values: Values): number {
  const rendered = needsBrowser({
    js_render: values.get("js_render") === "true",
    wait_for: values.get("wait_for")?.trim() || undefined,
    formats: values.getAll("formats").includes("screenshot") ? ["screenshot"] : [],
  });
  return toPrice(endpoint, rendered);
}

function read(values: Values, name: string, kind: Kind): unknown {
  if (kind === "choices") return values.getAll(name);
  const text = values.get(name) ?? "";
  if (text.trim() === "") return undefined;
  switch (kind) {
    case "line":
      return text.trim();
    case "text":
      return text;
    case "lines":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    case "number":
      // Anything else goes as it is, and is refused as such.
      return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text.trim();
    case "boolean":
      return text === "true";
    case "json":
      return readJson(name, text);
  }
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `is not JSON: ${cause instanceof Error ? cause.message : "it can't be read"}`;
    throw new AppError("invalid_request", `The parameter '${name}' ${message}.`, {
      details: [{ path: name, message }],
      cause,
    });
  }
}
