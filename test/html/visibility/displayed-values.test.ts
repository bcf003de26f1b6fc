import { describe, expect, it } from "vitest";
import { visiblePage } from "../../../src/html/main-content/main-content";
import { parsePage } from "../../../src/html/parse/document";
import { insertDisplayedValues } from "../../../src/html/visibility/displayed-values";
import { toText } from "../writers";

function textOf(html: string): string {
  const { document } = parsePage(html);
  insertDisplayedValues(document);
  return toText(visiblePage(document, new Set()), { baseUrl: "https://a.example/" });
}

describe("the value of a field", () => {
  it.each([
    ["is shown for text", 'a <input value="b"> c', "a b c"],
    ["is shown for numbers", '<input type="number" value="3">', "3"],
    ["is shown for buttons", '<input type="submit" value="Buy">', "Buy"],
    ["isn't shown for checkboxes", 'a <input type="checkbox" value="b">', "a"],
    ["isn't shown for passwords", 'a <input type="password" value="b">', "a"],
    ["isn't shown if it's longer than 200 characters", `a <input value="${"b".repeat(201)}">`, "a"],
    ["is shown for options", "<select><option>a</option><option>b</option><option>c</option></select>d", "a / b / c d"],
    ["isn't shown for more than 50 options", `a <select>${"<option>b</option>".repeat(51)}</select> c`, "a c"],
    ["is shown for 50 options", `<select>${"<option>b</option>".repeat(50)}</select>`, Array(50).fill("b").join(" / ")],
    ["is shown for meters", 'a <meter value="4" max="5">b</meter>', "a 4 of 5"],
    ["is shown for progress without a maximum", 'a <progress value="0.4">b</progress>', "a 0.4"],
    ["isn't shown for progress without a value", "a <progress>b</progress>", "a"],
    ["is separate from the text after a button", "<button>a</button>b", "a b"],
  ])("%s", (_, html, expected) => {
    expect(textOf(html)).toBe(expected);
  });
});

describe("the date of a time", () => {
  it.each([
    ["is added to a relative time", '<time datetime="2024-05-06">2 hours ago</time>', "2 hours ago (2024-05-06)"],
    ["is added to a day without a year", '<time datetime="2024-05-06">6 May</time>', "6 May (2024-05-06)"],
    ["is shown alone if there is no text", '<time datetime="2024-05-06"></time>', "2024-05-06"],
    ["isn't added to a text with its year", '<time datetime="2024-05-06">6 May 2024</time>', "6 May 2024"],
    ["isn't repeated", '<time datetime="10:30">10:30</time>', "10:30"],
    ["isn't added if it's a duration", '<time datetime="P2D">two days</time>', "two days"],
    ["isn't added to a long text", `<time datetime="2024-05-06">${"a".repeat(41)}</time>`, "a".repeat(41)],
  ])("%s", (_, html, expected) => {
    expect(textOf(html)).toBe(expected);
  });
});

describe("a label", () => {
  it.each([
    ["is added to stars", '<span title="4.5 of 5">★★★★☆</span>', "★★★★☆ (4.5 of 5)"],
    ["is shown for a rating without text", '<span class="rating" aria-label="4.5 of 5"></span>', "4.5 of 5"],
    ["is shown for a drawing without text", '<span role="img" aria-label="4.5 of 5"></span>', "4.5 of 5"],
    ["isn't shown for other elements without text", '<span aria-label="Page 3"></span>', ""],
    [
      "of a rating is more precise than its title",
      '<span class="stars" title="4 of 5" aria-label="4.5 of 5"></span>',
      "4.5 of 5",
    ],
    ["in a title is added to text", '<span title="12,345 views">12K</span>', "12K (12,345 views)"],
    ["in aria-label isn't added to text", '<span aria-label="12,345 views">12K</span>', "12K"],
    ["isn't repeated", '<span title="12">12 views</span>', "12 views"],
    ["isn't added without a digit", '<span title="many">12K</span>', "12K"],
    ["isn't added to links", '<a href="/x" title="Page 3">Next</a>', "Next"],
    ["isn't added if it's longer than 80 characters", `<span title="${"1".repeat(81)}">12K</span>`, "12K"],
  ])("%s", (_, html, expected) => {
    expect(textOf(html)).toBe(expected);
  });
});
