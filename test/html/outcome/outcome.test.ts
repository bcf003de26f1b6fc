import { expect, it } from "vitest";
import { detectOutcome } from "../../../src/html/outcome/outcome";
import { openPage } from "../../../src/html/visible-page";

const outcomeOf = (html: string, response: { url?: string; rendered?: boolean } = {}) =>
  detectOutcome(openPage(html), { url: "https://page.example/", status: 200, rendered: false, ...response });

it("returns ok without a reason for an ordinary page", () => {
  expect(outcomeOf("<h1>Lamp</h1><p>The lamp is made of brass and glass.</p>")).toEqual({
    outcome: "ok",
    reason: null,
  });
});

it("names the evidence", () => {
  expect(
    outcomeOf(
      '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src=a.js></script>',
    ),
  ).toEqual({ outcome: "needs_rendering", reason: "The page tells readers to enable JavaScript." });
});
