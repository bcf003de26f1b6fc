import type { PageMetadata, ScrapeData, ScrapeFormat, ScrapeRequest } from "../../contract/scrape";
import type { Converted, ConvertOptions } from "../../html/convert";
import { writeMarkdown } from "../../html/markdown/markdown";
import { writeText } from "../../html/text/text";
import type { Pdf } from "../../pdf/read";

/** Where and how a page was found. */
type Found = Pick<PageMetadata, "url" | "status_code" | "content_type">;

/** How a format is made of each kind of content. A kind that can't have the format gives an empty object. */
interface FormatDefinition {
  /** Whether the page must be rendered for it. */
  needsBrowser: boolean;
  /** The part of an HTML page's conversion that `fromHtml` uses. */
  conversion: keyof Converted | null;
  fromHtml(page: { source: string; converted: Converted }, found: Found): ScrapeData;
  /** Makes it of a page that isn't markup, such as JSON or plain text. */
  fromText(source: string, found: Found): ScrapeData;
  fromPdf(pdf: Pdf, found: Found): ScrapeData;
}

/** Every format. The results have their members in this order. */
export const FORMATS: { [F in ScrapeFormat]: FormatDefinition } = {
  html: {
    needsBrowser: false,
    conversion: null,
    fromHtml: ({ source }) => ({ html: source }),
    fromText: (source) => ({ html: source }),
    fromPdf: () => ({}),
  },
  markdown: {
    needsBrowser: false,
    conversion: "markdown",
    fromHtml: ({ converted: { markdown } }) => ({ ...(markdown !== undefined && { markdown }) }),
    fromText: (source) => ({ markdown: source }),
    fromPdf: ({ blocks }) => ({ markdown: writeMarkdown(blocks) }),
  },
  text: {
    needsBrowser: false,
    conversion: "text",
    fromHtml: ({ converted: { text } }) => ({ ...(text !== undefined && { text }) }),
    fromText: (source) => ({ text: source }),
    fromPdf: ({ blocks }) => ({ text: writeText(blocks) }),
  },
  links: {
    needsBrowser: false,
    conversion: "links",
    fromHtml: ({ converted: { links } }) => ({ ...(links !== undefined && { links }) }),
    fromText: () => ({ links: [] }),
    fromPdf: ({ links }) => ({ links }),
  },
  metadata: {
    needsBrowser: false,
    conversion: "metadata",
    fromHtml: ({ converted: { metadata } }, found) => ({ metadata: { ...metadata, ...found } }),
    fromText: (_, found) => ({ metadata: found }),
    fromPdf: ({ metadata }, found) => ({ metadata: { ...metadata, ...found } }),
  },
  // The browser takes it while it renders the page, and run.ts stores it.
  screenshot: {
    needsBrowser: true,
    conversion: null,
    fromHtml: () => ({}),
    fromText: () => ({}),
    fromPdf: () => ({}),
  },
};

const ORDER = Object.keys(FORMATS) as ScrapeFormat[];

/** Returns the definitions of the formats that a request asks for, in the order of FORMATS. */
export function formatsOf({ formats }: Pick<ScrapeRequest, "formats">): FormatDefinition[] {
  return ORDER.filter((format) => formats.includes(format)).map((format) => FORMATS[format]);
}

/** Returns whether the page must be rendered. `wait_for` and some formats need the browser even with `js_render: false`. */
export function needsBrowser(request: Pick<ScrapeRequest, "js_render" | "wait_for" | "formats">): boolean {
  return (
    request.js_render || request.wait_for !== undefined || formatsOf(request).some((format) => format.needsBrowser)
  );
}

/** Returns the options with which a request's page is converted. */
export function toConversion(request: ScrapeRequest, url: string): ConvertOptions {
  const parts = new Set(formatsOf(request).map(({ conversion }) => conversion));
  return {
    url,
    markdown: parts.has("markdown"),
    text: parts.has("text"),
    metadata: parts.has("metadata"),
    links: parts.has("links"),
    onlyMainContent: request.only_main_content,
    includeSelectors: request.include_selectors ?? [],
    excludeSelectors: request.exclude_selectors ?? [],
  };
}
