import { type Context, Hono } from "hono";
import { Endpoint } from "../../../contract/common";
import { toOrigin } from "../../../http/origin";
import { getOwnJob, readRequest, readSmallResult } from "../../../jobs/own";
import { waitForEnd } from "../../../jobs/wait";
import { AppError } from "../../../model/errors";
import type { Job } from "../../../model/job";
import { MAX_SHOWN_ANSWER_BYTES, PLAYGROUND_WAIT_MS } from "../../../model/limits";
import { availableModels } from "../../../models/models";
import type { DashboardEnv } from "../../ui/env";
import { FormErrors } from "../../ui/form";
import { readFormData } from "../../ui/form-data";
import { Answer } from "./answer";
import { listExamples, listScripted, toLocalPage } from "./examples";
import { Price } from "./form";
import { Playground } from "./page";
import { SampleTabs } from "./request";
import { runValues } from "./run";
import { fill, toBody, toValues, type Values } from "./values";

/** Each endpoint as a form, its request as code, and what comes of it. */
export const playground = new Hono<DashboardEnv>();

playground.get("/playground", async (c) => {
  const { job: shown, from } = c.req.query();
  const id = shown ?? from;
  if (id === undefined) return render(c, { endpoint: readEndpoint(c), values: readLink(c) });
  const job = await getJob(c, id);
  const request = await readRequest(c.env, job);
  const values = fill(job.endpoint, toValues(job.endpoint, request ?? {}));
  if (shown === undefined) return render(c, { endpoint: job.endpoint, values });
  return render(c, { endpoint: job.endpoint, values, answer: await readAnswer(c, await waitAMoment(c, job)) });
});

playground.post("/playground", async (c) => {
  const endpoint = readEndpoint(c);
  const values = await readValues(c);
  try {
    const id = await runValues(c, endpoint, values);
    c.set("jobId", id);
    return c.redirect(`/dashboard/playground?endpoint=${endpoint}&job=${id}#answer`, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value);
    c.set("errorCode", error.code);
    c.status(error.status as 400);
    return render(c, { endpoint, values, errors: FormErrors.of(error) });
  }
});

/** What the script puts in place while the form is edited; refused while no request can be made of it. */
playground.post("/playground/preview", async (c) => {
  const endpoint = readEndpoint(c);
  const values = await readValues(c);
  const { mode, account } = c.var;
  toBody(endpoint, values);
  return c.html(
    <>
      <SampleTabs {...{ endpoint, values, mode }} origin={toOrigin(c.env, c.req.url)} />
      <Price {...{ endpoint, values, mode }} balance={account.balance} />
    </>,
  );
});

playground.get("/playground/answer", async (c) => {
  const answer = await readAnswer(c, await getJob(c, c.req.query("job") ?? ""));
  return c.html(<Answer {...answer} />);
});

interface View {
  endpoint: Endpoint;
  values: Values;
  errors?: FormErrors;
  answer?: Awaited<ReturnType<typeof readAnswer>>;
}

function render(c: Context<DashboardEnv>, view: View) {
  const { account, mode } = c.var;
  const { endpoint } = view;
  const origin = toOrigin(c.env, c.req.url);
  const models = availableModels(c.env);
  return c.render(
    <Playground
      {...{ ...view, account, mode, origin }}
      models={mode === "test" ? models.accepted : models.configured.map(({ id }) => id)}
      examples={listExamples(endpoint, mode === "live" ? toLocalPage(c.env, origin) : null)}
      scripted={listScripted(endpoint, mode)}
    />,
    {
      title: "Playground",
      lead: "Put a request together, run it, and take it away as code.",
      section: "playground",
    },
  );
}

function readEndpoint(c: Context<DashboardEnv>): Endpoint {
  return Endpoint.safeParse(c.req.query("endpoint")).data ?? "scrape";
}

/** What a link fills the form with; the first example where it says nothing. */
function readLink(c: Context<DashboardEnv>): Values {
  const endpoint = readEndpoint(c);
  const given = new URL(c.req.url).searchParams;
  given.delete("endpoint");
  if (given.size > 0) return fill(endpoint, given);
  const local = c.var.mode === "live" ? toLocalPage(c.env, toOrigin(c.env, c.req.url)) : null;
  return fill(endpoint, toValues(endpoint, listExamples(endpoint, local)[0]?.body ?? {}));
}

async function readValues(c: Context<DashboardEnv>): Promise<Values> {
  const values = new URLSearchParams();
  // Browsers send the lines of a text with CRLF.
  for (const [name, value] of await readFormData(c)) values.append(name, String(value).replaceAll("\r\n", "\n"));
  return values;
}

async function getJob(c: Context<DashboardEnv>, id: string): Promise<Job> {
  const job = await getOwnJob(c.env, { id, accountId: c.var.account.id, mode: c.var.mode });
  if (job === null) throw new AppError("not_found", "There is no such job.");
  c.set("jobId", id);
  return job;
}

/** A job that was made just now has often ended a moment later: then nobody has to look twice. */
async function waitAMoment(c: Context<DashboardEnv>, job: Job): Promise<Job> {
  if (job.endedAt !== null) return job;
  return (await waitForEnd(c.env, job.id, job.createdAt + PLAYGROUND_WAIT_MS)) ?? job;
}

async function readAnswer(c: Context<DashboardEnv>, job: Job) {
  const result = job.status === "completed" ? await readSmallResult(c.env, job, MAX_SHOWN_ANSWER_BYTES) : null;
  return { job, result };
}
