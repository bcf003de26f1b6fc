import { escapeHtml } from "./clean-html";
import { lexMarkdown, loadMarked } from "./markdown/lexer";

/** Longer Markdown isn't read. */
const MAX_CHARS = 200_000;
/** The properties in YAML at the start of a Markdown file. Other text after a line of dashes is content. */
const FRONT_MATTER = /^---[ \t]*\r?\n(?=---|#|["']?[\w-]+["']?[ \t]*:)(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

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
  return `<!doctype html><head>${head}</head><body>${new Parser({ gfm: true }).parse(tokens)}</body>`;
}
