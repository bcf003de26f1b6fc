import { describe, expect, it } from "vitest";
import { decodeHtml } from "../../../src/html/encoding/decode";
import { encodeLegacy } from "../../support/legacy-encoder";
import { TEXTS } from "./texts";

const toPage = (text: string) =>
  `<!DOCTYPE html><html><head><title>Page</title><script>var x = 1;</script></head><body class="home"><div id="nav"><a href="/index.php?id=1&amp;p=2">Home</a></div><p>${text}</p></body></html>`;

const CASES = TEXTS.flatMap(([language, encodings, text]) =>
  encodings.map((encoding) => [encoding, language, text] as const),
);

describe("a page that doesn't declare its encoding", () => {
  it.each(CASES)("is decoded as %s (%s): %s", (encoding, _, text) => {
    const page = toPage(text);
    expect(decodeHtml(encodeLegacy(page, encoding), "text/html")).toBe(page);
  });
});

it.each([
  "The oven holds 20 m² of paper, and ¼ cup of flour costs ¥500.",
  "Acme® makes pumps since 1998. © 2021 Acme, all rights reserved.",
  "In this lesson we solve x² + y³ = 20 for small numbers.",
])("symbols in English are decoded as windows-1252: %s", (text) => {
  const page = toPage(text).replace("<html", '<html lang="en"');
  expect(decodeHtml(encodeLegacy(page, "windows-1252"), "text/html")).toBe(page);
});
