import { type Handler, Parser } from "htmlparser2";
import { Budget } from "../lib/budget";
import { sleep, toIso } from "../lib/clock";

/** The sitemap protocol allows 50 MB and 50,000 URLs in one file: https://www.sitemaps.org/protocol.html. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const MAX_SITEMAP_ENTRIES = 50_000;
/**
 * The maximum number of steps for all sitemaps of a site together. They take about two seconds of CPU time. A step is a
 * tag, an attribute, a text or a comment. An ordinary sitemap with 50,000 URLs needs 3 million of them.
 */
const MAX_STEPS = 15_000_000;
/** The steps for an entry, whose URL is parsed several times, and for the characters that stay in memory. */
const STEPS_PER_ENTRY = 10;
const STEPS_PER_CHAR = 0.5;
const STEPS_PER_TITLE_CHAR = 2;
/** Each character of the file also costs this many steps. */
const STEPS_PER_FILE_CHAR = 0.05;

/** Returns a budget for all sitemaps of a site together. */
export function sitemapBudget(): Budget {
  return new Budget(MAX_STEPS);
}

/** The number of bytes after which reading pauses to let other requests run. Reading them takes about 20 ms. */
const BYTES_BETWEEN_PAUSES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** The number of bytes at the start of the file that are searched for the XML declaration. */
const DECLARATION_BYTES = 256;
/** The maximum number of lines without a URL in a text sitemap. A file with more such lines isn't a sitemap. */
const MAX_BAD_LINES = 10;

interface Limits {
  /** The URL of the sitemap. It is the base for relative URLs. */
  url: string;
  maxEntries: number;
  /** The budget of the site. Reading stops when it is used up. */
  budget: Budget;
}

/** The root elements of the formats, in lower case and without a namespace prefix. */
const ROOTS: ReadonlyMap<string, Sitemap["kind"]> = new Map([
  ["urlset", "urls"],
  ["sitemapindex", "index"],
  ["rss", "feed"],
  ["rdf", "feed"],
  ["feed", "feed"],
]);
const ENTRIES: ReadonlySet<string> = new Set(["url", "sitemap", "item", "entry"]);
/** The elements of an entry whose text is read, besides its times. */
const FIELDS: ReadonlySet<string> = new Set(["loc", "link", "guid", "title"]);
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

/** A page, or another sitemap if the sitemap is an index. */
export interface SitemapEntry {
  /** The absolute http or https URL of the page or sitemap. */
  url: string;
  title: string | null;
  /** A date such as `2026-11-23`, or a time in the API's format. */
  lastModified: string | null;
}

export interface Sitemap {
  /** `index` if the entries are sitemaps. Otherwise, the entries are pages. */
  kind: "urls" | "index" | "feed" | "text";
  entries: SitemapEntry[];
  /** True if entries are missing, because a limit was reached or the file was cut off. */
  isTruncated: boolean;
}

const MAX_URL_CHARS = 8_000;
const MAX_TITLE_CHARS = 300;
const MAX_TIME_CHARS = 64;
/** A date in the format of the W3C (https://www.w3.org/TR/NOTE-datetime), which sitemaps and Atom use. */
const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;
/** A time in the format of RFC 822, which RSS uses. */
const EMAIL_TIME = /^(?:[A-Za-z]{3,9},\s*)?\d{1,2}\s+[A-Za-z]{3,9}\s+\d{2,4}\b/;

/**
 * Reads an XML sitemap, a sitemap index, an RSS or Atom feed, or a text sitemap. Returns null if the file is none of
 * these, such as an HTML page. Reads at most MAX_SITEMAP_BYTES, and stops when the budget is used up. For a file that is
 * cut off, returns the complete entries.
 */
export async function readSitemap(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  {
    url,
    maxEntries = MAX_SITEMAP_ENTRIES,
    budget = sitemapBudget(),
    signal,
  }: Pick<Limits, "url"> & Partial<Limits> & { signal?: AbortSignal },
): Promise<Sitemap | null> {
  let reader: XmlReader | TextReader | null = null;
  let decoder: TextDecoder | null = null;
  /** The text up to the first character that isn't white space. This character determines the format. */
  let start = "";
  let bytes = 0;
  let sincePause = 0;
  for await (const whole of chunks) {
    for (let at = 0; at < whole.byteLength; at += CHUNK_BYTES) {
      signal?.throwIfAborted();
      const chunk = whole.subarray(at, Math.min(at + CHUNK_BYTES, at + MAX_SITEMAP_BYTES - bytes));
      decoder ??= new TextDecoder(toEncoding(chunk));
      const text = start + decoder.decode(chunk, { stream: true });
      start = "";
      if (reader === null && text.trim() === "") start = text;
      else
        reader ??= text.trimStart().startsWith("<")
          ? new XmlReader({ url, maxEntries, budget })
          : new TextReader({ url, maxEntries, budget });
      budget.spend(STEPS_PER_FILE_CHAR * text.length);
      if (start === "") reader?.write(text);
      bytes += chunk.byteLength;
      sincePause += chunk.byteLength;
      if (reader?.isDone || budget.isUsedUp || bytes >= MAX_SITEMAP_BYTES) return reader?.finish(true) ?? null;
      if (sincePause < BYTES_BETWEEN_PAUSES) continue;
      sincePause = 0;
      await sleep(0);
    }
  }
  reader?.write(decoder?.decode() ?? "");
  return reader?.finish(false) ?? null;
}

/** Returns the label of the file's encoding, from its byte order mark or its XML declaration. Default: UTF-8. */
function toEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, DECLARATION_BYTES));
  const label = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(start)?.[1] ?? "utf-8";
  try {
    // A declaration that was readable as ASCII can't be in UTF-16, even if it declares UTF-16.
    return new TextDecoder(label).encoding.startsWith("utf-16") ? "utf-8" : label;
  } catch {
    // TextDecoder doesn't know the label.
    return "utf-8";
  }
}

/** Reads a text sitemap: one URL per line, as https://www.sitemaps.org/protocol.html#otherformats describes. */
class TextReader {
  isDone = false;
  #line = "";
  #badLines = 0;
  readonly #entries: SitemapEntry[] = [];

  constructor(private readonly limits: Limits) {}

  write(text: string): void {
    const lines = (this.#line + text).split(/\r\n?|\n/);
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#add(line);
    if (this.#line.length > CHUNK_BYTES) this.#fail();
  }

  finish(isCut: boolean): Sitemap | null {
    if (!isCut) this.#add(this.#line);
    const isSitemap = this.#entries.length > 0 && this.#badLines <= MAX_BAD_LINES;
    return isSitemap ? { kind: "text", entries: this.#entries, isTruncated: isCut } : null;
  }

  #add(line: string): void {
    const text = line.trim();
    if (!this.limits.budget.spend(1) || text === "" || this.isDone) return;
    // A line of ordinary text would also be a valid relative URL.
    const entry = /^https?:\/\//i.test(text) ? toEntry({ url: text, title: "", time: "" }, this.limits) : null;
    if (entry === null) {
      if (++this.#badLines > MAX_BAD_LINES) this.#fail();
    } else if (this.#entries.length < this.limits.maxEntries) this.#entries.push(entry);
    else this.isDone = true;
  }

  #fail(): void {
    this.#badLines = MAX_BAD_LINES + 1;
    this.isDone = true;
  }
}

/** Reads an XML sitemap or a feed. Builds the entries from the events of htmlparser2. */
class XmlReader implements Partial<Handler> {
  readonly #parser = new Parser(this, { xmlMode: true });
  #kind: Sitemap["kind"] | null = null;
  readonly #entries: SitemapEntry[] = [];
  /** True if no more data of the file is needed. */
  isDone = false;
  /** True after the end of the root element. */
  #isComplete = false;
  readonly #names: string[] = [];
  #entry: OpenEntry | null = null;
  /** The number of open elements around the children of the open entry. */
  #entryDepth = 0;
  /** The name of the element whose text is being read, or null. */
  #field: string | null = null;
  #text = "";

  constructor(private readonly limits: Limits) {}

  write(text: string): void {
    this.#parser.write(text);
  }

  finish(): Sitemap | null {
    if (this.#kind === null) return null;
    return { kind: this.#kind, entries: this.#entries, isTruncated: !this.#isComplete };
  }

  onattribute(): void {
    this.limits.budget.spend(1);
  }

  oncomment(): void {
    this.limits.budget.spend(1);
  }

  onopentag(qualified: string, attributes: Record<string, string>): void {
    if (!this.limits.budget.spend(1)) this.isDone = true;
    if (this.isDone) return;
    const name = qualified.slice(qualified.indexOf(":") + 1).toLowerCase();
    this.#names.push(name);
    if (this.#names.length === 1) this.#start(name);
    else if (this.#names.length > MAX_DEPTH) this.isDone = true;
    else if (this.#entry === null) this.#openEntry(name);
    else this.#openChild(this.#entry, qualified, attributes);
  }

  ontext(text: string): void {
    if (!this.limits.budget.spend(1)) return;
    if (this.#field !== null && this.#text.length < MAX_TEXT_CHARS) this.#text += text;
  }

  onclosetag(_name: string, isImplied: boolean): void {
    if (this.isDone) return;
    const depth = this.#names.length;
    const name = this.#names.pop();
    if (depth === this.#entryDepth) this.#closeEntry(isImplied);
    else if (this.#entry !== null && this.#field !== null && name === this.#field) this.#closeChild(this.#entry);
    if (depth === 1) {
      this.#isComplete = !isImplied;
      this.isDone = true;
    }
  }

  #start(name: string): void {
    this.#kind = ROOTS.get(name) ?? null;
    this.isDone = this.#kind === null;
  }

  #openEntry(name: string): void {
    if (!ENTRIES.has(name)) return;
    if (this.#entries.length >= this.limits.maxEntries) this.isDone = true;
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
    if (!FIELDS.has(name) && !TIMES.includes(name)) return;
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
    const entry = toEntry({ url, title: texts.get("title") ?? "", time }, this.limits);
    if (entry !== null) this.#entries.push(entry);
  }
}

function lowerCased(attributes: Record<string, string>): Partial<Record<string, string>> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Converts an entry, with its URL resolved against `base`. Null for another scheme or an exhausted budget. */
function toEntry(
  { url, title, time }: Record<"url" | "title" | "time", string>,
  { url: base, budget }: Limits,
): SitemapEntry | null {
  const [address, line] = [url.trim(), tidyTitle(title)];
  const steps = STEPS_PER_ENTRY + STEPS_PER_CHAR * address.length + STEPS_PER_TITLE_CHAR * (line?.length ?? 0);
  if (!budget.spend(steps)) return null;
  const parsed = address === "" || address.length > MAX_URL_CHARS ? null : URL.parse(address, base);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.href.length > MAX_URL_CHARS) return null;
  return { url: parsed.href, title: line, lastModified: toTime(time.trim()) };
}

/** Returns the title on one line and without markup, or null if it is empty. */
export function tidyTitle(title: string): string | null {
  const text = title
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const chars = text.length > MAX_TITLE_CHARS ? `${text.slice(0, MAX_TITLE_CHARS).toWellFormed().trimEnd()}…` : text;
  return chars === "" ? null : chars;
}

/** Returns the date, or the time in the API's format. Returns null if the text is neither. */
function toTime(text: string): string | null {
  if (text.length > MAX_TIME_CHARS) return null;
  const isKnown = DATE.test(text) || DATE_TIME.test(text) || EMAIL_TIME.test(text);
  // Without a time zone, `Date.parse` would use the time zone of the machine.
  const hasZone = DATE.test(text) || /(?:Z|[+-]\d\d:?\d\d|[A-Z]{2,4})$/i.test(text);
  const time = isKnown ? Date.parse(hasZone ? text : `${text}Z`) : Number.NaN;
  if (Number.isNaN(time)) return null;
  return DATE.test(text) ? text : toIso(time);
}
