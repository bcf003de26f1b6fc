import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

const TEXT = `<p>${"The ferry leaves from the old pier each morning, whatever the weather, with forty people. ".repeat(4)}</p>`;

function headlineOf(html: string): string | undefined {
  const options = { url: "https://coast.example/ferry.html", markdown: true, text: false, onlyMainContent: true };
  return /^# (.*)/.exec(convertHtml(html, options).markdown ?? "")?.[1];
}

describe("the headline", () => {
  it.each([
    ["is the first <h1>", `<h1>Ferry times</h1>${TEXT}<h1>Ferry prices</h1>${TEXT}`, "Ferry times"],
    [
      "is the <h1> that repeats the title",
      `<title>The pier of Leba | Coast News</title><h1>Coast</h1><main><h1>The pier of Leba</h1>${TEXT}</main>`,
      "The pier of Leba",
    ],
    [
      "is the <h1> of the content, not of the site",
      `<header><h1>Coast</h1></header><main><h1>Ferry times</h1>${TEXT}</main>`,
      "Ferry times",
    ],
    [
      "is the <h1> without a link, if the site's name is linked",
      `<div><h1><a href="/">Coast</a></h1></div><div><h1>Ferry times</h1>${TEXT}</div>`,
      "Ferry times",
    ],
    [
      "is the <h1> of an aside with the article",
      `<aside><main><h1>Ferry times</h1>${TEXT}</main></aside>`,
      "Ferry times",
    ],
    ["is the <h1> of an aside that is the main part", `<aside role="main"><h1>Ferry</h1>${TEXT}</aside>`, "Ferry"],
    [
      "is a subheading that repeats the title",
      `<title>The pier of Leba - Coast News</title><div><h3>The pier of Leba</h3>${TEXT}</div>`,
      "The pier of Leba",
    ],
    [
      "isn't an invitation at the end that repeats the title",
      `<title>The best ferries for you</title><h1>Sail with us</h1>${TEXT}<div><h2>The best ferries for you</h2></div>`,
      "Sail with us",
    ],
    [
      "is a subheading that repeats og:title",
      `<meta property="og:title" content="The pier of Leba"><div><h2>The pier of Leba</h2>${TEXT}</div>`,
      "The pier of Leba",
    ],
    [
      "is a subheading that repeats twitter:title",
      `<meta name="twitter:title" content="The pier of Leba"><div><h2>The pier of Leba</h2>${TEXT}</div>`,
      "The pier of Leba",
    ],
    [
      "is a subheading that repeats three quarters of the title",
      `<title>The old pier of Leba</title><div><h2>The pier of Leba</h2>${TEXT}</div>`,
      "The pier of Leba",
    ],
  ])("%s", (_, html, expected) => {
    expect(headlineOf(`<body>${html}</body>`)).toBe(expected);
  });

  it.each([
    ["a subheading with other words", `<title>Ferries and boats</title><div><h2>The pier of Leba</h2>${TEXT}</div>`],
    ["a small heading", `<title>The pier of Leba</title><div><h4>The pier of Leba</h4>${TEXT}</div>`],
    ["a heading in the navigation", `<div>${TEXT}</div><nav><h1>The pier of Leba</h1></nav>`],
    ["a heading next to the content", `<div>${TEXT}</div><aside><h1>The pier of Leba</h1></aside>`],
    ["a heading in a dialog", `<div>${TEXT}</div><div role="dialog"><h1>The pier of Leba</h1></div>`],
  ])("isn't %s", (_, html) => {
    expect(headlineOf(`<body>${html}</body>`)).toBeUndefined();
  });
});
