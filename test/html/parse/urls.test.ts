import { expect, it } from "vitest";
import { parseDocument } from "../../../src/html/parse/document";
import { absoluteUrl, baseUrl } from "../../../src/html/parse/urls";

const PAGE = "https://a.example/b/c";

it.each([
  [" /d ", "https://a.example/d"],
  ["d", "https://a.example/b/d"],
  ["//b.example", "https://b.example/"],
  ["http://b.example", "http://b.example/"],
  ["mailto:a@b.example", "mailto:a@b.example"],
  ["tel:+491234", "tel:+491234"],
  ["sms:+491234", "sms:+491234"],
  ["ftp://b.example/c", "ftp://b.example/c"],
  ["javascript:x()", null],
  ["data:text/html,a", null],
  ["file:///etc/hosts", null],
  ["http://[", null],
  [`/${"d".repeat(7_000)}`, `https://a.example/${"d".repeat(7_000)}`],
  [`/${"d".repeat(8_000)}`, null],
])("resolves %j to %j", (address, expected) => {
  expect(absoluteUrl(address, PAGE)).toBe(expected);
});

it("refuses a URL that a long base makes longer than 8,000 characters", () => {
  expect(absoluteUrl("d", `https://a.example/${"b".repeat(8_000)}/`)).toBeNull();
});

it.each([
  ["the page's URL without <base>", "<p>a</p>", PAGE],
  ["the first <base> with a URL", '<base target="_blank"><base href="/d/"><base href="/e/">', "https://a.example/d/"],
  ["the page's URL if <base> is empty", '<base href="">', PAGE],
  ["the page's URL if <base> has another scheme", '<base href="javascript:x()">', PAGE],
  ["the page's URL if <base> is in a template", '<template><base href="/d/"></template>', PAGE],
])("resolves relative URLs against %s", (_, html, expected) => {
  expect(baseUrl(parseDocument(html), PAGE)).toBe(expected);
});
