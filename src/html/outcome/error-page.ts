import { findNotice } from "../block-pages/notice";
import { findMountElement } from "../has-content";
import { collapseSpaces, isLinkLine } from "../main-content/regions";
import { readPageModel } from "../page/page-model";
import { normalize } from "../text/sentences";
import type { VisiblePage } from "../visible-page";
import type { OutcomeFacts } from "./outcome-facts";
import { PHRASES, quote, says } from "./phrases";

const SHELL = /(?:^|\s)blazor-error-ui(?:\s|$)/;
/** The whole titles of the pages that frameworks show for an exception in development. They can be long. */
const DEBUG_TITLE =
  /^(?:[\w.]+(?:Error|Exception|DoesNotExist|DisallowedHost)|DisallowedHost|Http404) at \/\S*$|^Action Controller: Exception caught$|^[\w:]{1,100}(?:Error|Exception|NotFound)\b.{0,250} in \w{1,100}Controller#\w+$|\/\/ Werkzeug Debugger$|^Whoops! There was an error\.$|^Runtime Error$|^Server Error in '\/|^Error [45]\d\d--\S/;

/** A server that names maintenance as one of the possible causes has failed. */
const ALTERNATIVE = /\s(?:or|oder|ou|o|of|lub|или|veya)\s/u;

/** Returns true if the page has the title of a framework's report of an exception. */
export function hasDebugTitle({ document }: VisiblePage): boolean {
  return DEBUG_TITLE.test(collapseSpaces(readPageModel(document).title));
}

/** Returns the evidence that a page with a success status only reports an error of its server, or null. */
export function findErrorPage(facts: OutcomeFacts, minScore: number): string | null {
  const { head, elements, page } = facts;
  if (hasDebugTitle(page)) return `The title is ${quote(head.title)}.`;
  if (facts.exceeds({ articles: 0, links: 120, passwords: 0, offers: 0 })) return null;
  const lines = (facts.content.length > 0 ? facts.content : facts.lines).filter((line) => !isLinkLine(line));
  // An application shell has the message of its scripts' errors, hidden by a style sheet that isn't in the page.
  if (!facts.response.rendered && (SHELL.test(elements.names) || findMountElement(page.document) === "mount"))
    return null;
  const notice = findNotice("error", { title: head.title, lines: lines.map(({ text }) => text) }, minScore);
  if (notice === null || isOnlyMaintenance(notice) || facts.notes.some(isMaintenance)) return null;
  return `The page says ${quote(notice)}.`;
}

const isMaintenance = (text: string) => says(text, PHRASES.maintenance.sentences) && isOnlyMaintenance(normalize(text));

function isOnlyMaintenance(text: string): boolean {
  return PHRASES.maintenance.work.test(text) && !ALTERNATIVE.test(text);
}
