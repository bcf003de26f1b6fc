import { describe, expect, it } from "vitest";
import { page } from "../support/client";
import { run } from "../support/run-endpoint";

const ARTICLE = `<h1>Tides</h1>${"<p>The tide comes in twice a day, and the ferry waits for it. </p>".repeat(4)}`;

function urlOf(html: string): string {
  return `${page("type")}?${new URLSearchParams({ type: "text/html", body: html })}`;
}

/** Renders a page with an article and `body`. Returns the markup, the links, and the Markdown in one line. */
async function render(body: string) {
  const url = urlOf(`<!doctype html><title>Tides</title><main>${ARTICLE}${body}<p>The end.</p></main>`);
  const { data } = await run("scrape", { url, formats: ["markdown", "html", "links"], render: "always" });
  return { html: String(data.html), links: data.links, line: String(data.markdown).replace(/\s+/g, " ") };
}

const quoted = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const shadow = (html: string) =>
  `<script>document.querySelector("x-a").attachShadow({ mode: "open" }).innerHTML = ${JSON.stringify(html)}</script>`;
const FRAME = `<p>The pears are ripe.</p><input id="q"><script>q.value = "Quince"</script>`;

describe.concurrent("a rendered page", () => {
  it.for([
    [
      "the children of an element in the slots of its shadow root",
      `<x-a><b slot="b">second</b><i slot="a">first</i></x-a>${shadow("<p>Before <slot name=a></slot> and <slot name=b></slot>.</p>")}`,
      "Before _first_ and **second**. The end.",
    ],
    [
      "elements without a box in a shadow root",
      `<x-a></x-a>${shadow("<div style='display:contents'><p>Shown.</p></div>")}`,
      "Shown. The end.",
    ],
    ["a frame once", `<iframe srcdoc="${quoted(FRAME)}"></iframe>`, "The pears are ripe. Quince The end."],
    [
      "a frame that it can't read itself",
      `<iframe sandbox="allow-scripts" src="${quoted(urlOf(FRAME))}"></iframe>`,
      "[Embedded page](URL) The pears are ripe. Quince The end.",
    ],
    [
      "a frame that a script fills",
      `<iframe id="f"></iframe><script>f.contentDocument.body.innerHTML = "<p>The pears are ripe.</p>"</script>`,
      "The pears are ripe. The end.",
    ],
    [
      "no frame off the screen",
      `<iframe style="position:absolute;top:-9999px" src="${quoted(urlOf(FRAME))}"></iframe>`,
      "The end.",
    ],
    [
      "no frame of another site",
      `<iframe src="${quoted(urlOf(FRAME).replace("//127.0.0.1:", "//localhost:"))}"></iframe>`,
      "[Embedded page](URL) The end.",
    ],
    [
      "values that a script has set",
      `<p>Name: <input id="a"> <textarea id="b">Old</textarea> <select id="c"><option>North</option><option>South</option></select><input value="usual"></p><script>a.value = "Astrid"; b.value = "New"; c.value = "South"</script>`,
      "Name: Astrid New South The end.",
    ],
    [
      "no secret, hidden or forged values",
      `<p>Values: <input type="password" id="a"><input hidden id="b"><input data-form-value="forged"><input autocomplete="one-time-code" id="c"></p><script>a.value = "secret"; b.value = "hidden"; c.value = "1234"</script>`,
      "Values: The end.",
    ],
  ] as const)("has %s", async ([, body, expected], { expect }) => {
    const { line } = await render(body);
    expect(line.replace(/\(http\S+\)/, "(URL)")).toContain(`for it. ${expected}`);
  });

  it("has absolute URLs in the body of a frame", async ({ expect }) => {
    const { line, links } = await render(
      `<iframe src="${quoted(urlOf('<p>See <a href="../pears">pears</a>.</p>'))}"></iframe>`,
    );
    const target = expect.stringMatching(/^http:\/\/[\d.:]+\/pears$/);
    expect(line).toMatch(/See \[pears\]\(http:\/\/[\d.:]+\/pears\)\. The end\./);
    expect(links).toContainEqual({ url: target, text: "pears" });
  });

  it("has the frames of a frameset", async ({ expect }) => {
    const url = urlOf(`<frameset><frame src="${quoted(urlOf(ARTICLE))}"><frame src="/menu"></frameset>`);
    const { data } = await run("scrape", { url, formats: ["markdown", "links"], render: "always" });
    expect(data.markdown).toContain("# Tides");
    expect(data.links).toContainEqual({ url: expect.stringMatching(/\/menu$/), text: "Embedded page" });
  });
});

it.each([
  ["200 frames", "for (let n = 0; n < 200; n++) add(document)"],
  [
    "frames in frames in frames",
    "const nest = (at, depth) => { for (let n = 0; n < 5; n++) { const frame = add(at); if (depth > 0) frame.onload = () => nest(frame.contentDocument, depth - 1) } }; nest(document, 2)",
  ],
])("a page with %s has the bodies of 20 frames", async (_, script) => {
  const add = `const add = (at) => { const frame = at.createElement("iframe"); frame.srcdoc = "<p>One of the frames.</p>"; at.body.append(frame); return frame };`;
  const { html, line } = await render(`<script>${add} ${script}</script>`);
  expect(line).toContain("for it. The end.");
  expect(html.match(/ data-frame-src="/g)).toHaveLength(20);
});
