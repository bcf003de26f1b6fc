import { type Element, isText } from "domhandler";
import type { Outcome } from "../../model/job";
import { isOverlay } from "../main-content/name-words";
import { bodyOf } from "../parse/document";
import { isElement } from "../parse/dom";
import type { VisiblePage } from "../visible-page";
import { findConsentGate } from "./consent-gate";
import { findEmptiness } from "./emptiness";
import { findErrorPage, hasDebugTitle } from "./error-page";
import { findLogin } from "./login";
import { findMaintenance } from "./maintenance";
import { OutcomeFacts, type ResponseFacts } from "./outcome-facts";
import { findParking } from "./parking";
import { findPaywall } from "./paywall";
import { findSoft404 } from "./soft-404";

export interface PageOutcome {
  outcome: Outcome;
  /** A sentence that names the evidence. Null for an ordinary page. */
  reason: string | null;
}

const OK: PageOutcome = { outcome: "ok", reason: null };

/** The minimum score of an error notice. It is higher before the check for maintenance, whose notices are similar. */
const [MIN_SCORE, MIN_STRICT_SCORE] = [0, 2];

/** The checks in the order of their precedence. Each returns the evidence, or null if the page is of another kind. */
const CHECKS: readonly { outcome: Outcome; find: (facts: OutcomeFacts) => string | null }[] = [
  { outcome: "parked", find: findParking },
  { outcome: "error_page", find: (facts) => findErrorPage(facts, MIN_STRICT_SCORE) },
  { outcome: "maintenance", find: findMaintenance },
  { outcome: "soft_404", find: findSoft404 },
  { outcome: "error_page", find: (facts) => findErrorPage(facts, MIN_SCORE) },
  { outcome: "consent", find: findConsentGate },
  { outcome: "paywall", find: findPaywall },
  { outcome: "login", find: findLogin },
];

/** A page with more text than this is always ordinary. A teaser in front of a paywall can have this much. */
const MIN_LONG_CHARS = 4_000;
/** Shorter texts are labels, links and table cells. */
const MIN_TEXT_CHARS = 40;
const SKIPPED = new Set(
  "a nav header footer aside dialog noscript form select textarea button script style template".split(" "),
);

/**
 * Returns the kind of a page: `ok` for an ordinary page, or another outcome if the page says or shows that its content
 * is missing. An ordinary page must never get another outcome, so each check needs several pieces of evidence.
 */
export function detectOutcome(page: VisiblePage, response: ResponseFacts): PageOutcome {
  if (hasLongText(page) && !hasDebugTitle(page)) return OK;
  const facts = new OutcomeFacts(page, response);
  for (const { outcome, find } of CHECKS) {
    const reason = find(facts);
    if (reason !== null) return { outcome, reason };
  }
  return findEmptiness(facts) ?? OK;
}

/**
 * Returns true if a page has long visible text outside of links, forms and the site's boilerplate. This check is much
 * faster than reading the page's lines, and most articles pass it.
 */
function hasLongText({ document, hidden }: VisiblePage): boolean {
  let chars = 0;
  const stack: Element["children"] = [bodyOf(document)];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isText(node)) {
      if (node.data.length < MIN_TEXT_CHARS || hidden.has(node)) continue;
      const { length } = node.data.trim();
      if (length >= MIN_TEXT_CHARS) chars += length;
      if (chars > MIN_LONG_CHARS) return true;
    } else if (isElement(node) && !SKIPPED.has(node.name) && !hidden.has(node) && !isOverlay(node))
      for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as typeof node);
  }
  return false;
}
