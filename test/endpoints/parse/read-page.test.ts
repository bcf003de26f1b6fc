import { describe, expect, it } from "vitest";
import { toParts } from "../../../src/endpoints/parse/parts";
import { quoteAsData } from "../../../src/endpoints/parse/prompt";
import { readDocument, readHtml, readPlain } from "../../../src/endpoints/parse/read-page";
import { hasContent } from "../../../src/html/has-content";
import { parseVisiblePage } from "../../../src/html/visible-page";
import injections from "../../fixtures/parse/injections.html?raw";

const URL_OF_PAGE = "https://shop.example/lamps/tide.html";
const LIMITS = { maxTokens: 30_000, maxParts: 8 };

function read(html: string, url: string | null = URL_OF_PAGE): string {
  return toParts(readHtml(parseVisiblePage(html), { url }), LIMITS).parts.join("\n");
}

const NAV = '<nav><a href="/m">Menu</a></nav>';
const PROSE = "The ferry leaves from the old pier each morning, whatever the weather, and carries forty people. ";
const ARTICLE = `<main><h1>Ferries</h1>${`<p>${PROSE.repeat(3)}</p>`.repeat(4)}</main>`;

describe("the text of a page", () => {
  it("has the content of the page, but not the site's boilerplate", () => {
    const boilerplate =
      '<a href="/m">Menu</a> Elsewhere </nav><div class="site-header"><a href="/s">Account</a></div><div id="cookie-banner">We use cookies.</div>';
    const text = read(
      `<header>Slogan</header><nav>${boilerplate}${ARTICLE}<div class="related-posts">Another story</div><footer>Imprint</footer>`,
    );
    expect(text).toContain("The ferry leaves");
    for (const word of ["Slogan", "Elsewhere", "Account", "cookies", "Another story", "Imprint"])
      expect(text).not.toContain(word);
  });

  const many = (write: (at: number) => string) => Array.from({ length: 12 }, (_, at) => write(at)).join("");
  it.each([
    [
      "cards that are links",
      many((at) => `<a href="/p/${at}"><h3>Lamp ${at}</h3><span>1${at}.50</span></a>`),
      ["Lamp 7", "17.50"],
    ],
    [
      "lists of links",
      `<ul>${many((at) => `<li><a href="/j/${at}">Keeper, harbour ${at}</a></li>`)}</ul>`,
      ["harbour 7"],
    ],
    ["people", many((at) => `<a href="/t/${at}"><h3>Person ${at}</h3><p>Role ${at}</p></a>`), ["Person 7", "Role 7"]],
    ["an author and a date", "<p>By Jane Roe</p><p>March 5, 2024</p>", ["Jane Roe", "March 5"]],
    [
      "a byline that only its class name shows",
      '<div class="byline">Jane Roe</div><time>5 March</time>',
      ["Jane Roe", "5 March"],
    ],
    [
      "facts without a currency",
      '<span class="sku">SKU: 12345</span><span class="rating">4.5 (120 reviews)</span><span>Only 3 left</span><b>19.50</b>',
      ["12345", "4.5 (120", "Only 3 left", "19.50"],
    ],
    [
      "the times of a recipe",
      '<div class="meta"><span>Prep: 10 min</span> <span>Serves 4</span></div>',
      ["10 min", "Serves 4"],
    ],
    [
      "comments",
      '<section id="comments"><div class="comment"><b>Ida</b><p>Good.</p></div></section>',
      ["Ida", "Good."],
    ],
    ["topics", '<div class="tags"><a href="/t/1">harbour</a></div>', ["[harbour]"]],
    ["an aside", "<aside><h3>Contact</h3><p>Pier 1, Leba</p><p>+48 59 1234</p></aside>", ["Pier 1", "59 1234"]],
    ["breadcrumbs", '<nav aria-label="Breadcrumb"><a href="/c">Crossings</a></nav>', ["[Crossings]"]],
  ])("has %s", (_, html, expected) => {
    const inside = read(`${NAV}${ARTICLE.replace("</main>", `${html}</main>`)}<footer>Imprint</footer>`);
    const outside = read(`${NAV}${ARTICLE}<div>${html}</div><footer>Imprint</footer>`);
    for (const text of [inside, outside]) {
      for (const words of expected) expect(text).toContain(words);
      expect(text).not.toContain("Imprint");
    }
  });

  it.each([
    ["only the footer has prices", `${ARTICLE}<footer>Tickets cost 12.00 EUR</footer>`, "12.00 EUR"],
    [
      "only its header has a table",
      `<header><table><tr><th>Day</th><th>Time</th></tr><tr><td>Monday</td><td>7:30</td></tr></table></header>${ARTICLE}`,
      "| Monday | 7:30 |",
    ],
    [
      "its footer has most of the words",
      `<h1>The ferries of Leba and the harbour</h1><footer>${PROSE.repeat(9)}</footer>`,
      "the old pier",
    ],
  ])("is the whole visible page if %s", (_, html, expected) => {
    const text = read(html);
    expect(text).toContain(expected);
  });

  describe("for a page with many links next to its text", () => {
    const text = `<h1>Ferries</h1>${Array.from({ length: 12 }, (_, at) => `<p>${at} ${PROSE.repeat(2)}</p>`).join("")}`;
    const links = (write: (at: number) => string) => Array.from({ length: 900 }, (_, at) => write(at)).join("");
    const hub = `<ul>${links((at) => `<li><a href="/stories/of-the-harbour/${at}">The story of the keeper, number ${at}</a></li>`)}</ul>`;

    it("omits lines of links outside the text", () => {
      const words = read(
        `<div><p class="byline"><a href="/ida">Ida Moen</a></p>${text}</div><p>Pier 1, Leba</p><div>${hub}</div>`,
      );
      expect(words).not.toContain("The story of");
      for (const word of ["Ida Moen", "11 The ferry", "Pier 1"]) expect(words).toContain(word);
    });

    it("keeps everything in the main element", () => {
      expect(read(`<main><div>${text}</div>${hub}</main>`)).toContain("number 899");
    });

    it("counts the addresses of links and images", () => {
      const list = (html: string) => `<ul>${links(() => `<li>${html}</li>`)}</ul>`;
      const long = "/a".repeat(20);
      const page = (html: string) => read(`<div>${text}</div><div>${list(html)}</div>`);
      expect(page('<a href="/">Boats</a>')).toContain("Boats");
      expect(page(`<a href="${long}">Boats</a>`)).not.toContain("Boats");
      expect(page(`<img src="${long}" alt="a"><a href="/">Boats</a>`)).not.toContain("Boats");
    });

    it.each(["<table><tr><td>", "<div role=MAIN>", '<div class="tags">', '<p class="date">'])(
      "keeps links in %s",
      (tags) => {
        const words = read(
          `<div>${text}</div>${tags}<a href="/x">The old boats</a></p></div></table><div>${hub}</div>`,
        );
        expect(words).toContain("The old boats");
        expect(words).not.toContain("The story of");
      },
    );

    it.each(["<x-main>", '<div role="maintenance">', '<div class="undated">'])("omits links in %s", (tags) => {
      const words = read(`<div>${text}</div>${tags}<a href="/x">The old boats</a></div></x-main><div>${hub}</div>`);
      expect(words).not.toContain("The old boats");
    });

    it("keeps product links", () => {
      const offers = links((at) => `<a href="/p/${at}"><h3>Lamp number ${at}</h3><span>${at + 1}.50 EUR</span></a>`);
      expect(read(`<div>${text}</div><div>${offers}</div>`)).toContain("900.50 EUR");
    });
  });

  it("has tables, lists and absolute links", () => {
    const html =
      '<main><h1>Lamps</h1><ul><li><a href="a.html">Tide</a></li><li>Moon</li></ul><table><tr><th>Part</th><th>Code</th></tr><tr><td>Wick</td><td>W-1</td></tr></table></main>';
    const text = read(html);
    expect(text).toContain("- [Tide](https://shop.example/lamps/a.html)\n- Moon");
    expect(text).toContain("| Part | Code |\n| --- | --- |\n| Wick | W-1 |");
  });

  it.each([
    ["the canonical URL", '<link rel="canonical" href="https://b.example/c/d">', "(https://b.example/c/x?y=1)"],
    ["only their paths", "", "(/x?y=1)"],
  ])("if the page's URL isn't known, has links with %s", (_, head, expected) => {
    const item = '<p itemscope><a itemprop="url" href="/z">Z</a></p><link rel="shortcut icon" href="/i">';
    const text = read(`${head}${item}<p>Read <a href="x?y=1">this</a> and that.`, null);
    expect(text).toContain(expected);
    expect(text).not.toContain("invalid");
  });

  it.each([
    [
      "the date behind a relative one",
      '<time datetime="2024-03-05T10:00Z">2 hours ago</time>',
      "2 hours ago (2024-03-05T10:00Z)",
    ],
    ["the year of a date", '<time datetime="2024-03-05">5 March</time>', "5 March (2024-03-05)"],
    ["no duplicate date", '<time datetime="2024-03-05">March 5, 2024</time>.', "March 5, 2024."],
    ["a date in a title attribute", '<span title="March 5, 2024">yesterday</span>', "yesterday (March 5, 2024)"],
    ["an exact number", '<span title="Exactly 12,345">12k</span>', "12k (Exactly 12,345)"],
    ["a rating that is drawn with CSS", '<span class="rating" aria-label="4.5 of 5 stars"></span>', "4.5 of 5 stars"],
    ["a rating in an image role", '<span role="img" aria-label="4.5 of 5">★★★★☆</span>', "★★★★☆ (4.5 of 5)"],
    ["a rating of stars", '<span aria-label="4.5 of 5">★★★★☆</span>', "★★★★☆ (4.5 of 5)"],
    ["a button before text", "<button>Sold out</button><label>Size</label>", "Sold out Size"],
    ["options", "Size<select><option>Small<option selected>Large</option></select>", "Size Small / Large"],
    ["the value of a field", 'Code <input value="TL-77" readonly> here', "Code TL-77 here"],
    ["the text of a button", '<input type="submit" value="Sold out"> <button>Notify me</button>', "Sold out Notify me"],
    ["the text of a textarea", "<textarea>Dear keeper</textarea>", "Dear keeper"],
    ["the value of a meter", 'Load <meter value="0.6" max="1">60%</meter>', "Load 0.6 of 1"],
  ])("has values that the page displays without text nodes: %s", (_, html, expected) => {
    expect(read(`<p>${html}</p>`)).toMatch(new RegExp(`${RegExp.escape(expected)}$`));
  });

  it.each([
    ["a hidden field", '<input type="hidden" value="secret 1">'],
    ["a password", '<input type="password" value="secret 1">'],
    ["a field with display: none", '<input style="display:none" value="secret 1">'],
    ["a hidden select", "<select hidden><option>secret 1</option></select>"],
    ["a hidden option", '<select><option style="display:none">secret 1</option></select>'],
    ["a hidden textarea", '<textarea style="opacity:0">secret 1</textarea>'],
    ["a long list", `<select>${"<option>secret 1</option>".repeat(60)}</select>`],
    ["the accessible label of a paragraph", '<p aria-label="secret 1">Words</p>'],
    ["a long label", `<i class="stars" title="secret 1 ${"x".repeat(90)}"></i>`],
    ["a hidden label", '<i class="stars" title="secret 1" style="display:none"></i>'],
    ["an invalid date", '<time datetime="secret 1">now</time>'],
    ["the date of a hidden time", '<time datetime="2024-03-05" hidden>secret</time>'],
  ])("doesn't have %s", (_, html) => {
    expect(read(`<p>Words before</p>${html}<p>Words after</p>`)).not.toContain("secret");
  });

  it("has no invisible characters, whether in text, attributes, structured data or titles", () => {
    const hidden = "\u200b\u{e0041}\u202e\u00ad\ufe01";
    const html = `<title>T${hidden}t</title><script type="application/ld+json">{"@type":"Product","n${hidden}":"v${hidden}w"}</script>
      <div itemscope><b itemprop="p">q${hidden}r</b></div><p>a${hidden}b <a href="/x" title="c${hidden}d">e</a> <img src="i.png" alt="f${hidden}g"> <code>h${hidden}i</code>
      <pre>j${hidden}k</pre><table><tr><th>l${hidden}m<th>n</table>`;
    const { parts, text } = toParts(readHtml(parseVisiblePage(html), { url: URL_OF_PAGE }), LIMITS);
    for (const output of [...parts, text]) for (const sign of hidden) expect(output).not.toContain(sign);
    for (const word of ["Tt", "vw", "qr", "ab", "cd", "fg", "hi", "jk", "lm"]) expect(parts[0]).toContain(word);
  });

  it("is unchanged for JSON and plain text", () => {
    const json = '{\n  "name": "Tide lamp",\n  "*": ["_a_", 1]\n}';
    expect(toParts(readPlain(json, { url: URL_OF_PAGE }), LIMITS).parts[0]).toMatch(
      new RegExp(`The page:\n\n${RegExp.escape(json)}$`),
    );
  });

  it("can come from a document of blocks", () => {
    const blocks = [
      {
        type: "paragraph" as const,
        content: [{ type: "text" as const, value: "a\u200bb", space: false, marks: null }],
      },
    ];
    const { parts } = toParts(readDocument(blocks, { url: URL_OF_PAGE, metadata: { title: "T" } }), LIMITS);
    expect(parts).toEqual([`What the page says about itself:\nurl: ${URL_OF_PAGE}\ntitle: T\n\nThe page:\n\nab`]);
  });

  it("is one empty part for an empty page", () => {
    expect(toParts(readHtml(parseVisiblePage(""), { url: null }), LIMITS)).toEqual({
      parts: [""],
      isTruncated: false,
      text: "\n\n\n\n",
    });
  });
});

it("removes hidden instructions, and keeps visible ones as text", () => {
  const { parts, text } = toParts(readHtml(parseVisiblePage(injections), { url: URL_OF_PAGE }), LIMITS);
  for (const output of [...parts, text]) {
    expect(Array.from(output.matchAll(/INJ-\w+/g), ([mark]) => mark).filter((mark) => mark !== "INJ-VISIBLE")).toEqual(
      [],
    );
    expect(output).toContain("INJ-VISIBLE");
    expect(output).toContain("Plainwords with tags inside.");
    expect(output).toContain("A brass lamp for the harbour wall");
  }
  expect(parts[0]).toContain("| Wick | W-1 |");
});

it.each([
  ["with nested items", `${'<div itemscope itemprop="a">'.repeat(10_000)}deep words`],
  ["with nested properties", `<div itemscope>${'<b itemprop="a">x '.repeat(10_000)}deep words`],
  ["with many items", `${'<p itemscope><b itemprop="a">x</b></p>'.repeat(10_000)}deep words`],
  ["with many digits", `<p>deep words ${"1".repeat(500_000)}`],
  ["with nested tables", `${"<table><tr><td>cell ".repeat(10_000)}deep words`],
  ["with nested tabs", `${'<b role="tab">'.repeat(10_000)}deep words`],
  ["with many joiners", `<p>deep words ${"\u200d".repeat(500_000)}`],
  [
    "with open brackets in JSON-LD",
    `<script type="application/ld+json">${JSON.stringify("<a".repeat(200_000))}</script>deep words`,
  ],
  ["with many brackets", `<p>deep words ${"&lt; ".repeat(100_000)}`],
])("takes linear time for a page %s", { timeout: 60_000 }, (_, html) => {
  const { parts } = toParts(readHtml(parseVisiblePage(html), { url: URL_OF_PAGE }), LIMITS);
  expect(parts.join("")).toContain("deep words");
  quoteAsData(parts.join(""), "0123456789abcdef");
  hasContent(parseVisiblePage(html));
});
