import { type Context, Hono } from "hono";
import { callAccount } from "../../../account/client";
import type { JobLine } from "../../../account/jobs/job-lines";
import { Endpoint } from "../../../contract/common";
import { READY_SCHEMAS } from "../../../contract/schema-library";
import { validateBody } from "../../../endpoints/validate";
import { getOwnJob, readRequest } from "../../../jobs/read";
import { readRequestContext, submitRequest } from "../../../jobs/submit";
import { now, toIso } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import type { Mode } from "../../../model/api-key";
import { AppError } from "../../../model/errors";
import type { Job } from "../../../model/job";
import { PLAYGROUND_WAIT_MS } from "../../../model/limits";
import { toPrices } from "../../../model/prices";
import { hasRole } from "../../../model/role";
import { availableModels } from "../../../models/models";
import { assertNotSuspended, consumeRateLimit, DASHBOARD_CALLER, toDashboardCaller } from "../../auth/caller";
import { readResultPreview, renderResult } from "../../result-view/result-view";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { renderParts } from "../../ui/post-form";
import { listExamples, listSimulated, toLocalPage } from "./examples";
import { Balance, Price, ShareLinkLine } from "./form";
import { assertShownMode, readFormValues, respondWith } from "./form-request";
import { type FormValues, fillForm, toBody, toFormValues } from "./form-values";
import { HISTORY_LENGTH, HistoryCard } from "./history";
import { Playground } from "./page";
import { AnswerCard, ResponsePanel, type ResponseProps } from "./response";
import { SampleTabs } from "./samples-card";
import { SchemaCheck } from "./schema-field";

/** The pages of the playground: a form for each endpoint, the request as code, and the response. */
export const playground = new Hono<DashboardEnv>();

playground.get("/playground", async (c) => {
  const { job: shown, from } = c.req.query();
  const id = shown ?? from;
  if (id === undefined) return renderPage(c, { endpoint: readEndpoint(c), values: readLinkValues(c) });
  const job = await getJob(c, id);
  const request = await readRequest(c.env, job);
  const values = fillForm(job.endpoint, toFormValues(job.endpoint, request ?? {}));
  if (shown === undefined) return renderPage(c, { endpoint: job.endpoint, values });
  return renderPage(c, { endpoint: job.endpoint, values, response: await readResponse(c, await waitBriefly(c, job)) });
});

playground.post("/playground", async (c) => {
  const endpoint = readEndpoint(c);
  const values = await readFormValues(c);
  try {
    const job = await createPlaygroundJob(c, endpoint, values);
    c.set("jobId", job.id);
    const path = `/dashboard/playground?endpoint=${endpoint}&job=${job.id}`;
    if (!isFetched(c)) return c.redirect(`${path}#answer`, 303);
    c.header("Content-Location", path);
    return renderPage(c, { endpoint, values, response: { job, result: null, canCancel: true } });
  } catch (error) {
    return renderPage(c, { endpoint, values, errors: FormErrors.of(respondWith(c, error)) });
  }
});

playground.post("/playground/cancel", async (c) => {
  const { id } = await getJob(c, c.req.query("job") ?? "");
  const job = await callAccount(c.env, c.var.account, (stub) => stub.cancel({ mode: c.var.mode, id }));
  if (job === null) throw jobNotFound();
  if (!isFetched(c)) return c.redirect(`/dashboard/playground?endpoint=${job.endpoint}&job=${id}#answer`, 303);
  return await renderParts(
    c,
    <>
      <AnswerCard response={await readResponse(c, job)} />
      <AccountParts {...(await readAccountParts(c))} mode={c.var.mode} />
    </>,
  );
});

/**
 * Returns the parts of the page that depend on the form's values. If a JSON field is invalid, responds with an error, and
 * returns only the check of the schema.
 */
playground.post("/playground/preview", async (c) => {
  const endpoint = readEndpoint(c);
  const values = await readFormValues(c);
  const { mode } = c.var;
  const origin = toOrigin(c.env, c.req.url);
  const check = endpoint === "parse" ? <SchemaCheck values={values} /> : null;
  try {
    toBody(endpoint, values);
  } catch (error) {
    respondWith(c, error);
    return await renderParts(c, check);
  }
  return await renderParts(
    c,
    <>
      <SampleTabs {...{ endpoint, values, mode, origin }} />
      <Price {...{ endpoint, values, mode }} prices={toPrices(c.env, c.var.account.prices)} />
      <ShareLinkLine {...{ endpoint, values }} />
      {check}
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
  const response = await readResponse(c, await getJob(c, c.req.query("job") ?? ""));
  return await renderParts(
    c,
    <>
      <ResponsePanel {...response} />
      <AccountParts {...(await readAccountParts(c))} mode={c.var.mode} />
    </>,
  );
});

interface PlaygroundView {
  endpoint: Endpoint;
  values: FormValues;
  errors?: FormErrors;
  response?: ResponseProps;
}

async function renderPage(c: Context<DashboardEnv>, view: PlaygroundView) {
  const { account, mode } = c.var;
  const { endpoint } = view;
  const origin = toOrigin(c.env, c.req.url);
  const models = availableModels(c.env);
  return c.render(
    <Playground
      {...{ ...view, mode, origin }}
      canRun={account.suspendedAt === null && hasRole(c.var.role, "member")}
      {...(await readAccountParts(c))}
      prices={toPrices(c.env, account.prices)}
      models={mode === "test" ? models.accepted : models.configured.map(({ id }) => id)}
      examples={listExamples(endpoint, mode === "live" ? toLocalPage(c.env, origin) : null)}
      simulated={listSimulated(endpoint, mode)}
    />,
    {
      title: "Playground",
      lead: "Try a request and copy it as code.",
      section: "playground",
      scripts: ["playground"],
    },
  );
}

/** The parts of the page that change when a job ends. */
interface AccountPartsProps {
  /** The available credits. */
  balance: number;
  history: JobLine[];
}

function AccountParts({ balance, history, mode }: AccountPartsProps & { mode: Mode }) {
  return (
    <>
      <Balance {...{ mode, balance }} />
      <HistoryCard lines={history} />
    </>
  );
}

async function readAccountParts(c: Context<DashboardEnv>): Promise<AccountPartsProps> {
  const { account, mode } = c.var;
  const [usage, history] = await Promise.all([
    callAccount(c.env, account, (stub) => stub.usage({ mode, since: toIso(now()).slice(0, 10) })),
    callAccount(c.env, account, (stub) =>
      stub.listLines({ mode, keyId: DASHBOARD_CALLER, limit: HISTORY_LENGTH, offset: 0 }),
    ),
  ]);
  return { balance: usage.balance, history: history.items };
}

/** Returns true if the page's script sent the request. The response then replaces parts of the page. */
function isFetched(c: Context<DashboardEnv>): boolean {
  return c.req.header("X-Requested-With") === "fetch";
}

function readEndpoint(c: Context<DashboardEnv>): Endpoint {
  return Endpoint.safeParse(c.req.query("endpoint")).data ?? "scrape";
}

/** Returns the form values in the query string. Without any, returns those of the first example. */
function readLinkValues(c: Context<DashboardEnv>): FormValues {
  const endpoint = readEndpoint(c);
  const given = new URL(c.req.url).searchParams;
  given.delete("endpoint");
  // Otherwise, another person's link could send the results of the user to that person's receiver.
  given.delete("webhook_url");
  if (given.size > 0) return fillForm(endpoint, given);
  const local = c.var.mode === "live" ? toLocalPage(c.env, toOrigin(c.env, c.req.url)) : null;
  return fillForm(endpoint, toFormValues(endpoint, listExamples(endpoint, local)[0]?.body ?? {}));
}

async function getJob(c: Context<DashboardEnv>, id: string): Promise<Job> {
  const job = await getOwnJob(c.env, c.var.account, { id, mode: c.var.mode });
  if (job === null) throw jobNotFound();
  c.set("jobId", id);
  return job;
}

function jobNotFound(): AppError {
  return new AppError("not_found", "This job doesn't exist. Open a job from the list of jobs.");
}

/** Waits up to PLAYGROUND_WAIT_MS for a new job, so that the page can often show its result immediately. */
async function waitBriefly(c: Context<DashboardEnv>, job: Job): Promise<Job> {
  if (job.endedAt !== null) return job;
  const waitMs = Math.max(0, job.createdAt + PLAYGROUND_WAIT_MS - now());
  return (await getOwnJob(c.env, job.account, job, waitMs)) ?? job;
}

async function readResponse(c: Context<DashboardEnv>, job: Job): Promise<ResponseProps> {
  const canCancel = hasRole(c.var.role, "member");
  const result = job.endedAt === null ? null : await renderResult(job, await readResultPreview(c.env, job));
  return { job, result, canCancel };
}

/**
 * Creates an asynchronous job from the form and returns it. The account's limits apply as they do for API keys.
 * Throws AppError if the request is refused.
 */
async function createPlaygroundJob(c: Context<DashboardEnv>, endpoint: Endpoint, values: FormValues): Promise<Job> {
  const { account, mode } = c.var;
  assertNotSuspended(account);
  assertShownMode(c, values.get("mode") ?? mode, { refused: "The request wasn't run", button: "Run request" });
  await consumeRateLimit(c);
  const origin = toOrigin(c.env, c.req.url);
  const caller = toDashboardCaller(c);
  const body = toBody(endpoint, values);
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
