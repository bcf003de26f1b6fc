import { isDocumentation, isGeneral, isHelpful } from "../block-pages/notice";
import { normalize } from "../text/sentences";
import type { OutcomeFacts } from "./outcome-facts";
import { PHRASES, quote, says } from "./phrases";

const MAX_BRIEF_CHARS = 300;
/** A page with at most this much text may say only that it is under maintenance. */
const MAX_TINY_CHARS = 120;
const MAX_LINKS = 20;
const MAX_LINKS_OF_UNNAMED = 8;
const MAX_UNNAMED_CHARS = 800;
/** A page with more links belongs to a site that works. */
const MAX_LINKS_OF_NOTICE = 2;

/** Returns the evidence that the whole page is a notice of maintenance, or null. */
export function findMaintenance(facts: OutcomeFacts): string | null {
  const { titleParts, headings, elements } = facts;
  if (facts.exceeds({ unlinkedChars: 1_200, lines: 60, articles: 0, links: MAX_LINKS, code: 0, prices: 0 }))
    return null;
  const lines = facts.notes.filter((line) => !line.endsWith("?") && !isGeneral(normalize(line)));
  const text = normalize([...titleParts.slice(0, 1), ...lines].join("\n"));
  const { work, return: back, now, about, over, names, sentences, outOfService } = PHRASES.maintenance;
  if ([about, over].some((pattern) => pattern.test(text)) || isDocumentation(text)) return null;
  // A page that only says that something is unavailable has other content, or is another kind of page.
  if (![work, back, now].some((pattern) => pattern.test(text)) && !isHelpful(text)) return null;
  if (elements.links > MAX_LINKS_OF_NOTICE && (elements.dates > 0 || announcesWork(text))) return null;
  const isName = (line: string) => says(line, names);
  const isSentence = (line: string) => says(line, sentences);
  const title = titleParts.find(isName);
  const name = [...headings, ...lines].find(isName);
  const sentence = lines.find((line) => line !== name && isSentence(line)) ?? lines.find(isSentence);
  const cause = [...headings, ...lines, ...titleParts].find((line) => work.test(normalize(line)));
  const notice = sentence ?? name ?? title ?? cause ?? lines.find((line) => outOfService.test(normalize(line)));
  if (notice === undefined || !hasEvidence({ title, name, sentence }, { text, facts })) return null;
  return `The page is only a notice of maintenance: ${quote(notice)}.`;
}

/** Returns true if a text is about work in the future. Such an announcement is a page of a working site. */
function announcesWork(text: string): boolean {
  const { now, future, period } = PHRASES.maintenance;
  return /\d/.test(text) && !now.test(text) && (future.test(text) || period.test(text));
}

type Evidence = Record<"title" | "name" | "sentence", string | undefined>;

function hasEvidence(
  { title, name, sentence }: Evidence,
  { text, facts }: { text: string; facts: OutcomeFacts },
): boolean {
  const { work, closed, return: back, now, site, state, outOfService, online } = PHRASES.maintenance;
  const [isWork, isClosed, isReturn] = [work.test(text), closed.test(text), back.test(text)];
  if (facts.elements.passwords > 0 && sentence === undefined) {
    // The form is for the operators of the site.
    const isClosedNow = isWork && (isReturn || isClosed);
    return isClosedNow && name !== undefined && (title !== undefined || name === facts.headings[0]);
  }
  const isBrief = facts.unlinkedChars <= MAX_BRIEF_CHARS;
  if (title !== undefined && (name ?? sentence) !== undefined) return true;
  if (name !== undefined && sentence !== undefined && (name !== sentence || isBrief)) return true;
  if (!facts.exceeds({ unlinkedChars: MAX_TINY_CHARS, links: MAX_LINKS_OF_NOTICE }) && state.test(text)) return true;
  if (isBrief && facts.elements.links <= MAX_LINKS_OF_UNNAMED && outOfService.test(text)) return true;
  const links = now.test(text) ? MAX_LINKS : MAX_LINKS_OF_UNNAMED;
  if (facts.exceeds({ unlinkedChars: MAX_UNNAMED_CHARS, links }) || !site.test(text)) return false;
  const saysClosed = (one: string) => work.test(one) || closed.test(one);
  const isInName = facts.names.map(normalize).some(saysClosed);
  if (isWork && (isClosed || isReturn)) return isInName || isBrief;
  return isBrief && isInName && isClosed && isReturn && online.test(text);
}
