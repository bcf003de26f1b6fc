import { type ChildNode, type Document, Element, Text } from "domhandler";
import { bodyOf } from "../parse/document";
import { elementsAround, findElement, isElement, isHeading, NEVER_TEXT, separatedText } from "../parse/dom";
import { collapseAndTrim } from "../parse/white-space";
import type { Heading } from "./headline";
import { isOverlayMarkup } from "./overlay-patterns";
import { NUMBER } from "./prices";
import relatedHeadings from "./related-headings.json";

/** The parts of a page that don't describe its subject, as nodes of the document. */
export type PageParts = ReturnType<typeof findPageParts>;

const CARD = /^(?:a|article|div|li|section|td|tr|dl|figure)$/;
/** Matches headings of parts with other pages' subjects, such as “Related products”, in several languages. */
const RELATED_HEADING = new RegExp(relatedHeadings.join("|"), "iu");
/** Matches the classes, ids and labels of such parts, and of other parts next to the content. */
const RELATED_NAME =
  /related|recommend|similar|up-?sells?\b|cross-?sells?\b|also[-_]?(?:bought|like|viewed)|recently[-_]?viewed|bought[-_]?together|outbrain|taboola|sponsor|(?:^|[\s_-])ads?(?:[\s_-]|$)|advert|verwandt|aehnlich|empfehl|relacionad|recomend|similaires|recommand|correlat|gerelateerd|breadcrumb|accessor(?:y|ies)|more[-_]?from|you[-_]?may/i;
/** Matches class names that describe what the page has around the element. */
const ABOUT_PAGE = /(?:^|[-_])(?:has|no|not|without|with|is|hide|show)[-_]/i;
const MAX_NAME_CHARS = 80;
const MAX_NAMES = 20;
const MIN_SIMILAR = 2;
const MAX_HEADING_WORDS = 12;
const MAX_NAME_WORDS = 3;
const MAX_HEADING_CHARS = 160;
/** Longer texts of headings are cut. */
const MAX_TEXT_CHARS = 1_000;
/** The level of texts that look like headings. The levels of <h1> to <h6> are 1 to 6. */
const LOWEST_LEVEL = 7;
/** The number of elements around a heading that can have no other text. */
const MAX_WRAPPERS = 6;
/** The number of characters next to a heading that are only a link, such as “See all”. */
const MAX_HEADING_LINK_CHARS = 14;
const HEADINGS = new Set(["summary", "legend", "caption"]);
const ASIDES = new Set(["aside", "nav", "dialog"]);
const SITE_PARTS = new Set(["header", "footer"]);
const ASIDE_ROLE = /^(?:complementary|navigation|dialog|menu|menubar|contentinfo|search)$/i;
const HEADING_CLASS = /(?:^|[-_\s])(?:title|heading|headline|header)(?:\s|$)/i;
/** A part with more of the page's text is its content, unless the headline is elsewhere. */
const MAX_ASIDE_SHARE = 0.5;
/** A box or a part after a heading is smaller than this share of the page's text. */
const MAX_BOX_SHARE = 0.3;

/** The contents of an empty element. */
const NO_CONTENTS = {
  /** The number of texts that aren't empty, and of their characters. */
  texts: 0,
  chars: 0,
  /** True if it has a link to another page. */
  hasLink: false,
  /** True if such a link is a heading, or comes before all texts outside of links. */
  hasLinkedTitle: false,
};
type Contents = typeof NO_CONTENTS;

const STRUCK_TAGS = new Set(["del", "s", "strike"]);
const STRUCK_STYLE = /text-decoration(?:(?!text-decoration)[^;])*line-through/i;
/** Words in class names that mark a former or recommended price without a word for “price”. */
const STRUCK_CLASS =
  /^(?:strike|striked|striken|strikethrough|struck|crossed|msrp|rrp|uvp|srp|streichpreis|oldprice|wasprice|listprice|compareat|lineThrough|line-through)$/i;
const FORMER_WORD =
  /^(?:was|old|former|previous|prev|before|original|orig|compare|compared|list|recommended|suggested|antes|ancien|alter|vorher|statt|vecchio|antiguo|anterior)$/;
/** Words for a price that is a former one if another price is shown next to it. */
const REGULAR_WORD = /^(?:regular|normal|standard|full|base|retail|usual)$/;
const CURRENT_WORD = /^(?:sale|special|now|current|final|discount|discounted|reduced|offer|promo|deal|new|your)$/;
const PRICE_WORD = /^(?:prices?|preis|prix|precio|preco|prezzo|prijs|cena|amount|cost)$/;
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const MAX_CLASS_CHARS = 200;
const MAX_PRICE_CHARS = 60;
const MAX_PRICE_NODES = 30;
const MAX_NEIGHBORS = 10;
const AMOUNT = new RegExp(NUMBER, "g");

/** Finds the parts of a page that don't have its headline. */
export function findPageParts(
  document: Document,
  { hidden, headline }: { hidden: ReadonlySet<ChildNode>; headline: Heading | null },
) {
  return new PartFinder(bodyOf(document), hidden, headline?.element ?? null).find();
}

class PartFinder {
  readonly #body: Element;
  readonly #hidden: ReadonlySet<ChildNode>;
  readonly #contents: ReadonlyMap<Element, Contents>;
  readonly #headline: Element | null;
  /** The headline and the elements around it. */
  readonly #around: ReadonlySet<ChildNode>;
  readonly #isInArticle: boolean;
  readonly #asides = new Set<ChildNode>();
  readonly #site = new Set<ChildNode>();
  readonly #stories = new Set<ChildNode>();
  readonly #repeated = new Set<ChildNode>();
  readonly #formerPrices = new Set<ChildNode>();

  constructor(body: Element, hidden: ReadonlySet<ChildNode>, headline: Element | null) {
    this.#body = body;
    this.#hidden = hidden;
    this.#contents = measureContents(body, hidden);
    this.#headline = headline;
    const around = elementsAround(headline);
    this.#around = new Set(around);
    this.#isInArticle = around.some(({ name }) => name === "article");
  }

  find() {
    this.#visitChildren(this.#body, false);
    const titled = this.#asides.values().filter((one) => isElement(one) && this.#contentsOf(one).hasLinkedTitle);
    const teasers = this.#repeated.values().filter((one) => isElement(one) && this.#isTeaser(one));
    return {
      /** Parts next to the content, such as related products, navigation and advertisements. */
      asides: this.#asides,
      /** The header and the footer of the site. */
      site: this.#site,
      /** Similar boxes next to each other that link to other pages, such as the products of a category. */
      repeated: this.#repeated,
      /** Other articles than the one with the headline, and the boxes and asides with the title of another page. */
      stories: new Set([...this.#stories, ...titled, ...teasers]),
      /** Elements with a price that no longer applies. */
      formerPrices: this.#formerPrices,
    };
  }

  #contentsOf(element: Element): Contents {
    return this.#contents.get(element) ?? NO_CONTENTS;
  }

  #visitChildren(element: Element, isInContent: boolean): void {
    for (const card of this.#cardsIn(element)) this.#repeated.add(card);
    for (const child of element.children)
      if (child instanceof Element && this.#isOtherArticle(child)) this.#stories.add(child);
    /** The level of the last heading of other subjects. */
    let asideLevel: number | null = null;
    for (const child of element.children) {
      if (this.#hidden.has(child)) continue;
      const heading = child instanceof Element ? this.#headingAt(child) : null;
      if (asideLevel !== null && !this.#isAfterHeading(child, heading?.level ?? LOWEST_LEVEL + 1, asideLevel))
        asideLevel = null;
      if (asideLevel !== null) this.#addRelated(child);
      else if (child instanceof Element && !this.#repeated.has(child) && !this.#stories.has(child)) {
        if (this.#isAside(child)) this.#asides.add(child);
        else if (!isInContent && SITE_PARTS.has(child.name) && this.#isSmall(child)) this.#site.add(child);
        else if (heading !== null && isRelatedHeading(heading.text) && this.#isSmall(child)) {
          this.#addRelated(child);
          if (this.#contentsOf(child).chars <= heading.text.length + MAX_HEADING_LINK_CHARS) asideLevel = heading.level;
        } else this.#visit(child, isInContent);
      }
    }
  }

  #addRelated(node: ChildNode): void {
    this.#asides.add(node);
    this.#stories.add(node);
  }

  #visit(element: Element, isInContent: boolean): void {
    if (isFormerPrice(element)) {
      this.#formerPrices.add(element);
      return;
    }
    this.#visitChildren(element, isInContent || /^(?:article|main)$/.test(element.name));
  }

  /** Returns true if a node belongs to the part of the heading before it, and not to the page's content. */
  #isAfterHeading(node: ChildNode, level: number, headingLevel: number): boolean {
    if (level <= headingLevel || this.#around.has(node)) return false;
    return !(node instanceof Element) || this.#shareOf(node) < MAX_BOX_SHARE;
  }

  /** Returns the similar boxes among the children of an element. Rows of labels and values aren't boxes. */
  #cardsIn(element: Element): Element[] {
    const children = element.children.filter((child) => child instanceof Element);
    const cards = children.filter((child) => CARD.test(child.name) && this.#isCard(child));
    const keyOf = ({ name, attribs }: Element) => `${name}.${(attribs.class ?? "").trim().split(/\s/, 1)[0]}`;
    return [...Map.groupBy(cards, keyOf).values()].filter((group) => group.length >= MIN_SIMILAR).flat();
  }

  #isCard(element: Element): boolean {
    const { texts, hasLinkedTitle } = this.#contentsOf(element);
    if (texts < 2 || !hasLinkedTitle || this.#around.has(element) || this.#hidden.has(element)) return false;
    return this.#shareOf(element) < MAX_BOX_SHARE;
  }

  /** Returns true for an article with a heading, if the headline is in another one, and for one whose title is a link. */
  #isOtherArticle(element: Element): boolean {
    if (this.#headline === null || this.#around.has(element) || this.#hidden.has(element)) return false;
    if (element.name !== "article" && element.attribs.role !== "article") return false;
    return this.#contentsOf(element).hasLinkedTitle || (this.#isInArticle && this.#headingAt(element) !== null);
  }

  /** Returns false for the posts of a thread, which begin with a name. */
  #isTeaser(element: Element): boolean {
    const isLinked = (inner: Element) => this.#contentsOf(inner).hasLink && this.#contentsOf(inner).texts > 0;
    const title =
      findElement(element, (inner) => isHeading(inner) && isLinked(inner)) ??
      findElement(element, (inner) => inner.name === "a" && isLinked(inner));
    return title !== undefined && this.#textOf(title).split(" ").length > MAX_NAME_WORDS;
  }

  #isAside(element: Element): boolean {
    const { name, attribs } = element;
    const { id = "", class: classes = "", role = "" } = attribs;
    const isModal = attribs["aria-modal"] === "true";
    const isMarked =
      ASIDES.has(name) || ASIDE_ROLE.test(role) || isOverlayMarkup({ name, role, isModal, names: `${id} ${classes}` });
    return (isMarked || isNamedAside(element)) && this.#isSmall(element);
  }

  /** Returns true if the element is too small to have the page's content, or if the headline is elsewhere. */
  #isSmall(element: Element): boolean {
    return !this.#around.has(element) && (this.#headline !== null || this.#shareOf(element) <= MAX_ASIDE_SHARE);
  }

  #shareOf(element: Element): number {
    return this.#contentsOf(element).chars / this.#contentsOf(this.#body).chars;
  }

  /** Returns the heading with which an element begins. Returns null if it begins with another text. */
  #headingAt(element: Element): { text: string; level: number } | null {
    let at: Element | undefined = element;
    for (let count = 0; at !== undefined && count < MAX_WRAPPERS; count++) {
      const level = this.#levelOf(at);
      if (level !== null) return { text: this.#textOf(at), level };
      const first: ChildNode | undefined = at.children.find(
        (child) =>
          !this.#hidden.has(child) &&
          (child instanceof Element
            ? this.#contentsOf(child).texts > 0
            : child instanceof Text && child.data.trim() !== ""),
      );
      at = first instanceof Element ? first : undefined;
    }
    return null;
  }

  /** Returns the level of a heading, or of an element that looks like one. Returns null for another element. */
  #levelOf(element: Element): number | null {
    const { name, attribs } = element;
    if (isHeading(element)) return Number(name[1]);
    const { texts, chars } = this.#contentsOf(element);
    if (texts === 0 || chars > MAX_HEADING_CHARS) return null;
    if (attribs.role === "heading" || HEADINGS.has(name)) return LOWEST_LEVEL;
    if (name === "tr") return this.#textCells(element) === 1 && texts === 1 ? LOWEST_LEVEL : null;
    const { parent } = element;
    // The label of a row isn't a heading.
    if (!(parent instanceof Element) || this.#contentsOf(parent).texts <= texts + 1) return null;
    const isTitle = HEADING_CLASS.test(attribs.class ?? "") || (/^(?:p|div)$/.test(name) && this.#isBold(element));
    return isTitle && this.#textOf(element).split(" ").length <= MAX_HEADING_WORDS ? LOWEST_LEVEL : null;
  }

  #textCells(row: Element): number {
    return row.children.filter((cell) => cell instanceof Element && /^t[dh]$/.test(cell.name)).length;
  }

  #isBold(element: Element): boolean {
    const { texts } = this.#contentsOf(element);
    return element.children.some(
      (child) =>
        child instanceof Element && /^(?:b|strong)$/.test(child.name) && this.#contentsOf(child).texts === texts,
    );
  }

  #textOf(root: Element): string {
    const isSkipped = (node: ChildNode) => this.#hidden.has(node);
    return collapseAndTrim(separatedText(root, { maxChars: MAX_TEXT_CHARS, isSkipped }));
  }
}

/** Returns the contents of an element, and of all elements in it. */
function measureContents(root: Element, hidden: ReadonlySet<ChildNode>): ReadonlyMap<Element, Contents> {
  const measured = new Map<Element, Contents>();
  function measure(element: Element): Contents {
    const isLink = element.name === "a" && /^(?!javascript:)[^#]+$/i.test(element.attribs.href ?? "");
    const contents = { ...NO_CONTENTS, hasLink: isLink };
    for (const child of element.children) {
      if (hidden.has(child)) continue;
      if (child instanceof Text) {
        const { length } = child.data.trim();
        contents.texts += length > 0 ? 1 : 0;
        contents.chars += length;
      } else if (child instanceof Element && !NEVER_TEXT.has(child.name)) {
        const inner = measure(child);
        const isTitle = inner.hasLink && (isHeading(child) || (contents.texts === 0 && child.name === "a"));
        contents.hasLinkedTitle ||= isTitle || (inner.hasLinkedTitle && (contents.texts === 0 || isHeading(child)));
        contents.texts += inner.texts;
        contents.chars += inner.chars;
        contents.hasLink ||= inner.hasLink;
      }
    }
    contents.hasLinkedTitle ||= isLink && contents.texts > 0;
    measured.set(element, contents);
    return contents;
  }
  measure(root);
  return measured;
}

/** Returns true for an element with a price that no longer applies: struck through, or with a class such as `was-price`. */
function isFormerPrice(element: Element): boolean {
  const { name, attribs } = element;
  if (STRUCK_TAGS.has(name) || STRUCK_STYLE.test(attribs.style ?? "")) return true;
  const classes = attribs.class ?? "";
  if (classes === "" || classes.length > MAX_CLASS_CHARS) return false;
  const words = wordsOf(classes);
  const isStruck =
    classes.split(/\s+/).some((one) => STRUCK_CLASS.test(one)) || words.some((one) => STRUCK_CLASS.test(one));
  const isPrice = words.some((word) => PRICE_WORD.test(word));
  if (isStruck || (isPrice && words.some((word) => FORMER_WORD.test(word)))) return amountsIn(element).length === 1;
  return isPrice && words.some((word) => REGULAR_WORD.test(word)) && hasOtherPrice(element);
}

/** Returns true if a current price with another amount is next to the element. */
function hasOtherPrice(element: Element): boolean {
  const [own] = amountsIn(element);
  const neighbors = element.parent?.children ?? [];
  if (own === undefined || neighbors.length > MAX_NEIGHBORS) return false;
  return neighbors.some((neighbor) => {
    if (!(neighbor instanceof Element) || neighbor === element) return false;
    const isCurrent = wordsOf(neighbor.attribs.class ?? "").some((word) => CURRENT_WORD.test(word));
    const [other] = isCurrent ? amountsIn(neighbor) : [];
    return other !== undefined && other !== own;
  });
}

/** Returns the digits of each amount in a short text. Returns an empty list for a long text. */
function amountsIn(root: Element): string[] {
  let nodes = 0;
  const text = separatedText(root, { maxChars: MAX_PRICE_CHARS + 1, isSkipped: () => ++nodes > MAX_PRICE_NODES });
  if (nodes > MAX_PRICE_NODES || text.length > MAX_PRICE_CHARS) return [];
  return (text.match(AMOUNT) ?? []).map((digits) => digits.replace(/\s/g, ""));
}

function wordsOf(classes: string): string[] {
  return (classes.slice(0, MAX_CLASS_CHARS).match(WORD) ?? []).map((word) => word.toLowerCase());
}

/** Returns true for the heading of a part with other subjects, such as “You may also like”. */
export function isRelatedHeading(text: string): boolean {
  return RELATED_HEADING.test(text);
}

/** Returns true if the names of an element mark a part with other subjects. */
function isNamedAside(element: Element): boolean {
  return namesOf(element).some((name) => RELATED_NAME.test(name) && !ABOUT_PAGE.test(name));
}

function namesOf({ name, attribs }: Element): string[] {
  const names = [...(attribs.class ?? "").split(/\s+/, MAX_NAMES), attribs.id ?? "", attribs["aria-label"] ?? ""];
  return [...names, name.includes("-") ? name : ""].filter((one) => one !== "" && one.length <= MAX_NAME_CHARS);
}
