import type { PageMetadata, ScrapeData, ScrapeFormat, ScrapeRequest } from "../../contract/scrape";
import type { LoadedDocument } from "../../documents/package";
import { writeCleanHtml, writePlainText } from "../../html/clean-html";
import type { Converted, ConvertOptions } from "../../html/convert";
import { writeMarkdown } from "../../html/markdown/markdown";
import { writeText } from "../../html/text/text";

/** The metadata fields that come from the response instead of the page's content. */
type Found = Pick<PageMetadata, "url" | "status_code" | "content_type">;

interface HtmlPage {
  /** The markup as received, or the markup of the rendered document. */
  source: string;
  /** The response body as text. Null if the browser has discarded it. */
  body: string | null;
  converted: Converted;
}

/**
 * The definition of a format. Each function creates the format from one kind of content. Without the function, that kind
 * of content can't have the format. A format without functions is made separately: by the browser (`page-files.ts`) or
 * by a language model (`run-scrape.ts`).
 */
interface FormatDefinition<Value> {
  /** The part of an HTML page's conversion that `fromHtml` uses. */
  conversion?: Exclude<keyof Converted, "kind" | "omitted">;
  fromHtml?(page: HtmlPage, found: Found): Value;
  /** Creates the format from content that isn't markup, such as JSON or plain text. */
  fromText?(source: string, found: Found): Value;
  /** Creates the format from a document such as a PDF. */
  fromDocument?(document: LoadedDocument, found: Found): Value;
}

type FormatDefinitions = { [F in ScrapeFormat]: FormatDefinition<ScrapeData[F & keyof ScrapeData]> };

/** The definitions of all formats. A result has its fields in this order. */
const FORMATS: FormatDefinitions = {
  html: {
    fromHtml: ({ source }) => source,
    fromText: (source) => source,
  },
  raw_html: {
    fromHtml: ({ body }) => body ?? undefined,
    fromText: (source) => source,
  },
  clean_html: {
    conversion: "cleanHtml",
    fromHtml: ({ converted }) => converted.cleanHtml,
    fromText: writePlainText,
    fromDocument: ({ blocks }) => writeCleanHtml(blocks),
  },
  markdown: {
    conversion: "markdown",
    fromHtml: ({ converted }) => converted.markdown,
    fromText: (source) => source,
    fromDocument: ({ blocks }) => writeMarkdown(blocks),
  },
  text: {
    conversion: "text",
    fromHtml: ({ converted }) => converted.text,
    fromText: (source) => source,
    fromDocument: ({ blocks }) => writeText(blocks),
  },
  links: {
    conversion: "links",
    fromHtml: ({ converted }) => converted.links,
    fromText: () => [],
    fromDocument: ({ links }) => links,
  },
  images: {
    conversion: "images",
    fromHtml: ({ converted }) => converted.images,
    fromText: () => [],
  },
  metadata: {
    conversion: "metadata",
    fromHtml: ({ converted }, found) => ({ ...converted.metadata, ...found }),
    fromText: (_, found) => found,
    fromDocument: ({ metadata }, found) => ({ ...metadata, ...found }),
  },
  screenshot: {},
  pdf: {},
  summary: {},
  json: {},
};

type AnyFormat = FormatDefinitions[ScrapeFormat];
const ORDER = Object.keys(FORMATS) as ScrapeFormat[];

/** Returns the name of a format's field in the result. */
export function fieldOf(format: ScrapeFormat): keyof ScrapeData {
  return format === "screenshot" || format === "pdf" ? `${format}_url` : format;
}

function formatsOf({ formats }: Pick<ScrapeRequest, "formats">): AnyFormat[] {
  return ORDER.filter((format) => formats.includes(format)).map((format) => FORMATS[format]);
}

/** Returns the fields of the requested formats. Omits fields for which `make` returns undefined. */
export function makeFormats(
  request: Pick<ScrapeRequest, "formats">,
  make: (format: AnyFormat) => ScrapeData[keyof ScrapeData],
): ScrapeData {
  const names = ORDER.filter((format) => request.formats.includes(format));
  const fields = names.map((format) => [fieldOf(format), make(FORMATS[format])] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Returns true if a format of the request is a conversion of the page, or the source of the page. */
export function convertsPage(request: Pick<ScrapeRequest, "formats">): boolean {
  return formatsOf(request).some(({ fromHtml }) => fromHtml !== undefined);
}

/** Returns true if the result depends on the visibility of the page's text. */
export function showsText({ formats }: Pick<ScrapeRequest, "formats">): boolean {
  return formats.some((name) => {
    const { conversion } = FORMATS[name];
    return (conversion !== undefined && conversion !== "metadata") || name === "summary" || name === "json";
  });
}

export function toConversion(request: ScrapeRequest, url: string): ConvertOptions {
  const used = new Set(formatsOf(request).map(({ conversion }) => conversion));
  const parts: { [Part in Exclude<keyof Converted, "kind" | "omitted">]-?: boolean } = {
    markdown: used.has("markdown"),
    text: used.has("text"),
    cleanHtml: used.has("cleanHtml"),
    metadata: used.has("metadata"),
    links: used.has("links"),
    images: used.has("images"),
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
