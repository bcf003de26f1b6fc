// The operations of the playground, and the fields of their forms. The kinds, values and limits of the fields come from
// the schemas of the contract.
import { z } from "zod";
import { BatchRequest } from "../../../contract/batches";
import { CrawlRequest } from "../../../contract/crawls";
import { ENDPOINT_SCHEMAS } from "../../../contract/endpoint-schemas";
import type { BatchKind } from "../../../model/batch";
import type { Endpoint } from "../../../model/endpoint";

/** An operation that the playground runs. */
export type Operation = Endpoint | BatchKind;

/** Returns true for batches and crawls, which have their own pages and many jobs. */
export function isBatchKind(operation: Operation): operation is BatchKind {
  return operation === "batch" || operation === "crawl";
}

/** The schema of each operation's body. */
export const REQUESTS = {
  scrape: ENDPOINT_SCHEMAS.scrape.request,
  parse: ENDPOINT_SCHEMAS.parse.request,
  serp: ENDPOINT_SCHEMAS.serp.request,
  map: ENDPOINT_SCHEMAS.map.request,
  batch: BatchRequest,
  crawl: CrawlRequest,
} as const satisfies { [O in Operation]: z.ZodObject };

/** The name of the field with the parameters that have no separate field. */
export const OTHER_FIELD = "other";

type FieldName<O extends Operation> = keyof (typeof REQUESTS)[O]["shape"] | typeof OTHER_FIELD;

/** The fields of a form. The groups are collapsible. */
interface Layout<Name> {
  main: readonly Name[];
  groups: readonly (readonly [title: string, names: readonly Name[]])[];
}

const SHARED = ["max_credits", "webhook_url", OTHER_FIELD] as const;

/** The fields of each form. Parameters that aren't listed are in the field `other`. */
const LAYOUTS: { [O in Operation]: Layout<FieldName<O>> } = {
  scrape: {
    main: ["url", "file", "formats", "render"],
    groups: [
      [
        "More parameters",
        [
          "wait_for",
          "only_main_content",
          "include_selectors",
          "exclude_selectors",
          "hidden_text",
          "pages",
          "ocr",
          "proxy_country",
          "json",
          "actions",
          ...SHARED,
        ],
      ],
    ],
  },
  parse: {
    main: ["url", "file", "prompt", "schema"],
    groups: [
      ["HTML instead of a URL", ["html"]],
      ["More parameters", ["strategy", "model", "evidence", "hidden_text", "pages", "ocr", "actions", ...SHARED]],
    ],
  },
  serp: {
    main: ["query", "engine", "type", "num_results"],
    groups: [
      ["Filters", ["page", "time_range", "safe_search", "include_domains", "exclude_domains"]],
      ["Contents of the pages", ["scrape"]],
      ["More parameters", ["location", "language", "device", "blocks", ...SHARED]],
    ],
  },
  map: {
    main: ["url", "search", "sitemap"],
    groups: [["More parameters", ["limit", "include_subdomains", "proxy_country", ...SHARED]]],
  },
  batch: {
    main: ["endpoint", "requests", "defaults"],
    groups: [["More parameters", ["ignore_invalid", "webhook_events", "tags", ...SHARED]]],
  },
  crawl: {
    main: ["url", "limit", "max_depth", "sitemap", "include_paths", "exclude_paths", "allow_subdomains", "scrape"],
    groups: [["More parameters", ["delay", "robots", "webhook_events", "tags", ...SHARED]]],
  },
};

/** Returns the fields of an operation's form. */
export function layoutOf(operation: Operation): Layout<string> {
  return LAYOUTS[operation];
}

/**
 * The kind of a field. `lines` is a list with one entry per line, and `choices` a list of checkboxes. A `url` may omit
 * the scheme. `requests` have one entry per line. A `file` is sent next to the other values. All parameters of the kind
 * `other` share one field, which contains them as a JSON object.
 */
type FieldKind =
  | "line"
  | "url"
  | "text"
  | "lines"
  | "choice"
  | "choices"
  | "number"
  | "boolean"
  | "json"
  | "requests"
  | "file"
  | "other";

/** A parameter of an operation, as its form shows it. */
export interface Field {
  name: string;
  kind: FieldKind;
  /** The values of a choice. */
  options: readonly string[];
  /** The value that a request can omit. Undefined if there is none. */
  defaultValue: unknown;
  /** The limits of a number. */
  min: number | null;
  max: number | null;
  /** The limit of a text, in characters. */
  maxLength: number | undefined;
}

/** The kinds that a schema doesn't show. */
const KINDS: { readonly [name: string]: FieldKind } = {
  url: "url",
  webhook_url: "url",
  prompt: "text",
  html: "text",
  requests: "requests",
  file: "file",
};

/** The defaults that the contract describes only in words, because requests are stored without them. */
const DESCRIBED_DEFAULTS: { readonly [name: string]: string } = { render: "never", hidden_text: "drop" };

/** The parameters without a place in the form. `render` includes `js_render`, and the playground runs each request. */
const OMITTED = new Set(["js_render", "dry_run"]);

export function fieldsOf(operation: Operation): ReadonlyMap<string, Field> {
  const { main, groups } = layoutOf(operation);
  const own = new Set([...main, ...groups.flatMap(([, names]) => names)]);
  const names = Object.keys(REQUESTS[operation].shape).filter((name) => !OMITTED.has(name));
  return new Map(names.map((name) => [name, toField(operation, name, own.has(name))]));
}

function toField(operation: Operation, name: string, isOwn: boolean): Field {
  const shape: Record<string, z.ZodType> = REQUESTS[operation].shape;
  const { inner, defaultValue } = unwrap(shape[name]);
  const isNumber = inner instanceof z.ZodNumber;
  const [min, max] = isNumber ? [inner.minValue, inner.maxValue] : [null, null];
  const hasMax = max !== null && max < Number.MAX_SAFE_INTEGER;
  return {
    name,
    kind: isOwn ? (KINDS[name] ?? kindOf(inner)) : "other",
    options: optionsOf(inner instanceof z.ZodArray ? unwrap(inner.element as z.ZodType).inner : inner),
    defaultValue: defaultValue ?? DESCRIBED_DEFAULTS[name] ?? (inner instanceof z.ZodBoolean ? false : undefined),
    min,
    max: hasMax ? max : null,
    maxLength: inner instanceof z.ZodString ? (inner.maxLength ?? undefined) : undefined,
  };
}

function kindOf(schema: z.ZodType | undefined): FieldKind {
  if (schema instanceof z.ZodEnum) return "choice";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodString) return "line";
  if (!(schema instanceof z.ZodArray)) return "json";
  const { inner } = unwrap(schema.element as z.ZodType);
  if (inner instanceof z.ZodEnum) return "choices";
  return inner instanceof z.ZodString ? "lines" : "json";
}

function optionsOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

/** Returns the schema without its default and its transformations, and the default. */
function unwrap(schema: z.ZodType | undefined): { inner: z.ZodType | undefined; defaultValue: unknown } {
  if (schema instanceof z.ZodDefault)
    return { inner: unwrap(schema.unwrap() as z.ZodType).inner, defaultValue: schema.def.defaultValue };
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType);
  return { inner: schema, defaultValue: undefined };
}
