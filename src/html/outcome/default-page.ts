import type { PageFacts } from "./page-facts";
import { normalize, PHRASES, quote, says, sentencesOf } from "./phrases";

const MAX_CHARS = 900;
const MAX_LINKS = 10;
const MAX_SENTENCE_CHARS = 240;
/** A domain name. */
const NAMED_DOMAIN = /(?<![\p{L}\d@.-])[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63})*\.\p{L}{2,63}(?![\p{L}\d-])/u;
/** File names, which look like domains. */
const FILE = /\.(?:html?|php|js|css|png|jpe?g|gif|svg|pdf|txt|zip|xml|json|conf)\b/giu;

/** Returns the evidence that the page is the default page of a server, a host or a registrar, or null. */
export function findDefaultPage(facts: PageFacts): string | null {
  const { unlinkedChars, elements, titleParts, headings, notes } = facts;
  if (unlinkedChars > MAX_CHARS || elements.links > MAX_LINKS || elements.passwords > 0 || elements.code > 0)
    return null;
  const names = [...titleParts, ...headings];
  const known =
    [...notes, ...titleParts].find((text) => says(text, PHRASES.defaultPage.sentences)) ??
    (elements.links === 0 || !facts.isArticle
      ? names.find((text) => says(text, PHRASES.defaultPage.names))
      : undefined);
  if (known !== undefined) return toReason(known);
  const text = normalize([...names, ...notes].join("\n"));
  if (!PHRASES.defaultPage.hosting.test(text) || facts.isArticle || PHRASES.defaultPage.about.test(text)) return null;
  const sentence = [...notes, ...titleParts].flatMap(sentencesOf).find(saysNoSite);
  if (sentence === undefined) return null;
  return PHRASES.defaultPage.own.test(text) || NAMED_DOMAIN.test(text.replace(FILE, " ")) ? toReason(sentence) : null;
}

function saysNoSite(sentence: string): boolean {
  if (sentence.length > MAX_SENTENCE_CHARS || /[?？]$/.test(sentence) || PHRASES.defaultPage.definition.test(sentence))
    return false;
  return PHRASES.defaultPage.noSite.test(normalize(sentence));
}

function toReason(text: string): string {
  return `The page is the default page of a host: ${quote(text)}.`;
}
