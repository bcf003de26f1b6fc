import type { ScrapeData, ScrapeRequest } from "../../contract/scrape";
import { convertHtml } from "../../html/convert";
import { LARGE_CHARS } from "../shared/filler";
import { makeFormats, toConversion } from "./formats";

/** A paragraph of the mock page. A large mock result repeats it. */
const LAST_PARAGRAPH = "This is the last paragraph of the mock page. It is repeated if a large result is requested.";

export interface MockScrape {
  data: Omit<ScrapeData, "screenshot_url">;
  /** A PNG if the request includes the format `screenshot`, otherwise null. */
  screenshot: Uint8Array | null;
}

/** Returns the requested formats of a small mock page, which contains its own URL. Uses the conversion of real pages. */
export function mockScrape(request: ScrapeRequest, { large }: { large: boolean }): MockScrape {
  const url = new URL(request.url);
  const html = toPage(url);
  const converted = convertHtml(html, toConversion(request, url.href));
  const found = { url: url.href, status_code: 200, content_type: "text/html; charset=utf-8" };
  const page: MockScrape["data"] = makeFormats(request, (format) =>
    format.fromHtml({ source: html, converted }, found),
  );
  return {
    data: large ? enlarge(page) : page,
    screenshot: request.formats.includes("screenshot") ? mockScreenshot() : null,
  };
}

/** Repeats the last paragraph after the conversion, because converting a megabyte would take longer. */
function enlarge(page: MockScrape["data"]): MockScrape["data"] {
  const lines = Array.from({ length: Math.ceil(LARGE_CHARS / LAST_PARAGRAPH.length) }, () => LAST_PARAGRAPH);
  const repeat = (text: string, between: string) => text.replace(LAST_PARAGRAPH, lines.join(between));
  return {
    ...page,
    ...(page.html !== undefined && { html: repeat(page.html, "</p>\n<p>") }),
    ...(page.markdown !== undefined && { markdown: repeat(page.markdown, "\n\n") }),
    ...(page.text !== undefined && { text: repeat(page.text, "\n\n") }),
  };
}

function toPage(url: URL): string {
  const host = escapeHtml(url.host);
  const href = escapeHtml(url.href);
  const about = escapeHtml(new URL("/about", url).href);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Mock page of ${host}</title>
<meta name="description" content="A small mock page for test keys.">
</head>
<body>
<header><nav><a href="${escapeHtml(new URL("/", url).href)}">Home</a></nav></header>
<main>
<article>
<h1>Mock page of ${host}</h1>
<p>A request with a test key never fetches a page. This mock page replaces <a href="${href}">${href}</a>. It is the same for every request, so that you can test your program with it for free.</p>
<p>Like real pages, it has a headline, paragraphs with a <a href="${about}">link to another page</a>, a list, a table and a code block. The formats html, markdown and text all show the same page.</p>
<h2>What is in stock</h2>
<ul>
<li>Apples from the valley</li>
<li>Pears from the hill</li>
<li>Plums from the garden behind the house</li>
</ul>
<table>
<thead><tr><th>Fruit</th><th>Price</th></tr></thead>
<tbody>
<tr><td>Apples</td><td>1.20</td></tr>
<tr><td>Pears</td><td>2.40</td></tr>
<tr><td>Plums</td><td>3.60</td></tr>
</tbody>
</table>
<h2>How to order</h2>
<pre><code class="language-sh">curl --data "fruit=apples" ${about}</code></pre>
<p>${LAST_PARAGRAPH}</p>
</article>
</main>
<footer><p>The footer of the mock page.</p></footer>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * A PNG that shows a page: a bar, a headline, lines of text, a list, a table and a code block; 1280×800. Drawn once into
 * rows of 2-bit palette indices, packed with Node's `deflateSync` (level 9) and wrapped in the four chunks that a PNG
 * needs: IHDR, PLTE, IDAT, IEND.
 */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAABQAAAAMgAgMAAAAB9idoAAAADFBMVEX////Y3uYfKTP0gR/lJsPoAAADjUlEQVR42u3bQQ6CMBBA0W68nxsu" +
  "yem8AUYTYokIGAM40/cShShq+KtSbBn4SZFAQAEFFBABBRRQQAQUUEABEVBAAQVEQAEFFBABBUwSsCwKca7djOU3BBRQQAEFFFBAAQUUUEAB" +
  "BRRQQAEFFLDRgAgooIACIqCAAgqIgAIKKCACCiiggAIioIACCoiAAsYMCAAAAAAAAAAAAAAAAAAA5Nf39bZ/Gl8Z96fH1J+dP3762elRAgoo" +
  "oIACCiiggAL+S8DHqY3Pr1Dv++8Jlo+f7iceSAsooIACCiiggAKGHUjXj7kT/xRiSzQBBRRQQAEFFFBAAf834HqE+Qz1VGk9cToOzV/bxBkF" +
  "FFBAAQUUUEABUwdcHkhv/R4BBRRQQAEFFFBAAeME3HJjXUABBRRQQAEFFFDA2AG/X2iz/j1WKgkooIACCiiggAICAAAAAAAAAAAAAADAfrrG" +
  "CCiggAIKKKCAAgoooIACCiiggAKeGxAAAAAAAI5hSl9AAQUUUEABBRRQQAEFFFBAAQUU0P8DAQAAAADIxxS8gAIKKKCAAgoooIACCiiggAIK" +
  "KCAAAAAAAAAAAAAAAABALMMw3Eopl5NWcl0FFFBAAQUUUEABBRRQQAEFFFBAAdsKCAAAAAAAxzClL6CAAgoooIACCiiggAIKKKCAAgoIAAAA" +
  "AAD5mNIXUEABBRRQQAEFFFBAAQUUUEABBQQAAAAAAAAAAAAAAACIpWuMgAIKKKCAAgoooIACCiiggAIKKKCAAgoooIACCiiggAIKKKCAAgoo" +
  "oIACCiiggAIKKKCAAgoooIACCihg1oAAALTJQFpAAV3KAQCEvxrZ5zcFFFBAAQUUUEABBRRQQAEFFFBAAd0JAgAAAAAAACAEqzUFFNB6YQCA" +
  "8Fcj+/ymgAIKKKCAAgoooIACCiiggAIKKKA7QQAAAAAAAACEYLWmgAJaLwwAAAAAAAAAAAAAAAAAxGW1poACCiiggAIKKKCAAgoooIACCiig" +
  "gAIKKKCAAgoooIACCihgCwH7owgooIACCiiggAIKKKCAAgoooIACCmg6S0ABBRRQQAEFFFBAAQUUUEABBRRQQAGbCphu3lRAAQUUUEABBRRQ" +
  "QAEFFFBAAQUU0HSWgAIKKKCAAgoooIACCiiggAIKKKCAAgoooIACCiiggAIKKKCAAgoooIACHhoQAAAAAAAAAAAAAAAAAAAAAAAAADjNHS6j" +
  "KXCXbJi7AAAAAElFTkSuQmCC";

/** Returns a new copy of the screenshot, because a caller could change its bytes. */
function mockScreenshot(): Uint8Array {
  return Uint8Array.from(atob(PICTURE), (char) => char.charCodeAt(0));
}
