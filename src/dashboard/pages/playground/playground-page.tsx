import { Hono } from "hono";
import type { Child } from "hono/jsx";
import { callAccount } from "../../../account/client";
import type { BatchDryRun } from "../../../contract/batches";
import { Endpoint } from "../../../contract/common";
import { parseWith } from "../../../contract/invalid-request";
import { READY_SCHEMAS } from "../../../contract/schema-library";
import { submitCrawl } from "../../../crawl/create";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import { validateBody } from "../../../endpoints/validate";
import { submitBatch } from "../../../jobs/batches";
import { getOwnJob, readRequest } from "../../../jobs/read-job";
import { readRequestContext, submitRequest } from "../../../jobs/submit";
import { now, toIso } from "../../../lib/clock";
import { toCount } from "../../../lib/count";
import { toOrigin } from "../../../lib/env";
import { DASHBOARD_CALLER } from "../../../model/api-key";
import type { BatchKind } from "../../../model/batch";
import { AppError } from "../../../model/errors";
import type { Job } from "../../../model/job";
import { MAX_BATCH_REQUESTS, PLAYGROUND_WAIT_MS } from "../../../model/limits";
import { toPrices } from "../../../model/prices";
import { totalOf } from "../../../model/receipt";
import { hasRole } from "../../../model/role";
import { allLines } from "../../../model/run-plan";
import { FileContent } from "../../../model/uploaded-file";
import { availableModels } from "../../../models/models";
import { assertNotSuspended, consumeRateLimit, toDashboardCaller } from "../../auth/caller";
import { readResultPreview, renderResult } from "../../result-view/result-view";
import { LinkTabs } from "../../ui/components";
import { type DashboardContext, type DashboardEnv, notInMode } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormData, refuseForm } from "../../ui/form-data";
import { renderParts } from "../../ui/post-form";
import { expectBatch } from "../batches/find-batch";
import { expectJob } from "../jobs/find-job";
import { EXAMPLES, type Example, listSimulated } from "./examples";
import {
  type FormValues,
  fillForm,
  isJsonView,
  type RequestBody,
  syncViews,
  toBody,
  toFieldDetails,
  toFormValues,
} from "./form-values";
import { isBatchKind, type Operation, REQUESTS } from "./operations";
import { FormView, JsonView, RequestForm, SchemaCheck, ShareLinkLine } from "./request-form";
import { toPlaygroundPath } from "./share-link";
import {
  AnswerCard,
  HISTORY_LENGTH,
  HistoryCard,
  ResponsePanel,
  type ResponseProps,
  SamplesCard,
  SampleTabs,
} from "./side-cards";

/** The playground: a form for each operation, the request as code, the response, and the latest requests. */
export const playground = new Hono<DashboardEnv>();

// Batches and crawls have separate paths. The endpoints share one, with a parameter.
for (const path of ["/playground", "/playground/batch", "/playground/crawl"]) {
  playground.get(path, async (c) => await renderPage(c, await readView(c)));

  playground.post(path, async (c) => {
    const operation = readOperation(c);
    const values = await readFormValues(c);
    try {
      return await run(c, operation, values);
    } catch (error) {
      const { message, details, hint } = refuseForm(c, error);
      const own = toFieldDetails(operation, values, details);
      const isRenamed = own.some(({ path }, i) => path !== details[i]?.path);
      const errors = new FormErrors(message, own, hint);
      const shown = isRenamed ? errors.toHighlighted() : errors;
      return await renderPage(c, { operation, values: syncViews(operation, values), errors: shown });
    }
  });

  /** Returns the parts that depend on the form's values, or an error and the schema's check for invalid JSON. */
  playground.post(`${path}/preview`, async (c) => {
    const operation = readOperation(c);
    const given = await readFormValues(c);
    const check = operation === "parse" && !isJsonView(given) ? <SchemaCheck values={given} /> : null;
    try {
      toBody(operation, given);
    } catch (error) {
      refuseForm(c, error);
      return await renderParts(c, check);
    }
    const values = syncViews(operation, given);
    const view = { operation, values, models: listModels(c) };
    const price = await readPrice(c, operation, values);
    return await renderParts(
      c,
      <>
        <SampleTabs operation={operation} values={values} mode={c.var.mode} origin={toOrigin(c.env, c.req.url)} />
        <Price text={price} />
        {isBatchKind(operation) ? null : <ShareLinkLine operation={operation} values={values} />}
        {check}
        {isJsonView(values) ? <FormView {...view} /> : <JsonView values={values} />}
      </>,
    );
  });
}

playground.post("/playground/cancel", async (c) => {
  const { id } = await expectJob(c, c.req.query("job") ?? "");
  const job = await callAccount(c.env, c.var.account, (stub) => stub.cancel({ mode: c.var.mode, id }));
  if (job === null) throw notInMode(c, "job");
  if (!isFetched(c)) return c.redirect(`/dashboard/playground?endpoint=${job.endpoint}&job=${id}#answer`, 303);
  const { balance, history } = await readAccountParts(c);
  return await renderParts(
    c,
    <>
      <AnswerCard response={await readResponse(c, job)} />
      {balance}
      {history}
    </>,
  );
});

/** Returns a ready-made schema and its prompt, which fill the form. */
playground.get("/playground/schemas/:name", (c) => {
  const found = READY_SCHEMAS.find(({ name }) => name === c.req.param("name"));
  if (found === undefined) throw new AppError("not_found", "This schema doesn't exist. Choose one from the menu.");
  return c.json({ prompt: found.prompt, schema: found.schema });
});

playground.get("/playground/answer", async (c) => {
  const job = await expectJob(c, c.req.query("job") ?? "");
  const { balance, history } = await readAccountParts(c);
  return await renderParts(
    c,
    <>
      <ResponsePanel {...(await readResponse(c, job))} />
      {balance}
      {history}
    </>,
  );
});

interface PlaygroundView {
  operation: Operation;
  values: FormValues;
  errors?: FormErrors;
  response?: ResponseProps;
}

async function renderPage(c: DashboardContext, { operation, values, errors, response }: PlaygroundView) {
  const { account, mode, role } = c.var;
  const origin = toOrigin(c.env, c.req.url);
  const isPages = isBatchKind(operation);
  const { balance, history } = isPages ? { balance: null, history: null } : await readAccountParts(c);
  return await c.render(
    <>
      <OperationTabs current={operation} />
      <div class="examples">
        <ExampleLinks title="Examples" examples={EXAMPLES[operation]} operation={operation} />
        <ExampleLinks title="Simulated outcomes" examples={listSimulated(operation, mode)} operation={operation} />
      </div>
      <div class="playground">
        <RequestForm
          operation={operation}
          values={values}
          errors={errors}
          mode={mode}
          models={listModels(c)}
          canRun={account.suspendedAt === null && hasRole(role, "member")}
          price={
            <>
              <Price text={isPages ? PAGES_PRICE : toPriceText(c, operation, values)} /> {balance}
            </>
          }
        />
        <div class="playground-side">
          {isPages ? null : <AnswerCard response={response} />}
          <SamplesCard operation={operation} values={values} origin={origin} mode={mode} />
          {history}
        </div>
      </div>
    </>,
    {
      title: "Playground",
      lead: "Try a request and copy it as code.",
      section: "playground",
      scripts: ["playground"],
    },
  );
}

function OperationTabs({ current }: { current: Operation }) {
  const links = [
    ...Endpoint.options.map((id) => [id, `/dashboard/playground?endpoint=${id}`, ENDPOINTS[id].label] as const),
    ["batch", "/dashboard/playground/batch", "Batch"] as const,
    ["crawl", "/dashboard/playground/crawl", "Crawl"] as const,
  ];
  return <LinkTabs label="Endpoints" current={current} links={links} />;
}

interface ExampleLinksProps {
  title: string;
  operation: Operation;
  examples: readonly Example[];
}

function ExampleLinks({ title, operation, examples }: ExampleLinksProps) {
  if (examples.length === 0) return null;
  return (
    <div class="row">
      <span class="small muted">{title}</span>
      {examples.map(({ label, note, body }) => (
        <a class="chip" href={toPlaygroundPath(operation, body)} title={note}>
          {label}
        </a>
      ))}
    </div>
  );
}

const PAGES_PRICE = "The credits of a page are reserved when it starts.";

/** The price of the request. A script updates it while the user edits the form. */
function Price({ text }: { text: string }) {
  return (
    <span id="price" role="status">
      {text}
    </span>
  );
}

/** Returns the price of the form's request. Responds with an error if the request of a batch or crawl is invalid. */
async function readPrice(c: DashboardContext, operation: Operation, values: FormValues): Promise<string> {
  if (!isBatchKind(operation)) return toPriceText(c, operation, values);
  try {
    const body = toBody(operation, values);
    await consumeRateLimit(c, { pages: countPages(body), isPreview: true });
    const submission = await submitPages(c, operation, { ...body, dry_run: true });
    if (submission.kind !== "dry_run") throw new Error(`A dry run has created a ${operation}.`);
    return toPagesPriceText(c, operation, submission.data);
  } catch (error) {
    refuseForm(c, error);
    return PAGES_PRICE;
  }
}

/** Returns the highest price of the request with a live key, or another text if the form isn't valid. */
function toPriceText(c: DashboardContext, endpoint: Endpoint, values: FormValues): string {
  const { mode, account } = c.var;
  if (mode === "test") return "Test requests are free.";
  const origin = toOrigin(c.env, c.req.url);
  const context = { env: c.env, mode, origin, prices: toPrices(c.env, account.prices), accountId: account.id };
  try {
    const { plan } = validateBody(endpoint, toBody(endpoint, values), context);
    return `This request costs at most ${toCount(totalOf(allLines(plan)), "credit")}.`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "price_limit" ? error.message : "The price depends on the request.";
  }
}

function toPagesPriceText(c: DashboardContext, kind: BatchKind, data: BatchDryRun): string {
  const { pages, max_credits: credits, balance, invalid = [] } = data;
  const count = toCount(pages, "page");
  const omitted =
    invalid.length === 0 ? "" : ` ${toCount(invalid.length, "invalid URL is", "invalid URLs are")} omitted.`;
  if (c.var.mode === "test")
    return `${kind === "crawl" ? `At most ${count}` : count}. Test requests are free.${omitted}`;
  return `${count} cost at most ${toCount(credits, "credit")}. Your balance is ${toCount(balance, "credit")}.${omitted}`;
}

/** Reads the parts of the page that change when a job ends: the balance, which is empty in test mode, and the history. */
async function readAccountParts(c: DashboardContext): Promise<{ balance: Child; history: Child }> {
  const { account, mode } = c.var;
  const filter = { mode, keyId: DASHBOARD_CALLER, limit: HISTORY_LENGTH, offset: 0 };
  const [usage, page] = await Promise.all([
    callAccount(c.env, account, (stub) => stub.usage({ mode, since: toIso(now()).slice(0, 10) })),
    callAccount(c.env, account, (stub) => stub.listLines(filter)),
  ]);
  const text = mode === "test" ? null : `You have ${toCount(usage.balance, "credit")}.`;
  return { balance: <span id="balance">{text}</span>, history: <HistoryCard jobs={page.items} /> };
}

function listModels(c: DashboardContext): readonly string[] {
  const { accepted, configured } = availableModels(c.env);
  return c.var.mode === "test" ? accepted : configured.map(({ id }) => id);
}

/** Returns true if the page's script sent the request. The response then replaces parts of the page. */
function isFetched(c: DashboardContext): boolean {
  return c.req.header("X-Requested-With") === "fetch";
}

function readOperation(c: DashboardContext): Operation {
  const kind = /^\/dashboard\/playground\/(batch|crawl)\b/.exec(c.req.path)?.[1];
  if (kind === "batch" || kind === "crawl") return kind;
  return Endpoint.safeParse(c.req.query("endpoint")).data ?? "scrape";
}

/** Returns the form for an earlier request, for a link, or for the first example. */
async function readView(c: DashboardContext): Promise<PlaygroundView> {
  const operation = readOperation(c);
  const { job: shown, from } = c.req.query();
  const id = shown ?? from;
  if (id === undefined) return { operation, values: syncViews(operation, readLinkValues(c, operation)) };
  if (isBatchKind(operation)) return { operation, values: toNewForm(operation, await readPagesRequest(c, id)) };
  const job = await expectJob(c, id);
  // The file was deleted at the end of the job.
  const { file: _, ...request } = (await readRequest(c.env, job)) ?? {};
  const values = toNewForm(job.endpoint, request);
  if (shown === undefined) return { operation: job.endpoint, values };
  return { operation: job.endpoint, values, response: await readResponse(c, await waitBriefly(c, job)) };
}

function toNewForm(operation: Operation, body: RequestBody): FormValues {
  return syncViews(operation, fillForm(operation, toFormValues(operation, body)));
}

/** Returns the form values in the query string. Without any, returns those of the first example. */
function readLinkValues(c: DashboardContext, operation: Operation): FormValues {
  const given = new URL(c.req.url).searchParams;
  // It selects the form. Only a batch has it as a field.
  if (operation !== "batch") given.delete("endpoint");
  // Otherwise, another person's link could send the results of the user to that person's receiver.
  for (const name of ["webhook_url", "view", "body"]) given.delete(name);
  if (given.size > 0) return fillForm(operation, given);
  return fillForm(operation, toFormValues(operation, EXAMPLES[operation][0]?.body ?? {}));
}

/** Returns the request of a batch or crawl. The parameters of single requests of a batch aren't stored separately. */
async function readPagesRequest(c: DashboardContext, id: string): Promise<RequestBody> {
  const batch = await expectBatch(c, id);
  if (batch.request === null) throw new AppError("not_found", "The request has expired, so it can't be run again.");
  const request: RequestBody = JSON.parse(batch.request);
  if (batch.kind === "crawl") return request;
  const filter = { mode: batch.mode, id, after: 0, limit: MAX_BATCH_REQUESTS };
  const reply = await callAccount(c.env, c.var.account, (stub) => stub.listPageLines(filter));
  const pages = reply.kind === "pages" ? reply.pages : [];
  return { ...request, requests: pages.flatMap(({ url }) => (url === null ? [] : [{ url }])) };
}

async function readFormValues(c: DashboardContext): Promise<FormValues> {
  const values = new URLSearchParams();
  // Browsers send line breaks as CRLF.
  for (const [name, value] of await readFormData(c))
    if (typeof value === "string") values.append(name, value.replaceAll("\r\n", "\n"));
  return values;
}

/** Returns the request with the file of the form, if the user has chosen one. The file replaces the URL. */
async function withFile(c: DashboardContext, body: RequestBody): Promise<RequestBody> {
  const file = (await readFormData(c)).get("file");
  if (file === null || typeof file === "string" || (file.name === "" && file.size === 0)) return body;
  const { url: _, ...others } = body;
  return { ...others, file: { name: file.name, content_type: file.type, base64: new FileContent(file) } };
}

/** Waits up to PLAYGROUND_WAIT_MS for a new job, so that the page can often show its result immediately. */
async function waitBriefly(c: DashboardContext, job: Job): Promise<Job> {
  if (job.endedAt !== null) return job;
  const waitMs = Math.max(0, job.createdAt + PLAYGROUND_WAIT_MS - now());
  return (await getOwnJob(c.env, job.account, job, waitMs)) ?? job;
}

async function readResponse(c: DashboardContext, job: Job): Promise<ResponseProps> {
  const canCancel = hasRole(c.var.role, "member");
  const result = job.endedAt === null ? null : await renderResult(job, await readResultPreview(c.env, job));
  return { job, result, canCancel };
}

/**
 * Runs the request of the form, with the limits that apply to API keys. Redirects to the page of a batch or crawl, and
 * to the response of a job. Throws AppError if the request is refused.
 */
async function run(c: DashboardContext, operation: Operation, values: FormValues): Promise<Response> {
  assertNotSuspended(c.var.account);
  assertShownMode(c, operation, values.get("mode"));
  const body = toBody(operation, values);
  await consumeRateLimit(c, { pages: countPages(body) });
  if (isBatchKind(operation)) {
    const submission = await submitPages(c, operation, body);
    if (submission.kind !== "accepted") throw new Error(`The ${operation} wasn't created.`);
    return c.redirect(`/dashboard/batches/${submission.batch.id}`, 303);
  }
  const job = await submitJob(c, operation, await withFile(c, body));
  c.set("jobId", job.id);
  const path = `/dashboard/playground?endpoint=${operation}&job=${job.id}`;
  if (!isFetched(c)) return c.redirect(`${path}#answer`, 303);
  c.header("Content-Location", path);
  const response = { job, result: null, canCancel: true };
  return await renderPage(c, { operation, values: syncViews(operation, values), response });
}

/**
 * Throws AppError if the form was shown in another mode. Otherwise, a request that was entered in test mode could cost
 * credits, because the user has switched to live mode in another tab.
 */
function assertShownMode({ var: { mode } }: DashboardContext, operation: Operation, shown: string | null): void {
  if ((shown ?? mode) === mode) return;
  const isPages = isBatchKind(operation);
  const refused = isPages ? `The ${operation} wasn't started` : "The request wasn't run";
  const button = isPages ? `Start ${operation}` : "Run request";
  const message = `${refused}, because you switched to ${mode} data in another tab. Select “${button}” again to use ${mode} data.`;
  throw new AppError("invalid_request", message);
}

function countPages({ requests }: RequestBody): number {
  return Array.isArray(requests) ? requests.length : 0;
}

/** Creates a batch or crawl, or only checks it. Throws AppError if the request is refused. */
async function submitPages(c: DashboardContext, kind: BatchKind, body: RequestBody) {
  const origin = toOrigin(c.env, c.req.url);
  const call = { caller: toDashboardCaller(c), origin, idempotencyKey: null, requestId: c.var.requestId };
  if (kind === "batch") return await submitBatch(c.env, { ...call, request: parseWith(REQUESTS.batch, body) });
  return await submitCrawl(c.env, { ...call, request: parseWith(REQUESTS.crawl, body) });
}

/** Creates an asynchronous job. Throws AppError if the request is refused. */
async function submitJob(c: DashboardContext, endpoint: Endpoint, body: RequestBody): Promise<Job> {
  const origin = toOrigin(c.env, c.req.url);
  const caller = toDashboardCaller(c);
  const work = validateBody(endpoint, body, await readRequestContext(c.env, caller, { body, origin }));
  const started = await submitRequest(c.env, work, {
    caller,
    origin,
    idempotencyKey: null,
    until: null,
    disconnected: c.req.raw.signal,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    requestId: c.var.requestId,
  });
  if (started.kind !== "accepted") throw new Error(`The asynchronous job has the unexpected kind '${started.kind}'.`);
  return started.job;
}
