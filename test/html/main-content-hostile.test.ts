import { expect, it } from "vitest";
import { convertHtml } from "../../src/html/convert";

it.each([
  [
    "a class of 160 KB",
    `<main><h1>Pier</h1><p class="${"tooltip-".repeat(20_000)}!">The ferry leaves at nine.</p></main>`,
  ],
  [
    "150,000 titles",
    `<head>${Array.from({ length: 150_000 }, (_, at) => `<meta property="og:title" content="Title ${at}">`).join("")}</head><h1>Pier</h1><p>The ferry leaves at nine.</p>`,
  ],
])("%s doesn't keep the page from being read", { timeout: 10_000 }, (_, html) => {
  const options = { url: "https://coast.example/", markdown: true, text: false, onlyMainContent: true };
  expect(convertHtml(html, options).markdown).toBe("# Pier\n\nThe ferry leaves at nine.");
});
