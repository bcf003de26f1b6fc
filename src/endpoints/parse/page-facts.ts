import type { ChildNode, Document } from "domhandler";
import { type Metadata, readMetadata } from "../../html/metadata/metadata";
import { toPlainText, typesOf } from "../../html/page/json-ld";
import { readItems } from "../../html/page/microdata";
import { readPageModel } from "../../html/page/page-model";
import { absoluteUrl } from "../../html/parse/urls";
import { tidyValue } from "../../html/parse/white-space";
import { tokensOf } from "../../text-view/tokens";
import { removeInvisible } from "./normalize-text";

/** The facts that a page declares outside its text: metadata, JSON-LD and microdata. */
export interface PageFacts {
  /** The facts in the form `name: value`, one per line. */
  lines: string[];
  /** The objects of JSON-LD, followed by those of microdata. */
  objects: { source: "JSON-LD" | "Microdata"; value: unknown }[];
}

const MAX_OBJECTS = 200;
const MAX_DEPTH = 12;
const MAX_VALUE_CHARS = 2_000;
/** The estimated number of tokens of the key, quotes and commas around a value. */
const VALUE_OVERHEAD = 3;
/** Keys that don't describe the subject of the page. */
const IGNORED_KEYS = new Set(["@context", "potentialAction", "interactionStatistic", "inLanguage", "isPartOf"]);
/** Types that describe the site instead of the page. Their objects are sorted to the end. */
const SITE_TYPES =
  /^(?:WebSite|WebPage|Organization|NewsMediaOrganization|Corporation|BreadcrumbList|SearchAction|ImageObject|Person|SiteNavigationElement|CollectionPage|ProfilePage|ItemPage)$/;
/** Meta tags with facts. Shops declare prices and stock in them. */
const FACTUAL_META = /^(?:product|book|video|music|place|business|event):|^twitter:(?:label|data)\d$/;

/** Reads the facts of a page. Skips microdata in hidden nodes. Makes URLs absolute and passes them through `toUrl`. */
export function readPageFacts(
  document: Document,
  {
    baseUrl,
    url,
    hidden,
    toUrl,
  }: { baseUrl: string; url: string | null; hidden: ReadonlySet<ChildNode>; toUrl: (absolute: string) => string },
): PageFacts {
  const head = readPageModel(document);
  const objects = head.objects().flat();
  const items = readItems(document, {
    syntax: "microdata",
    hidden,
    toUrl: (address) => toUrl(absoluteUrl(address, baseUrl) ?? ""),
  });
  const facts = toFactLines(readMetadata(document, { baseUrl, shown: false }), { url, title: tidyValue(head.title) });
  for (const [name, content] of head.meta) if (FACTUAL_META.test(name)) facts.push(`${name}: ${tidyValue(content)}`);
  return {
    lines: facts.map((fact) => toUrl(removeInvisible(fact))),
    objects: [
      ...bySubject(objects).map((value) => ({ source: "JSON-LD" as const, value })),
      ...bySubject(items).map((value) => ({ source: "Microdata" as const, value })),
    ].slice(0, MAX_OBJECTS),
  };
}

/** Returns the metadata as lines. The URL and the title come first. */
export function toFactLines(metadata: Metadata, { url, title }: { url: string | null; title?: string }): string[] {
  const { open_graph = {}, favicon: _, title: named = "", ...fields } = metadata;
  const facts = new Map<string, string>();
  if (url !== null) facts.set("url", url);
  if (title || named) facts.set("title", title || named);
  if (title && named && named !== title) facts.set("name", named);
  for (const [name, value] of Object.entries(fields)) facts.set(name, value);
  const known = new Set(facts.values());
  for (const [name, value] of Object.entries(open_graph)) if (!known.has(value)) facts.set(`og:${name}`, value);
  return [...facts].map(([name, value]) => `${name}: ${value}`);
}

/** Returns the facts as text of at most `maxTokens` tokens, lines first. Omits what doesn't fit, without cuts. */
export function writePageFacts({ lines: facts, objects }: PageFacts, maxTokens: number): string {
  let left = maxTokens;
  const lines: string[] = [];
  const put = (line: string) => {
    left -= tokensOf(`${line}\n`);
    if (left >= 0) lines.push(line);
  };
  for (const fact of facts) put(fact);
  for (const { source, value } of objects) {
    const label = `${source}: `;
    const compact = new Compactor(left - tokensOf(`${label}\n`)).compact(value, 0);
    if (isNotEmpty(compact)) put(label + JSON.stringify(compact));
  }
  return lines.join("\n");
}

/** Copies values until the budget of tokens is used up. */
class Compactor {
  #left: number;

  constructor(tokens: number) {
    this.#left = tokens;
  }

  compact(value: unknown, depth: number): unknown {
    if (typeof value === "string") return this.#takeScalar(removeInvisible(tidyValue(toPlainText(value))));
    if (typeof value === "number" || typeof value === "boolean") return this.#takeScalar(value);
    if (typeof value !== "object" || value === null || depth >= MAX_DEPTH || this.#left <= 0) return undefined;
    if (!this.#take(VALUE_OVERHEAD)) return undefined;
    if (Array.isArray(value)) return this.#list(value, depth);
    const copy: Record<string, unknown> = Object.create(null);
    for (const [key, own] of Object.entries(value)) {
      if (this.#left <= 0) break;
      const name = removeInvisible(key).slice(0, MAX_VALUE_CHARS);
      if (IGNORED_KEYS.has(name) || !this.#take(tokensOf(JSON.stringify(name)) + VALUE_OVERHEAD)) continue;
      const compact = this.compact(own, depth + 1);
      if (isNotEmpty(compact)) copy[name] = compact;
    }
    return copy;
  }

  #list(values: unknown[], depth: number): unknown[] {
    const copy: unknown[] = [];
    for (const value of values) {
      if (this.#left <= 0) break;
      const compact = this.compact(value, depth + 1);
      if (isNotEmpty(compact)) copy.push(compact);
    }
    return copy;
  }

  #takeScalar<Value extends string | number | boolean>(value: Value): Value | undefined {
    return this.#take(tokensOf(JSON.stringify(value)) + VALUE_OVERHEAD) ? value : undefined;
  }

  /** Reserves tokens for a value. Returns false, without using any, if the value doesn't fit. */
  #take(tokens: number): boolean {
    if (tokens > this.#left) return false;
    this.#left -= tokens;
    return true;
  }
}

function isNotEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Sorts objects that describe the page before those that describe the site. */
function bySubject<Value extends object>(objects: Value[]): Value[] {
  return [...objects.filter((value) => !isAboutSite(value)), ...objects.filter(isAboutSite)];
}

function isAboutSite(value: object): boolean {
  const types = typesOf(value);
  return types.length > 0 && types.every((type) => SITE_TYPES.test(type));
}
