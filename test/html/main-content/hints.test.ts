import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

const FIRST = "The ferry between the two islands runs every forty minutes from April to October, even in fog.";
const LAST = "When the railway closed, the station master turned the waiting room into a library with a stove.";
const TEXT = "Salt from the marshes was once traded for timber, and the scales still hang in the town hall.";
const MORE = "Rain filled the quarry within two winters, and the pool is now deep enough for divers.";

function markdownOf(part: string): string {
  const html = `<title>Notes</title><main><article><h1>Notes</h1><p>${FIRST}</p><p>${MORE}</p><h2>First part</h2>
    <p>${FIRST}</p>${part}<h2>Last part</h2><p>${LAST}</p></article></main>`;
  return (
    convertHtml(html, { url: "https://a.example/", markdown: true, text: false, onlyMainContent: true }).markdown ?? ""
  );
}

describe("a section of a text", () => {
  it.each([
    ["a short sentence", '<div class="cookies"><h2>Rules</h2><p>We set a single cookie.</p></div>', "a single cookie"],
    ["a heading of boxes", '<h2 id="login"><div>Login</div></h2><p>Press the green key.</p>', "## Login"],
    ["a term", '<dl><dt id="sidebar">Sidebar</dt><dd>A short text next to another.</dd></dl>', "Sidebar\n:"],
    ["a note with a role", '<div class="alert alert-info" role="alert">Keep the rope dry.</div>', "the rope dry"],
    ["a heading next to a button", "<h2>Ropes<button>Copy link</button></h2><p>They are dry.</p>", "## Ropes\n"],
    ["a slide", '<div class="slide" aria-hidden="true"><p>The boat is old.</p></div>', "boat is old"],
    ["a player", '<lite-youtube videoid="ogfYd705cRs" playlabel="The pier"></lite-youtube>', "[The pier]("],
  ])("keeps %s", (_, part, expected) => {
    expect(markdownOf(part)).toContain(expected);
  });

  it.each([
    ["comments", "Comments in code"],
    ["share-of-gdp", "Share of GDP"],
    ["related-work", "Related work"],
    ["newsletter-issue-12", "Newsletter, issue 12"],
    ["signup-form-design", "Design of sign-up forms"],
    ["publicite", "Publicité"],
    ["cookie-notice", "Cookie notice"],
    ["sidebar", "A walk along the pier"],
    ["empfehlungen-fuer-wanderer", "Empfehlungen für Wanderer"],
  ])("stays although it has the name %s", (name, title) => {
    for (const names of [`id="${name}"`, `class="${name}-section"`]) {
      const markdown = markdownOf(`<section ${names}><h2>${title}</h2><p>${TEXT}</p></section>`);
      expect(markdown).toContain(`## ${title}\n\n${TEXT}`);
    }
  });

  it.each([
    [
      "a form",
      `<div class="newsletter"><h3>Newsletter</h3><p>${TEXT}</p><form><input type="email"><button>Go</button></form></div>`,
    ],
    ["a link to follow", `<div class="promo"><h3>The app</h3><p>${TEXT}</p><a href="/app">Get the app</a></div>`],
    [
      "comments with names of their own",
      `<section id="comments"><h2>Comments</h2><ol><li class="comment"><b>Anna</b><p>${TEXT}</p></li></ol></section>`,
    ],
    [
      "linked titles",
      `<section class="related"><h2>Stories</h2><div><h3><a href="/a">A story</a></h3><p>${TEXT}</p></div></section>`,
    ],
  ])("is left out if its name and %s say that it is none", (_, part) => {
    expect(markdownOf(part)).not.toContain(TEXT);
  });
});
