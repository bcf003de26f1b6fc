import { expect, it } from "vitest";
import { refuseUnusable } from "../../../src/endpoints/parse/unusable";

it.each(["needs_rendering", "empty", "soft_404", "login", "parked", "maintenance"] as const)(
  "a page with the outcome %s is refused, without its text",
  (outcome) => {
    const message = new RegExp(`^The outcome of the page is ${outcome}\\. The .*\\. No model was called\\.$`);
    const error = { code: "unusable_page", message: expect.stringMatching(message) };
    expect(() => refuseUnusable(outcome)).toThrow(expect.objectContaining(error));
  },
);

it.each(["ok", "consent", "paywall"] as const)("a page with the outcome %s is used", (outcome) => {
  expect(() => refuseUnusable(outcome)).not.toThrow();
});
