import { describe, expect } from "vitest";
import { detectOutcome } from "../../../src/html/outcome/outcome";
import { openPage } from "../../../src/html/visible-page";
import { forAll } from "../../support/for-all";
import { ERROR_LOOKALIKES } from "./error-lookalikes";
import { HARD_PAGES } from "./hard-pages";
import { HOST_MODEL_PAGES } from "./host-models";
import {
  CONSENT_PAGES,
  LOGIN_PAGES,
  MAINTENANCE_PAGES,
  MISSING_PAGES,
  PARKED_PAGES,
  PAYWALLED_PAGES,
  SHELLS,
} from "./language-pages";
import { LOOKALIKE_PAGES } from "./lookalike-pages";
import { ORDINARY_PAGES } from "./ordinary-pages";
import { MODEL_PAGES } from "./site-models";

const outcomeOf = (html: string, response: { url?: string; rendered?: boolean } = {}) =>
  detectOutcome(openPage(html), { url: "https://page.example/", status: 200, rendered: false, ...response });

forAll([...ORDINARY_PAGES, ...HARD_PAGES, ...LOOKALIKE_PAGES, ...ERROR_LOOKALIKES])(
  "returns ok without a reason for %s",
  (_, html) => {
    const url = "https://page.example/pages/1";
    expect(outcomeOf(html, { url })).toEqual({ outcome: "ok", reason: null });
    expect(outcomeOf(html, { url, rendered: true })).toEqual({ outcome: "ok", reason: null });
  },
);

forAll(LOOKALIKE_PAGES)("returns ok for %s as the front page of a site", (_, html) => {
  expect(outcomeOf(html)).toEqual({ outcome: "ok", reason: null });
});

describe.each([
  ["soft_404", MISSING_PAGES],
  ["maintenance", MAINTENANCE_PAGES],
  ["login", LOGIN_PAGES],
  ["consent", CONSENT_PAGES],
  ["paywall", PAYWALLED_PAGES],
  ["parked", PARKED_PAGES],
  ["needs_rendering", SHELLS],
] as const)("%s", (outcome, pages) => {
  forAll(pages)("is detected in %s", (_, html) => {
    const detected = outcomeOf(html);
    expect(detected.outcome).toBe(outcome);
    expect(detected.reason).toMatch(/^The [^\n]{5,200}\.$/);
  });
});

forAll([...MODEL_PAGES, ...HOST_MODEL_PAGES])("detects %s in %s", (outcome, _, html) => {
  expect(outcomeOf(html).outcome).toBe(outcome);
});
