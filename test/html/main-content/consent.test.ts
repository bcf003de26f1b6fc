import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

const NEWS = '<div class="x3"><h1>Club news</h1><p>The club meets on Friday.</p></div>';
const BUTTON = "<button>Accept all</button>";

function markdownOf(html: string): string {
  const options = { url: "https://club.example/", markdown: true, text: false, onlyMainContent: true };
  return convertHtml(html, options).markdown ?? "";
}

describe("a box without a class name that identifies it", () => {
  it.each([
    ["has a button to accept cookies", `<div><p>We use cookies on this site.</p>${BUTTON}</div>`],
    ["has a button to reject cookies", "<div><p>We use cookies on this site.</p><a href='#'>Decline</a></div>"],
    ["has a German button", "<div><p>Wir nutzen Cookies.</p><p>Alle ablehnen</p></div>"],
    ["has at most 800 words", `<div><p>${"Cookies, ".repeat(790)}end.</p>${BUTTON}</div>`],
  ])("is dropped if it %s", (_, box) => {
    expect(markdownOf(box + NEWS)).toBe("# Club news\n\nThe club meets on Friday.");
  });

  it.each([
    [
      "has other text",
      `<div><p>The boats leave each day from the pier.</p><p>We use cookies.</p>${BUTTON}</div>`,
      "boats",
    ],
    ["doesn't mention cookies", `<div><p>Our partners value your privacy.</p>${BUTTON}</div>`, "partners"],
    ["has no button", "<div><p>We use cookies on this site.</p></div>", "cookies"],
    ["has a sentence instead of a button", "<div><p>Accept cookies from us to see the map.</p></div>", "Accept"],
    ["has more than 800 words", `<div><p>${"Cookies, ".repeat(810)}end.</p>${BUTTON}</div>`, "Cookies"],
    ["is in an article", `<article><div><p>We use cookies on this site.</p>${BUTTON}</div></article>`, "cookies"],
  ])("is kept if it %s", (_, box, expected) => {
    expect(markdownOf(NEWS + box)).toContain(expected);
  });

  it("is kept if the page has no other text than links", () => {
    const links = '<p><a href="/a">The news of the club on the old pier</a></p>';
    expect(markdownOf(`<div><p>We use cookies on this site.</p><p>Decline</p></div>${links}`)).toContain("cookies");
  });

  it("is kept around the headline", () => {
    const box = `<div><h1>Cookies</h1><p>We use cookies on this site.</p><p>Decline</p></div>`;
    expect(markdownOf(`${box}<p>The club meets on Friday.</p>`)).toContain("We use cookies");
  });
});
