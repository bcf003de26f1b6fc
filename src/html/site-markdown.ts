import { getOrMake } from "../lib/lazy";
import { escapeHtml } from "./clean-html";
import { lexMarkdown, loadMarked } from "./markdown/lexer";

/** Longer Markdown isn't read. */
const MAX_CHARS = 200_000;
/** The properties in YAML at the start of a Markdown file. Other text after a line of dashes is content. */
const FRONT_MATTER = /^---[ \t]*\r?\n(?=---|#|["']?[\w-]+["']?[ \t]*:)(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;
/** Elements whose contents aren't text of the page. Without an end tag, they would hide the remaining page. */
const HIDING_TAG =
  /<(script|style|title|textarea|select|template|noscript|iframe|dialog|svg|object|audio|video|canvas|xmp|noembed|noframes|plaintext)\b/gi;

/**
 * Converts a page in Markdown to HTML, so that the page is read like all others. Returns an empty page if the Markdown
 * is too long to be read completely in bounded time.
 */
export async function toHtmlPage(markdown: string): Promise<string> {
  const [front = "", properties = ""] = FRONT_MATTER.exec(markdown) ?? [];
  const { tokens, isCut, isPlain } = await lexMarkdown(markdown.slice(front.length), MAX_CHARS);
  if (isCut || isPlain) return "";
  const { Parser } = await loadMarked();
  const property = (name: string) => {
    const line = properties.split(/\r?\n/).find((each) => each.startsWith(`${name}:`)) ?? "";
    const value = line.slice(name.length + 1).trim();
    return escapeHtml(/^(["'])(.*)\1$/.exec(value)?.[2] ?? value);
  };
  const head = `<title>${property("title")}</title><meta name="description" content="${property("description")}">`;
  return `<!doctype html><head>${head}</head><body>${escapeUnclosed(new Parser({ gfm: true }).parse(tokens))}</body>`;
}

/**
 * Escapes start tags that would hide the following text, because they have no end tag. In Markdown, authors often write
 * about a tag and don't mark it as code. In a feed, an entry can be cut off.
 */
export function escapeUnclosed(html: string): string {
  const text = html.toLowerCase();
  const ends = new Map<string, number>();
  return html.replace(HIDING_TAG, (tag, name: string, at: number) => {
    const end = getOrMake(ends, name.toLowerCase(), () => text.lastIndexOf(`</${name.toLowerCase()}`));
    return end < at ? escapeHtml(tag) : tag;
  });
}
