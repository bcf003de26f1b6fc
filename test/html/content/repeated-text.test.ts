import { describe, expect, it } from "vitest";
import { dropRepeatedText } from "../../../src/html/content/repeated-text";
import { isDataTable } from "../../../src/html/main-content/region-kinds";
import { readRegions } from "../../../src/html/main-content/regions";
import { Selection } from "../../../src/html/main-content/selection";
import { bodyOf } from "../../../src/html/parse/document";
import { openPage } from "../../../src/html/visible-page";
import type { PageKind } from "../../../src/model/page-kinds";

const POST = `The ferry to the island leaves at noon from the old harbor, and you can buy the tickets on board. Bicycles
  travel for free if there is space on the upper deck.`;
const LONG_CODE = Array.from({ length: 12 }, (_, at) => `call step${at} with value${at}`).join("\n");

/** Returns the lines that remain of a page whose lines are all chosen, or of those that `isChosen` accepts. */
function remaining(html: string, kind: PageKind, isChosen: (text: string) => boolean = () => true): string[] {
  const page = readRegions(bodyOf(openPage(html).document), new Set());
  const all = new Selection(page);
  const dataTables = new Set(page.regions.filter((region) => isDataTable(region, all)));
  const chosen = page.lines.map(({ text }) => isChosen(text));
  dropRepeatedText({ page, dataTables }, chosen, kind);
  return page.lines.filter(({ index }) => chosen[index]).map(({ text }) => text.replace(/\s+/g, " "));
}

const text = POST.replace(/\s+/g, " ");

describe("text that repeats earlier content", () => {
  it("is dropped if it is the quote of a post in a forum", () => {
    const reply = `<div><blockquote><p>${POST}</p></blockquote><p>I agree.</p></div>`;
    expect(remaining(`<div><p>${POST}</p></div>${reply}`, "forum")).toEqual([text, "I agree."]);
  });

  it.each(["<blockquote>", '<div class="bbcode_quote">'])("is dropped with the name of its author in a %s", (start) => {
    const end = start.startsWith("<div") ? "</div>" : "</blockquote>";
    const quote = (words: string) =>
      `${start}<div>Originally posted by Anna:</div><p>${words}</p>${end}<p>I agree.</p>`;
    expect(remaining(`<p>${POST}</p>${quote(POST)}`, "forum")).toEqual([text, "I agree."]);
    expect(remaining(`<p>${POST}</p>${quote("Is it late?")}`, "forum")).toHaveLength(4);
  });

  it("is dropped if it follows other text of the same element", () => {
    expect(remaining(`<p>${POST}</p><div>Anna wrote:<p>${POST}</p>So do I.</div>`, "forum")).toEqual([
      text,
      "Anna wrote:",
      "So do I.",
    ]);
  });

  it("is dropped as a whole if its lines are short", () => {
    const list = `<ul>${POST.split(/[,.]/)
      .map((part) => `<li>${part}`)
      .join("")}</ul>`;
    expect(remaining(`${list}<p>Next</p>${list}`, "product")).toEqual([...remaining(list, "product"), "Next"]);
  });

  it.each(["blockquote", "aside", 'div class="btn"'])("is dropped from an article if it is in <%s>", (quote) => {
    const html = `<p>${POST}</p><${quote}><p>${POST}</p></${quote.split(" ", 1)[0]}><p>${POST}</p>`;
    expect(remaining(html, "article")).toEqual([text, text]);
  });

  it("stays in articles, recipes and documentation", () => {
    for (const kind of ["article", "recipe", "documentation"] as const)
      expect(remaining(`<p>${POST}</p><p>${POST}</p>`, kind)).toEqual([text, text]);
  });

  it("stays if the earlier text isn't content", () => {
    let copies = 0;
    expect(remaining(`<p>${POST}</p><p>${POST}</p>`, "forum", () => copies++ > 0)).toEqual([text]);
  });

  it("stays if it is short or if one of its words differs", () => {
    const short = "In stock. Delivery in two or three days.";
    expect(remaining(`<p>${short}</p><p>${short}</p>`, "product")).toEqual([short, short]);
    const changed = POST.replace("noon", "six");
    expect(remaining(`<p>${POST}</p><p>${changed}</p>`, "product")).toHaveLength(2);
  });

  it("stays if each of its parts repeats another entry", () => {
    const room = (size: string, price: number) => `<li><p>The ${size} room is on the upper floor of the house and has a
      view of the harbor. It costs ${price} euros for each night.</p>`;
    const entries = `<ul>${room("small", 90)}${room("large", 120)}${room("small", 120)}</ul>`;
    expect(remaining(entries, "listing")).toHaveLength(3);
  });

  it("stays if it is a list of facts below another heading", () => {
    const days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];
    const hours = `<dl>${days.map((day) => `<dt>${day}<dd>9 am to 5 pm`).join("")}</dl>`;
    expect(remaining(`<h2>North branch</h2>${hours}<h2>South branch</h2>${hours}`, "service")).toHaveLength(22);
  });

  it("stays if its symbols differ", () => {
    const hotel = (stars: string) => `<p>${POST} ${stars}</p>`;
    expect(remaining(`${hotel("★★★")}${hotel("★★★★")}`, "listing")).toHaveLength(2);
  });

  it("stays if it is code that differs in punctuation or white space", () => {
    const code = (test: string, indent: string) =>
      `<pre>if (${test}) {\n${`${indent}print(first, second, third, "word");\n`.repeat(5)}}</pre>`;
    const answers = [code("a = b", "  "), code("a == b", "  "), code("a = b", "    ")];
    expect(remaining(answers.map((answer) => `<div>${answer}</div>`).join(""), "forum")).toHaveLength(3);
    const quoted = (test: string) => `<blockquote><p>${POST}</p>${code(test, "  ")}</blockquote>`;
    expect(remaining(`${quoted("a = b")}${quoted("a = b")}`, "forum")).toHaveLength(2);
    expect(remaining(`${quoted("a = b")}${quoted("a == b")}`, "forum")).toHaveLength(3);
  });

  it("stays if it is a part of a data table or of a code block", () => {
    const row = `<tr><td>Line 1<td>${POST}`;
    const table = `<table><thead><tr><th>Line<th>Notes</thead>${row}${row.replace("1", "2")}</table>`;
    expect(remaining(table, "listing").filter((line) => line === text)).toHaveLength(2);
    const code = `<pre><p>${LONG_CODE}</p></pre>`;
    const longer = code.replace("</p>", "</p><p>call the last step</p>");
    expect(remaining(`${code}${longer}`, "forum")).toHaveLength(3);
  });
});
