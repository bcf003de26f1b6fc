import { findMountElement } from "../has-content";
import { isLinkLine, type TextLine } from "../main-content/regions";
import { findAgeGate } from "./age-gate";
import { findRegionGate, findTermsGate } from "./choice-gate";
import { BUTTON, NOTICE_BUTTON } from "./consent-phrases";
import type { PageFacts } from "./page-facts";
import { MAX_PHRASE_CHARS, quote, says, wordsOnly } from "./phrases";

/** A consent wall has at most this much text. */
const MAX_CHARS = 6_000;
/** A consent wall has at most this much text that isn't about consent. */
const MAX_OTHER_CHARS = 500;
const MAX_GATE_LINKS = 30;
/** At least this share of the text is about consent. */
const MIN_SHARE = 0.5;
/** The least text of a page under a consent dialog. */
const MIN_COVERED_CHARS = 60;
const SUBJECT =
  /cookie|consent|privacy|gdpr|personal(?:i[sz]ed)? (?:data|ad|content)|personal data|our partners|partners|legitimate interest|advertis|tracking|einwillig|zustimm|datenschutz|personenbezogen|werbung|tracking|çerez|kişisel veri|куки|cookie|согласи|персональн|confidentialité|consentement|traceurs|données|publicité|privacidad|consentimiento|datos personales|publicidad|privacidade|consentimento|dados pessoais|riservatezza|consenso|dati personali|pubblicit|toestemming|gegevens|advertenties|zgod|prywatno|danych osobowych|クッキー|同意|プライバシー|隐私|隱私|同意|쿠키|동의|개인정보|samtyck|integritet|annonser|samtykke|souhlas|hozzájárul|συγκατ|згод|\bpur\b|werbefrei|ad[- ]free|tracker|abonner|geräten?\b|unique identifiers|cihaz/iu;
/** Words for the purposes of consent on the web. Consent is also given to other things. */
const CORE =
  /cookie|partner|track|traceur|adverti|werbung|publici|pubblicit|advertenti|reklam|cihaz|device|gerät|terminal|urządzeni|реклам|privacy|datenschutz|クッキー|プライバシー|广告|廣告|隐私|隱私|쿠키|광고|çerez|gdpr|process data/iu;
const VENDOR_URL =
  /^https?:\/\/(?:consent\.(?:google|youtube|yahoo)\.|guce\.|myprivacy\.|privacy-?gate\.|cmp\.|consent\.)|\/(?:consent|privacy-?gate|cookie-?wall|zustimmung|age-?gate|age-?verification|collectConsent)(?:[/?.]|$)/i;
const TITLE =
  /before you continue|bevor (?:sie|du) fortf|avant d'accéder|antes de (?:ir|continuar)|prima di continuare|voordat je verdergaat|privacy ?gate|cookie ?wall|consent(?! form)|zustimmung|age (?:verification|gate|check)|zgod|tcf|privacy settings|privacy preference|einwilligung|bevor (?:sie|du) (?:zu|mit|fort|weiter)|avant (?:d'accéder|de continuer)|zanim przejdziesz|inn(?:an|en) du (?:går|fortsätter)|before (?:accessing|you access|you go)|に進む前に|前往.{0,12}之前|계속하기 전에|прежде чем (?:продолжить|перейти)|toestemming|consentement|consentimiento|consenso|samtycke|samtykke|suostumus|souhlas|hozzájárul|privacy choices|your (?:privacy )?choices?|ihre wahl|vos choix|einverständnis|datenschutzeinstellungen/i;
const POLICY =
  /(?:privacy|cookie|data protection) (?:policy|notice|statement)|datenschutz(?:erklärung|hinweise)|politique (?:de|des)|política de|informativa|privacyverklaring|cookiebeleid|gizlilik politikası|çerez politikası|политика|polityka/i;
/** Headings of policies, and the durations that they state. */
const ABOUT_COOKIES =
  /^(?:(?:our|unsere|nos|nuestras|os nossos|i nostri|onze|the|les|los|os|i) )?cookies?\W*$|(?:how|why) we use|(?:which|what) (?:are )?cookies|about (?:our )?cookies|welche cookies|was sind cookies|wie wir cookies|quels cookies|qu'est-ce qu|qué (?:son|cookies)|o que são|cosa sono|wat zijn/i;
const DURATION =
  /\b(?:\d+|one|two|three|six|twelve|a|ein(?:en?|em)?|zwei|drei|sechs|zwölf|un|une|deux|trois|treize) (?:days?|weeks?|months?|years?|hours?|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|jours?|semaines?|mois|ans?|días?|semanas?|mes(?:es)?|años?|dias?|anos?|giorni?|settiman[ae]|mes[ei]|ann[oi]|dagen|weken|maanden|jaar|jaren)(?!\p{L})|\d+ ?(?:дн|месяц|лет|год|dni|miesi|gün|ay\b|yıl|日間|か月|年間|天|个月|년|개월)/iu;

/** The two choices of a page that offers to accept advertisements or to pay. */
const WITH_ADS =
  /\b(?:free )?with (?:ads|advertising|ads and tracking)\b|mit werbung|avec (?:la )?publicité|con (?:la )?(?:publicidad|pubblicità)|com (?:a )?publicidade|met advertenties|z reklamami|с рекламой|med (?:annonser|reklame)/u;
const WITHOUT_ADS =
  /\bad[- ]free\b|without (?:ads|advertising|tracking)|werbefrei|ohne (?:werbung|tracking|werbetracking)|\bpur-?abo\b|sans (?:publicité|traceurs|pub\b)|sin (?:publicidad|cookies)|senza (?:pubblicità|cookie|tracciamento)|sem (?:publicidade|anúncios)|zonder (?:advertenties|tracking)|bez reklam|без рекламы|uten (?:annonser|reklame)|utan annonser/u;

/** Returns the evidence that a consent wall, an age gate or a choice of region is shown instead of the content, or null. */
export function findConsentGate(facts: PageFacts): string | null {
  return (
    findAgeGate(facts) ??
    findRegionGate(facts) ??
    findTermsGate(facts) ??
    findPayOrAcceptGate(facts) ??
    findCookieGate(facts)
  );
}

/** Finds a page with the choice between advertisements and a subscription without them. */
function findPayOrAcceptGate({ lines, elements, unlinkedChars, isArticle }: PageFacts): string | null {
  if (unlinkedChars > MAX_CHARS / 2 || isArticle || elements.links > MAX_GATE_LINKS) return null;
  const texts = lines.filter(({ text }) => text.length <= MAX_PHRASE_CHARS).map(({ text }) => text);
  const free = texts.find((text) => says(text, [WITH_ADS]));
  if (free === undefined || !texts.some((text) => says(text, [WITHOUT_ADS]))) return null;
  const labels = [...elements.buttons, ...elements.linkLabels];
  if (!lines.some(({ text }) => CORE.test(text)) || !labels.some((label) => says(label, BUTTON))) return null;
  return `The page shows only a request for consent: ${quote(free)}.`;
}

function findCookieGate(facts: PageFacts): string | null {
  const { lines, response, page, headings } = facts;
  const unlinked = lines.filter((line) => !isLinkLine(line));
  const total = unlinked.reduce((sum, line) => sum + line.length, 0);
  if (total === 0 || total > MAX_CHARS) return null;
  const about = unlinked.filter(({ text }) => SUBJECT.test(text.slice(0, 2 * MAX_PHRASE_CHARS)));
  const aboutChars = about.reduce((sum, line) => sum + line.length, 0);
  const isNamed = VENDOR_URL.test(response.url) || [...facts.titleParts, ...headings].some((part) => TITLE.test(part));
  if (aboutChars < MIN_SHARE * total && !isNamed) return null;
  if (total - aboutChars > (isNamed ? 3 * MAX_OTHER_CHARS : MAX_OTHER_CHARS)) return null;
  const { buttons, linkLabels, code } = facts.elements;
  const labels = [...buttons, ...linkLabels, ...lines.filter(({ text }) => text.length <= 50).map(({ text }) => text)];
  if (code > 0 || facts.elements.links > MAX_GATE_LINKS || !labels.some((label) => says(label, BUTTON))) return null;
  if (!isNamed && !labels.some((label) => says(label, BUTTON) && !NOTICE_BUTTON.test(label.trim()))) return null;
  if (!isNamed && [...facts.titleParts, ...headings].some((part) => POLICY.test(part))) return null;
  const h1 = headings[0];
  const isTitled =
    h1 !== undefined && facts.titleParts.some((part) => wordsOnly(part) === wordsOnly(h1)) && !TITLE.test(h1);
  if (isTitled) return null;
  if (headings.some((text) => ABOUT_COOKIES.test(text)) || describesCookies(facts) || coversContent(facts)) return null;
  const isShell = !response.rendered && findMountElement(page.document) === "mount";
  if (!about.some(({ text }) => CORE.test(text))) return null;
  const [longest] = about.toSorted((a, b) => b.length - a.length);
  if ((isShell && !isNamed) || longest === undefined) return null;
  return `The page shows only a request for consent: ${quote(longest.text)}.`;
}

/** Returns true for a policy, which says how long cookies are kept. */
function describesCookies({ notes }: PageFacts): boolean {
  return notes.some((text) => /cookie|куки|クッキー|쿠키/iu.test(text) && DURATION.test(text));
}

/** Returns true if the request for consent is in a dialog over a page with content. */
function coversContent({ content, lines }: PageFacts): boolean {
  const isButton = ({ text }: TextLine) => text.length <= 50 && says(text, BUTTON);
  const isOutside = lines.some(isButton) && !content.some(isButton);
  if (!isOutside && content.some(({ text }) => SUBJECT.test(text))) return false;
  const covered = content.filter((line) => !isLinkLine(line) && line.headingLevel === 0);
  return covered.reduce((sum, line) => sum + line.length, 0) >= MIN_COVERED_CHARS;
}
