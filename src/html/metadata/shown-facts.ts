import type { ChildNode, Document, Element } from "domhandler";
import { lazy } from "../../lib/lazy";
import { bodyOf } from "../parse/document";
import { elementsUnder, isWithin } from "../parse/dom";
import { authorIn, authorInElement, datesIn } from "./byline";
import { type Segment, segmentsBefore, segmentsFrom, segmentsIn } from "./segments";

const IN_AUTHOR = { count: 6, longTexts: 1, headings: 9 };
const ISO_DAY_CHARS = 10;
const IN_TIME = { count: 3, longTexts: 1, headings: 1 };
/** The headline itself is one of the headings. */
const FROM_HEADLINE = { count: 32, longTexts: 3, headings: 4 };
const BEFORE_HEADLINE = { count: 12, longTexts: 1, headings: 1 };

interface ShownFactsOptions {
  /** The page, or null if nothing may be read from its text. */
  document: Document | null;
  /** The page's <time> elements. */
  times: readonly Element[];
  headline: Element | null;
  /** Returns the parts of the page about other subjects. */
  others: () => ReadonlySet<ChildNode>;
  language: string;
}

/** The author and the dates that a page shows near its headline. They are read on the first access. */
export class ShownFacts {
  readonly #options: ShownFactsOptions;
  /** Returns the segments after the headline. */
  readonly #after = lazy(() => this.#readAfter());
  /** Returns the segments before the headline. They are read only if a fact isn't after the headline. */
  readonly #before = lazy(() => {
    const { headline, others } = this.#options;
    return headline ? segmentsBefore(headline, { ...BEFORE_HEADLINE, skipped: others() }) : [];
  });
  readonly #dates = lazy(() => this.#readDates());

  constructor(options: ShownFactsOptions) {
    this.#options = options;
  }

  /** The names of the author, joined by commas, or an empty string. */
  get author(): string {
    const { language } = this.#options;
    return authorIn(this.#after(), language) || authorIn(this.#before(), language);
  }

  /** The author anywhere on the page, for example in a box below the text. Empty if there are several. */
  get markedAuthor(): string {
    const { document, language, others } = this.#options;
    if (!document) return "";
    const skipped = others();
    let author = "";
    for (const element of elementsUnder(bodyOf(document), (inner) => isContent(inner) && !skipped.has(inner))) {
      if (skipped.has(element)) continue;
      const found = authorInElement(element, () => segmentsIn(element, { ...IN_AUTHOR, skipped }), language);
      if (found !== "" && author !== "" && found !== author) return "";
      author ||= found;
    }
    return author;
  }

  /** The time or day of the publication, or an empty string. */
  get published(): string {
    return this.#dates().published;
  }

  /** The time or day of the last change, or an empty string. */
  get modified(): string {
    return this.#dates().modified;
  }

  #readAfter(): Segment[] {
    const { headline, others } = this.#options;
    if (!headline) return [];
    // The words of the headline aren't a byline, but a time in it is the time of the page.
    const isOwnText = ({ text, element }: Segment) =>
      text !== "" && (element === headline || element.parent === headline);
    return segmentsFrom(headline, { ...FROM_HEADLINE, skipped: others() }).filter((segment) => !isOwnText(segment));
  }

  #readDates(): { published: string; modified: string } {
    let modified = "";
    for (const read of [this.#after, this.#before, () => this.#singleTime()]) {
      const dates = datesIn(read(), this.#options.language);
      modified ||= dates.modified;
      if (dates.published !== "") return { published: dates.published, modified };
    }
    return { published: "", modified };
  }

  /** Returns the segments of the page's <time> elements if all of them have the same day. */
  #singleTime(): Segment[] {
    const { document, times: all, others } = this.#options;
    const skipped = others();
    const times = document ? all.filter((time) => time.attribs.datetime && !isWithin(time, skipped)) : [];
    const days = new Set(times.map(({ attribs }) => attribs.datetime?.slice(0, ISO_DAY_CHARS)));
    return days.size === 1 ? times.slice(0, 1).flatMap((time) => segmentsIn(time, { ...IN_TIME, skipped })) : [];
  }
}

function isContent({ name, attribs }: Element): boolean {
  return name !== "nav" && name !== "template" && attribs.role !== "navigation";
}
