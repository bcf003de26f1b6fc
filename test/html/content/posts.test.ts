import { describe, expect, it } from "vitest";
import { findPosts, type Posts } from "../../../src/html/content/posts";
import { readRegions } from "../../../src/html/main-content/regions";
import { bodyOf } from "../../../src/html/parse/document";
import { openPage } from "../../../src/html/visible-page";

const LONG = "The ferry leaves from the old pier each morning and carries forty people to the island.";

function postsOf(html: string): Posts {
  return findPosts(readRegions(bodyOf(openPage(html).document), new Set()));
}

function thread(time: (at: number) => string, text: (at: number) => string = () => LONG): string {
  const post = (at: number) =>
    `<div class="post"><div class="head"><b>Anna</b> ${time(at)}</div><p>${text(at)}</p></div>`;
  return `<h1>Which ferry?</h1><div class="thread">${[1, 2, 3, 4].map(post).join("")}</div>`;
}

describe("the posts of a page", () => {
  it.each<[string, (at: number) => string]>([
    ["a date", (at) => `March ${at}, 2026`],
    ["a relative time", (at) => `${at} hours ago`],
    ["a <time> element", () => `<time datetime="2026-03-01T12:00:00Z">in spring</time>`],
  ])("are found by %s", (_, time) => {
    expect(postsOf(thread(time))).toMatchObject({ count: 4, share: 1, first: 1, last: 8 });
  });

  it("can be short", () => {
    const html = thread(
      (at) => `${at} days ago`,
      (at) => (at === 2 ? "Yes." : LONG),
    );
    expect(postsOf(html).count).toBe(4);
  });

  it("can consist of code", () => {
    const code = thread((at) => `${at} days ago`).replaceAll(`<p>${LONG}</p>`, `<pre>${LONG}</pre>`);
    expect(postsOf(code).count).toBe(4);
  });

  it("are found next to a long log", () => {
    const log = (at: number) => (at === 1 ? `${LONG}</p><pre>${`${LONG} `.repeat(200)}</pre><p>` : LONG);
    expect(postsOf(thread((at) => `${at} days ago`, log))).toMatchObject({ count: 4, share: 1 });
  });

  it("don't include the text around them", () => {
    const { count, share } = postsOf(`<p>${LONG}</p><p>${LONG}</p>${thread((at) => `March ${at}, 2026`)}`);
    expect(count).toBe(4);
    expect(share).toBeCloseTo(80 / 112, 5);
  });

  it("aren't the entries of a list of other threads", () => {
    const time = (at: number) => `March ${at}, 2026`;
    const related = (at: number) => `<div class="thread-item"><time>${time(at)}</time><p>${LONG}</p></div>`;
    const html = `${thread(time)}<div class="related-threads">${related(1)}${related(2)}</div>`;
    expect(postsOf(html).count).toBe(4);
    // On a page of related threads, these are the entries.
    expect(postsOf(`<div class="related-threads">${related(1)}${related(2)}</div>`).count).toBe(2);
  });

  it("aren't paragraphs with dates, single dates, or lists of dates", () => {
    expect(postsOf(`<p>In 2025, ${LONG}</p><p>In 2026, ${LONG}</p>`).count).toBe(0);
    expect(postsOf(`<article><p>March 1, 2026</p><p>${LONG}</p></article>`).count).toBe(0);
    expect(postsOf(`<p>${LONG}</p><ul><li>March 2025<li>April 2025<li>May 2025</ul>`).count).toBe(0);
  });
});
