import { describe, expect, inject, it } from "vitest";
import { page, querySite } from "../support/client";
import { run } from "../support/run-endpoint";

const ARTICLE = `<h1>Tides</h1>${"<p>The tide comes in twice a day, and the ferry waits for it. </p>".repeat(8)}`;
/** The longest render with a resource of another site that never responds (ms). */
const THIRD_PARTY_MAX_MS = 8_000;

async function scrape(html: string, more: object = {}, at = page("type")): Promise<string> {
  const url = `${at}?${new URLSearchParams({ type: "text/html", body: html })}`;
  const { data } = await run("scrape", { url, formats: ["markdown"], render: "always", ...more });
  return String(data.markdown);
}

/** Returns an application shell whose script puts the article into `#root` with the statement `fill`. */
function shell(script: string, body = ""): string {
  return `<!doctype html><title>Tides</title><body>${body}<div id="root">Loading…</div><script>
const fill = () => { document.querySelector("#root").innerHTML = ${JSON.stringify(`<main>${ARTICLE}</main>`)} };
${script}</script>`;
}

const afterLoad = (script: string) => `addEventListener("load", () => { ${script} })`;

describe.concurrent.each(["auto", "always"])("a page that fills itself late, with render: %s", (render) => {
  it.for([
    ["by a timer", shell(afterLoad("setTimeout(fill, 1200)"))],
    ["by a timer, and has a menu", shell(afterLoad("setTimeout(fill, 1200)"), "<nav><a href=/a>Home page</a></nav>")],
    ["by the third call of an interval", shell("let n = 0; setInterval(() => { if (++n === 3) fill() }, 500)")],
    [
      "by a timer whose request has another timer",
      shell(`setTimeout(() => fetch("?").then((a) => a.text()).then(() => setTimeout(fill, 300)), 1200)`),
    ],
  ] as const)("has its content: %s", async ([, html], { expect }) => {
    expect(await scrape(html, { render })).toContain("The tide comes in twice a day");
  });
});

it("a page with content that refreshes to new addresses is read after the first one", async () => {
  const body = `<meta http-equiv=refresh content="2;url={URL}&n=1"><main>${ARTICLE}</main>`;
  const url = `${page("visit")}?${new URLSearchParams({ body })}`;
  const { data } = await run("scrape", { url, formats: ["metadata"], render: "always" });
  expect(data.metadata).toMatchObject({ url: `${url}&n=1` });
});

it("a page with content isn't held by its late timers", async () => {
  const change = `<script>setTimeout(() => { document.body.textContent = "Changed." }, 1800)</script>`;
  expect(await scrape(`<!doctype html><main>${ARTICLE}</main>${change}`)).toContain("The tide comes in twice a day");
});

describe.concurrent("a page of an IP address or local name with a resource of another port that never responds", () => {
  const dead = `${inject("hostile")}/x/never`;
  it.for([
    ["an async script", `<script async src="${dead}"></script>`],
    ["a blocking script", `<script src="${dead}"></script>`],
    ["a style sheet", `<link rel="stylesheet" href="${dead}">`],
    ["a frame", `<iframe src="${dead}"></iframe>`],
  ] as const)("is read in time: %s", async ([, markup], { expect }) => {
    const late = page("article");
    const beacon = `<script>setTimeout(() => { fetch("${late}", { mode: "no-cors" }) }, ${THIRD_PARTY_MAX_MS})</script>`;
    const at = page("type").replace("//127.0.0.1:", `//${new URL(dead).hostname}:`);
    expect(await scrape(`<!doctype html>${beacon}${markup}<main>${ARTICLE}</main>`, {}, at)).toContain("twice a day");
    expect(await querySite("hits", late)).toBe(0);
  });
});
