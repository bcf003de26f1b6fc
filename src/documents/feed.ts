import { escapeHtml } from "../html/clean-html";
import { escapeUnclosed } from "../html/site-markdown";
import { Budget } from "../lib/budget";
import { parseJson } from "../lib/json";
import { AppError } from "../model/errors";
import { LARGE_PAGE_BYTES } from "../model/page-limits";
import { childrenOf, readElements, textOf, type XmlElement } from "./xml";

/** The maximum number of steps for the XML of a feed (see `readElements`). */
const MAX_STEPS = 1_500_000;
const MAX_ENTRIES = 20_000;
/** The XML of a feed is read in parts of this size, so that other requests run in between. */
const CHUNK_BYTES = 64 * 1024;
/** The fields whose text is always HTML. */
const HTML_FIELDS = /^(?:encoded|description|content_html)$/;

/**
 * Converts an RSS, Atom or JSON feed to an HTML page with its entries. Returns null for another text. `root` is the name
 * of the XML root in lower case, or null for another format. Also returns null for a feed that isn't read completely.
 */
export async function toFeedPage(source: string, root: string | null, signal: AbortSignal): Promise<string | null> {
  const budget = new Budget(MAX_STEPS);
  const entries: string[] = [];
  let title = "";
  if (root === null && source.includes("jsonfeed.org/version/")) {
    const feed = Object(parseJson(source)) as Record<string, unknown>;
    if (!readMember(feed, "version").includes("jsonfeed.org/version/") || !Array.isArray(feed.items)) return null;
    title = readMember(feed, "title");
    for (const item of feed.items.slice(0, MAX_ENTRIES + 1)) entries.push(toEntry((name) => readMember(item, name)));
  } else if (root !== null && /^(?:rss|feed|rdf:rdf)$/.test(root)) {
    try {
      for await (const { element } of readElements(toChunks(source), ["channel", "feed", "RDF"], { signal, budget })) {
        if (element.name === "title") title ||= toHtml(element);
        // In RSS 1.0, the entries are outside of the channel.
        if (element.name === "channel") title ||= readChild(element, "title");
        if (/^(?:item|entry)$/.test(element.name)) entries.push(toEntry((name) => readChild(element, name)));
        if (entries.length > MAX_ENTRIES) return null;
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return null;
    }
  }
  if (entries.length === 0 || entries.length > MAX_ENTRIES || budget.isUsedUp) return null;
  const html = `<!doctype html><h1>${title.trim()}</h1>${entries.map((entry) => `<div>${entry}</div>`).join("\n")}`;
  // Escaped URLs can have ten times the size of the feed.
  return html.length > 2 * source.length + LARGE_PAGE_BYTES ? null : html;
}

function* toChunks(source: string): Generator<Uint8Array> {
  const bytes = new TextEncoder().encode(source);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Returns a member of a JSON object as HTML, or an empty text. */
function readMember(item: unknown, name: string): string {
  const value: unknown = Object(item)[name];
  if (typeof value !== "string") return "";
  return HTML_FIELDS.test(name) ? value : escapeHtml(value);
}

/** Returns a child element as HTML, or an empty text. For a link of Atom, returns its URL. */
function readChild(element: XmlElement, name: string): string {
  const texts = childrenOf(element, name).map((child) => {
    if ((child.attributes.get("rel") ?? "alternate") !== "alternate") return "";
    const href = child.attributes.get("href");
    return href === undefined ? toHtml(child) : escapeHtml(href);
  });
  return texts.find((text) => text.trim() !== "") ?? "";
}

/** Returns the text of an element as HTML. In Atom, the attribute `type` says whether the text is HTML. */
function toHtml(element: XmlElement): string {
  const type = element.attributes.get("type");
  if (type === "xhtml" && element.name !== "title") return element.children.map(toMarkup).join("");
  const text = textOf(element);
  return HTML_FIELDS.test(element.name) || type === "html" ? text : escapeHtml(text);
}

function toMarkup(node: XmlElement | string): string {
  if (typeof node === "string") return escapeHtml(node);
  const { name, attributes, children } = node;
  const start = [name, ...[...attributes].map(([key, value]) => `${key}="${escapeHtml(value)}"`)].join(" ");
  return name === "br" ? "<br>" : `<${start}>${children.map(toMarkup).join("")}</${name}>`;
}

/** Returns an entry as HTML. `read` returns a field of any format as HTML, or an empty text. */
function toEntry(read: (name: string) => string): string {
  const first = (...names: string[]) => {
    const found = names.values().map(read);
    return found.find((html) => html.trim() !== "") ?? "";
  };
  const url = first("url", "link").trim();
  const date = first("published", "pubDate", "date_published", "updated", "date");
  const html = first("encoded", "content", "content_html", "description", "content_text", "summary");
  return `<h2><a href="${url}">${first("title") || url}</a></h2><p>${date}</p>${escapeUnclosed(html)}`;
}
