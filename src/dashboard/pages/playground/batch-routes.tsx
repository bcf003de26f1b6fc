import { type Context, Hono } from "hono";
import { BatchRequest } from "../../../contract/batches";
import { toInvalidRequest } from "../../../contract/invalid-request";
import { type BatchSubmission, submitBatch } from "../../../jobs/batches";
import { toOrigin } from "../../../lib/env";
import { hasRole } from "../../../model/role";
import { assertNotSuspended, consumeRateLimit, toDashboardCaller } from "../../auth/caller";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { renderParts } from "../../ui/post-form";
import { BatchForm } from "./batch-form";
import { assertShownMode, readFormValues, readOptions, respondWith } from "./form-request";
import { addScheme, type FormValues } from "./form-values";
import { PagesPrice } from "./pages-form";
import { PlaygroundTabs } from "./tabs";

/** The playground's form that starts batches. */
export const batchPlayground = new Hono<DashboardEnv>();

type PlaygroundContext = Context<DashboardEnv>;
type View = Omit<Parameters<typeof BatchForm>[0], "mode" | "canRun">;

batchPlayground.get("/playground/batch", (c) => {
  const values = new URLSearchParams({ endpoint: "scrape", defaults: `{ "formats": ["markdown"] }` });
  return renderPage(c, { values, price: null });
});

batchPlayground.post("/playground/batch", async (c) => {
  const values = await readFormValues(c);
  try {
    assertNotSuspended(c.var.account);
    assertShownMode(c, values.get("mode"), { refused: "The batch wasn't started", button: "Start batch" });
    await consumeRateLimit(c);
    const submission = await submit(c, values, { dry_run: false });
    if (submission.kind !== "accepted") throw new Error("The batch wasn't created.");
    return c.redirect(`/dashboard/batches/${submission.batch.id}`, 303);
  } catch (error) {
    return renderError(c, values, error);
  }
});

batchPlayground.post("/playground/batch/price", async (c) => {
  const values = await readFormValues(c);
  try {
    return renderPage(c, { values, price: await readPrice(c, values) });
  } catch (error) {
    return renderError(c, values, error);
  }
});

/** Returns the price for the form's values. Responds with an error if the request is invalid. */
batchPlayground.post("/playground/batch/preview", async (c) => {
  const price = await readPrice(c, await readFormValues(c));
  return await renderParts(c, <PagesPrice kind="batch" price={price} mode={c.var.mode} />);
});

function renderPage(c: PlaygroundContext, view: View) {
  const { account, mode, role } = c.var;
  const canRun = account.suspendedAt === null && hasRole(role, "member");
  return c.render(
    <>
      <PlaygroundTabs current="batch" />
      <BatchForm {...{ ...view, mode, canRun }} />
    </>,
    { title: "Playground", lead: "Run many pages with one request.", section: "playground" },
  );
}

function renderError(c: PlaygroundContext, values: FormValues, error: unknown) {
  const refusal = respondWith(c, error);
  return renderPage(c, { values, price: null, errors: FormErrors.of(refusal), details: refusal.details });
}

async function readPrice(c: PlaygroundContext, values: FormValues) {
  const submission = await submit(c, values, { dry_run: true });
  if (submission.kind !== "dry_run") throw new Error("A dry run has created a batch.");
  return submission.data;
}

/** Creates a batch from the form, or only checks it. Throws AppError if the request is refused. */
async function submit(
  c: PlaygroundContext,
  values: FormValues,
  { dry_run }: { dry_run: boolean },
): Promise<BatchSubmission> {
  const body = { ...toBody(values), ...(dry_run && { dry_run }) };
  const parsed = BatchRequest.safeParse(body);
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues, { value: body, schema: BatchRequest });
  const origin = toOrigin(c.env, c.req.url);
  const call = { caller: toDashboardCaller(c), origin, idempotencyKey: null, requestId: c.var.requestId };
  return await submitBatch(c.env, { ...call, request: parsed.data });
}

function toBody(values: FormValues): Record<string, unknown> {
  const lines = (values.get("requests") ?? "").split("\n").map((line) => line.trim());
  return {
    endpoint: values.get("endpoint") ?? "scrape",
    requests: lines.filter((line) => line !== "").map((line) => ({ url: addScheme(line) })),
    defaults: readOptions(values, "defaults"),
    ...(values.get("ignore_invalid") === "true" && { ignore_invalid: true }),
  };
}
