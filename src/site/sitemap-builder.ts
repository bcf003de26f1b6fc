import type { Handler } from "htmlparser2";
import { type Sitemap, type SitemapEntry, toEntry } from "./sitemap-entry";

/** The root elements of the formats, in lower case and without a namespace prefix. */
const ROOTS: ReadonlyMap<string, Sitemap["kind"]> = new Map([
  ["urlset", "urls"],
  ["sitemapindex", "index"],
  ["rss", "feed"],
  ["rdf", "feed"],
  ["feed", "feed"],
]);
/** The elements that contain an entry. */
const ENTRIES: ReadonlySet<string> = new Set(["url", "sitemap", "item", "entry"]);
/** The elements with the time of an entry in sitemaps, Atom, RSS and Dublin Core, the preferred one first. */
const TIMES: readonly string[] = ["lastmod", "updated", "pubdate", "published", "date", "publication_date"];
const MAX_DEPTH = 100;
const MAX_TEXT_CHARS = 16_000;

interface OpenEntry {
  /** The text of each child element, by name. If an element is repeated, the first one is kept. */
  texts: Map<string, string>;
  /** The URL of an Atom entry, which is in an attribute. */
  link: string;
}

/** Builds the entries of a sitemap or feed from the events of htmlparser2. */
export class SitemapBuilder implements Partial<Handler> {
  kind: Sitemap["kind"] | null = null;
  readonly entries: SitemapEntry[] = [];
  /** True if no more data of the file is needed. */
  isDone = false;
  /** True after the end of the root element. */
  isComplete = false;
  readonly #names: string[] = [];
  #entry: OpenEntry | null = null;
  /** The number of open elements around the children of the open entry. */
  #entryDepth = 0;
  /** The name of the element whose text is being read, or null. */
  #field: string | null = null;
  #text = "";
  readonly #url: string;
  readonly #maxEntries: number;

  constructor(url: string, maxEntries: number) {
    this.#url = url;
    this.#maxEntries = maxEntries;
  }

  onopentag(qualified: string, attributes: Record<string, string>): void {
    if (this.isDone) return;
    const name = toLocalName(qualified);
    this.#names.push(name);
    if (this.#names.length === 1) this.#start(name);
    else if (this.#names.length > MAX_DEPTH) this.isDone = true;
    else if (this.#entry === null) this.#openEntry(name);
    else this.#openChild(this.#entry, qualified, attributes);
  }

  ontext(text: string): void {
    if (this.#field !== null && this.#text.length < MAX_TEXT_CHARS) this.#text += text;
  }

  onclosetag(_name: string, isImplied: boolean): void {
    if (this.isDone) return;
    const depth = this.#names.length;
    const name = this.#names.pop();
    if (depth === this.#entryDepth) this.#closeEntry(isImplied);
    else if (this.#entry !== null && this.#field !== null && name === this.#field) this.#closeChild(this.#entry);
    if (depth === 1) {
      this.isComplete = !isImplied;
      this.isDone = true;
    }
  }

  #start(name: string): void {
    this.kind = ROOTS.get(name) ?? null;
    this.isDone = this.kind === null;
  }

  #openEntry(name: string): void {
    if (!ENTRIES.has(name)) return;
    if (this.entries.length >= this.#maxEntries) this.isDone = true;
    this.#entry = { texts: new Map(), link: "" };
    this.#entryDepth = this.#names.length;
  }

  #openChild(entry: OpenEntry, qualified: string, attributes: Record<string, string>): void {
    const depth = this.#names.length - this.#entryDepth;
    const name = this.#names.at(-1) ?? "";
    // The title of a news article is in <news:news>, so this extension is read. Other extensions such as <image:image>
    // describe parts of the page.
    const isChild = depth === 1 && !/^(?:image|video|media|itunes):/i.test(qualified);
    const isNews = depth === 2 && this.#names.at(-2) === "news" && (name === "title" || name === "publication_date");
    if (!isChild && !isNews) return;
    const { href = "", rel = "alternate", ispermalink } = lowerCased(attributes);
    if (name === "link" && href !== "" && rel === "alternate") entry.link ||= href;
    if (name === "guid" && ispermalink === "false") return;
    this.#field = name;
    this.#text = "";
  }

  #closeChild({ texts }: OpenEntry): void {
    const text = this.#text.trim();
    if (this.#field !== null && text !== "" && !texts.has(this.#field)) texts.set(this.#field, text);
    this.#field = null;
  }

  #closeEntry(isImplied: boolean): void {
    const { texts, link } = this.#entry ?? { texts: new Map<string, string>(), link: "" };
    this.#entry = null;
    this.#entryDepth = 0;
    this.#field = null;
    // The file was cut off in the middle of the entry.
    if (isImplied) return;
    const guid = texts.get("guid") ?? "";
    const url = texts.get("loc") ?? (link || texts.get("link") || (/^https?:/i.test(guid) ? guid : ""));
    const time = TIMES.map((name) => texts.get(name)).find((text) => text !== undefined) ?? "";
    const entry = toEntry({ url, title: texts.get("title") ?? "", time }, this.#url);
    if (entry !== null) this.entries.push(entry);
  }
}

/** Returns the name in lower case and without a namespace prefix. */
function toLocalName(qualified: string): string {
  return qualified.slice(qualified.indexOf(":") + 1).toLowerCase();
}

function lowerCased(attributes: Record<string, string>): Partial<Record<string, string>> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]));
}
