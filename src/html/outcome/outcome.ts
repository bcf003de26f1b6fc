import type { Outcome } from "../../model/job";
import type { VisiblePage } from "../visible-page";
import { findConsentGate } from "./consent-gate";
import { findEmptiness } from "./emptiness";
import { findLogin } from "./login";
import { hasLongText } from "./long-text";
import { findMaintenance } from "./maintenance";
import { PageFacts, type ResponseFacts } from "./page-facts";
import { findParking } from "./parking";
import { findPaywall } from "./paywall";
import { findSoft404 } from "./soft-404";

export interface PageOutcome {
  outcome: Outcome;
  /** A sentence that names the evidence. Null for an ordinary page. */
  reason: string | null;
}

const OK: PageOutcome = { outcome: "ok", reason: null };

/** The checks in the order of their precedence. Each returns the evidence, or null if the page is of another kind. */
const CHECKS: readonly { outcome: Outcome; find: (facts: PageFacts) => string | null }[] = [
  { outcome: "parked", find: findParking },
  { outcome: "maintenance", find: findMaintenance },
  { outcome: "soft_404", find: findSoft404 },
  { outcome: "consent", find: findConsentGate },
  { outcome: "paywall", find: findPaywall },
  { outcome: "login", find: findLogin },
];

/**
 * Returns the kind of a page: `ok` for an ordinary page, or another outcome if the page says or shows that its content
 * is missing. An ordinary page must never get another outcome, so each check needs several pieces of evidence.
 */
export function detectOutcome(page: VisiblePage, response: ResponseFacts): PageOutcome {
  if (hasLongText(page)) return OK;
  const facts = new PageFacts(page, response);
  for (const { outcome, find } of CHECKS) {
    const reason = find(facts);
    if (reason !== null) return { outcome, reason };
  }
  return findEmptiness(facts) ?? OK;
}
