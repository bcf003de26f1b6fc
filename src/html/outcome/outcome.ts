import type { Outcome } from "../../model/job";
import type { VisiblePage } from "../visible-page";
import { findConsentWall } from "./consent-wall";
import { findEmptiness } from "./emptiness";
import { findLogin } from "./login";
import { findMaintenance } from "./maintenance";
import { type PageFacts, type ResponseFacts, readFacts } from "./page-facts";
import { findParking } from "./parking";
import { findPaywall } from "./paywall";
import { findSoft404 } from "./soft-404";

export interface PageOutcome {
  outcome: Outcome;
  /** A sentence that names the evidence. Null for an ordinary page. */
  reason: string | null;
}

/** The checks in the order of their precedence. Each returns the evidence, or null if the page is of another kind. */
const CHECKS: readonly { outcome: Outcome; find: (facts: PageFacts) => string | null }[] = [
  { outcome: "parked", find: findParking },
  { outcome: "maintenance", find: findMaintenance },
  { outcome: "soft_404", find: findSoft404 },
  { outcome: "login", find: findLogin },
  { outcome: "consent", find: findConsentWall },
  { outcome: "paywall", find: findPaywall },
];

/**
 * Returns the kind of a page: `ok` for an ordinary page, or another outcome if the page says or shows that its content
 * is missing. An ordinary page must never get another outcome, so each check needs several pieces of evidence.
 */
export function detectOutcome(page: VisiblePage, response: ResponseFacts): PageOutcome {
  const facts = readFacts(page, response);
  for (const { outcome, find } of CHECKS) {
    const reason = find(facts);
    if (reason !== null) return { outcome, reason };
  }
  return findEmptiness(page, facts) ?? { outcome: "ok", reason: null };
}
