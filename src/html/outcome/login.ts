import { isLinkLine, type TextLine } from "../main-content/regions";
import { normalize, sentencesOf } from "../text/sentences";
import { type OutcomeFacts, textsIn } from "./outcome-facts";
import { PHRASES, quote, says } from "./phrases";

/** A page without a form that tells readers to sign in has at most this much text. */
const MAX_DEMAND_CHARS = 500;
/** A page with only such a demand has at most this much text. */
const MAX_BRIEF_CHARS = 250;
/** The same limit, for text besides the demand, on a page that isn't named a sign-in page. */
const MAX_REST_CHARS = 60;
/** A form on a page that isn't named a sign-in page is the whole content if the page has at most this much text. */
const MAX_UNNAMED_CHARS = 400;
/** The links next to a sign-in form have at most this much text. */
const MAX_LINKED_CHARS = 600;
/** A page with a field for the name, before the page with the password, has at most this much text. */
const MAX_FIRST_STEP_CHARS = 120;
/** A page with only a form has at most this much prose. */
const MAX_BARE_PROSE_CHARS = 80;
/** The same limit if only a button names the sign-in form. */
const MAX_FOREIGN_PROSE_CHARS = 110;
/** A page with at least this many lines of a link and other text is a list, such as the results of a search. */
const MIN_LISTED_LINES = 3;
const MAX_LABEL_CHARS = 70;
/** A shorter line is a label. */
const MIN_TEXT_CHARS = 12;
/** A page may have a form for signing in and another one for signing up, which repeats the password. */
const MAX_PASSWORDS = 3;
/** A page with more fields for text is a checkout or another kind of form, with a sign-in form next to it. */
const MAX_TEXT_FIELDS = 3;
/** A sign-in form in a table has at most this many header cells. */
const MAX_FORM_HEADERS = 4;
/** Names of the layers that social networks put in front of a page. They offer to sign up, too. */
const AUTH_LAYER = /(?:auth|login|sign-?in|registration)-?wall/i;
/** Text about an interface that requires a key. */
const INTERFACE = /\bapi\b|endpoint|\bheaders?\b|bearer|\btoken|\bsdk\b|access key/i;
const ONLY_FORM = "The page has only a sign-in form.";

/** Returns the evidence that the page is a sign-in page or withholds its content until the reader signs in, or null. */
export function findLogin(facts: OutcomeFacts): string | null {
  if (facts.exceeds({ proseChars: 900, unlinkedChars: 1_500, code: 0 })) return null;
  const { elements } = facts;
  if (elements.passwords > 0 && AUTH_LAYER.test(elements.names)) return ONLY_FORM;
  return elements.passwords > 0 ? findForm(facts) : findDemand(facts);
}

function findForm(facts: OutcomeFacts): string | null {
  const { elements, proseChars, content, names: labels } = facts;
  const { signUp, loginUrl } = PHRASES.login;
  const linked = content.reduce((sum, line) => sum + line.linkLength, 0);
  if (linked > MAX_LINKED_CHARS) return null;
  if (facts.exceeds({ passwords: MAX_PASSWORDS, textFields: MAX_TEXT_FIELDS, prices: 0 })) return null;
  const isOfForm = (line: TextLine) => isLabel(line.text) || isForgotten(line);
  if (facts.isOutside(isOfForm) && facts.hasTexts) return null;
  const demand = demandOf(facts);
  // Some forums put the form into a table.
  if (elements.tableHeaders > (demand === undefined ? 0 : MAX_FORM_HEADERS)) return null;
  if (!facts.titleParts.some(isLabel) && facts.notes.some(isOptional)) return null;
  const hasForgotten = content.some(isForgotten);
  const isLabeled = labels.some(isLabel);
  if (!hasForgotten && !isLabeled && labels.some((text) => signUp.test(text))) return null;
  const isAtLogin = loginUrl.test(facts.response.url);
  const evidence = namesOf(facts).length + Number(hasForgotten) + Number(isAtLogin);
  const isNamed = isLabeled || isAtLogin;
  const listed = content.filter((line) => line.linkLength > 0 && !isLinkLine(line));
  if (!isNamed && listed.length >= MIN_LISTED_LINES) return null;
  if (isBareForm(facts)) return ONLY_FORM;
  const isForeign = proseChars > MAX_FOREIGN_PROSE_CHARS && !isNamed && !hasForgotten;
  const isOnlyForm = proseChars <= MAX_DEMAND_CHARS && !isForeign;
  if (!isNamed && facts.unlinkedChars > MAX_UNNAMED_CHARS) return null;
  if (isOnlyForm && (evidence >= 2 || (evidence === 1 && facts.unlinkedChars <= MAX_DEMAND_CHARS))) return ONLY_FORM;
  return demand === undefined ? null : `The page says ${quote(demand)}.`;
}

/** Returns true if the page has only fields for a name and a password, and doesn't create or change an account. */
function isBareForm(facts: OutcomeFacts): boolean {
  const { textFields, buttons } = facts.elements;
  if (facts.exceeds({ unlinkedChars: MAX_BRIEF_CHARS, proseChars: MAX_BARE_PROSE_CHARS, passwords: 1, textFields: 2 }))
    return false;
  const { signUp, account } = PHRASES.login;
  const isOther = (text: string) => signUp.test(text) || account.test(text);
  return textFields > 0 && buttons.length > 0 && ![...facts.names, ...buttons].some(isOther);
}

/** Finds a page that withholds its content without showing a field for the password. */
function findDemand(facts: OutcomeFacts): string | null {
  const { unlinkedChars, elements } = facts;
  if (facts.exceeds({ unlinkedChars: MAX_DEMAND_CHARS, prices: 0 })) return null;
  if (facts.notes.some((text) => INTERFACE.test(text))) return null;
  const demand = demandOf(facts);
  const names = namesOf(facts);
  const isNamed = facts.names.some(isLabel) || facts.content.some((line) => isLinkLine(line) && isLabel(line.text));
  if (
    demand !== undefined &&
    (names.length > 0 || unlinkedChars <= MAX_BRIEF_CHARS) &&
    unlinkedChars - demand.length <= (isNamed ? MAX_BRIEF_CHARS : MAX_REST_CHARS) &&
    (isNamed || isFirst(demand, facts))
  )
    return `The page says ${quote(demand)}.`;
  const isForm = elements.textFields > 0 || facts.labels.some((label) => says(label, PHRASES.login.providers));
  const isFirstStep =
    elements.textFields === 1 && unlinkedChars <= MAX_FIRST_STEP_CHARS && facts.headings.slice(0, 1).some(isLabel);
  return (names.length >= 2 || isFirstStep) && isForm && unlinkedChars <= MAX_BRIEF_CHARS ? ONLY_FORM : null;
}

/** Returns true for the link of readers who have forgotten their password. */
function isForgotten({ text }: TextLine): boolean {
  return text.length <= MAX_LABEL_CHARS && PHRASES.login.forgotten.test(normalize(text));
}

/** Returns true if no other text precedes the demand, except headings and labels. */
function isFirst(demand: string, { content }: OutcomeFacts): boolean {
  const at = content.findIndex(({ text }) => text.includes(demand));
  const before = textsIn(content.slice(0, Math.max(0, at)));
  return content[at]?.text.startsWith(demand) !== false && before.every(({ length }) => length < MIN_TEXT_CHARS);
}

function isLabel(text: string): boolean {
  return text.length <= MAX_LABEL_CHARS && says(text, PHRASES.login.labels);
}

/** Returns the title, the heading and the label of a button that name a sign-in form. */
function namesOf({ titleParts, headings, notes, elements }: OutcomeFacts): string[] {
  const places = [titleParts, [...headings, ...notes.slice(0, 3)], elements.buttons];
  return places.flatMap((texts) => texts.find(isLabel) ?? []);
}

/** Returns true if readers must sign in only for an action, such as a reply. */
function isOptional(text: string): boolean {
  return says(text, PHRASES.login.demands) && PHRASES.login.optional.test(normalize(text));
}

function demandOf({ notes }: OutcomeFacts): string | undefined {
  const isDemand = (text: string) => says(text, PHRASES.login.demands) && !PHRASES.login.access.test(normalize(text));
  return notes.flatMap(sentencesOf).find((text) => isDemand(text) && !isOptional(text));
}
