import type { MapData } from "../../contract/map";
import { decodeUri, foldText } from "../../lib/text";
import { toCanonicalUrl } from "../../site/canonical-url";
import { tidyTitle } from "../../site/sitemap";

type MappedUrl = MapData["urls"][number];

/** Matches a text that can be a title, unlike an arrow or the number of a page. */
const HAS_WORD = /\p{L}{2}|\p{Lo}/u;

/** A URL as one of the sources lists it. */
interface FoundUrl {
  url: string;
  title: string | null;
  lastModified: string | null;
  source: MappedUrl["source"];
  /** The text of the link to the URL. It is the title if no source has one and if no other link has the same text. */
  linkText?: string;
}

/** The URLs of a site, each canonical URL once. */
export class UrlList {
  readonly #urls = new Map<string, FoundUrl>();

  /** Adds a URL, or the still unknown properties of a known one. Ignores a URL that isn't http or https. */
  add(found: FoundUrl): void {
    const url = toCanonicalUrl(found.url);
    if (url === null) return;
    const known = this.#urls.get(url);
    if (known === undefined) {
      this.#urls.set(url, { ...found, url });
      return;
    }
    known.title ??= found.title;
    known.lastModified ??= found.lastModified;
    if (found.linkText !== undefined) known.linkText ??= found.linkText;
  }

  get size(): number {
    return this.#urls.size;
  }

  /**
   * Returns the first `limit` URLs, in the order in which they were added. With `search`, returns only URLs that match
   * at least one of its words. The URLs that match the most words come first.
   */
  select({ search, limit }: { search?: string | undefined; limit: number }): {
    urls: MappedUrl[];
    isTruncated: boolean;
  } {
    const all = [...this.#urls.values()];
    const selected = search === undefined ? all : rank(all, search);
    const counts = new Map<string, number>();
    for (const { linkText = "" } of all) counts.set(linkText, (counts.get(linkText) ?? 0) + 1);
    const urls = selected.slice(0, limit).map((found) => {
      const { linkText = "" } = found;
      const isTitle = found.title === null && counts.get(linkText) === 1 && HAS_WORD.test(linkText);
      return toMappedUrl(isTitle ? { ...found, title: tidyTitle(linkText) } : found);
    });
    return { urls, isTruncated: selected.length > limit };
  }
}

function rank(urls: readonly FoundUrl[], search: string): FoundUrl[] {
  const phrase = foldText(search).trim();
  const words = [...new Set(phrase.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean))];
  // If the search consists only of punctuation, such as `?id=`, it is one phrase.
  const wanted = words.length === 0 ? [phrase] : words;
  return urls
    .map((found) => ({ found, score: toScore(found, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ found }) => found);
}

/** Returns the number of words in the URL and its texts. A word in the title counts more. */
function toScore({ url, title, linkText }: FoundUrl, words: readonly string[]): number {
  const address = foldText(decodeUri(url.replace(/^https?:\/\/(?:www\.)?/, "")));
  const texts = foldText(`${title ?? ""} ${linkText ?? ""}`);
  const scores = words.map((word) => (texts.includes(word) ? 1.25 : address.includes(word) ? 1 : 0));
  return scores.reduce((sum: number, score) => sum + score, 0);
}

function toMappedUrl({ url, title, lastModified, source }: FoundUrl): MappedUrl {
  return {
    url,
    ...(title !== null && { title }),
    ...(lastModified !== null && { last_modified: lastModified }),
    source,
  };
}
