import { type Context, Hono } from "hono";
import { accountGone, callAccount } from "../../../account/client";
import { Endpoint } from "../../../contract/common";
import { validateBody } from "../../../endpoints/validate";
import { getOwnJob, readRequest } from "../../../jobs/read";
import { submitRequest } from "../../../jobs/submit";
import { now, toIso } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import { SCOPES } from "../../../model/api-key";
import { AppError } from "../../../model/errors";
import type { Job } from "../../../model/job";
import { PLAYGROUND_WAIT_MS } from "../../../model/limits";
import { availableModels } from "../../../models/models";
import { assertNotSuspended, consumeRateLimit } from "../../auth/account-checks";
import { readResultPreview, renderResult } from "../../result-view/result-view";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormData } from "../../ui/form-data";
import { listExamples, listSimulated, toLocalPage } from "./examples";
import { Price } from "./form";
import { type FormValues, fillForm, toBody, toFormValues } from "./form-values";
import { Playground, ResponsePanel, type ResponseProps } from "./page";
import { SampleTabs } from "./samples-card";

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
    const id = await createPlaygroundJob(c, endpoint, values);
    c.set("jobId", id);
    return c.redirect(`/dashboard/playground?endpoint=${endpoint}&job=${id}#answer`, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    c.set("errorCode", error.code);
    c.status(error.status as 400);
    return renderPage(c, { endpoint, values, errors: FormErrors.of(error) });
  }
});

/**
 * Returns the parts of the page that depend on the form's values. Responds with an error if a JSON field is invalid.
 */
playground.post("/playground/preview", async (c) => {
  const endpoint = readEndpoint(c);
  const values = await readFormValues(c);
  const { mode } = c.var;
  toBody(endpoint, values);
  return c.html(
    <>
      <SampleTabs {...{ endpoint, values, mode }} origin={toOrigin(c.env, c.req.url)} />
      <Price {...{ endpoint, values, mode }} balance={await readBalance(c)} />
    </>,
  );
});

playground.get("/playground/answer", async (c) => {
  const response = await readResponse(c, await getJob(c, c.req.query("job") ?? ""));
  return c.html(<ResponsePanel {...response} />);
});

interface PlaygroundView {
  endpoint: Endpoint;
  values: FormValues;
  errors?: FormErrors;
  response?: ResponseProps;
}

async function renderPage(c: Context<DashboardEnv>, view: PlaygroundView) {
  const { account, mode } = c.var;
  const balance = await readBalance(c);
  const { endpoint } = view;
  const origin = toOrigin(c.env, c.req.url);
  const models = availableModels(c.env);
  return c.render(
    <Playground
      {...{ ...view, account, balance, mode, origin }}
      models={mode === "test" ? models.accepted : models.configured.map(({ id }) => id)}
      examples={listExamples(endpoint, mode === "live" ? toLocalPage(c.env, origin) : null)}
      simulated={listSimulated(endpoint, mode)}
    />,
    {
      title: "Playground",
      lead: "Try a request and copy it as code.",
      section: "playground",
    },
  );
}

/** Returns the available credits. */
async function readBalance(c: Context<DashboardEnv>): Promise<number> {
  const { account, mode } = c.var;
  const usage = await callAccount(c.env, account, (stub) => stub.usage({ mode, since: toIso(now()).slice(0, 10) }));
  if (usage.kind === "gone") throw accountGone();
  return usage.balance;
}

function readEndpoint(c: Context<DashboardEnv>): Endpoint {
  return Endpoint.safeParse(c.req.query("endpoint")).data ?? "scrape";
}

/** Returns the form values in the query string. Without any, returns those of the first example. */
function readLinkValues(c: Context<DashboardEnv>): FormValues {
  const endpoint = readEndpoint(c);
  const given = new URL(c.req.url).searchParams;
  given.delete("endpoint");
  if (given.size > 0) return fillForm(endpoint, given);
  const local = c.var.mode === "live" ? toLocalPage(c.env, toOrigin(c.env, c.req.url)) : null;
  return fillForm(endpoint, toFormValues(endpoint, listExamples(endpoint, local)[0]?.body ?? {}));
}

async function readFormValues(c: Context<DashboardEnv>): Promise<FormValues> {
  const values = new URLSearchParams();
  // Browsers send line breaks as CRLF.
  for (const [name, value] of await readFormData(c)) values.append(name, String(value).replaceAll("\r\n", "\n"));
  return values;
}

async function getJob(c: Context<DashboardEnv>, id: string): Promise<Job> {
  const job = await getOwnJob(c.env, c.var.account, { id, mode: c.var.mode });
  if (job === null) throw new AppError("not_found", "This job doesn't exist. Open a job from the list of jobs.");
  c.set("jobId", id);
  return job;
}

/** Waits up to PLAYGROUND_WAIT_MS for a new job, so that the page can often show its result immediately. */
async function waitBriefly(c: Context<DashboardEnv>, job: Job): Promise<Job> {
  if (job.endedAt !== null) return job;
  const waitMs = Math.max(0, job.createdAt + PLAYGROUND_WAIT_MS - now());
  return (await getOwnJob(c.env, job.account, job, waitMs)) ?? job;
}

async function readResponse(c: Context<DashboardEnv>, job: Job): Promise<ResponseProps> {
  if (job.endedAt === null) return { job, result: null };
  return { job, result: await renderResult(job, await readResultPreview(c.env, job)) };
}

/**
 * Creates an asynchronous job from the form and returns its id. The account's limits apply as they do for API keys.
 * Throws AppError if the request is refused.
 */
async function createPlaygroundJob(c: Context<DashboardEnv>, endpoint: Endpoint, values: FormValues): Promise<string> {
  const { account, mode } = c.var;
  assertNotSuspended(account);
  // If the user switched to live mode in another tab, a request that was entered in test mode would cost credits.
  if ((values.get("mode") ?? mode) !== mode) {
    const message = `The request wasn't run, because you switched to ${mode} data in another tab. Select “Run request” again to use ${mode} data.`;
    throw new AppError("invalid_request", message);
  }
  await consumeRateLimit(c);
  const origin = toOrigin(c.env, c.req.url);
  const work = validateBody(endpoint, toBody(endpoint, values), { env: c.env, mode, origin });
  const started = await submitRequest(c.env, work, {
    caller: {
      id: "dashboard",
      account,
      mode,
      scopes: [...SCOPES],
      allowedIps: [],
      revokedAt: null,
      expiresAt: null,
      creditLimit: null,
    },
    origin,
    idempotencyKey: null,
    until: null,
    disconnected: c.req.raw.signal,
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
  });
  if (started.kind !== "accepted") throw new Error(`The asynchronous job has the unexpected kind '${started.kind}'.`);
  return started.job.id;
}
