import { isLinkLine } from "../main-content/regions";
import { hostOf } from "../parse/urls";
import { normalize, sentencesOf } from "../text/sentences";
import type { OutcomeFacts } from "./outcome-facts";
import { announces, PHRASES, quote, says } from "./phrases";

const MAX_BRIEF_CHARS = 900;
const MAX_BRIEF_LINKS = 10;
/** A page with only advertisements has at most this much other text. */
const MAX_ADVERTISED_CHARS = 200;
const MAX_HTML_CHARS = 200_000;
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
const MAX_SENTENCE_CHARS = 240;
/** File names, which look like domains. */
const FILE = /\.(?:html?|php|js|css|png|jpe?g|gif|svg|pdf|txt|zip|xml|json|conf)\b/giu;

/** Returns the evidence that the page only fills an unused domain, such as a page of a registrar, or null. */
export function findParking(facts: OutcomeFacts): string | null {
  const { lines, titleParts, unlinkedChars, page, response } = facts;
  if (facts.exceeds({ unlinkedChars: 2_500, proseChars: 1_500, lines: 100 })) return null;
  const texts = lines.slice(0, MAX_STATEMENT_LINES).map(({ text }) => text);
  // Some pages divide the sentence: the domain is the heading, and "is for sale" is the next line.
  const pairs = texts.slice(0, MAX_PAIRS).map((text, at) => `${text} ${texts[at + 1] ?? ""}`);
  const { statements, vendor, ads, about } = PHRASES.parking;
  const statement = [...texts, ...titleParts, ...pairs].find((text) =>
    announces(text, statements, MAX_STATEMENT_CHARS),
  );
  const defaultPage = findDefaultPage(facts);
  if (defaultPage !== null) return defaultPage;
  const html = page.html.slice(0, MAX_HTML_CHARS);
  if (statement === undefined) {
    if (isOffer(facts, texts))
      return `The page offers the domain ${quote([...texts, ...titleParts].find(isDomain) ?? "")}.`;
    const showsAds = unlinkedChars <= MAX_ADVERTISED_CHARS && vendor.test(html) && ads.test(html);
    return showsAds ? "The page loads only the advertisements of a domain parking service." : null;
  }
  if (facts.exceeds({ code: 0, passwords: 0 })) return null;
  const host = hostOf(response.url);
  const namesHost = (text: string) => isDomain(text) || (host !== null && text.toLowerCase().includes(host));
  const namesDomain =
    [...titleParts, ...texts].some(namesHost) || facts.names.some((text) => NAMED_DOMAIN.test(text.toLowerCase()));
  if (!namesDomain && titleParts.some((part) => about.test(part))) return null;
  const isAboutThis = PHRASES.parking.this.test(statement) && facts.elements.links <= MAX_BRIEF_LINKS;
  const isOfDomain =
    unlinkedChars <= MAX_BRIEF_CHARS &&
    !isAboutOtherDomain(statement, response.url) &&
    (namesDomain || (isAboutThis && !hasOtherProse(facts)));
  return vendor.test(html) || isOfDomain ? `The page says ${quote(statement)}.` : null;
}

/** Returns true if a page has sentences that aren't about domains, offers and sites, such as an article's. */
function hasOtherProse({ content }: OutcomeFacts): boolean {
  const sentences = content.filter((line) => !isLinkLine(line)).flatMap(({ text }) => sentencesOf(text));
  const others = sentences.filter((text) => SENTENCE.test(text) && !PHRASES.parking.subject.test(normalize(text)));
  return others.reduce((sum, { length }) => sum + length, 0) > MAX_OTHER_CHARS;
}

/** Returns true for a page whose heading or title is a domain, and which offers this domain or hosting for it. */
function isOffer(facts: OutcomeFacts, texts: readonly string[]): boolean {
  if (facts.exceeds({ unlinkedChars: MAX_BRIEF_CHARS, links: 20 })) return false;
  if (![...facts.headings.slice(0, 2), ...facts.titleParts.slice(0, 3)].some(isDomain)) return false;
  const { domainWord, offer, about } = PHRASES.parking;
  const text = normalize(texts.join("\n"));
  return domainWord.test(text) && offer.test(text) && !about.test(text);
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

/** Returns the evidence that the page is the default page of a server, a host or a registrar, or null. */
function findDefaultPage(facts: OutcomeFacts): string | null {
  if (facts.exceeds({ unlinkedChars: 900, links: 10, passwords: 0, code: 0 })) return null;
  const { names, notes, head } = facts;
  const { sentences, names: defaultNames, hosting, about, own } = PHRASES.defaultPage;
  const statements = [...notes, ...facts.titleParts];
  const mayBeNamed = facts.elements.links === 0 || !head.isArticle;
  const known =
    statements.find((text) => says(text, sentences)) ??
    (mayBeNamed ? names.find((text) => says(text, defaultNames)) : undefined);
  if (known !== undefined) return toReason(known);
  const text = normalize([...names, ...notes].join("\n"));
  if (!hosting.test(text) || head.isArticle || about.test(text)) return null;
  const sentence = statements.flatMap(sentencesOf).find(saysNoSite);
  const isOwn = own.test(text) || NAMED_DOMAIN.test(text.replace(FILE, " "));
  return sentence !== undefined && isOwn ? toReason(sentence) : null;
}

function saysNoSite(sentence: string): boolean {
  const { definition, noSite } = PHRASES.defaultPage;
  if (sentence.length > MAX_SENTENCE_CHARS || /[?？]$/.test(sentence) || definition.test(sentence)) return false;
  return noSite.test(normalize(sentence));
}

function toReason(text: string): string {
  return `The page is the default page of a host: ${quote(text)}.`;
}
