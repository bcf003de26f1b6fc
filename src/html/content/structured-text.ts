import { typesOf } from "../page/json-ld";
import type { PageModel } from "../page/page-model";

const WORD = /[\p{L}\p{N}_]+/gu;
const MIN_CHARS = 8;
/** JSON-LD of these types describes the site or opinions about the subject, not the subject itself. */
const ASIDE_TYPE = /Review|Organization|WebSite|BreadcrumbList/;
const NO_TEXT_KEY = /^@|url|image|logo|sameAs|^keywords$/i;
const MAX_DEPTH = 12;
/** Each line of the page is searched in the texts, so their length is limited. */
const MAX_CHARS = 100_000;

/** The words of texts, separated and surrounded by one space, in lower case. */
type WordString = string;

/** Returns the words of a text as a string that can be searched for the words of another text. */
export function wordString(text: string): WordString {
  return ` ${(text.toLowerCase().match(WORD) ?? []).join(" ")} `;
}

/**
 * Reads the texts of a page's JSON-LD and description. `aside` has those of reviews, of the site and of its operator.
 */
export function readStructuredText({
  jsonLd,
  meta,
}: PageModel): Record<"subject" | "aside" | "description", WordString> {
  const subject: string[] = [];
  const aside: string[] = [];
  function visit(value: unknown, isAside: boolean, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (typeof value === "string") {
      if (value.length > MIN_CHARS) (isAside ? aside : subject).push(value);
    } else if (Array.isArray(value)) for (const item of value) visit(item, isAside, depth + 1);
    else if (typeof value === "object" && value !== null) {
      const isBeside = isAside || typesOf(value).some((type) => ASIDE_TYPE.test(type));
      for (const [key, child] of Object.entries(value)) if (!NO_TEXT_KEY.test(key)) visit(child, isBeside, depth + 1);
    }
  }
  visit(jsonLd(), false, 0);
  const descriptions = [...meta].flatMap(([name, content]) => (name.includes("description") ? [content] : []));
  const toWords = (texts: string[]) => {
    const text = texts.join(" \n ").slice(0, MAX_CHARS);
    return text === "" ? "" : wordString(text.replace(/<[^<>]*>/g, " "));
  };
  return { subject: toWords(subject), aside: toWords(aside), description: toWords(descriptions) };
}
