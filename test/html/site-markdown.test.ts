import { describe, expect, it } from "vitest";
import { toHtmlPage } from "../../src/html/site-markdown";

describe("Markdown of a site", () => {
  it.each<[name: string, markdown: string, html: string]>([
    ["the title in quotes", '---\ntitle: "A \\& <b>"\n---\ntext', "<title>A \\&#38; &#60;b&#62;</title>"],
    ["properties with Windows line breaks", "---\r\ntitle: Tides\r\n---\r\n# H", "<title>Tides</title>"],
    ["a rule instead of properties", "---\n\ntext", "<hr>\n<p>text</p>"],
    ["text between two rules", "---\n\nIntroduction\n\n---\n\ntext", "<p>Introduction</p>"],
    ["empty properties", "---\n---\ntext", "<p>text</p>"],
    ["a tag in a text", "Use <script> or <Title>.\n\nMore", "<p>Use &#60;script> or &#60;Title>.</p>\n<p>More</p>"],
    ["a script", "<script>a</script>\n\nb", "<script>a</script><p>b</p>"],
    ["HTML", "a\n\n<div hidden>b</div>", "<div hidden>b</div>"],
  ])("is converted with %s", async (_, markdown, html) => {
    expect(await toHtmlPage(markdown)).toContain(html);
  });

  it.each<[name: string, markdown: string]>([
    ["it is too long", "a line\n\n".repeat(30_000)],
    ["its emphasis takes too long", "*_a".repeat(60_000)],
  ])("is an empty page if %s", async (_, markdown) => {
    expect(await toHtmlPage(markdown)).toBe("");
  });
});
