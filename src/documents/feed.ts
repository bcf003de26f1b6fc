import { escapeHtml } from "../html/clean-html";
import { Budget } from "../lib/budget";
import { parseJson } from "../lib/json";
import { AppError } from "../model/errors";
import { childrenOf, readElements, textOf, type XmlElement } from "./xml";

/** The maximum number of steps for the XML of a feed (see `readElements`). */
const MAX_STEPS = 1_500_000;

/**
 * Converts an RSS, Atom or JSON feed to an HTML page with its entries. Returns null for another text. `root` is the name
 * of the XML root in lower case, or null for another format. Also returns null for XML that isn't read completely.
 */
export async function toFeedPage(source: string, root: string | null, signal: AbortSignal): Promise<string | null> {
  const budget = new Budget(MAX_STEPS);
  const entries: string[] = [];
  let title = "";
  if (root === null && source.includes("jsonfeed.org/version/")) {
    const { title: name = "", items } = Object(parseJson(source)) as Record<string, unknown>;
    title = String(name);
    if (Array.isArray(items))
      for (const item of items) entries.push(toEntry((field) => String(Object(item)[field] ?? "")));
  } else if (root !== null && /^(?:rss|feed|rdf:rdf)$/.test(root)) {
    const chunks = [new TextEncoder().encode(source)];
    try {
      for await (const { element } of readElements(chunks, ["channel", "feed", "RDF"], { signal, budget })) {
        if (element.name === "title") title ||= textOf(element);
        if (/^(?:item|entry)$/.test(element.name)) entries.push(toEntry((name) => readChild(element, name)));
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return null;
    }
  }
  if (entries.length === 0 || budget.isUsedUp) return null;
  const name = escapeHtml(title.trim());
  return `<!doctype html><title>${name}</title><h1>${name}</h1>${entries.map((html) => `<div>${html}</div>`).join("\n")}`;
}

/** Returns the text of a child element. For a link of Atom, returns its URL. */
function readChild(element: XmlElement, name: string): string {
  const texts = childrenOf(element, name).map((child) => {
    const { rel = "alternate", href, type } = Object.fromEntries(child.attributes);
    if (rel !== "alternate") return "";
    return type === "xhtml" ? escapeHtml(textOf(child)) : (href ?? textOf(child));
  });
  return texts.find((text) => text.trim() !== "") ?? "";
}

/** Returns an entry as HTML. `read` returns the value of a field of any format, or an empty text. */
function toEntry(read: (name: string) => string): string {
  const first = (...names: string[]) => names.map(read).find((text) => text.trim() !== "") ?? "";
  const url = first("url", "link").trim();
  const date = first("published", "pubDate", "date_published", "updated", "date");
  const html =
    first("encoded", "content", "content_html", "description", "summary") || escapeHtml(read("content_text"));
  return `<h2><a href="${escapeHtml(url)}">${escapeHtml(first("title") || url)}</a></h2><p>${escapeHtml(date)}</p>${html}`;
}
