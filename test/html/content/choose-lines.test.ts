import { describe, expect, it } from "vitest";
import { chooseLines } from "../../../src/html/content/choose-lines";
import { countSiblings, type LineGroup } from "../../../src/html/content/content-facts";
import { findPosts } from "../../../src/html/content/posts";
import { readRegions } from "../../../src/html/main-content/regions";
import { bodyOf } from "../../../src/html/parse/document";
import { openPage } from "../../../src/html/visible-page";
import type { PageKind } from "../../../src/model/page-kinds";

const NUMBERS = ["one", "two", "three", "four", "five", "six"];
const PARAGRAPHS = NUMBERS.map((number) => `<p>${number}</p>`).join("");

function group(): LineGroup {
  return { size: 6, words: 1, linkShare: 0, proseShare: 0, variety: 1 };
}

function chosen(
  groups: LineGroup[],
  likelihoods: number[],
  { kind = "article", html = PARAGRAPHS }: { kind?: PageKind; html?: string } = {},
): string[] {
  const { document } = openPage(html);
  const page = readRegions(bodyOf(document), new Set());
  const tables = page.regions.filter(({ element }) => element.name === "table");
  const found = { siblings: countSiblings(page), posts: findPosts(page) };
  const [first] = page.lines;
  const headline =
    first?.headingLevel === 1
      ? { region: first.region, element: first.region.element, text: first.text, isLate: false }
      : null;
  const facts = { page, headline, kept: new Set<number>(), dataTables: new Set(tables), groups, ...found };
  const flags = chooseLines(facts, Float64Array.from(likelihoods), kind);
  return page.lines.filter((line) => flags[line.index]).map(({ text }) => text);
}

it("keeps or drops a list of short items as a whole", () => {
  const groups = Array.from({ length: 6 }, group);
  const likelihoods = [0.9, 0.2, 0.9, 0.2, 0.9, 0.2];
  const html = `<ul>${NUMBERS.map((number) => `<li>${number}`).join("")}</ul>`;
  expect(chosen(groups, likelihoods, { html })).toEqual(NUMBERS);
  const unlikely = likelihoods.map((likelihood) => likelihood - 0.15);
  expect(chosen(groups, unlikely, { html })).toEqual([]);
});

it("chooses the lines of a list's longer items one by one", () => {
  const groups = Array.from({ length: 6 }, group);
  const html = "<ul><li><p>one</p><p>two</p><li><p>three</p><p>four</p><li><p>five</p><p>six</p></ul>";
  expect(chosen(groups, [0.9, 0.2, 0.9, 0.2, 0.9, 0.2], { html })).toEqual(["one", "three", "five"]);
});

it("doesn't drop a paragraph because of the short items of its list", () => {
  const groups = Array.from({ length: 6 }, group);
  const paragraph =
    "The workshop was founded in 1952 by two brothers, and today it repairs two thousand bikes each year.";
  const html = `<ul><li>${paragraph}${NUMBERS.slice(1)
    .map((number) => `<li>${number}`)
    .join("")}</ul>`;
  expect(chosen(groups, [0.9, 0.2, 0.2, 0.2, 0.2, 0.2], { html })).toEqual([paragraph]);
  const terms = html.replaceAll("ul>", "dl>").replaceAll("<li>", "<dt>");
  expect(chosen(groups, [0.9, 0.2, 0.9, 0.2, 0.9, 0.2], { html: terms })).toHaveLength(6);
});

it("keeps the only item of a nested list with the items around it", () => {
  const groups = Array.from({ length: 6 }, group);
  const [first, ...others] = NUMBERS.map((number) => `<li>${number}`);
  const html = `<ul><li><ul>${first}</ul>${others.join("")}</ul>`;
  expect(chosen(groups, [0.2, 0.9, 0.9, 0.9, 0.9, 0.9], { html })).toEqual(NUMBERS);
});

it("keeps a heading two lines above its text, and the terms of kept definitions", () => {
  const html =
    "<h1>Events</h1><h2>Sent</h2><dl><dt>Signature<dd>sent(id, name)</dl><p>One</p><h2>Other</h2><p>A<p>B<p>Two</p>";
  const choose = (definition: number) => {
    const groups = Array.from({ length: 9 }, group);
    return chosen(groups, [0.9, 0.1, 0.1, definition, 0.9, 0.1, 0.1, 0.1, 0.9], { html, kind: "documentation" });
  };
  expect(choose(0.7)).toEqual(["Events", "Sent", "Signature", "sent(id, name)", "One", "Two"]);
  expect(choose(0.1)).toEqual(["Events", "One", "Two"]);
  const promotion = "<h1>Pumps</h1><p>A</p><div><h3>News</h3><p>Sign up</p></div><p>B</p>";
  const groups = Array.from({ length: 5 }, group);
  expect(chosen(groups, [0.9, 0.9, 0.1, 0.1, 0.9], { html: promotion })).toEqual(["Pumps", "A", "B"]);
});

it("keeps or drops equal parts of tiles together, but not in a text", () => {
  const tile = (price: number) =>
    `<div class="tile"><h3>Stove</h3><span>A stove</span><div class="price">$${price}</div></div>`;
  const html = [1, 2, 3].map(tile).join("");
  const likelihoods = [0.9, 0.2, 0.9, 0.9, 0.3, 0.2, 0.9, 0.9, 0.9];
  const groups = Array.from({ length: 9 }, group);
  expect(chosen(groups, likelihoods, { html, kind: "collection" })).toEqual(
    [1, 2, 3].flatMap((price) => ["Stove", "A stove", `$${price}`]),
  );
  const unlikely = [0.9, 0.2, 0.1, 0.9, 0.9, 0.2, 0.9, 0.1, 0.1];
  // The headings have no content below them then.
  expect(chosen(groups, unlikely, { html, kind: "service" })).toEqual([]);
  expect(chosen(groups, likelihoods, { html, kind: "article" })).not.toContain("$2");
});

describe("a text that all tiles share", () => {
  const tiles = (count: number, text: string) =>
    Array.from({ length: count }, (_, at) => `<div class="tile"><b class="name">Lamp ${at}</b><p>${text}</p></div>`);
  const keep = (html: string, lines: number, kind: PageKind = "collection") =>
    chosen([], Array<number>(lines).fill(0.9), { html, kind });

  it("is dropped", () => {
    const names = Array.from({ length: 6 }, (_, at) => `Lamp ${at}`);
    expect(keep(tiles(6, "Compare").join(""), 12)).toEqual(names);
  });

  it.each([
    ["in fewer than six tiles", tiles(5, "Compare").join(""), 10],
    ["if it's a label", tiles(6, "Price:").join(""), 12],
    ["if one tile has another text", `${tiles(6, "Red").join("")}${tiles(1, "Blue")[0]}`, 14],
    ["in a text", tiles(6, "Compare").join(""), 12, "article" as const],
    ["in the cells of a table", `<table>${"<tr><td>Lamp<td><p>Yes</p>".repeat(6)}</table>`, 12],
  ])("is kept %s", (_, html, lines, kind: PageKind = "collection") => {
    expect(keep(html, lines, kind)).toHaveLength(lines);
  });
});

it("judges paragraphs in similar boxes one by one, and needs three boxes", () => {
  const text = "The workshop was founded in 1952 by two brothers, and today it repairs two thousand bikes each year.";
  const html = [1, 2, 3].map(() => `<div class="section"><h3>Name</h3><div>${text}</div></div>`).join("");
  const groups = Array.from({ length: 6 }, group);
  expect(chosen(groups, [0.9, 0.9, 0.1, 0.1, 0.1, 0.1], { html, kind: "service" })).toContain(text);
  const boxes =
    '<div class="box"><i>One</i><br><br>Two<br><br>Three</div><div class="box"><p>A</p></div><div class="box"><p>B</p></div>';
  expect(chosen(groups, [0.9, 0.1, 0.1, 0.9, 0.9], { html: boxes, kind: "service" })).toEqual(["One", "A", "B"]);
});

describe("a list below a paragraph that is kept", () => {
  const sentence = "The usage of each plan, and how its charges are calculated, is explained on these pages";
  const list = '<ul><li><a href="/a">Active users</a><li><a href="/b">Storage</a></ul>';
  const choose = (end: string, likelihood = 0.9, around = list) => {
    const groups = Array.from({ length: 3 }, group);
    return chosen(groups, [likelihood, 0.3, 0.3], { html: `<p>${sentence}${end}</p>${around}` });
  };

  it("is kept if the paragraph announces it with a colon", () => {
    expect(choose(":")).toEqual([`${sentence}:`, "Active users", "Storage"]);
  });

  it("is dropped otherwise", () => {
    expect(choose(".")).toEqual([`${sentence}.`]);
    expect(choose(":", 0.1)).toEqual([]);
    expect(choose(":", 0.9, `<div>${list}</div>`)).toEqual([`${sentence}:`]);
    const invitation = `Share this page with everybody whom you know on one of these networks, and with your friends:`;
    expect(chosen([], [0.9, 0.3, 0.3], { html: `<p>${invitation}</p>${list}` })).toEqual([invitation]);
    expect(chosen([], [0.9, 0.3, 0.3], { html: `<p>Pages:</p>${list}` })).toEqual(["Pages:"]);
  });
});

it("keeps all parts of a heading if one part is likely", () => {
  const heading = "<h3><div>Example 1 of 4:</div>Counter</h3>";
  expect(chosen([], [0.2, 0.9, 0.9], { html: `${heading}<p>Low.</p>` })).toEqual([
    "Example 1 of 4:",
    "Counter",
    "Low.",
  ]);
  expect(chosen([], [0.2, 0.9, 0.9], { html: `${heading.replaceAll("div", "p")}<p>Low.</p>` })).not.toContain(
    "Example 1 of 4:",
  );
});

it("keeps linked headings without content below them in a list of entries", () => {
  const entry = (name: string) => `<h3><a href="/${name}">${name}</a></h3><p>3 hours ago</p>`;
  const html = `${entry("Ferry")}${entry("Pier")}<h3>More</h3>`;
  const groups = Array.from({ length: 5 }, group);
  const likelihoods = [0.9, 0.1, 0.9, 0.1, 0.9];
  expect(chosen(groups, likelihoods, { html, kind: "listing" })).toEqual(["Ferry", "Pier"]);
  expect(chosen(groups, likelihoods, { html, kind: "article" })).toEqual([]);
});

it("keeps a heading whose section starts with content, even if it is long or linked", () => {
  const question = "What happens to the data in my account when I cancel my subscription before the end of the year?";
  const faq = `<h3>${question}</h3><p>It stays for a year.</p>`;
  expect(chosen([], [0.4, 0.9], { html: faq, kind: "service" })).toEqual([question, "It stays for a year."]);
  const entry = '<h3><a href="/a">Ferry is back</a></h3><p>Ferries run again.</p>';
  expect(chosen([], [0.3, 0.9], { html: entry, kind: "listing" })).toEqual(["Ferry is back", "Ferries run again."]);
});

it("keeps a paragraph that is marked as a heading", () => {
  const text = "The case has a bumper of soft plastic that protects the phone if it falls from the height of a table.";
  const html = `<h2>Drop protection</h2><h6>${text}</h6><h2>More</h2>`;
  expect(chosen([], [0.9, 0.9, 0.9], { html })).toEqual(["Drop protection", text]);
});

it("keeps or drops a table as a whole, and keeps it if it is rather unlikely", () => {
  const html = "<table><tr><th>Material<td>Steel<tr><th>Weight<td>2 kg</table>";
  const cells = ["Material", "Steel", "Weight", "2 kg"];
  expect(chosen([], [0.1, 0.5, 0.1, 0.5], { html, kind: "product" })).toEqual(cells);
  expect(chosen([], [0.1, 0.3, 0.1, 0.3], { html, kind: "product" })).toEqual([]);
});

it("keeps the terms of a definition that is kept", () => {
  const html = "<dl><dt>get()<dt>fetch()<dd><p>Loads a page.</p><p>Fast.</p><dt>put()<dd><p>Old.</p><p>Slow.</p></dl>";
  const groups = Array.from({ length: 7 }, group);
  const likelihoods = [0.1, 0.1, 0.9, 0.1, 0.1, 0.1, 0.1];
  expect(chosen(groups, likelihoods, { html, kind: "documentation" })).toEqual(["get()", "fetch()", "Loads a page."]);
});

it("keeps unlikely prose in documentation", () => {
  const note = "A container that is restarted keeps its data, because the volume belongs to the pod and not to it.";
  const html = `<div>Note</div><p>${note}</p>`;
  const groups = Array.from({ length: 2 }, group);
  expect(chosen(groups, [0.4, 0.4], { html, kind: "documentation" })).toEqual([note]);
  expect(chosen(groups, [0.2, 0.2], { html, kind: "documentation" })).toEqual([]);
  expect(chosen(groups, [0.4, 0.4], { html, kind: "service" })).toEqual([]);
});

describe("a code block", () => {
  const html = `<p>one</p><pre>const two = 2;</pre><p>three</p>`;
  const likelihoods = [0.9, 0.1, 0.2];

  it.each(["article", "documentation", "forum"] as const)("is kept on a page of kind %s", (kind) => {
    expect(chosen([], likelihoods, { html, kind })).toEqual(["one", "const two = 2;"]);
  });

  it("is dropped if it is very unlikely, or on another kind of page", () => {
    expect(chosen([], [0.9, 0.01, 0.2], { html, kind: "documentation" })).toEqual(["one"]);
    expect(chosen([], likelihoods, { html, kind: "product" })).toEqual(["one"]);
  });
});

describe("a thread of a forum", () => {
  const reply = (at: number) =>
    `The ferry number ${at} leaves from the old pier each morning, and it carries forty people to the island.`;
  const rows = (at: number) => `<tr><td>March ${at}, 2026</td></tr><tr><td>${reply(at)}</td></tr>`;
  const groups = Array.from({ length: 6 }, group);
  const likelihoods = [0.1, 0.3, 0.1, 0.8, 0.1, 0.1];

  it("keeps the prose of its posts unless it is very unlikely", () => {
    const html = [1, 2, 3].map((at) => `<div><i>March ${at}, 2026</i><p>${reply(at)}</p></div>`).join("");
    expect(chosen(groups, likelihoods, { kind: "forum", html })).toEqual([reply(1), reply(2)]);
    expect(chosen(groups, likelihoods, { html })).toEqual([reply(2)]);
    expect(chosen(groups, Array<number>(6).fill(0.1), { kind: "forum", html })).toEqual([]);
  });

  it("isn't a data table, although its layout is one", () => {
    const html = `<div>${[1, 2, 3].map((at) => `<div><table>${rows(at)}</table></div>`).join("")}</div>`;
    expect(chosen(groups, likelihoods, { kind: "forum", html })).toEqual([reply(1), reply(2)]);
    const asTables = ["March 1, 2026", reply(1), "March 2, 2026", reply(2)];
    expect(chosen(groups, likelihoods, { html })).toEqual(asTables);
  });
});

describe("a price", () => {
  const offer = (name: string, price: string) =>
    `<li><div class="name"><b>${name}</b></div><div class="cost"><s>${price}</s><p>Sold</p></div></li>`;

  it("is kept with the offer that it belongs to", () => {
    const html = `<ul>${offer("Tide lamp", "€ 40.00")}${offer("Other lamps", "€ 20.00")}</ul>`;
    const likelihoods = [0.9, 0.1, 0.1, 0.1, 0.1, 0.1];
    expect(chosen([], likelihoods, { html, kind: "service" })).toEqual(["Tide lamp", "€ 40.00"]);
  });

  it("is kept below the headline of a product", () => {
    const html = "<h1>Tide lamp</h1><div><p>In stock<p>$40.00</div><p>Made of driftwood.<p>$10.00 off next time";
    expect(chosen([], [0.9, 0.1, 0.1, 0.9, 0.1], { html, kind: "product" })).toEqual([
      "Tide lamp",
      "$40.00",
      "Made of driftwood.",
    ]);
    expect(chosen([], [0.9, 0.1, 0.1, 0.9, 0.1], { html, kind: "article" })).toEqual([
      "Tide lamp",
      "Made of driftwood.",
    ]);
  });
});
