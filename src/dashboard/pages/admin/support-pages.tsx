import { Hono } from "hono";
import { invalidParameter } from "../../../contract/invalid-request";
import { getOwnJobOfAnyMode } from "../../../jobs/read-job";
import { now } from "../../../lib/clock";
import { redactUrl } from "../../../lib/redact";
import { AppError } from "../../../model/errors";
import type { Job } from "../../../model/job";
import type { Account } from "../../../store/accounts";
import { insertAudit } from "../../../store/audit";
import { readResultPreview, renderResult } from "../../result-view/result-view";
import { Card, SubmitButton } from "../../ui/components";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../../ui/env";
import { FormErrors, TextField } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { PostForm } from "../../ui/post-form";
import { batches } from "../batches/batches-page";
import { type JobParts, JobView, readJobParts } from "../jobs/job-cards";
import { jobs } from "../jobs/jobs-page";
import { keyPages } from "../keys/keys-page";
import { usagePages } from "../usage/usage-page";
import { webhookPages } from "../webhooks/webhooks-page";
import { openView, recordView, VIEWED_PAGES } from "./support-view";

const MIN_REASON_CHARS = 5;
const MAX_REASON_CHARS = 200;

/** The read-only view of a customer's account. The guard of the admin pages must run first. */
export const support = new Hono<DashboardEnv>();

const AREA = "/admin/accounts/:customer/:area{jobs|batches|keys|webhooks|usage}";
support.use(AREA, openView, recordView);
support.use(`${AREA}/*`, openView, recordView);
support.use("/admin/accounts/:customer/results/:id", openView);

support.get("/admin/accounts/:customer/jobs/:id", async (c) => await renderJob(c, c.req.param("id")));

// Uses the handlers of the customer's own pages, but not the handlers of their forms.
for (const { routes } of [jobs, batches, keyPages, webhookPages, usagePages]) {
  const viewed = routes.filter(({ method, path }) => method === "GET" && VIEWED_PAGES.some((page) => page === path));
  for (const { path, handler } of viewed) support.get(`/admin/accounts/:customer${path}`, handler);
}

// Shows the result of a job. The audit log records the reason.
support.post("/admin/accounts/:customer/results/:id", async (c) => {
  const { account } = c.var;
  const { reason } = await readFormFields(c, ["reason"]);
  const id = c.req.param("id");
  if (reason.length < MIN_REASON_CHARS || reason.length > MAX_REASON_CHARS) {
    const rule = `must have ${MIN_REASON_CHARS} to ${MAX_REASON_CHARS} characters`;
    c.status(400);
    return await renderJob(c, id, { errors: FormErrors.of(invalidParameter("reason", rule, { kind: "field" })) });
  }
  const job = await getOwnJobOfAnyMode(c.env, account, id);
  if (job === null) return await renderJob(c, id);
  const entry = { actor: requireSignedIn(c).email, action: "result.view", accountId: account.id, at: now() } as const;
  await insertAudit(c.env.DB, { ...entry, detail: { job: id, reason } });
  return await renderJob(c, id, { showsResult: true });
});

interface JobPage {
  showsResult?: boolean;
  /** The errors of the form that shows the result. */
  errors?: FormErrors;
}

async function renderJob(c: DashboardContext, id: string, { showsResult = false, errors }: JobPage = {}) {
  const { account } = c.var;
  const job = await getOwnJobOfAnyMode(c.env, account, id);
  if (job === null) throw new AppError("not_found", "The account has no job with this ID, or the job was deleted.");
  const parts = await readJobParts(c.env, job);
  const result = showsResult ? (
    <Card title="Result">{await renderResult(job, await readResultPreview(c.env, job))}</Card>
  ) : (
    <ResultForm account={account} job={job} errors={errors} />
  );
  const lead = job.subject === null ? undefined : redactUrl(job.subject);
  const view = <JobView job={job} {...parts} request={hideHtml(parts.request)} result={result} />;
  return c.render(view, { title: `Job: ${job.endpoint}`, lead, section: "jobs" });
}

/** The form that shows the result. An admin needs the result if the error and the request don't explain the problem. */
function ResultForm({ account, job, errors }: { account: Account; job: Job; errors: FormErrors | undefined }) {
  return (
    <Card title="Result">
      <p>The result is the customer's data. Open it only if you need it to answer the customer.</p>
      <PostForm action={`/dashboard/admin/accounts/${account.id}/results/${job.id}`} class="fields two" errors={errors}>
        <TextField
          name="reason"
          label="Reason"
          required
          maxlength={MAX_REASON_CHARS}
          autocomplete="off"
          hint="The audit log records the reason, for example a ticket's number."
        />
        <div class="field end">
          <SubmitButton tone="plain" label="Show result" />
        </div>
      </PostForm>
    </Card>
  );
}

/** Returns the request without the customer's own HTML. Its secrets are stored separately. */
function hideHtml(preview: JobParts["request"]): JobParts["request"] {
  if (preview === null || preview === "too large" || preview.request.html === undefined) return preview;
  return { ...preview, request: { ...preview.request, html: "(hidden)" } };
}
