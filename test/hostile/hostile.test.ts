import { describe, it } from "vitest";
import { browserCases } from "./browser-cases";
import { type Case, check } from "./check";
import { plainCases } from "./plain-cases";

/** Some rows end by a time-out: side by side, all of them take little longer than the slowest. */
const PATIENCE_MS = 90_000;

describe.concurrent("the hostile site", () => {
  describe.each(Object.entries(browserCases))("in the browser: %s", (part, cases) => {
    it.each(named(cases))("%s", { timeout: PATIENCE_MS }, async (_, [name, behaviour, outcome]) => {
      await check(`Browser: ${part}`, [name, behaviour, outcome, { js_render: true }]);
    });
  });

  describe.each(Object.entries(plainCases))("by a plain fetch: %s", (part, cases) => {
    it.each(named(cases))("%s", { timeout: PATIENCE_MS }, async (_, row) => {
      await check(`Plain: ${part}`, row);
    });
  });
});

function named(cases: Case[]): [name: string, row: Case][] {
  return cases.map((row) => [row[0], row]);
}
