// The Quick Action `content` of Cloudflare's browser service, made from its documentation (browser-run/quick-actions,
// reference/errors and reference/timeouts in cloudflare/cloudflare-docs) and from the types of workers-types. The order
// of the steps after the navigation isn't documented.

import puppeteer, { type HTTPResponse, type Page } from "@cloudflare/puppeteer";
import type { Settings } from "./browser-settings";

interface ServiceError {
  status: number;
  message: string;
  code?: number;
  retryAfterS?: number;
}

const DEFAULT_USER_AGENT =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Safari/537.36";

/** The documented codes of the errors that the action can cause. */
const CODES: readonly [RegExp, number][] = [
  [/net::ERR_CERT/, 5000],
  [/net::ERR_ADDRESS_UNREACHABLE/, 5001],
  [/net::ERR_(?:ABORTED|CONNECTION_TIMED_OUT|TIMED_OUT)/, 5002],
  [/net::ERR_TOO_MANY_REDIRECTS/, 5003],
  [/net::ERR_(?:NAME_NOT_RESOLVED|DNS_TIMED_OUT)/, 5005],
  [/net::ERR_(?:CONNECTION_CLOSED|CONNECTION_RESET|TUNNEL_CONNECTION_FAILED)/, 5006],
  [/net::ERR_HTTP_RESPONSE_CODE_FAILURE/, 5007],
  [/net::ERR_CONNECTION_REFUSED/, 5008],
  [/net::ERR_EMPTY_RESPONSE/, 5011],
  [/net::/, 5009],
  [/Execution context was destroyed|frame was detached/, 6000],
  [/TargetCloseError/, 6001],
  [/TimeoutError|Navigation timeout|timed out|Waiting failed: .* exceeded/, 6002],
];

/** Returns an error response of the browser service. */
export function toErrorResponse({ status, message, code, retryAfterS }: ServiceError): Response {
  const body = { success: false, errors: [{ message, ...(code !== undefined && { code }) }] };
  return Response.json(body, {
    status,
    headers: retryAfterS === undefined ? {} : { "retry-after": `${retryAfterS}` },
  });
}

/** Runs the action `content` in a new browser of the local runtime. */
export async function runContentAction(
  local: BrowserRun,
  options: BrowserRunContentOptions,
  { hidesDnsErrors, hasShortMeta }: Pick<Settings, "hidesDnsErrors" | "hasShortMeta">,
): Promise<Response> {
  const startedAt = Date.now();
  const browser = await puppeteer.launch(local);
  let response: Response;
  try {
    const { meta, ...body } = await render(await browser.newPage(), options);
    response = Response.json({ ...body, meta: hasShortMeta ? { status: meta.status, title: meta.title } : meta });
  } catch (error) {
    const text = String(error);
    const message = hidesDnsErrors ? text.replace("ERR_NAME_NOT_RESOLVED", "ERR_TUNNEL_CONNECTION_FAILED") : text;
    const code = CODES.find(([pattern]) => pattern.test(message))?.[1];
    response = toErrorResponse({ status: 422, message, ...(code !== undefined && { code }) });
  } finally {
    await browser.close();
  }
  response.headers.set("x-browser-ms-used", `${Date.now() - startedAt}`);
  return response;
}

async function render(page: Page, options: BrowserRunContentOptions) {
  if (!("url" in options)) throw new Error("The stand-in needs a URL.");
  const { bestAttempt = false, waitForSelector, waitForTimeout } = options;
  const attempt = async <T>(work: Promise<T>): Promise<T | null> => {
    if (!bestAttempt) return await work;
    return await work.catch((error) => {
      if (/net::/.test(String(error))) throw error;
      return null;
    });
  };
  await page.setUserAgent(options.userAgent ?? DEFAULT_USER_AGENT);
  await page.setViewport(options.viewport ?? { width: 1920, height: 1080 });
  await rejectTypes(page, options.rejectResourceTypes ?? []);
  // A navigation that doesn't end in time has a response, which `goto` doesn't return.
  let received: HTTPResponse | null = null;
  page.on("response", (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
      received ??= withoutHops(response);
  });
  const { timeout = 30_000, waitUntil = "domcontentloaded" } = options.gotoOptions ?? {};
  const main = (await attempt(page.goto(options.url, { timeout, waitUntil }))) ?? received;
  if (waitForSelector !== undefined) await attempt(page.waitForSelector(waitForSelector.selector, waitForSelector));
  if (waitForTimeout !== undefined) await new Promise((resolve) => setTimeout(resolve, waitForTimeout));
  for (const script of options.addScriptTag ?? []) await page.addScriptTag(script);
  return { success: true, result: await page.content(), meta: { title: await page.title(), ...toMeta(main) } };
}

/** Returns the response if it is the end of a redirect chain, otherwise null. */
function withoutHops(response: HTTPResponse): HTTPResponse | null {
  return response.status() >= 300 && response.status() < 400 ? null : response;
}

async function rejectTypes(page: Page, types: readonly string[]): Promise<void> {
  if (types.length === 0) return;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const done = types.includes(request.resourceType()) ? request.abort() : request.continue();
    done.catch(() => undefined);
  });
}

function toMeta(response: HTTPResponse | null) {
  if (response === null) return { status: 0 };
  const hops = response.request().redirectChain();
  return {
    status: response.status(),
    headers: response.headers(),
    finalUrl: response.url(),
    ...(hops.length > 0 && {
      redirectChain: hops.map((hop) => ({
        url: hop.url(),
        status: hop.response()?.status() ?? 0,
        headers: hop.response()?.headers() ?? {},
      })),
    }),
  };
}
