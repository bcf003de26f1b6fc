import { type CsvTable, isCsv, readCsv } from "../../documents/csv";
import { toFeedPage } from "../../documents/feed";
import type { LoadedDocument } from "../../documents/package";
import { type DocumentSelection, type Reading, readDocument, toFileName } from "../../documents/read";
import { decodeHtml } from "../../html/encoding/decode";
import { bodyOf, parseDocument } from "../../html/parse/document";
import { rawText } from "../../html/parse/dom";
import { toHtmlPage } from "../../html/site-markdown";
import { parseJson } from "../../lib/json";
import { AppError } from "../../model/errors";
import type { FetchedPage } from "../../net/page";
import { describeMediaType, isMarkupType } from "../../net/response";

interface PageFacts extends Pick<FetchedPage, "url" | "status" | "contentType"> {
  /** Returns a header of the response, or null. Missing for a page of a capture or a file. */
  header?: (name: string) => string | null;
  /** The text from which the HTML was converted: the site's own Markdown, or a feed. */
  original?: { type: "markdown" | "feed"; text: string };
}

/** A loaded page: markup, text that is returned unchanged, or a document such as a PDF. */
export type Content = PageFacts &
  (
    | { kind: "html"; source: string }
    | {
        kind: "text";
        source: string;
        /** The table of a file with comma-separated values. */
        csv?: CsvTable;
      }
    | { kind: "document"; document: LoadedDocument }
  );

/** Returns the URL of a page, or null for a file of the request, which has only a name. */
export function webUrlOf({ url }: Pick<Content, "url">): string | null {
  return url.startsWith("file:") ? null : url;
}

/** The maximum time for reading a static file of the service. */
const ASSET_MS = 5_000;

export interface ContentSelection extends DocumentSelection {
  /** If true, the site's own Markdown is requested, and read as a page instead of a text. */
  prefersMarkdown?: boolean;
}

interface ContentReading extends ContentSelection, Omit<Reading, "loadCMap"> {
  env: Pick<Env, "ASSETS">;
  /** The maximum size of a file that isn't a document. */
  maxTextBytes?: number;
}

/**
 * Decodes a text, or reads a document. Calls `beforeReading` for every document, because reading a document of only a
 * few kilobytes can use much memory. Throws AppError if the file has no text.
 */
export async function readContent(
  { body, disposition, ...page }: ReceivedContent & { disposition: string | null },
  { env, maxTextBytes = Infinity, prefersMarkdown = false, ...reading }: ContentReading,
): Promise<Content> {
  const { url, status, contentType } = page;
  const found = { url, status, contentType };
  const name = toFileName(disposition, url);
  const document = await readDocument(
    { bytes: body, contentType, name },
    { ...reading, loadCMap: (file) => readAsset(env, `pdf/cmaps/${file}`) },
  );
  if (document !== null) return { ...found, kind: "document", document };
  if (body.byteLength > maxTextBytes) {
    const size = `${(maxTextBytes / 1024 / 1024).toLocaleString("en")} MB`;
    throw new AppError("target_too_large", `The file is larger than ${size}, the limit for HTML and text.`);
  }
  const hasCsv = isCsv(mediaType(page), name);
  const text = readText({ ...page, body }, hasCsv);
  if (prefersMarkdown && mediaType(page) === "text/markdown") {
    if (/^\s*<(?:!doctype|html)\b/i.test(text)) return { ...found, kind: "html", source: text };
    return { ...found, kind: "html", source: await toHtmlPage(text), original: { type: "markdown", text } };
  }
  const csv = hasCsv ? readCsv(text) : null;
  if (isHtml(page, text)) return { ...found, kind: "html", source: text };
  const feed = csv === null ? await toFeedPage(text, rootOf(text), reading.signal) : null;
  if (feed !== null) return { ...found, kind: "html", source: feed, original: { type: "feed", text } };
  return { ...found, kind: "text", source: text, ...(csv && { csv }) };
}

/** Reads a static file of the service. Throws if it isn't available. */
async function readAsset({ ASSETS }: Pick<Env, "ASSETS">, path: string): Promise<Uint8Array> {
  const response = await ASSETS.fetch(`https://assets.invalid/${path}`, { signal: AbortSignal.timeout(ASSET_MS) });
  if (!response.ok) throw new Error(`The static file ${path} can't be read: ${response.status}.`);
  return await response.bytes();
}

/** The parts of a response from which its content is read. */
type ReceivedContent = Pick<FetchedPage, "url" | "status" | "contentType" | "body">;

const TEXTUAL =
  /^(text\/|image\/svg\b|application\/([\w.+-]*(json|xml)|javascript|ecmascript|x-javascript|x-ndjson|yaml|x-yaml|rss|atom)\b)/i;
/** Types whose files have no text that a reader could use. Files of other types are text if their bytes are. */
const BINARY_TYPE = /^(?:image|audio|video|font)\/|\b(?:pdf|zip|wasm)\b/i;
/** The number of bytes that decide whether a file of an unknown type is a text. */
const SNIFFED_BYTES = 10_000;

function readText(page: Pick<FetchedPage, "url" | "contentType" | "body">, isKnownText: boolean): string {
  const type = mediaType(page);
  const isKnown = type === "" || isKnownText || TEXTUAL.test(type);
  if (page.body.byteLength > 0 && !isKnown && (BINARY_TYPE.test(type) || hasBinaryBytes(page.body))) {
    throw new AppError("unsupported_content", describeMediaType(type));
  }
  if (isBinary(page.body)) {
    throw new AppError(
      "unsupported_content",
      "The page is a binary file, such as an image or an archive, so it has no text.",
    );
  }
  const tld = URL.parse(page.url)?.hostname.split(".").at(-1);
  return decodeHtml(page.body, page.contentType, tld === undefined ? {} : { tld });
}

/** Returns true if the first bytes include control characters, which only binary files have (MIME Sniffing, section 3). */
function hasBinaryBytes(body: Uint8Array): boolean {
  const [a, b] = body;
  if ((a === 0xfe && b === 0xff) || (a === 0xff && b === 0xfe)) return false;
  return body
    .subarray(0, SNIFFED_BYTES)
    .some((byte) => byte < 0x20 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d || byte === 0x0b));
}

function isHtml(page: Pick<FetchedPage, "contentType">, text: string): boolean {
  const type = mediaType(page);
  if (isMarkupType(type)) return type !== "text/html" || !isPlainText(text);
  if (/[/+]xml$/.test(type)) return rootOf(text) === "html";
  return !TEXTUAL.test(type) && /^\s*<(?:!doctype|html|head|body|!--)/i.test(text);
}

/** Matches the beginning of an XML file, up to the name of its root element. */
const PROLOG = /^\s*(?:<\?[^<>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!doctype[^<>]*>\s*)*<([\w:.-]+)/i;
/** The roots of XML files that servers often send as HTML, also without an XML declaration. */
const XML_ROOT = /^(?:rss|feed|rdf:rdf|urlset|sitemapindex|svg|opml)$/;

function rootOf(text: string): string | null {
  return PROLOG.exec(text)?.[1]?.toLowerCase() ?? null;
}

/** Matches a Markdown file that begins with a heading or with properties in YAML. */
const MARKDOWN = /^(?:#{1,6}[ \t]+\S|---[ \t]*\r?\n[\w-]+:)/;
const DOCUMENT = /<(?:!doctype|html|head|body)[\s>]/i;
/** Matches comments, common tags and character references of HTML. */
const MARKUP =
  /<!--|<\/?(?:!doctype|html|head|title|meta|link|style|script|base|body|a|abbr|address|article|aside|audio|b|big|blockquote|br|button|center|cite|code|dd|del|details|div|dl|dt|em|embed|figure|font|footer|form|frame|frameset|h[1-6]|header|hr|i|iframe|img|input|ins|kbd|label|li|main|mark|marquee|nav|noscript|object|ol|option|p|picture|pre|q|s|samp|section|select|small|span|strike|strong|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|tr|tt|u|ul|var|video)(?:[\s/][^<>]*)?>|&(?:[a-z]{2,8}\d?|#\d{1,7}|#x[\da-f]{1,6});/i;

/** Returns true if a page with the type of HTML is JSON, Markdown, XML such as a feed, or another text without markup. */
function isPlainText(html: string): boolean {
  const text = html.trim();
  if (text.startsWith("<")) {
    const root = rootOf(text) ?? "html";
    return XML_ROOT.test(root) || (text.startsWith("<?xml") && !MARKUP.test(`<${root}>`));
  }
  if (text === "") return false;
  const isJson = (part: string) => parseJson(part) !== null;
  if (/^[[{]/.test(text) && (isJson(text) || text.split("\n").every(isJson))) return true;
  // The code in Markdown may contain markup.
  const prose = text
    .split(/^[ \t]*(?:```|~~~)/m)
    .filter((_, i) => i % 2 === 0)
    .join("\n")
    .replace(/`[^`\n]*`/g, "");
  return !(MARKDOWN.test(text) ? DOCUMENT : MARKUP).test(prose);
}

/** Returns the kind of a rendered page, and its text. The browser shows a text with the type of HTML as a document. */
export function toRendered(source: string, contentType: string | null): { kind: "html" | "text"; source: string } {
  if (!isMarkupType(contentType?.toLowerCase() ?? "text/html")) return { kind: "text", source };
  const [, body] = /^<html><head><\/head><body>([^<]*)<\/body><\/html>$/.exec(source) ?? [];
  const text = body === undefined ? "" : rawText(bodyOf(parseDocument(source)));
  return isPlainText(text) ? { kind: "text", source: text } : { kind: "html", source };
}

function mediaType(page: Pick<FetchedPage, "contentType">): string {
  return page.contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Matches the first bytes of binary files. They outrank the declared type (MIME Sniffing, section 6). */
const SIGNATURE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Binary files begin with them.
  /^(?:\x89PNG\r\n\x1a\n|GIF8[79]a|\xff\xd8\xff|.{8}(?:WEBPVP|AVI |WAVE)|.{4}ftyp|\x1aE\xdf\xa3|OggS\0|ID3|PK\x03\x04|\x1f\x8b\x08|Rar!\x1a\x07|7z\xbc\xaf'\x1c|wOF[F2]|\0asm|\x7fELF)/s;

/** Returns true if the first bytes are those of an image, a video, an archive or another binary file. */
function isBinary(body: Uint8Array): boolean {
  return SIGNATURE.test(String.fromCharCode(...body.subarray(0, 16)));
}
