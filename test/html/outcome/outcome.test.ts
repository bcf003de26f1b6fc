import { expect, it } from "vitest";
import { detectOutcome } from "../../../src/html/outcome/outcome";
import { openPage } from "../../../src/html/visible-page";
import { ORDINARY_PAGES } from "./ordinary-pages";

const outcomeOf = (html: string, response: { url?: string; rendered?: boolean } = {}) =>
  detectOutcome(openPage(html), { url: "https://page.example/", status: 200, rendered: false, ...response });

it.each(ORDINARY_PAGES)("returns ok without a reason for %s", (_, html) => {
  expect(outcomeOf(html)).toEqual({ outcome: "ok", reason: null });
  expect(outcomeOf(html, { rendered: true })).toEqual({ outcome: "ok", reason: null });
});
