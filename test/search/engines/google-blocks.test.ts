import { describe, expect, it } from "vitest";
import { ENGINES } from "../../../src/search/engines/engines";
import { renamePage } from "../../support/renamed-page";

const SEARCH = "https://www.google.com/search?q=harbour+cranes&hl=en";

const result = (name: string, more = "") =>
  `<div class="MjjYud"><div data-snc="${name}"><a href="https://${name}.example/"><h3>Cranes of ${name}</h3><cite>https://${name}.example</cite></a>
  <div data-sncf="1"><div class="VwiC3b">The cranes of ${name} lift forty tonnes.</div></div>${more}</div></div>`;
const heading = (text: string) => `<div role="heading" aria-level="2">${text}</div>`;
const card = (host: string, title: string, meta: string, attributes = "") =>
  `<div ${attributes}><a href="https://${host}/1"><div role="heading" aria-level="3"><span>${title}</span><div>${meta}</div></div></a></div>`;
const page = (above: string, below = "") =>
  `<!doctype html><body><div id="main"><div id="cnt">${above}<div id="center_col"><div id="rso">${result("alpha")}${result("beta")}</div></div>${below}</div></div></body>`;

function readBlocks(html: string) {
  const { kind, organic, blocks } = ENGINES.google.readPage(html, SEARCH);
  expect(kind).toBe("results");
  expect(organic.map(({ title }) => title)).toEqual(["Cranes of alpha", "Cranes of beta"]);
  return blocks ?? {};
}

/** The blocks with the markup of each, and whether they are found when all names are different. */
const BLOCKS: readonly (readonly [name: string, html: string, expected: object])[] = [
  [
    "people also ask",
    page(
      `<div data-initq="x">${heading("People also ask")}
      <div data-q="What is a crane?"><div role="button" aria-expanded="false" aria-controls="f1"><span>What is a crane?</span></div>
      <div id="f1"><div data-attrid="wa:/description">A machine that lifts heavy loads in harbours.</div><a href="https://a.example/"><h3>Crane - A</h3></a></div></div>
      <div data-q="Who built it?"><div role="button" aria-expanded="false" aria-controls="f2"><span>Who built it?</span></div></div></div>`,
    ),
    {
      people_also_ask: [
        {
          position: 1,
          question: "What is a crane?",
          snippet: "A machine that lifts heavy loads in harbours.",
          title: "Crane - A",
          url: "https://a.example/",
        },
        { position: 2, question: "Who built it?" },
      ],
      block_positions: { people_also_ask: 0 },
    },
  ],
  [
    "people also ask without scripts",
    page(
      "",
      `<div><span>People also ask</span><div><div>What is a crane?</div><div>It is a machine that lifts heavy loads.</div>
      <a href="/url?q=https://a.example/"><span>Crane - A</span><div>a.example</div></a><a href="/search?q=What+is+a+crane%3F">More results</a></div></div>`,
    ),
    {
      people_also_ask: [
        {
          position: 1,
          question: "What is a crane?",
          snippet: "It is a machine that lifts heavy loads.",
          title: "Crane - A",
          url: "https://a.example/",
        },
      ],
      block_positions: { people_also_ask: 2 },
    },
  ],
  [
    "related searches, filters and a correction",
    page(
      `<div role="navigation"><a href="/search?q=harbour+cranes&udm=2">Images</a><a href="/search?q=new+harbour+cranes&uds=1">New</a></div>
      <p>Did you mean: <a href="/search?q=harbor+cranes&spell=1">harbor cranes</a></p>`,
      `<div id="botstuff">${heading("Related")}<a href="/search?q=crane+names">crane <b>names</b></a><a href="/search?q=old+cranes"><b>old</b> cranes</a>
      <a href="/search?q=harbour+cranes&start=10">2</a><a href="/search?q=harbour+cranes&udm=7">More</a></div>`,
    ),
    {
      filters: [{ position: 1, name: "New", url: "https://www.google.com/search?q=new+harbour+cranes&uds=1" }],
      spelling: { corrected: "harbor cranes", applied: false },
      related_searches: [
        { position: 1, query: "crane names", url: "https://www.google.com/search?q=crane+names" },
        { position: 2, query: "old cranes", url: "https://www.google.com/search?q=old+cranes" },
      ],
      block_positions: { filters: 0, spelling: 0, related_searches: 2 },
    },
  ],
  [
    "an applied correction",
    page(
      `<p>Showing results for <a href="/search?q=harbor+cranes&spell=1">harbor cranes</a></p><p>Search instead for <a href="/search?q=harbour+cranes&nfpr=1">harbour cranes</a></p>`,
    ),
    {
      spelling: { corrected: "harbor cranes", original: "harbour cranes", applied: true },
      block_positions: { spelling: 0 },
    },
  ],
  [
    "ads",
    page(
      `<div id="tads" role="region" aria-label="Ads"><div data-text-ad="1"><a href="/aclk?sa=L&ai=x" data-pcu="https://shop.example/"><div role="heading" aria-level="3">Cranes, cheap</div><span role="text">shop.example</span></a>
      <div>We sell cranes of all kinds to all harbours.</div><a href="https://shop.example/new">New cranes</a></div></div>`,
      `<div><div data-text-ad="1"><span>Sponsored</span><a href="https://other.example/"><h3>More cranes</h3></a></div></div>
      <div id="rhs" role="complementary"><div><a href="/aclk?sa=L&ai=y"><h3>A crane as a card</h3></a><div><a href="/aclk?sa=L&ai=z">44 EUR</a></div></div></div>`,
    ),
    {
      ads: [
        {
          position: 1,
          block_position: "top",
          title: "Cranes, cheap",
          displayed_url: "shop.example",
          description: "We sell cranes of all kinds to all harbours.",
          sitelinks: [{ title: "New cranes", url: "https://shop.example/new" }],
        },
        { position: 2, block_position: "bottom", title: "More cranes", url: "https://other.example/" },
        { position: 3, block_position: "right", title: "A crane as a card" },
      ],
      block_positions: { ads: 0 },
    },
  ],
  [
    "places",
    page(
      `${heading("Places")}<div><div><div role="button"><div role="heading" aria-level="3">Crane &amp; Co</div><div><span>4.3</span><span>(70)</span> · <span>Crane dealer</span></div>
      <div>1 Quay · (385) 436-1772</div><span>Open · Closes 6 PM</span><div>"Helpful and quick."</div></div><a href="https://crane.example/">Website</a><a href="/maps/dir//Crane">Directions</a></div>
      <h3><a href="/search?q=harbour+cranes&udm=1">More places</a></h3></div>`,
    ),
    {
      local: [
        {
          position: 1,
          title: "Crane & Co",
          rating: 4.3,
          reviews: "70",
          type: "Crane dealer",
          address: "1 Quay",
          phone: "(385) 436-1772",
          hours: "Open · Closes 6 PM",
          website: "https://crane.example/",
        },
      ],
      block_positions: { local: 0 },
    },
  ],
  [
    "videos",
    page(
      "",
      `${heading("Videos")}${card("www.youtube.com", "A film of cranes", "<span>YouTube</span><span> · </span>Port TV<div>3 days ago</div><div>11:57</div>", 'data-vid="1"')}`,
    ),
    {
      videos: [
        {
          position: 1,
          title: "A film of cranes",
          url: "https://www.youtube.com/1",
          source: "YouTube",
          channel: "Port TV",
          date: "3 days ago",
          duration: "11:57",
        },
      ],
      block_positions: { videos: 2 },
    },
  ],
  [
    "short videos, top stories and perspectives, side by side",
    page(
      "",
      `<div>${heading("Short videos")}${card("www.tiktok.com", "A short film", "TikTok", 'data-vid="2"')}</div>
      <div>${heading("Top stories")}${card("news.example", "New cranes arrive", "<span>The Port</span><span>2 hours ago</span>")}</div>
      <div>${heading("Opinions")}${card("forum.example", "Which crane?", "<span>Reddit</span> · r/cranes")}<a href="/search?q=harbour+cranes&udm=18">More</a></div>`,
    ),
    {
      short_videos: [{ position: 1, title: "A short film", url: "https://www.tiktok.com/1", source: "TikTok" }],
      top_stories: [
        {
          position: 1,
          title: "New cranes arrive",
          url: "https://news.example/1",
          source: "The Port",
          date: "2 hours ago",
        },
      ],
      perspectives: [
        { position: 1, title: "Which crane?", url: "https://forum.example/1", source: "Reddit", author: "r/cranes" },
      ],
      block_positions: { short_videos: 2, top_stories: 2, perspectives: 2 },
    },
  ],
  [
    "images",
    page(
      "",
      `${heading("Images")}<div><a href="https://pictures.example/1"></a><img alt="A crane" src="https://img.example/1.jpg"><div><span>A crane</span></div><div>Pictures</div></div>
      <div style="display: none"><a href="https://pictures.example/2"></a><img alt="Hidden"></div>`,
    ),
    {
      images: [
        {
          position: 1,
          title: "A crane",
          url: "https://pictures.example/1",
          source: "Pictures",
          thumbnail: "https://img.example/1.jpg",
        },
      ],
      block_positions: { images: 2 },
    },
  ],
  [
    "an amount in another currency, without scripts",
    page("").replace('<div class="MjjYud">', "<div><div>1 euro =</div><div>1,08 dollars</div></div>$&"),
    { answer: { type: "currency", text: "1 euro = 1,08 dollars" }, block_positions: { answer: 0 } },
  ],
];

describe.each([
  ["with Google's names", (html: string) => html],
  ["with other names", renamePage],
])("a page %s", (_, change) => {
  it.each(BLOCKS)("has %s", (__, html, expected) => {
    expect(readBlocks(change(html))).toMatchObject(expected);
    expect(Object.keys(readBlocks(change(html))).sort()).toEqual(Object.keys(expected).sort());
  });

  it("has the links of a result to other pages of its site", () => {
    const links =
      '<a href="https://alpha.example/new">New</a><a href="https://www.alpha.example/#old">Old</a><a href="https://alpha.example/#:~:text=x">Read more</a><a href="https://other.example/">Other</a>';
    const html = page("").replace(result("alpha"), result("alpha", links));
    expect(ENGINES.google.readPage(change(html), SEARCH).organic[0]?.sitelinks).toEqual([
      { title: "New", url: "https://alpha.example/new" },
      { title: "Old", url: "https://www.alpha.example/#old" },
    ]);
  });
});

describe("cards that only Google's names show", () => {
  const KNOWLEDGE = `<div data-attrid="title" role="heading" aria-level="2">Crane</div><div data-attrid="subtitle">Machine</div>
    <div data-attrid="description"><h3>Description</h3><span>A crane is a machine.</span> <a href="https://en.wikipedia.org/wiki/Crane">Wikipedia</a></div>
    <div data-attrid="kc:/x/y:founded"><span>Invented: </span><span>500 BC</span></div><div data-attrid="kc:/x/y:tabs">Tabs</div>`;

  it("reads the facts about an entity", () => {
    expect(readBlocks(page("", `<div id="rhs">${KNOWLEDGE}</div>`)).knowledge_graph).toEqual({
      title: "Crane",
      type: "Machine",
      description: "A crane is a machine.",
      source: { name: "Wikipedia", url: "https://en.wikipedia.org/wiki/Crane" },
      facts: [{ name: "Invented", value: "500 BC" }],
    });
  });

  it.each([
    ["an attribute", `<div style="display:none">${KNOWLEDGE}</div>`],
    ["a style sheet", `<style>.kp{display:none}</style><div class="kp">${KNOWLEDGE}</div>`],
  ])("omits a card that %s hides", (_, html) => {
    expect(readBlocks(page("", html))).toEqual({});
  });

  it('has no questions of "Things to know", which have a subject', () => {
    const button = (subject: string, question: string) =>
      `<div role="button" aria-expanded="false" aria-controls="a"><span>${subject}</span><div>${question}</div></div>`;
    expect(
      readBlocks(page(`${button("History", "Who built cranes?")}${button("Size", "How tall are they?")}`)),
    ).toEqual({});
  });

  it("reads the senses of a word that are shown", () => {
    const html = `<div data-attrid="EntryHeader"><span>crane</span></div><div data-attrid="SenseDefinition">A tall machine.</div><div aria-hidden="true"><div data-attrid="SenseDefinition">A bird.</div></div>`;
    expect(readBlocks(page(html)).answer).toEqual({
      type: "dictionary",
      text: "A tall machine.",
      title: "crane",
      items: ["A tall machine."],
    });
  });

  const TEXT = "A crane lifts heavy loads, and moves them from ships to the quay.";
  const overview = (inside: string) =>
    page(`<div data-subtree="mfc"><span>Not available for this search</span>${heading("AI Overview")}${inside}</div>`);
  const LIST = `<ul><li><div><a href="https://a.example/" aria-label="Cranes. Opens in a new tab."></a><div>Cranes</div><div>All about the cranes of the world.</div><div>A</div></div></li></ul>`;
  const escaped = LIST.replaceAll("<", "\\x3c").replaceAll('"', '\\"');
  const json = JSON.stringify([
    [
      "99c23782-8cb5-473c-9cab-1eb47c491df9",
      ["Cranes", "All about the cranes of the world.", "", "a.example", ["A"], "https://a.example/"],
    ],
  ]);

  it.each([
    ["in the page", `<div data-subtree="aimc"><p>${TEXT}</p>${LIST}</div>`],
    [
      "in markup for a script",
      `<div data-subtree="aimc"><p>${TEXT}</p></div><div id="src"></div><script>jsl.dh("src","${escaped}");</script>`,
    ],
    ["in a comment", `<div data-subtree="aimc"><p>${TEXT}</p></div><!--Sv6Kpe${json.replaceAll('"', "&quot;")}-->`],
  ])("reads an AI overview with sources %s", (_, inside) => {
    expect(readBlocks(overview(inside)).ai_overview).toEqual({
      text: TEXT,
      sources: [
        { title: "Cranes", url: "https://a.example/", source: "A", snippet: "All about the cranes of the world." },
      ],
      complete: true,
    });
  });

  it("inserts markup for a script into the text, and says that the text is folded", () => {
    const inside = `<div data-subtree="aimc"><p>${TEXT}</p><p id="more"></p></div><div role="button">Show more</div>
      <script>[{id:'more'},function(){jsl.dh(this.id,'\\x3cspan>It stands on rails, the driver\\'s cabin is above.\\x3c/span>');}]</script>`;
    const text = `${TEXT}\nIt stands on rails, the driver's cabin is above.`;
    expect(readBlocks(overview(inside)).ai_overview).toEqual({ text, sources: [], complete: false });
  });

  it("has no AI overview while the page is still loading it", () => {
    expect(readBlocks(page(`<div data-subtree="mfc">${heading("Thinking")}</div>`))).toEqual({});
  });
});
