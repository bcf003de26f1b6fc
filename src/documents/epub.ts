import type { Block } from "../html/ast/blocks";
import { buildBlocks } from "../html/ast/handlers";
import { type PageLink, readLinks } from "../html/links";
import { bodyOf, parseDocument } from "../html/parse/document";
import { elementsUnder } from "../html/parse/dom";
import { sleep } from "../lib/clock";
import { decodeUri } from "../lib/text";
import { AppError } from "../model/errors";
import { isLinkUrl, type LoadedDocument, OfficePackage } from "./package";
import { childAt, childrenOf } from "./xml";
import { unreadable, type Zip } from "./zip";

const MAX_CHAPTERS = 2_000;
/** The base of the URLs in a book. Such URLs are only valid inside the book. */
const BOOK = "https://book.invalid/";
/** An element without content in XML syntax, which HTML would read as the start of an element. */
const EMPTY_ELEMENT =
  /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/gi;

/** Reads a book (EPUB 3.3): its chapters in the order of reading, without images. Throws AppError. */
export async function readEpub(zip: Zip, signal: AbortSignal): Promise<LoadedDocument> {
  const file = new OfficePackage(zip, signal);
  const [root] = await file.readAll("META-INF/container.xml", "rootfiles");
  const main = root?.attributes.get("full-path") ?? "";
  if (main === "") throw unreadable("it has no list of its files");
  const encrypted = await readEncrypted(file);
  const items = new Map<string, string>();
  const spine: string[] = [];
  for await (const { parent, element } of file.read(main, "manifest", "spine")) {
    const { attributes } = element;
    const path = URL.parse(attributes.get("href") ?? "", BOOK + main)?.pathname.slice(1) ?? "";
    if (parent === "manifest") items.set(attributes.get("id") ?? "", decodeUri(path));
    else if (attributes.get("linear") !== "no") spine.push(attributes.get("idref") ?? "");
  }
  const metadata = await file.metadata(main, "metadata");
  const blocks: Block[] = [];
  const links = new Map<string, PageLink>();
  let isCut = spine.length > MAX_CHAPTERS;
  for (const id of spine.slice(0, MAX_CHAPTERS)) {
    signal.throwIfAborted();
    const path = items.get(id) ?? "";
    if (encrypted.has(path)) {
      throw new AppError("unsupported_content", "The book is encrypted. Remove its password or copy protection.");
    }
    const decoder = new TextDecoder();
    let source = "";
    for await (const chunk of zip.read(path)) source += decoder.decode(chunk, { stream: true });
    if (!file.chars.spend(source.length)) break;
    isCut ||= source === ""; // The chapter is missing.
    readChapter(source, BOOK + path, { blocks, links });
    // Lets the isolate handle other requests.
    await sleep(0);
  }
  return {
    type: "book",
    blocks,
    metadata,
    links: [...links.values()],
    ...((isCut || file.isTruncated) && { truncated: true }),
  };
}

function readChapter(
  source: string,
  baseUrl: string,
  { blocks, links }: { blocks: Block[]; links: Map<string, PageLink> },
): void {
  const document = parseDocument(source.replace(EMPTY_ELEMENT, "<$1$2></$1>"));
  for (const element of elementsUnder(document)) {
    if (element.name === "img" || element.name === "image") delete element.attribs.src;
    else if (element.name === "a" && !isLinkUrl(element.attribs.href ?? "")) delete element.attribs.href;
  }
  for (const link of readLinks(document, { baseUrl })) if (!links.has(link.url)) links.set(link.url, link);
  for (const block of buildBlocks(bodyOf(document), { baseUrl })) blocks.push(block);
}

/** Returns the files of the book that are encrypted. Some books encrypt only their fonts. */
async function readEncrypted(file: OfficePackage): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  for (const data of await file.readAll("META-INF/encryption.xml", "encryption")) {
    for (const reference of childrenOf(childAt(data, "CipherData"), "CipherReference")) {
      paths.add(decodeUri(reference.attributes.get("URI") ?? ""));
    }
  }
  return paths;
}
