import { describe, expect, it } from "vitest";
import { visibleContent } from "../../../src/html/main-content/main-content";
import { readRegions } from "../../../src/html/main-content/regions";
import { linesOutsideBoilerplate } from "../../../src/html/main-content/site-boilerplate";
import { bodyOf, parseDocument } from "../../../src/html/parse/document";
import { toText } from "../writers";

const TEXT = "The ferry leaves from the old pier each morning.";

function contentOf(html: string): string {
  return toText(visibleContent(parseDocument(html), new Set()), { baseUrl: "https://a.example/" });
}

function linesOf(html: string): string[] {
  return linesOutsideBoilerplate(readRegions(bodyOf(parseDocument(html)), new Set())).map(({ text }) => text);
}

describe("drops parts of the site", () => {
  it.each([
    ["navigation", "<nav>Boats</nav>"],
    ["an element with the role navigation", '<div role="Navigation">Boats</div>'],
    ["a search box", '<div role="search">Boats</div>'],
    ["a header", "<header>Coast News</header>"],
    ["a footer", "<footer>Imprint</footer>"],
    ["an element with the role banner", '<div role="banner">Coast News</div>'],
    ["an element with the role contentinfo", '<div role="contentinfo">Imprint</div>'],
    ["an element with the class of a footer", '<div class="x site-footer">Imprint</div>'],
    ["an element with the id of a footer", '<div id="footer">Imprint</div>'],
    ["a menu of links", '<div class="main-menu"><a href="/a">Boats</a> <a href="/b">Piers</a></div>'],
    ["a dialog", "<dialog open>Sign up</dialog>"],
    ["an element with the role dialog", '<div role="alertdialog">Sign up</div>'],
    ["a modal box", '<div aria-modal="true">Sign up</div>'],
  ])("%s", (_, html) => {
    expect(contentOf(`${html}<div><p>${TEXT}</p></div>`)).toBe(TEXT);
    expect(linesOf(`${html}<div><p>${TEXT}</p></div>`)).toEqual([TEXT]);
  });

  it.each([
    ["a consent box by its class", '<div class="cookie-banner"><p>Sweet things</p></div>'],
    [
      "a consent box by its button",
      '<div class="x"><div><p>We use cookies on this site.</p></div><div><button>Accept all</button></div></div>',
    ],
    ["related stories", '<div class="related-posts"><p>Old stories</p></div>'],
    ["advertisements", '<div class="ads"><p>Buy boats</p></div>'],
  ])("%s", (_, html) => {
    expect(contentOf(`${html}<div><p>${TEXT}</p></div>`)).toBe(TEXT);
  });

  it("everything inside a footer", () => {
    expect(linesOf(`<footer><div><p>Imprint</p></div></footer><p>${TEXT}</p>`)).toEqual([TEXT]);
  });
});

describe("keeps content", () => {
  it.each([
    ["breadcrumbs", '<nav class="Breadcrumb">Words</nav>'],
    ["breadcrumbs by their label", '<nav aria-label="breadcrumb">Words</nav>'],
    ["the header of an article", "<article><header>Words</header></article>"],
    ["the footer inside the main element", '<div role="main"><div><footer>Words</footer></div></div>'],
    ["a header with the headline", "<header><h1>Words</h1></header>"],
    ["a footer with an article", "<footer><article>Words</article></footer>"],
    ["a menu without links", '<div class="menu">Words</div>'],
    ["an element whose class has another prefix", '<div class="card-footer">Words</div>'],
  ])("%s", (_, html) => {
    expect(contentOf(`${html}<p>${TEXT}</p>`)).toContain("Words");
    expect(linesOf(`${html}<p>${TEXT}</p>`)).toContain("Words");
  });

  it.each([
    [
      "the cells of a data table",
      "<table><tr><td>A</td><td><nav>Words</nav></td></tr><tr><td>B</td><td>C</td></tr></table>",
    ],
    ["related stories that are most of the page", `<div class="related"><p>Words ${TEXT.repeat(5)}</p></div>`],
    [
      "a text about cookies in an article",
      "<article><p>We use cookies on this site.</p><p><button>Accept all</button> Words</p></article>",
    ],
    ["a text about cookies without a button", '<div class="x"><p>Words: we use cookies on this site.</p></div>'],
    [
      "a text with a button but without cookies",
      '<div class="x"><p>Words about privacy and consent.</p><div><button>Accept all</button></div></div>',
    ],
  ])("%s", (_, html) => {
    expect(contentOf(`${html}<p>${TEXT}</p>`)).toContain("Words");
  });

  it.each(["<footer>Words</footer>", '<div role="dialog">Words</div>'])("if the page has no other text: %s", (html) => {
    expect(contentOf(`${html}<p><a href="/a">${TEXT}</a></p>`)).toContain("Words");
  });
});
