import { isLinkLine } from "../main-content/regions";
import { normalize, sentencesOf } from "../text/sentences";
import type { OutcomeFacts } from "./outcome-facts";
import { announces, PHRASES, quote, says } from "./phrases";

const MAX_CHARS = 2_500;
const MAX_PROSE_CHARS = 1_500;
const MAX_BRIEF_CHARS = 900;
const MAX_BRIEF_LINKS = 10;
/** A page with only advertisements has at most this much other text. */
const MAX_ADVERTISED_CHARS = 200;
const MAX_HTML_CHARS = 200_000;
const MAX_LINES = 100;
const MAX_STATEMENT_CHARS = 200;
/** The statement is among the first lines. */
const MAX_STATEMENT_LINES = 40;
const MAX_PAIRS = 15;
const SENTENCE = /^.{20,}[.!?。！？]$/u;
const MAX_OTHER_CHARS = 30;
/** A title or line that is only a domain name. */
const DOMAIN = /^(?:www\.)?[\p{L}\d-]+(?:\.[\p{L}\d-]+)+\W*$/u;
/** A domain name inside of a sentence. */
const NAMED_DOMAIN = /(?<![\p{L}\d@.-])[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63})*\.\p{L}{2,63}(?![\p{L}\d-])/u;
const MAX_OFFER_LINKS = 20;

const MAX_DEFAULT_PAGE_CHARS = 900;
const MAX_LINKS = 10;
const MAX_SENTENCE_CHARS = 240;
/** File names, which look like domains. */
const FILE = /\.(?:html?|php|js|css|png|jpe?g|gif|svg|pdf|txt|zip|xml|json|conf)\b/giu;

/** Returns the evidence that the page only fills an unused domain, such as a page of a registrar, or null. */
export function findParking(facts: OutcomeFacts): string | null {
  const { lines, unlinkedChars, proseChars, page, response } = facts;
  if (unlinkedChars > MAX_CHARS || proseChars > MAX_PROSE_CHARS || lines.length > MAX_LINES) return null;
  const texts = lines.slice(0, MAX_STATEMENT_LINES).map(({ text }) => text);
  // Some pages divide the sentence: the domain is the heading, and "is for sale" is the next line.
  const pairs = texts.slice(0, MAX_PAIRS).map((text, at) => `${text} ${texts[at + 1] ?? ""}`);
  const statement = [...texts, ...facts.titleParts, ...pairs].find((text) =>
    announces(text, PHRASES.parking.statements, MAX_STATEMENT_CHARS),
  );
  const defaultPage = findDefaultPage(facts);
  if (defaultPage !== null) return defaultPage;
  if (statement === undefined && isOffer(facts, texts))
    return `The page offers the domain ${quote(texts.find(isDomain) ?? facts.titleParts.find(isDomain) ?? "")}.`;
  if (statement === undefined && unlinkedChars > MAX_ADVERTISED_CHARS) return null;
  const isVendor = PHRASES.parking.vendor.test(page.html.slice(0, MAX_HTML_CHARS));
  if (statement === undefined) {
    const showsAds = isVendor && PHRASES.parking.ads.test(page.html.slice(0, MAX_HTML_CHARS));
    return showsAds ? "The page loads only the advertisements of a domain parking service." : null;
  }
  const { elements, titleParts } = facts;
  if (elements.code > 0 || elements.passwords > 0) return null;
  const host = hostOf(response.url);
  const namesDomain =
    [...titleParts, ...texts].some(
      (text) => DOMAIN.test(text) || (host !== null && text.toLowerCase().includes(host)),
    ) || [...titleParts, ...facts.headings].some((text) => NAMED_DOMAIN.test(text.toLowerCase()));
  if (!namesDomain && titleParts.some((part) => PHRASES.parking.about.test(part))) return null;
  if (!isVendor && isAboutOtherDomain(statement, response.url)) return null;
  const isBrief = unlinkedChars <= MAX_BRIEF_CHARS;
  if (!isVendor && !namesDomain && hasOtherProse(facts)) return null;
  const isAboutThis = PHRASES.parking.this.test(statement) && elements.links <= MAX_BRIEF_LINKS;
  if (!isVendor && !(isBrief && (namesDomain || isAboutThis))) return null;
  return `The page says ${quote(statement)}.`;
}

/** Returns true if a page has sentences that aren't about domains, offers and sites, such as an article's. */
function hasOtherProse({ content }: OutcomeFacts): boolean {
  const sentences = content.filter((line) => !isLinkLine(line)).flatMap(({ text }) => sentencesOf(text));
  const others = sentences.filter((text) => SENTENCE.test(text) && !PHRASES.parking.subject.test(normalize(text)));
  return others.reduce((sum, { length }) => sum + length, 0) > MAX_OTHER_CHARS;
}

/** Returns true for a page whose heading or title is a domain, and which offers this domain or hosting for it. */
function isOffer({ headings, titleParts, unlinkedChars, elements }: OutcomeFacts, texts: readonly string[]): boolean {
  if (unlinkedChars > MAX_BRIEF_CHARS || elements.links > MAX_OFFER_LINKS) return false;
  if (![...headings.slice(0, 2), ...titleParts.slice(0, 3)].some(isDomain)) return false;
  const text = normalize(texts.join("\n"));
  return PHRASES.parking.domainWord.test(text) && PHRASES.parking.offer.test(text) && !PHRASES.parking.about.test(text);
}

/**
 * Returns true if the statement names a domain, and the page is below another site's front page, such as an entry of a
 * directory.
 */
function isAboutOtherDomain(statement: string, url: string): boolean {
  const host = hostOf(url);
  const named = NAMED_DOMAIN.exec(statement.toLowerCase())?.[0].replace(/^www\./, "");
  if (host === null || named === undefined || host === named || host.endsWith(`.${named}`)) return false;
  return new URL(url).pathname !== "/";
}

function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}

function hostOf(url: string): string | null {
  try {
    return new URL(url).hostname.replace(/^www\./, "").toLowerCase();
  } catch {
    // The URL of a page that was sent with the request can be a placeholder.
    return null;
  }
}

/** Returns the evidence that the page is the default page of a server, a host or a registrar, or null. */
function findDefaultPage(facts: OutcomeFacts): string | null {
  const { unlinkedChars, elements, titleParts, headings, notes } = facts;
  if (
    unlinkedChars > MAX_DEFAULT_PAGE_CHARS ||
    elements.links > MAX_LINKS ||
    elements.passwords > 0 ||
    elements.code > 0
  )
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
