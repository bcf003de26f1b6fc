import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

const PROSE =
  "The ferry leaves from the old pier each morning, whatever the weather, and it carries forty people and their dogs. ";
const TEXT = `<p>${PROSE.repeat(3)}</p>`;

function markdownOf(html: string, { whole = false } = {}): string {
  const options = { url: "https://coast.example/ferry.html", markdown: true, text: false, onlyMainContent: !whole };
  return convertHtml(html, options).markdown ?? "";
}

/** Puts `html` between paragraphs of text. Returns the markdown that `html` is converted to. */
function between(html: string): string {
  const markdown = markdownOf(`<main><h1>Harbours</h1>${TEXT}${html}${TEXT}</main>`);
  return markdown.replaceAll(PROSE.repeat(3).trim(), "").replace("# Harbours", "").trim();
}

describe("a figure without an image keeps its text", () => {
  it.each([
    [
      "a table",
      "<figure><table><tr><th>Fat</th><th>Salt</th></tr><tr><td>12 g</td><td>3 g</td></tr></table></figure>",
      "| Fat | Salt |\n| --- | --- |\n| 12 g | 3 g |",
    ],
    [
      "a table inside another element",
      "<figure><div><div><table><tr><th>Fat</th><th>Salt</th></tr><tr><td>1 g</td><td>3 g</td></tr></table></div></div></figure>",
      "| Fat | Salt |\n| --- | --- |\n| 1 g | 3 g |",
    ],
    [
      "code with line numbers",
      '<figure class="highlight"><table><tr><td class="gutter"><pre>1</pre></td><td class="code"><pre>let a = 1;</pre></td></tr></table></figure>',
      "```\nlet a = 1;\n```",
    ],
    [
      "code with a caption",
      "<figure><pre><code>npm ci</code></pre><figcaption>Installing</figcaption></figure>",
      "```\nnpm ci\n```\n\nInstalling",
    ],
    [
      "a quotation with its source",
      "<figure><blockquote><p>To be or not.</p></blockquote><figcaption>Hamlet</figcaption></figure>",
      "> To be or not.\n\nHamlet",
    ],
    [
      "the caption of a video",
      '<figure><video src="v.mp4"></video><figcaption>The storm hits</figcaption></figure>',
      "[Video](https://coast.example/v.mp4)\n\nThe storm hits",
    ],
  ])("%s", (_, html, expected) => {
    expect(between(html)).toBe(expected);
  });
});

describe("a data table is kept as a whole", () => {
  it.each([
    [
      "with linked cells",
      '<table><tr><td>File</td><td>Sum</td></tr><tr><td><a href="/a">a.tar</a></td><td>ab12</td></tr></table>',
      "| File | Sum |\n| [a.tar](https://coast.example/a) | ab12 |",
    ],
    [
      "with only links below the header",
      '<table><tr><th>Town</th><th>Land</th></tr><tr><td><a href="/a">Leba</a></td><td><a href="/b">Poland</a></td></tr></table>',
      "| Town | Land |\n| --- | --- |\n| [Leba](https://coast.example/a) | [Poland](https://coast.example/b) |",
    ],
    [
      "with times in paragraphs",
      "<table><tr><th>Train</th><th>Time</th></tr><tr><td>RE 1</td><td><p>10:05</p></td></tr></table>",
      "| Train | Time |\n| --- | --- |\n| RE 1 | 10:05 |",
    ],
    [
      "with buttons and with cells whose class names a sidebar",
      '<table><tr><th>Wood</th><th>Rating</th></tr><tr><td>Oak</td><td class="rating"><button>4/5</button></td></tr></table>',
      "| Wood | Rating |\n| --- | --- |\n| Oak | 4/5 |",
    ],
  ])("%s", (_, html, expected) => {
    expect(between(html).replace("|  |  |\n| --- | --- |\n", "")).toBe(expected);
  });
});

describe("keeps links that belong to the text", () => {
  it.each([
    ["a heading that links to itself", '<h2 id="s"><a href="#s">Syntax</a></h2><ul><li>None</li></ul>', "## Syntax"],
    [
      "a linked heading above text",
      `<h2><a href="https://shop.example/1">Acme kettle</a></h2>${TEXT}`,
      "[Acme kettle]",
    ],
    [
      "the term of a definition list",
      '<dl><dt><a href="/Array/at"><code>at()</code></a></dt><dd>Returns an item.</dd></dl>',
      "[`at()`]",
    ],
    [
      "links within the page",
      '<ul><li><a href="#r">Reading</a></li><li><a href="#w">Writing</a></li></ul>',
      "[Writing]",
    ],
    [
      "linked code",
      '<ul><li><a href="/r"><code>read</code></a></li><li><a href="/w"><code>write</code></a></li></ul>',
      "[`write`]",
    ],
    ["a link to a file", '<p><a href="/files/report.pdf">The yearly report</a></p>', "[The yearly report]"],
    [
      "a list below a heading of the text",
      '<h2>Twin towns</h2><ul><li><a href="/leba">Leba</a></li><li><a href="/rye">Rye</a></li></ul>',
      "[Rye]",
    ],
  ])("%s", (_, html, expected) => {
    expect(between(html)).toContain(expected);
  });

  it("drops a list of links below a heading for related pages", () => {
    expect(
      between('<h2>You may also like</h2><ul><li><a href="/leba">Leba</a></li><li><a href="/rye">Rye</a></li></ul>'),
    ).toBe("");
  });

  it("drops a linked heading without text below it", () => {
    const links = '<h3><a href="/old/1">The winter of the great ice</a></h3>';
    expect(between(`${links}<h2>Costs</h2>`)).toBe("## Costs");
  });
});

describe("a heading without text below it is dropped", () => {
  it.each([
    ["before a heading of the same level", `<h2>Fares</h2><h2>Costs</h2>${TEXT}`, "## Costs"],
    ["before a higher heading", `<h3>Fares</h3><h2>Costs</h2>${TEXT}`, "## Costs"],
    ["unless a lower heading has text", `<h2>Fares</h2><h3>Costs</h3>${TEXT}`, "## Fares\n\n### Costs"],
    ["with all headings below it", `<h2>Fares</h2><h3>Dogs</h3><h2>Costs</h2>${TEXT}`, "## Costs"],
  ])("%s", (_, html, expected) => {
    expect(between(html)).toBe(expected);
  });
});

it("drops links to the site of the canonical URL, even if the page was fetched from a copy", () => {
  const links = ["one", "two"].map(
    (name) => `<li><a href="https://news.example/${name}">The other story ${name}</a></li>`,
  );
  const page = (head: string) =>
    markdownOf(`<head>${head}</head><main><h1>Harbours</h1>${TEXT.repeat(3)}<ul>${links.join("")}</ul></main>`);
  expect(page("")).toContain("The other story");
  expect(page('<link rel="canonical" href="https://www.news.example/harbours">')).not.toContain("The other story");
});

describe("keeps times and dates in the text", () => {
  it.each([
    ["<p>Monday 9:00–17:00</p>"],
    ["<p>1999: moved to Berlin</p>"],
    ["<p>10:30 Opening speech</p>"],
    ["<p>Score: 3:21</p>"],
    ['<div class="when">12.03.2025 20:00</div>'],
  ])("%s", (html) => {
    expect(between(html)).toBe(html.replace(/<[^>]+>/g, ""));
  });
});

describe("keeps a short page instead of a longer box in front of it", () => {
  const consent = `<p>${"We and our partners store cookies on your device, as you allow. ".repeat(3)}</p>`.repeat(20);
  it.each([
    ["a consent box by its id", `<div id="CybotCookiebotDialog">${consent}</div>`],
    ["a dialog", `<div role="dialog">${consent}</div>`],
    [
      "a box with a button to accept cookies",
      `<div class="x1"><div>${consent}</div><div><button>Accept all</button></div></div>`,
    ],
  ])("%s", (_, box) => {
    const page = "<main><h1>Club news</h1><p>The club meets on Friday.</p></main>";
    expect(markdownOf(`${box}${page}`)).toBe("# Club news\n\nThe club meets on Friday.");
  });
});

it("drops the whole consent box around a button, not only its last part", () => {
  const ask = '<div class="x2"><p>Allow cookies?</p><div><button>Accept all</button></div></div>';
  const box = `<div class="x1"><p>We and our partners store cookies on your device.</p>${ask}</div>`;
  expect(markdownOf(`${box}<div class="x3"><h1>Club news</h1><p>The club meets on Friday.</p></div>`)).toBe(
    "# Club news\n\nThe club meets on Friday.",
  );
});

describe("keeps content that a click opens", () => {
  it.each([
    [
      "the answer to a question in a button",
      "<div><button>Is there a ferry?</button><div><p>Each day.</p></div></div>",
      "Is there a ferry?\n\nEach day.",
    ],
    [
      "a section that a button expands",
      `<div><button aria-expanded="false">Departures</button><div>${TEXT}</div></div>`,
      "Departures",
    ],
    [
      "a hidden tab panel",
      '<div role="tabpanel"><pre>npm i x</pre></div><div role="tabpanel" hidden><pre>yarn add x</pre></div>',
      "```\nnpm i x\n```\n\n```\nyarn add x\n```",
    ],
    [
      "a tab panel hidden by its style",
      '<b role="tab">Facts</b><div role="tabpanel" style="display:none" aria-hidden="true"><p>Weight: 12 kg</p></div>',
      "**Facts**\n\nWeight: 12 kg",
    ],
  ])("%s", (_, html, expected) => {
    expect(between(html)).toBe(expected);
  });

  it("keeps a button with a heading above text", () => {
    expect(between("<button><h4>Costs of wood</h4></button><p>Low.</p>")).toBe("#### Costs of wood\n\nLow.");
  });

  it.each(["aria-expanded='false'", "aria-controls='x'"])("keeps a button with %s above text", (attribute) => {
    expect(between(`<div><button ${attribute}>Departures</button><div>${TEXT}</div></div>`)).toBe("Departures");
    expect(between(`<div><button ${attribute}>Departures</button></div><p>Short.</p>`)).toBe("Short.");
  });

  it.each(["h2", "h6", "summary", "dt"])("keeps a button in <%s>", (name) => {
    expect(between(`<${name}><button>Departures</button></${name}><p>Each day.</p>`)).toContain("Departures");
  });

  it("ends a data table at another table inside its cells", () => {
    const inner = "<div><table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table></div>";
    const html = `<table><tr><td><button>Buy</button>1</td><td>${inner}</td></tr><tr><td>3</td><td>4</td></tr></table>`;
    expect(between(html)).not.toContain("Buy");
  });

  it("drops buttons that don't open text", () => {
    expect(between("<button>Copy</button><button aria-expanded='false'>Share</button><p>Short.</p>")).toBe("Short.");
  });
});

it("the whole page includes hidden tab panels", () => {
  const panels = "<div role='tabpanel'>One</div><div role='tabpanel' hidden>Two</div>";
  expect(markdownOf(panels, { whole: true })).toBe("One\n\nTwo");
});

describe("keeps sentences that start like boilerplate", () => {
  it.each([
    ["Read more books, he told the crowd, and they laughed, because they had come for the ferry and not for him."],
    ["Weitere Informationen erhalten Sie beim Bürgeramt unter der Nummer 115, montags von acht bis zwölf Uhr."],
    ["She left Reuters in 2010."],
    ["The company, which had run the ferries since the war, was sold on Monday to Getty Images."],
  ])("%s", (sentence) => {
    expect(between(`<p>${sentence}</p>`)).toBe(sentence);
  });
});

it("keeps a carousel with text, whatever its class name is", () => {
  const room = '<div class="room-carousel"><h3>Sea room</h3><p>Two beds, 80 € a night</p></div>';
  expect(between(room)).toBe("### Sea room\n\nTwo beds, 80 € a night");
});

describe("a heading whose names look like those of boilerplate", () => {
  it.each([
    ["an id that repeats the text", '<h2 id="h-5-community-building">5. Community building</h2>'],
    ["an id with the name of a picture", '<h2 id="h-8-still-life-photography">8. Still life photography</h2>'],
    ["the class of a layout block", '<h3 class="kt-adv-heading10415 wp-block-advancedheading">Armrests</h3>'],
    ["a wrapper with such a class", '<div class="related-heading"><h3>Armrests</h3></div>'],
  ])("stays above its text: %s", (_, heading) => {
    const text = `<p>${"Most of the boats come home before the tide turns, and the rest wait outside. ".repeat(2)}</p>`;
    expect(between(`${heading}${text}`)).toMatch(/^#{2,3} .+\n\nMost of the boats/);
  });

  it.each([
    ["a link to another page", '<div class="related"><h3><a href="/boats">The boats of the island</a></h3></div>'],
    ["a form below it", '<div class="newsletter"><h3>Our newsletter</h3><form><input name="email"></form></div>'],
  ])("is dropped with %s", (_, html) => {
    expect(between(html)).toBe("");
  });
});
