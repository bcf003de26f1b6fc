import { type Metadata, withoutAbsent } from "../html/metadata/metadata";
import { Budget } from "../lib/budget";
import { MAX_URL_CHARS } from "../model/limits";
import type { DocumentPages } from "../model/page-ranges";
import type { Pdf } from "../pdf/read";
import { type FoundElement, readElements, textOf, type XmlElement } from "./xml";
import type { Zip } from "./zip";

/** A document that isn't HTML, converted to blocks. */
export interface LoadedDocument extends Omit<Pdf, "pages"> {
  /** The kind of the document, for messages, such as "PDF". */
  type: string;
  /** The pages of a PDF or the slides of a presentation. */
  pages?: DocumentPages;
}

/**
 * The maximum number of steps for the XML of a document (see `readElements`). A document that needs all steps is
 * converted in about two seconds. A report of 1,000 pages needs half of them, and a workbook with 100,000 cells a third.
 */
const MAX_STEPS = 1_500_000;
/** The steps for opening one part, because a workbook can refer to the same part any number of times. */
const STEPS_PER_PART = 300;
/** The maximum number of characters of a document's text. It equals the byte limit of the largest page. */
const MAX_DOCUMENT_CHARS = 5_000_000;
const MAX_INFO_CHARS = 1_000;

/** A zip file of XML parts: Office Open XML (ECMA-376), OpenDocument or EPUB. */
export class OfficePackage {
  readonly #steps = new Budget(MAX_STEPS);
  readonly chars = new Budget(MAX_DOCUMENT_CHARS);

  constructor(
    readonly zip: Zip,
    readonly signal: AbortSignal,
  ) {}

  /** True if a part of the document is omitted, because its steps or characters are used up, or because it's broken. */
  get isTruncated(): boolean {
    return this.#steps.isUsedUp || this.chars.isUsedUp || this.zip.isDamaged;
  }

  /** Yields the children of the elements named `parents` in a part. Yields nothing if there is no such part. */
  async *read(part: string, ...parents: string[]): AsyncGenerator<FoundElement, void> {
    if (!this.#steps.spend(STEPS_PER_PART)) return;
    yield* readElements(this.zip.read(part), parents, { signal: this.signal, budget: this.#steps });
  }

  /** Returns all children of the elements named `parent` in a small part. */
  async readAll(part: string, parent: string): Promise<XmlElement[]> {
    const elements: XmlElement[] = [];
    for await (const { element } of this.read(part, parent)) elements.push(element);
    return elements;
  }

  /** Returns the relationships of a part by their ids. An external target is a URL, and others are names of parts. */
  async relationships(part: string): Promise<Map<string, { target: string; isExternal: boolean }>> {
    const folder = part.slice(0, part.lastIndexOf("/") + 1);
    const relationships = new Map<string, { target: string; isExternal: boolean }>();
    for (const { attributes } of await this.readAll(
      `${folder}_rels/${part.slice(folder.length)}.rels`,
      "Relationships",
    )) {
      const target = attributes.get("Target") ?? "";
      const isExternal = attributes.get("TargetMode") === "External";
      const part = URL.parse(target, `https://part.invalid/${folder}`)?.pathname.slice(1) ?? "";
      relationships.set(attributes.get("Id") ?? "", { target: isExternal ? target : part, isExternal });
    }
    return relationships;
  }

  /** Returns the metadata of a part with Dublin Core elements. `parent` is the name of the element around them. */
  async metadata(part = "docProps/core.xml", parent = "coreProperties"): Promise<Metadata> {
    const properties = new Map<string, string>();
    for (const element of await this.readAll(part, parent)) {
      if (!properties.has(element.name)) {
        properties.set(element.name, textOf(element).slice(0, MAX_INFO_CHARS).trim());
      }
    }
    return withoutAbsent({
      title: properties.get("title"),
      description: properties.get("description") || properties.get("subject"),
      author: properties.get("initial-creator") || properties.get("creator"),
      language: properties.get("language"),
      published_time: toTime(properties.get("created") ?? properties.get("creation-date")),
      modified_time: toTime(properties.get("modified") ?? (parent === "meta" ? properties.get("date") : undefined)),
    });
  }
}

function toTime(text = ""): string | undefined {
  const time = new Date(text);
  return text === "" || Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Returns true for a URL that a link may have. */
export function isLinkUrl(url: string): boolean {
  return /^https?:/i.test(url) && url.length <= MAX_URL_CHARS && URL.canParse(url);
}
