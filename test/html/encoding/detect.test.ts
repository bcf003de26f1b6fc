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
