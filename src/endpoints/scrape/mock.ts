import type { ActionOutcome } from "../../browser/protocol";
import type { ScrapeData, ScrapeRequest } from "../../contract/scrape";
import { escapeHtml } from "../../html/clean-html";
import { convertHtml } from "../../html/convert";
import { fromBase64 } from "../../lib/crypto";
import type { Outcome } from "../../model/job";
import { FILE_TYPES, type ScreenshotType } from "../../model/page-files";
import { availableModels } from "../../models/models";
import { putPdf, putScreenshot } from "../../store/objects";
import { mockDataMeta, mockParse } from "../parse/mock";
import { toStrategyMeta } from "../parse/strategy";
import { isUnusable } from "../parse/unusable";
import { type MockContext, SIMULATED_OUTCOME } from "../shared/definition";
import { LARGE_CHARS, mockCapture, toFiller } from "../shared/mocks";
import { mockOcr } from "../shared/ocr";
import { toCaptureMeta } from "../shared/page-captures";
import { makeFormats, toConversion } from "./formats";
import files from "./mock-files.json";
import { mockActionOutcomes, storeActionResults, toFileUrl } from "./page-files";
import { chooseRenderMode, toModelLines, toPriceLines } from "./price";

/** A paragraph of the mock page. A large mock result repeats it. */
const LAST_PARAGRAPH = "This is the last paragraph of the mock page. It is repeated if a large result is requested.";

/** Runs the job of a test key. */
export async function runMock(request: ScrapeRequest, context: MockContext) {
  const { env, job, large, outcome } = context;
  const mode = chooseRenderMode(request);
  const { url, used, ...kept } = await mockCapture(context, request, mode);
  const { data, screenshot, pdf, actions } = mockScrape({ ...request, url }, { large, outcome });
  const rendered = mode === "always";
  const hasData = data.json !== undefined || data.summary !== undefined;
  const { plan } = job;
  const isJsonFromPage = plan.strategy !== undefined && plan.strategy !== "model";
  const model = isJsonFromPage && data.summary === undefined ? null : (availableModels(env).accepted[0] ?? null);
  const ocr = mockOcr(job.prices, request, env);
  const extras = {
    outcome,
    ...(outcome !== "ok" && { outcome_reason: SIMULATED_OUTCOME }),
    rendered,
    ...toCaptureMeta(used),
    ...toStrategyMeta(plan, request.json?.strategy),
    ...(hasData && mockDataMeta(data.json ?? {}, model)),
    ...ocr.meta,
  };
  const lines = [
    ...toPriceLines(job.prices, { rendered, isReplayed: used?.isReplayed === true }),
    ...toModelLines(job.prices, request, { skipped: hasData ? null : outcome, isJsonFromPage }),
    ...ocr.lines,
  ];
  if (actions !== null)
    data.actions = await storeActionResults({ env, job, acquireLargeLock: async () => {} }, actions);
  const { contentType } = FILE_TYPES[request.screenshot?.format ?? "png"];
  if (screenshot !== null) await putScreenshot(env.STORE, job.id, job.run, screenshot, contentType);
  if (pdf !== null) await putPdf(env.STORE, job.id, job.run, pdf);
  const links = {
    ...(screenshot && { screenshot_url: await toFileUrl(env, "screenshot", job) }),
    ...(pdf && { pdf_url: await toFileUrl(env, "pdf", job) }),
  };
  return { data: { ...data, ...links }, extras, outcome, lines, ...kept };
}

interface MockScrape {
  data: Omit<ScrapeData, "screenshot_url" | "pdf_url">;
  /** An image if `formats` includes `screenshot`, otherwise null. */
  screenshot: Uint8Array | null;
  /** A PDF if `formats` includes `pdf`, otherwise null. */
  pdf: Uint8Array | null;
  /** The results of the request's actions. Null if it has none. */
  actions: ActionOutcome[] | null;
}

/** Returns the requested formats of a small mock page, which contains its own URL. Uses the conversion of real pages. */
export function mockScrape(
  request: ScrapeRequest & { url: string },
  { large, outcome }: { large: boolean; outcome: Outcome },
): MockScrape {
  const url = new URL(request.url);
  const html = toPage(url);
  const converted = convertHtml(html, toConversion(request, url.href));
  const found = { url: url.href, status_code: 200, content_type: "text/html; charset=utf-8" };
  const page: MockScrape["data"] = makeFormats(request, (format) =>
    format.fromHtml?.({ source: html, body: html, converted }, found),
  );
  return {
    data: { ...(large ? enlarge(page) : page), ...(isUnusable(outcome) ? {} : mockModelFormats(request, { large })) },
    screenshot: request.formats.includes("screenshot") ? mockFile(request.screenshot?.format ?? "png") : null,
    pdf: request.formats.includes("pdf") ? mockFile("pdf") : null,
    actions: mockActions(request, html),
  };
}

function mockActions({ actions = [], url }: ScrapeRequest & { url: string }, html: string): ActionOutcome[] | null {
  if (actions.length === 0) return null;
  return mockActionOutcomes(actions, { url: new URL(url).href, html, screenshot: () => mockFile("png") });
}

/** Returns the mock results of formats that a language model creates. Calls no model. */
function mockModelFormats(
  { formats, json, url }: ScrapeRequest & { url: string },
  options: { large: boolean },
): Pick<ScrapeData, "summary" | "json"> {
  const { host } = new URL(url);
  const summary = `This is the summary of the mock page of ${host}. A request with a test key calls no model.`;
  return {
    ...(formats.includes("summary") && { summary: options.large ? `${summary} ${toFiller(LARGE_CHARS)}` : summary }),
    ...(json !== undefined && { json: mockParse({ ...json, url }, options) }),
  };
}

/** Repeats the last paragraph after the conversion, because converting a megabyte would take longer. */
function enlarge(page: MockScrape["data"]): MockScrape["data"] {
  const lines = Array.from({ length: Math.ceil(LARGE_CHARS / LAST_PARAGRAPH.length) }, () => LAST_PARAGRAPH);
  const fields = Object.entries(page).map(([name, value]) => {
    const between = name.endsWith("html") ? "</p>\n<p>" : "\n\n";
    return [name, typeof value === "string" ? value.replace(LAST_PARAGRAPH, lines.join(between)) : value];
  });
  return Object.fromEntries(fields);
}

function toPage(url: URL): string {
  // The URL of a file has no host.
  const host = escapeHtml(url.host || decodeURIComponent(url.pathname.slice(1)));
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
<p><img src="/pears.png" alt="A basket of pears" width="640" height="400"></p>
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

/** Returns a new copy of the file, because the caller may change its bytes. */
function mockFile(type: ScreenshotType | "pdf"): Uint8Array {
  return fromBase64(files[type]);
}
