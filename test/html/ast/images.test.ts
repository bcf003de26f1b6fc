import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../writers";

function markdownOf(html: string): string {
  return toMarkdown(parseDocument(html), { baseUrl: "https://a.example/" });
}

describe("the URL of an image", () => {
  it.each([
    ["is the large image that a script loads", '<img src="/small.jpg" data-src="/large.jpg" alt="a">', "/large.jpg"],
    ["isn't empty or white space", '<img src=" " data-src="" srcset="/a.jpg" alt="a">', "/a.jpg"],
    ["is in data-original", '<img src="/blank.gif" data-original="/a.jpg" alt="a">', "/a.jpg"],
    ["isn't the JSON in an attribute", `<img data-src='{"url":"/b.jpg"}' src="/a.jpg" alt="a">`, "/a.jpg"],
    ["is the widest in srcset", '<img srcset="/a.jpg 100w, /b.jpg 900w, /c.jpg 300w" alt="a">', "/b.jpg"],
    ["is the densest in srcset", '<img srcset="/a.jpg, /b.jpg 2x" alt="a">', "/b.jpg"],
    ["can contain commas in srcset", '<img srcset="/a,1.jpg 1x, /b,2.jpg 2x" alt="a">', "/b,2.jpg"],
    [
      "is in the <picture> around a placeholder",
      '<picture><source data-srcset="/a.webp 2x"><img src="data:image/gif;base64,R0" alt="a"></picture>',
      "/a.webp",
    ],
    [
      "is in the <picture> around an image without a source",
      '<picture><source srcset="/a.webp"><img alt="a"></picture>',
      "/a.webp",
    ],
  ])("%s", (_, html, path) => {
    expect(markdownOf(html)).toBe(`![a](https://a.example${path})`);
  });

  it("isn't in a <source> outside of <picture>", () => {
    expect(markdownOf('<div>b <source srcset="/a.webp"><img alt="a"></div>')).toBe("b");
  });
});

describe("images", () => {
  it.each([
    [
      "appear once if <noscript> repeats them",
      '<p><img data-src="/a.jpg" alt="a"><noscript><img src="/a.jpg" alt="a"></noscript></p>',
      "![a](https://a.example/a.jpg)",
    ],
    [
      "are taken from <noscript> if they appear only there",
      '<p><img src="data:image/gif;base64,R0" alt="a"><noscript>Scripts are off.<img src="/a.jpg" alt="a"></noscript></p>',
      "![a](https://a.example/a.jpg)",
    ],
    [
      "are repeated if <noscript> starts a new line with them",
      '<p><img src="/a.jpg" alt="a"><br><noscript><img src="/a.jpg" alt="a"></noscript></p>',
      "![a](https://a.example/a.jpg)\\\n![a](https://a.example/a.jpg)",
    ],
    [
      "have no title that repeats the alternative text",
      '<img src="/a" alt="b" title="b">',
      "![b](https://a.example/a)",
    ],
    ["have a title", '<img src="/a" alt="b" title="c">', '![b](https://a.example/a "c")'],
    [
      "are kept if they're narrow but high",
      '<img src="/line.png" width="1" height="400" alt="b">',
      "![b](https://a.example/line.png)",
    ],
    [
      "are dropped if their style makes them one pixel wide",
      '<p>a<img src="/b" style="width:1px;height:1px"></p>',
      "a",
    ],
    ["are dropped if they're placeholders", '<p>a<img src="/img/spacer.gif" alt="b"></p>', "a"],
  ])("%s", (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });
});

describe("a caption", () => {
  it.each([
    [
      "becomes the title of the first image of its figure",
      '<figure><img src="/a"><img src="/b"><figcaption>c</figcaption></figure>',
      '![](https://a.example/a "c")![](https://a.example/b)',
    ],
    [
      "is a paragraph in a list item",
      '<ul><li><figure><img src="/a"><figcaption>c</figcaption></figure></li></ul>',
      "- ![](https://a.example/a)\n\n  c",
    ],
    [
      "is a paragraph if the figure contains a quote",
      '<figure><img src="/a"><blockquote>b</blockquote><figcaption>c</figcaption></figure>',
      "![](https://a.example/a)\n\n> b\n\nc",
    ],
    [
      "is a paragraph if the figure has no image",
      '<figure><img src="data:image/gif;base64,R0"><figcaption>c</figcaption></figure>',
      "c",
    ],
    [
      "doesn't become the title of an image after the figure",
      '<figure><figcaption>c</figcaption><img src="/a" title="d"></figure><img src="/b">',
      '![](https://a.example/a "c")\n\n![](https://a.example/b)',
    ],
  ])("%s", (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });

  it("is a paragraph if the caller requests paragraphs", () => {
    const html = '<figure><img src="/a"><figcaption>c</figcaption></figure>';
    const markdown = toMarkdown(parseDocument(html), { baseUrl: "https://a.example/", captions: "paragraphs" });
    expect(markdown).toBe("![](https://a.example/a)\n\nc");
  });
});
