import { isDocumentation, isGeneral, isHelpful } from "../block-pages/notice";
import { hasPrice } from "../page/prices";
import { normalize } from "../text/sentences";
import type { OutcomeFacts } from "./outcome-facts";
import { PHRASES, quote, says } from "./phrases";

const MAX_CHARS = 1_200;
const MAX_BRIEF_CHARS = 300;
/** A page with at most this much text may say only that it is under maintenance. */
const MAX_TINY_CHARS = 120;
const MAX_LINKS = 20;
const MAX_LINKS_OF_UNNAMED = 8;
const MAX_UNNAMED_CHARS = 800;
/** A page with more links belongs to a site that works. */
const MAX_LINKS_OF_NOTICE = 2;
const MAX_LINES = 60;

/** Returns the evidence that the whole page is a notice of maintenance, or null. */
export function findMaintenance(facts: OutcomeFacts): string | null {
  const { titleParts, headings, unlinkedChars } = facts;
  if (unlinkedChars > MAX_CHARS || facts.lines.length > MAX_LINES) return null;
  const { elements } = facts;
  if (elements.links > MAX_LINKS || elements.code > 0) return null;
  const lines = facts.notes.filter((line) => !line.endsWith("?") && !isGeneral(normalize(line)));
  const text = normalize([...titleParts.slice(0, 1), ...lines].join("\n"));
  if (
    PHRASES.maintenance.about.test(text) ||
    isDocumentation(text) ||
    facts.isArticle ||
    (elements.dates > 0 && elements.links > 2)
  )
    return null;
  // A page that only says that something is unavailable has other content, or is another kind of page.
  const { work, return: back, now } = PHRASES.maintenance;
  if (![work, back, now].some((pattern) => pattern.test(text)) && !isHelpful(text)) return null;
  if (PHRASES.maintenance.over.test(text) || facts.content.some(hasPrice)) return null;
  if (elements.links > MAX_LINKS_OF_NOTICE && announcesWork(text)) return null;
  const title = titleParts.find((part) => says(part, PHRASES.maintenance.names));
  const name = [...headings, ...lines].find((line) => says(line, PHRASES.maintenance.names));
  const sentence =
    lines.find((line) => line !== name && says(line, PHRASES.maintenance.sentences)) ??
    lines.find((line) => says(line, PHRASES.maintenance.sentences));
  const cause = [...headings, ...lines, ...titleParts].find((line) => work.test(normalize(line)));
  const notice =
    sentence ?? name ?? title ?? cause ?? lines.find((line) => PHRASES.maintenance.outOfService.test(normalize(line)));
  if (notice === undefined || !hasEvidence({ title, name, sentence }, { text, facts })) return null;
  return `The page is only a notice of maintenance: ${quote(notice)}.`;
}

/** Returns true if a text is about work in the future. Such an announcement is a page of a working site. */
function announcesWork(text: string): boolean {
  return (
    /\d/.test(text) &&
    !PHRASES.maintenance.now.test(text) &&
    (PHRASES.maintenance.future.test(text) || PHRASES.maintenance.period.test(text))
  );
}

interface Evidence {
  title: string | undefined;
  name: string | undefined;
  sentence: string | undefined;
}

function hasEvidence(
  { title, name, sentence }: Evidence,
  { text, facts }: { text: string; facts: OutcomeFacts },
): boolean {
  if (facts.elements.passwords > 0 && sentence === undefined) {
    // The form is for the operators of the site.
    const isClosedNow =
      PHRASES.maintenance.work.test(text) &&
      (PHRASES.maintenance.return.test(text) || PHRASES.maintenance.closed.test(text));
    return isClosedNow && name !== undefined && (title !== undefined || name === facts.headings[0]);
  }
  const isBrief = facts.unlinkedChars <= MAX_BRIEF_CHARS;
  if ((title ?? name) !== undefined && sentence !== undefined && (title !== undefined || name !== sentence || isBrief))
    return true;
  if (title !== undefined && name !== undefined) return true;
  if (facts.unlinkedChars <= MAX_TINY_CHARS && facts.elements.links <= 2 && PHRASES.maintenance.state.test(text))
    return true;
  if (isBrief && facts.elements.links <= MAX_LINKS_OF_UNNAMED && PHRASES.maintenance.outOfService.test(text))
    return true;
  const maxLinks = PHRASES.maintenance.now.test(text) ? MAX_LINKS : MAX_LINKS_OF_UNNAMED;
  if (
    facts.elements.links > maxLinks ||
    facts.unlinkedChars > MAX_UNNAMED_CHARS ||
    !PHRASES.maintenance.site.test(text)
  )
    return false;
  const [isWork, isClosed, isReturn] = [
    PHRASES.maintenance.work.test(text),
    PHRASES.maintenance.closed.test(text),
    PHRASES.maintenance.return.test(text),
  ];
  const isInName = [...facts.titleParts, ...facts.headings].map(normalize).some(saysClosed);
  if (isWork && (isClosed || isReturn)) return isInName || isBrief;
  return isBrief && isInName && isClosed && isReturn && PHRASES.maintenance.online.test(text);
}

function saysClosed(text: string): boolean {
  return PHRASES.maintenance.work.test(text) || PHRASES.maintenance.closed.test(text);
}
