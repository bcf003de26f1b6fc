import type { PageMetadata, RenderMode, ScrapeData, ScrapeFormat, ScrapeRequest } from "../../contract/scrape";
import type { Converted, ConvertOptions } from "../../html/convert";
import { writeMarkdown } from "../../html/markdown/markdown";
import { writeText } from "../../html/text/text";
import type { Pdf } from "../../pdf/read";

/** The metadata fields that come from the response instead of the page's content. */
type Found = Pick<PageMetadata, "url" | "status_code" | "content_type">;

/**
 * The definition of a format. Each function creates the format from one kind of content. It returns undefined if that
 * kind of content can't have the format.
 */
interface FormatDefinition<Field extends keyof ScrapeData> {
  /** The name of the field in the result. */
  field: Field;
  /** True if the format requires a rendered page. */
  needsBrowser: boolean;
  /** True if a request with this format is never free, because the page itself was delivered. */
  isAlwaysCharged: boolean;
  /** The part of an HTML page's conversion that `fromHtml` uses. Null if it uses none. */
  conversion: Exclude<keyof Converted, "kind"> | null;
  fromHtml(page: { source: string; converted: Converted }, found: Found): ScrapeData[Field];
  /** Creates the format from content that isn't markup, such as JSON or plain text. */
  fromText(source: string, found: Found): ScrapeData[Field];
  fromPdf(pdf: Pdf, found: Found): ScrapeData[Field];
}

type AnyFormat = { [Field in keyof ScrapeData]-?: FormatDefinition<Field> }[keyof ScrapeData];

/** The definitions of all formats. A result has its fields in this order. */
export const FORMATS: { [F in ScrapeFormat]: AnyFormat } = {
  html: {
    field: "html",
    needsBrowser: false,
    isAlwaysCharged: true,
    conversion: null,
    fromHtml: ({ source }) => source,
    fromText: (source) => source,
    fromPdf: () => undefined,
  },
  markdown: {
    field: "markdown",
    needsBrowser: false,
    isAlwaysCharged: false,
    conversion: "markdown",
    fromHtml: ({ converted }) => converted.markdown,
    fromText: (source) => source,
    fromPdf: ({ blocks }) => writeMarkdown(blocks),
  },
  text: {
    field: "text",
    needsBrowser: false,
    isAlwaysCharged: false,
    conversion: "text",
    fromHtml: ({ converted }) => converted.text,
    fromText: (source) => source,
    fromPdf: ({ blocks }) => writeText(blocks),
  },
  links: {
    field: "links",
    needsBrowser: false,
    isAlwaysCharged: false,
    conversion: "links",
    fromHtml: ({ converted }) => converted.links,
    fromText: () => [],
    fromPdf: ({ links }) => links,
  },
  metadata: {
    field: "metadata",
    needsBrowser: false,
    isAlwaysCharged: false,
    conversion: "metadata",
    fromHtml: ({ converted }, found) => ({ ...converted.metadata, ...found }),
    fromText: (_, found) => found,
    fromPdf: ({ metadata }, found) => ({ ...metadata, ...found }),
  },
  screenshot: {
    field: "screenshot_url",
    needsBrowser: true,
    isAlwaysCharged: true,
    conversion: null,
    // The browser takes the screenshot, and `storeScreenshot` in run.ts stores it.
    fromHtml: () => undefined,
    fromText: () => undefined,
    fromPdf: () => undefined,
  },
};

const ORDER = Object.keys(FORMATS) as ScrapeFormat[];

function formatsOf({ formats }: Pick<ScrapeRequest, "formats">): AnyFormat[] {
  return ORDER.filter((format) => formats.includes(format)).map((format) => FORMATS[format]);
}

/** Returns the fields of the requested formats. Omits fields for which `make` returns undefined. */
export function makeFormats(
  request: Pick<ScrapeRequest, "formats">,
  make: (format: AnyFormat) => ScrapeData[keyof ScrapeData],
): ScrapeData {
  const fields = formatsOf(request).map((format) => [format.field, make(format)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/**
 * Returns how the page is loaded. `wait_for` and the format `screenshot` need a browser, even if `js_render` is false.
 */
export function toRenderMode(
  request: Pick<ScrapeRequest, "js_render" | "render" | "wait_for" | "formats">,
): RenderMode {
  if (request.wait_for !== undefined || formatsOf(request).some((format) => format.needsBrowser)) return "always";
  return request.render ?? (request.js_render === true ? "always" : "never");
}

/** Returns true if the result depends on the visibility of the page's text. */
export function showsText(request: Pick<ScrapeRequest, "formats">): boolean {
  return formatsOf(request).some(({ conversion }) => conversion !== null && conversion !== "metadata");
}

/** Returns true if a page with an outcome other than ok is free. */
export function isFreeWithoutContent(request: Pick<ScrapeRequest, "formats">): boolean {
  return !formatsOf(request).some((format) => format.isAlwaysCharged);
}

/** Returns the options for the conversion of a request's page. */
export function toConversion(request: ScrapeRequest, url: string): ConvertOptions {
  const used = new Set(formatsOf(request).map(({ conversion }) => conversion));
  const parts: { [Part in Exclude<keyof Converted, "kind">]-?: boolean } = {
    markdown: used.has("markdown"),
    text: used.has("text"),
    metadata: used.has("metadata"),
    links: used.has("links"),
  };
  return {
    ...parts,
    url,
    onlyMainContent: request.only_main_content,
    includeSelectors: request.include_selectors ?? [],
    excludeSelectors: request.exclude_selectors ?? [],
    hiddenText: request.hidden_text ?? "drop",
  };
}
