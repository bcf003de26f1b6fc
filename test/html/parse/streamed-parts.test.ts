import { describe, expect, it } from "vitest";
import { openPage } from "../../../src/html/visible-page";

/** Returns the visible lines of a page. */
function linesOf(html: string): string[] {
  return openPage(html)
    .page()
    .lines.map(({ text }) => text);
}

const PENDING = '<!--$?--><template id="B:0"></template><p>Loading</p><!--/$-->';
const PART = '<div hidden id="S:0"><p>Content</p></div>';

describe("a part that the server sent later", () => {
  it.each([
    [
      "replaces the fallback at its place",
      `<p>Before</p>${PENDING}<p>After</p>${PART}<script>$RC=function(b,c,e){};$RC("B:0","S:0")</script>`,
      ["Before", "Content", "After"],
    ],
    [
      "replaces the fallback after its style sheets have loaded",
      `${PENDING}<p>After</p>${PART}<script>$RR("B:0","S:0",[["/a.css","next"]])</script>`,
      ["Content", "After"],
    ],
    [
      "replaces only its own fallback",
      `<!--$?--><template id="B:0"></template><p>x</p><!--$--><p>y</p><!--/$--><p>z</p><!--/$--><!--$--><p>After</p><!--/$-->` +
        `${PART}<script>$RC("B:0","S:0")</script>`,
      ["Content", "After"],
    ],
    [
      "can contain the place of another part that arrives later",
      `${PENDING}<div hidden id="S:0"><p>Outer</p><!--$?--><template id="B:1"></template>x<!--/$--><p>End</p></div>` +
        '<script>$RC("B:0","S:0")</script><div hidden id="S:1"><p>Inner</p></div><script>$RC("B:1","S:1")</script>',
      ["Outer", "Inner", "End"],
    ],
    [
      "can contain the place of another part that arrived earlier",
      `${PENDING}<div hidden id="S:0"><p>Outer</p><template id="P:1"></template><p>End</p></div>` +
        '<div hidden id="S:1"><p>Inner</p></div><script>$RS("S:1","P:1")</script><script>$RC("B:0","S:0")</script>',
      ["Outer", "Inner", "End"],
    ],
    [
      "can be rows of a table",
      '<!--$?--><template id="B:0"></template><!--/$--><div hidden id="S:0"><table><tbody><tr><td>One</td></tr>' +
        '<template id="P:1"></template></tbody></table></div><table hidden><tbody id="S:1"><tr><td>Two</td></tr></tbody></table>' +
        '<script>$RS("S:1","P:1");$RC("B:0","S:0")</script>',
      ["One", "Two"],
    ],
    [
      "can have ids with a prefix",
      '<!--$?--><template id="shop-B:0"></template>x<!--/$--><div hidden id="shop-S:0"><p>Content</p></div>' +
        '<script>$RC("shop-B:0","shop-S:0")</script>',
      ["Content"],
    ],
  ])("%s", (_, html, expected) => {
    expect(linesOf(html)).toEqual(expected);
  });

  it.each([
    ["no script moves", ""],
    ["the server reports an error instead of", '<script>$RX("B:0","digest")</script>'],
    ["fails with an error", '<script>$RC("B:0","S:0","digest")</script>'],
    ["a text mentions", '<code>$RC("B:0","S:0")</code>'],
  ])("stays hidden if %s it", (_, script) => {
    expect(linesOf(`${PENDING}${PART}${script}`)[0]).toBe("Loading");
    expect(linesOf(`${PENDING}${PART}${script}`)).not.toContain("Content");
  });

  it("isn't moved into itself", () => {
    const html = '<p>First</p><div id="S:0"><!--$?--><template id="B:0"></template>x<!--/$--></div>';
    expect(linesOf(`${html}<script>$RC("B:0","S:0")</script>`)).toEqual(["First", "x"]);
  });

  it("joins the text around a boundary", () => {
    const html = '<p>a<!--$?--><template id="B:0"></template>x<!--/$-->c</p><div hidden id="S:0">b</div>';
    expect(linesOf(`${html}<script>$RC("B:0","S:0")</script>`)).toEqual(["abc"]);
  });
});

describe("a page with very many parts", () => {
  const range = Array.from({ length: 2_000 }, (_, at) => at);
  const calls = `<script>${range.map((at) => `$RC("B:${at}","S:${at}")`).join(";")}</script>`;

  it("is refused, because moving the parts takes too many steps", () => {
    const html = `<p>First</p><!--$?--><template id="B:0"></template><!--/$-->${"<p>a".repeat(30_000)}`;
    const parts = range.map((at) => `<div hidden id="S:${at}">x<!--$?--><template id="B:${at + 1}"></template></div>`);
    expect(() => linesOf(`${html}${parts.join("")}${calls}`)).toThrow("more than 40 million steps");
  });

  it("is parsed", () => {
    const places = range.map((at) => `<!--$?--><template id="B:${at}"></template><!--/$-->`).join("");
    const parts = range.map((at) => `<div hidden id="S:${at}">x</div>`).join("");
    expect(linesOf(`<p>First</p>${places}${parts}${calls}`)[0]).toBe("First");
  });

  it("has a limited depth", { timeout: 60_000 }, () => {
    const parts = range.map(
      (at) => `<div hidden id="S:${at}"><b><!--$?--><template id="B:${at + 1}"></template><!--/$--></b></div>`,
    );
    const html = `<p>First</p><!--$?--><template id="B:0"></template><!--/$-->${parts.join("")}${calls}`;
    expect(linesOf(html)).toEqual(["First"]);
  });
});

it("parts that contain each other can't make the page too deep to read", () => {
  const deep = (at: number) => `${"<div>".repeat(150)}<template id="B:${at + 1}"></template>x${"</div>".repeat(150)}`;
  const parts = Array.from({ length: 40 }, (_, at) => `<div hidden id="S:${at}">${deep(at)}</div>`);
  const calls = parts.map((_, at) => `$RC("B:${at}","S:${at}")`).reverse();
  const html = `<p>Before</p><template id="B:0"></template>${parts.join("")}<script>${calls.join(";")}</script>`;
  expect(linesOf(html)).toContain("Before");
});
