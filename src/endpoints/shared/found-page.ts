import { type ChildNode, isText } from "domhandler";
import { sha256Hex } from "../../lib/crypto";
import type { FoundPage } from "../../model/crawl";
import { CRAWL_LIMIT_MAX } from "../../model/limits";
import { toCanonicalUrl } from "../../site/canonical-url";
import { readPageLinks } from "../../site/page-links";
import type { OpenedPage } from "./open-target";

/** The maximum number of links that a crawl takes from one page. A single page can link to all pages of a site. */
const MAX_LINKS = CRAWL_LIMIT_MAX;
/** Pages with less text than this count as identical only if they also have the same links. */
const SHORT_TEXT_CHARS = 200;

/** Returns the properties of a page that a crawl needs. Documents and text files have no links. */
export async function toFoundPage({ content, page }: OpenedPage): Promise<FoundPage> {
  const url = toCanonicalUrl(content.url);
  if (page === null) {
    const text = content.kind === "document" ? JSON.stringify(content.document.blocks) : content.source;
    return { url, canonical: null, hash: await hashText(text, []), links: [], nofollow: false };
  }
  const found = readPageLinks(page.document, { url: content.url, robotsTag: content.robotsTag ?? null });
  const [links, nofollowLinks] = [new Set<string>(), new Set<string>()];
  for (const link of found.links) {
    const canonical = toCanonicalUrl(link.url);
    if (canonical !== null) (link.nofollow ? nofollowLinks : links).add(canonical);
    if (links.size + nofollowLinks.size >= MAX_LINKS) break;
  }
  return {
    url,
    canonical: found.canonical === null ? null : toCanonicalUrl(found.canonical),
    hash: await hashText(textOf(page.whole.children), [...links, ...nofollowLinks]),
    links: [...links],
    nofollowLinks: [...nofollowLinks.difference(links)],
    nofollow: found.directives.nofollow,
  };
}

async function hashText(text: string, links: readonly string[]): Promise<string | null> {
  const words = text.replace(/\s+/g, " ").trim();
  if (words === "") return null;
  return await sha256Hex(words.length < SHORT_TEXT_CHARS ? [words, ...links].join("\n") : words);
}

function textOf(nodes: readonly ChildNode[]): string {
  const texts: string[] = [];
  const stack = nodes.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (isText(node)) texts.push(node.data);
    else if ("children" in node) for (const child of node.children.toReversed()) stack.push(child);
  }
  return texts.join(" ");
}
