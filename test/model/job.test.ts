import { describe, expect, it } from "vitest";
import { OUTCOMES, wasRendered } from "../../src/model/job";
import { OUTCOME_HELP } from "../../src/model/outcome-help";

it.each([
  ["was rendered as its request says", { extras: null, rendered: true }, true],
  ["wasn't rendered as its request says", { extras: {}, rendered: false }, false],
  ["started without a browser and was rendered later", { extras: { rendered: true }, rendered: false }, true],
  ["was to be rendered, but has a result from a fetch", { extras: { rendered: false }, rendered: true }, false],
])("a job says that it %s", (_, job, expected) => {
  expect(wasRendered(job)).toBe(expected);
});

describe("the help for outcomes", () => {
  it("has advice for every outcome except an ordinary page", () => {
    expect(OUTCOMES.filter((outcome) => OUTCOME_HELP[outcome].advice === null)).toEqual(["ok"]);
  });

  it.each(OUTCOMES)("of %s consists of full sentences", (outcome) => {
    const { meaning, advice } = OUTCOME_HELP[outcome];
    for (const text of [meaning, advice ?? "None."]) expect(text).toMatch(/^[A-Z].*[\w)]\.$/);
  });

  it.each([
    ["needs_rendering", "render: auto"],
    ["empty", "render: auto"],
    ["soft_404", "Check the URL"],
    ["login", "doesn't sign in"],
    ["consent", "proxy_country"],
    ["paywall", "another source"],
    ["parked", "host name"],
    ["maintenance", "later"],
  ] as const)("of %s says: %s", (outcome, words) => {
    expect(OUTCOME_HELP[outcome].advice).toContain(words);
  });
});
