import { describe, expect, it } from "vitest";
import { readMetadata } from "../../../src/html/metadata/metadata";
import { parseDocument } from "../../../src/html/parse/document";

function titleOf(html: string, url = "https://www.gazette.example/news/a-bridge-for-all") {
  return readMetadata(parseDocument(html), { baseUrl: url }).title;
}

const site = '<meta property="og:site_name" content="The Daily Gazette">';

describe("the title", () => {
  it.each([
    ["has no name of the site at its end", `${site}<title>A bridge - The Daily Gazette</title>`, "A bridge"],
    ["has no name of the site at its beginning", `${site}<title>The Daily Gazette: A bridge</title>`, "A bridge"],
    ["has no name of the host", "<title>A bridge · Gazette</title>", "A bridge"],
    ["has no last part after a bar", "<title>A bridge | Some Media Group</title>", "A bridge"],
    ["has no part that isn't in the headline", "<title>A bridge - Some Media</title><h1>A bridge</h1>", "A bridge"],
    [
      "keeps a part that is in the headline",
      "<title>A bridge: The story</title><h1>A bridge: The story</h1>",
      "A bridge: The story",
    ],
    ["is the name of the site on a page about the site", "<title>Gazette</title>", "Gazette"],
    [
      "is the headline if the title is similar",
      "<title>A bridge for all cities</title><h1>A bridge for all cities and villages</h1>",
      "A bridge for all cities and villages",
    ],
    [
      "is the headline without a label",
      '<meta property="og:title" content="A bridge for all"><h1>Thread: A bridge for all</h1>',
      "A bridge for all",
    ],
    ["is the headline if the page has no other title", "<h1>A bridge</h1>", "A bridge"],
    [
      "is the headline if the title is the name of the site",
      `${site}<title>The Daily Gazette</title><h1>A bridge</h1>`,
      "A bridge",
    ],
    [
      "is the headline if the title is about the site and the URL is about the headline",
      '<meta property="og:title" content="Gazette - Read more of it"><h1>A bridge for all</h1>',
      "A bridge for all",
    ],
    ["isn't another headline", "<title>Build better cities</title><h1>Subscribe now</h1>", "Build better cities"],
    [
      "is in the headline that is similar, not in the first one",
      "<title>A bridge for all | X</title><h1>The Gazette of Old Town</h1><h1>A bridge for all</h1>",
      "A bridge for all",
    ],
    ["can be in a heading below <h1>", "<title>A bridge - Z</title><h1>Zoo</h1><h2>A bridge</h2>", "A bridge"],
    ["has spaces instead of line breaks", "<h1>A<br>bridge <div>for</div><div>all</div></h1>", "A bridge for all"],
    [
      "isn't a question of an FAQ",
      '<title>Lamps</title><script type="application/ld+json">{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Why?"}]}</script>',
      "Lamps",
    ],
  ])("%s", (_, html, title) => {
    expect(titleOf(html)).toBe(title);
  });
});
