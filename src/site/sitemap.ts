import { Parser } from "htmlparser2";
import { sleep } from "../lib/clock";
import { SitemapBuilder } from "./sitemap-builder";
import { type Sitemap, type SitemapEntry, toEntry } from "./sitemap-entry";

/** The sitemap protocol allows 50 MB and 50,000 URLs in one file: https://www.sitemaps.org/protocol.html. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const MAX_SITEMAP_ENTRIES = 50_000;

/** The number of bytes after which reading pauses to let other requests run. Reading them takes about 20 ms. */
const BYTES_BETWEEN_PAUSES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** The number of bytes at the start of the file that are searched for the XML declaration. */
const DECLARATION_BYTES = 256;
/** The maximum number of lines without a URL in a text sitemap. A file with more such lines isn't a sitemap. */
const MAX_BAD_LINES = 10;

interface ReadOptions {
  /** The URL of the sitemap. It is the base for relative URLs. */
  url: string;
  maxEntries?: number;
  signal?: AbortSignal;
}

/**
 * Reads an XML sitemap, a sitemap index, an RSS or Atom feed, or a text sitemap. Returns null if the file is none of
 * these, such as an HTML page. Reads at most MAX_SITEMAP_BYTES. For a file that is cut off, returns the complete
 * entries.
 */
export async function readSitemap(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { url, maxEntries = MAX_SITEMAP_ENTRIES, signal }: ReadOptions,
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
        reader ??= text.trimStart().startsWith("<") ? new XmlReader(url, maxEntries) : new TextReader(url, maxEntries);
      if (start === "") reader?.write(text);
      bytes += chunk.byteLength;
      sincePause += chunk.byteLength;
      if (reader?.isDone || bytes >= MAX_SITEMAP_BYTES) return reader?.finish(true) ?? null;
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

class XmlReader {
  readonly #builder: SitemapBuilder;
  readonly #parser: Parser;

  constructor(url: string, maxEntries: number) {
    this.#builder = new SitemapBuilder(url, maxEntries);
    this.#parser = new Parser(this.#builder, { xmlMode: true });
  }

  get isDone(): boolean {
    return this.#builder.isDone;
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  finish(): Sitemap | null {
    const { kind, entries, isComplete } = this.#builder;
    return kind === null ? null : { kind, entries, isTruncated: !isComplete };
  }
}

/** Reads a text sitemap: one URL per line, as https://www.sitemaps.org/protocol.html#otherformats describes. */
class TextReader {
  isDone = false;
  #line = "";
  #badLines = 0;
  readonly #entries: SitemapEntry[] = [];

  constructor(
    private readonly url: string,
    private readonly maxEntries: number,
  ) {}

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
    if (text === "" || this.isDone) return;
    // A line of ordinary text would also be a valid relative URL.
    const entry = /^https?:\/\//i.test(text) ? toEntry({ url: text, title: "", time: "" }, this.url) : null;
    if (entry === null) {
      if (++this.#badLines > MAX_BAD_LINES) this.#fail();
    } else if (this.#entries.length < this.maxEntries) this.#entries.push(entry);
    else this.isDone = true;
  }

  #fail(): void {
    this.#badLines = MAX_BAD_LINES + 1;
    this.isDone = true;
  }
}
