import { type Context, Hono } from "hono";
import { CrawlRequest } from "../../../contract/crawls";
import { toInvalidRequest } from "../../../contract/invalid-request";
import { type CrawlSubmission, submitCrawl } from "../../../crawl/create";
import { toOrigin } from "../../../lib/env";
import { hasRole } from "../../../model/role";
import { assertNotSuspended, consumeRateLimit, toDashboardCaller } from "../../auth/caller";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { renderParts } from "../../ui/post-form";
import { CRAWL_DEFAULTS, CrawlForm } from "./crawl-form";
import { assertShownMode, readFormValues, readOptions, respondWith } from "./form-request";
import { addScheme, type FormValues } from "./form-values";
import { PagesPrice } from "./pages-form";
import { PlaygroundTabs } from "./tabs";

/** The playground's form that starts crawls. */
export const crawlPlayground = new Hono<DashboardEnv>();

type PlaygroundContext = Context<DashboardEnv>;
type View = Omit<Parameters<typeof CrawlForm>[0], "mode" | "canRun">;

crawlPlayground.get("/playground/crawl", (c) => {
  return renderPage(c, { values: new URLSearchParams(CRAWL_DEFAULTS), price: null });
});

crawlPlayground.post("/playground/crawl", async (c) => {
  const values = await readFormValues(c);
  try {
    assertNotSuspended(c.var.account);
    assertShownMode(c, values.get("mode"), { refused: "The crawl wasn't started", button: "Start crawl" });
    await consumeRateLimit(c);
    const submission = await submit(c, values, { dry_run: false });
    if (submission.kind !== "accepted") throw new Error("The crawl wasn't created.");
    return c.redirect(`/dashboard/batches/${submission.batch.id}`, 303);
  } catch (error) {
    return renderError(c, values, error);
  }
});

crawlPlayground.post("/playground/crawl/price", async (c) => {
  const values = await readFormValues(c);
  try {
    return renderPage(c, { values, price: await readPrice(c, values) });
  } catch (error) {
    return renderError(c, values, error);
  }
});

/** Returns the price for the form's values. Responds with an error if the request is invalid. */
crawlPlayground.post("/playground/crawl/preview", async (c) => {
  const price = await readPrice(c, await readFormValues(c));
  return await renderParts(c, <PagesPrice kind="crawl" price={price} mode={c.var.mode} />);
});

function renderPage(c: PlaygroundContext, view: View) {
  const { account, mode, role } = c.var;
  const canRun = account.suspendedAt === null && hasRole(role, "member");
  return c.render(
    <>
      <PlaygroundTabs current="crawl" />
      <CrawlForm {...{ ...view, mode, canRun }} />
    </>,
    { title: "Playground", lead: "Visit the pages of a site.", section: "playground" },
  );
}

function renderError(c: PlaygroundContext, values: FormValues, error: unknown) {
  return renderPage(c, { values, price: null, errors: FormErrors.of(respondWith(c, error)) });
}

async function readPrice(c: PlaygroundContext, values: FormValues) {
  const submission = await submit(c, values, { dry_run: true });
  if (submission.kind !== "dry_run") throw new Error("A dry run has created a crawl.");
  return submission.data;
}

/** Creates a crawl from the form, or only checks it. Throws AppError if the request is refused. */
async function submit(
  c: PlaygroundContext,
  values: FormValues,
  { dry_run }: { dry_run: boolean },
): Promise<CrawlSubmission> {
  const body = { ...toBody(values), ...(dry_run && { dry_run }) };
  const parsed = CrawlRequest.safeParse(body);
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues, { value: body, schema: CrawlRequest });
  const origin = toOrigin(c.env, c.req.url);
  const call = { caller: toDashboardCaller(c), origin, idempotencyKey: null, requestId: c.var.requestId };
  return await submitCrawl(c.env, { ...call, request: parsed.data });
}

function toBody(values: FormValues): Record<string, unknown> {
  const text = (name: string) => (values.get(name) ?? "").trim();
  const list = (name: string, separator: string) => {
    const entries = text(name).split(separator);
    return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
  };
  const body = {
    url: addScheme(text("url")),
    limit: readNumber(text("limit")),
    max_depth: readNumber(text("max_depth")),
    include_paths: list("include_paths", "\n"),
    exclude_paths: list("exclude_paths", "\n"),
    allow_subdomains: text("allow_subdomains") === "true" || undefined,
    sitemap: text("sitemap"),
    delay: readNumber(text("delay")),
    robots: text("robots"),
    scrape: readOptions(values, "scrape"),
    webhook_url: text("webhook_url"),
    webhook_events: text("webhook_events") === "true" ? ["crawl.completed", "crawl.page"] : undefined,
    tags: list("tags", ","),
  };
  const isGiven = (value: unknown) => value !== undefined && value !== "" && !(Array.isArray(value) && !value.length);
  return Object.fromEntries(Object.entries(body).filter(([name, value]) => name === "url" || isGiven(value)));
}

/** Converts the text of a field to a number. Returns other text unchanged, so that the validation refuses it. */
function readNumber(text: string): number | string {
  return /^-?\d{1,15}(?:\.\d{1,3})?$/.test(text) ? Number(text) : text;
}
