import { expect, it } from "vitest";
import { detectOutcome } from "../../../src/html/outcome/outcome";
import { openPage } from "../../../src/html/visible-page";
import { OUTCOMES } from "../../../src/model/job";

const SIZE = 20_000;

// A quadratic check takes minutes on these pages, and the test's timeout is 60 s.
it.each([
  ["deep elements", "<div>".repeat(5 * SIZE)],
  ["deep buttons", `${"<div role=button>".repeat(SIZE)}Log in`],
  ["deep headers", `${"<header><main>".repeat(SIZE)}<h1>Page not found</h1>`],
  ["many headings", "<h1>Page not found</h1>".repeat(SIZE)],
  ["many sign-in forms", "<form><input type=password><button>Log in</button></form>".repeat(SIZE)],
  ["many images in a footer", `<footer>${"<img src=/a.png>".repeat(SIZE)}</footer>`],
  ["many notices", "<p>Subscribe to continue reading</p>".repeat(SIZE)],
  ["many consent lines", "<p>We use cookies</p><button>Accept all</button>".repeat(SIZE)],
  ["many unfinished scripts", "<script ".repeat(5 * SIZE)],
  ["many scripts", "<script></script>".repeat(5 * SIZE)],
  ["many JSON-LD scripts", '<script type="application/ld+json">{"@type":"Thing"}</script>'.repeat(SIZE)],
  ["deep JSON-LD", `<script type="application/ld+json">${"[".repeat(SIZE)}</script>`],
  ["a long title", `<title>${"404 not found - ".repeat(SIZE)}</title>`],
  ["a long class", `<body class="${"error-page-".repeat(SIZE)}">`],
  ["a long line of one word", `<p>${"the page ".repeat(5 * SIZE)}`],
  ["a long line without spaces", `<p>${"a".repeat(20 * SIZE)}`],
  ["a long line of domains", `<p>${"a.a".repeat(5 * SIZE)}`],
  ["many quotation marks", `<p>${"“".repeat(5 * SIZE)}`],
  ["many short quotations", Array.from({ length: SIZE }, () => `<p>${"“ a".repeat(100)}`).join("")],
])("classifies a page with %s in linear time", { timeout: 60_000 }, (_, html) => {
  const { outcome } = detectOutcome(openPage(html), { url: "https://page.example/", status: 200, rendered: false });
  expect(OUTCOMES).toContain(outcome);
});
