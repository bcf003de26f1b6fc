import type { ChildNode, Document, Element } from "domhandler";
import { lazy } from "../lib/lazy";
import { isBeacon } from "./ast/image-url";
import { visiblePage } from "./main-content/main-content";
import { type RegionTree, readRegions, type TextLine } from "./main-content/regions";
import { linesOutsideBoilerplate } from "./main-content/site-boilerplate";
import { parsePage, type StyledPage } from "./parse/document";
import { isElement, rawText } from "./parse/dom";
import { spendSteps, stepsOf } from "./parse/original-tree";
import { separateWords } from "./parse/separate-words";
import { setChildren } from "./parse/tree";
import { addressesAi } from "./visibility/ai-instructions";
import { insertDisplayedValues } from "./visibility/displayed-values";
import { findHiddenNodes } from "./visibility/hidden-nodes";

/**
 * A parsed page, with the visibility of its nodes. The conversion, the content check and the outcome share one parsed
 * page. What isn't always needed is computed on the first access.
 */
export class VisiblePage {
  readonly html: string;
  readonly document: Document;
  readonly #styled: StyledPage;
  readonly #hidden: () => ReadonlySet<ChildNode>;
  #copies: ReturnType<typeof copyVisible> | null = null;

  /** `hidden`: the nodes that count as hidden. By default, they are found on the first access. */
  constructor(html: string, styled: StyledPage, hidden: ReadonlySet<ChildNode> | null = null) {
    this.html = html;
    this.document = styled.document;
    this.#styled = styled;
    this.#hidden = lazy(() => hidden ?? findHiddenNodes(styled));
  }

  /** Returns the same page with all its hidden text counted as visible. */
  withHiddenText(): VisiblePage {
    return new VisiblePage(this.html, this.#styled, new Set());
  }

  /** Returns a copy of all visible content. */
  readonly whole = (): Element => this.#copy().whole();
  /** Returns the text lines of `whole`. */
  readonly page = (): RegionTree => this.#copy().page();
  /** Returns the text lines outside of the site's boilerplate. */
  readonly outside = (): readonly TextLine[] => this.#copy().outside();

  /** Frees the copies of the content. They take more memory than the page itself, and are made again when needed. */
  freeCopies(): void {
    this.#copies = null;
  }

  #copy(): ReturnType<typeof copyVisible> {
    this.#copies ??= copyVisible(this.document, this.hidden);
    return this.#copies;
  }

  /** The elements and text nodes that a person can't see. */
  get hidden(): ReadonlySet<ChildNode> {
    return this.#hidden();
  }
}

function copyVisible(document: Document, hidden: ReadonlySet<ChildNode>) {
  const whole = lazy(() => visiblePage(document, hidden));
  const page = lazy(() => readRegions(whole(), new Set()));
  return { whole, page, outside: lazy(() => linesOutsideBoilerplate(page())) };
}

/** The maximum number of frames whose contents are read. */
const MAX_FRAMES = 20;

/**
 * Parses a page for parse: the values that the page displays in form fields, dates and ratings become text. See
 * `insertDisplayedValues`. `computed` is the visibility that the browser computed for a rendered page, or null.
 */
export function parseVisiblePage(html: string, computed: string | null = null): VisiblePage {
  const styled = parsePage(html, { computed });
  insertDisplayedValues(styled.document);
  separateWords(styled.document);
  return new VisiblePage(html, styled);
}

/** Parses a page for scrape: without the values of form fields, and with the names of icons and media. */
export function openPage(html: string, computed: string | null = null): VisiblePage {
  const styled = parseForScrape(html, computed);
  insertFrames(styled);
  return new VisiblePage(html, styled);
}

function parseForScrape(html: string, computed: string | null): StyledPage {
  const styled = parsePage(html, { fields: false, computed });
  insertDisplayedValues(styled.document, { fields: false });
  separateWords(styled.document);
  return styled;
}

/** Returns true if the body of a frame follows the frame, because the page is rendered. */
function isRead({ next }: Element): boolean {
  return isElement(next) && next.attribs["data-frame-src"] !== undefined;
}

/**
 * Inserts the visible contents of the first frames whose documents are attributes of the page. Their steps count for the
 * page. Leaves out the frames in these frames.
 */
function insertFrames({ document, frames }: StyledPage): void {
  for (const frame of frames.filter((one) => !isRead(one)).slice(0, MAX_FRAMES)) {
    const { srcdoc = "" } = frame.attribs;
    const page = new VisiblePage(srcdoc, parseForScrape(srcdoc, null));
    // The size of a frame isn't known. One without size hides its text.
    if (isBeacon(frame) || addressesAi(rawText(page.whole()))) frame.attribs.hidden = "";
    setChildren(frame, page.whole().children);
    spendSteps(document, stepsOf(page.document));
  }
}
