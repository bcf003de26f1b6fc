import { type Context, Hono } from "hono";
import { toInvalidRequest } from "../../../contract/invalid-request";
import { WebhookEndpointRequest } from "../../../contract/webhook-endpoints";
import { now } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import type { Mode } from "../../../model/api-key";
import { ACCOUNT_ENDPOINT, DEFAULT_EVENTS, WEBHOOK_EVENTS, type WebhookEvent } from "../../../model/delivery";
import { AppError } from "../../../model/errors";
import { MAX_URL_CHARS, MAX_WEBHOOK_ENDPOINTS } from "../../../model/limits";
import { hasRole } from "../../../model/role";
import { sendTest } from "../../../webhooks/deliveries";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  type ListedEndpoint,
  openEndpoint,
  rotateEndpoint,
} from "../../../webhooks/endpoints";
import type { WebhookConfig } from "../../../webhooks/settings";
import { assertNotSuspended, consumeRateLimit } from "../../auth/caller";
import { Card, DoneNotice, Facts, LinkButton, PostButton, SubmitButton } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { CheckboxGroup, FormErrorNotice, type FormErrors, TextField } from "../../ui/form";
import { Permitted, PostForm } from "../../ui/post-form";
import { Table } from "../../ui/table";
import { readChecked, readModeForm, toFormErrors, toOwner } from "./mode-form";
import { SecretCard } from "./webhook-settings-cards";

const DONE = {
  created: "The endpoint was added. To check it, send a test event.",
  saved: "The endpoint was saved.",
  rotated: "The signing secret was rotated. Copy the new secret to your receiver.",
};
const NEW: EndpointDraft = { url: "", events: DEFAULT_EVENTS };

export const webhookEndpointPages = new Hono<DashboardEnv>();

webhookEndpointPages.get("/webhooks/endpoints", (c) => c.redirect("/dashboard/webhooks", 303));

webhookEndpointPages.get("/webhooks/endpoints/new", (c) => renderForm(c, NEW));

webhookEndpointPages.post("/webhooks/endpoints/new", async (c) => {
  const draft = await readDraft(c);
  try {
    const input = { ...validate(draft), origin: toOrigin(c.env, c.req.url), now: now() };
    const { id } = await createEndpoint(c.env, toOwner(c), input);
    return c.redirect(`/dashboard/webhooks/endpoints/${id}?done=created`, 303);
  } catch (error) {
    return await renderForm(c, draft, toFormErrors(c, error));
  }
});

webhookEndpointPages.get("/webhooks/endpoints/:id", async (c) => {
  const { url, events } = await getEndpoint(c.env, toOwner(c), c.req.param("id"));
  return await renderEndpoint(c, c.req.param("id"), { url, events: events ?? DEFAULT_EVENTS });
});

webhookEndpointPages.post("/webhooks/endpoints/:id", async (c) => {
  const id = c.req.param("id");
  const draft = await readDraft(c);
  try {
    await changeEndpoint(c.env, toOwner(c), id, { ...validate(draft), origin: toOrigin(c.env, c.req.url) });
  } catch (error) {
    return await renderEndpoint(c, id, draft, toFormErrors(c, error));
  }
  return c.redirect(`/dashboard/webhooks/endpoints/${id}?done=saved`, 303);
});

webhookEndpointPages.post("/webhooks/endpoints/:id/rotate", async (c) => {
  await readModeForm(c, []);
  const id = c.req.param("id");
  await rotateEndpoint(c.env, toOwner(c), id, now());
  return c.redirect(`/dashboard/webhooks/endpoints/${id}?done=rotated`, 303);
});

webhookEndpointPages.post("/webhooks/endpoints/:id/delete", async (c) => {
  await readModeForm(c, []);
  await deleteEndpoint(c.env, toOwner(c), c.req.param("id"));
  return c.redirect("/dashboard/webhooks?done=deleted", 303);
});

webhookEndpointPages.post("/webhooks/endpoints/:id/test", async (c) => {
  await readModeForm(c, []);
  assertNotSuspended(c.var.account);
  await consumeRateLimit(c);
  const owner = { ...toOwner(c), endpointId: c.req.param("id") };
  const { id } = await sendTest(c.env, owner, toOrigin(c.env, c.req.url));
  return c.redirect(`/dashboard/webhooks/deliveries/${id}?done=sent`, 303);
});

// The browser requests the path of a POST with GET if the user opens it again or signs in there.
webhookEndpointPages.get("/webhooks/endpoints/:id/:action{rotate|delete|test}", (c) =>
  c.redirect(`/dashboard/webhooks/endpoints/${encodeURIComponent(c.req.param("id"))}`, 303),
);

async function readDraft(c: Context<DashboardEnv>): Promise<EndpointDraft> {
  const { url } = await readModeForm(c, ["url"]);
  return { url, events: await readChecked(c, "events") };
}

/** Validates the form with the API's schema. Throws AppError if a field is invalid. */
function validate(draft: EndpointDraft): { url: string; events: WebhookEvent[] } {
  const parsed = WebhookEndpointRequest.safeParse(draft);
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);
  const { url, events = [] } = parsed.data;
  return { url, events };
}

function renderForm(c: Context<DashboardEnv>, draft: EndpointDraft, errors?: FormErrors) {
  return c.render(<EndpointForm mode={c.var.mode} id={null} draft={draft} errors={errors} />, {
    title: "Add webhook endpoint",
    section: "webhooks",
  });
}

async function renderEndpoint(c: Context<DashboardEnv>, id: string, draft: EndpointDraft, errors?: FormErrors) {
  const settings = await readSettingsIfPossible(c, id);
  return c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={DONE} />
      <EndpointPage
        mode={c.var.mode}
        id={id}
        draft={draft}
        errors={errors}
        settings={settings}
        showsSecret={hasRole(c.var.role, "member")}
      />
    </>,
    { title: "Webhook endpoint", section: "webhooks" },
  );
}

/** Returns the endpoint's settings, or null if the secret can't be decrypted. */
async function readSettingsIfPossible(c: Context<DashboardEnv>, id: string): Promise<WebhookConfig | null> {
  try {
    const { url, secret, previousExpiresAt } = await openEndpoint(c.env, toOwner(c), id, now());
    return { url, secret, previousSecretExpiresAt: previousExpiresAt };
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable") return null;
    throw error;
  }
}

const ENDPOINTS = "/dashboard/webhooks/endpoints";

/** The description of each event. */
const EVENT_DESCRIPTIONS: { [E in WebhookEvent]: string } = {
  "job.completed": "An asynchronous job completed.",
  "job.failed": "An asynchronous job failed.",
  "batch.completed": "A batch ended.",
  "batch.page": "A page of a batch ended.",
  "crawl.completed": "A crawl ended.",
  "crawl.page": "A page of a crawl ended.",
  "usage.threshold": "The account or a key has used 80% or 100% of its credits.",
};

/** The submitted fields of an endpoint's form. */
interface EndpointDraft {
  url: string;
  events: readonly string[];
}

/** The table of webhook endpoints. */
export function EndpointsCard({ endpoints }: { endpoints: readonly ListedEndpoint[] }) {
  const isFull = endpoints.length >= MAX_WEBHOOK_ENDPOINTS;
  return (
    <Card
      title="Endpoints"
      actions={
        isFull ? undefined : (
          <Permitted action={`${ENDPOINTS}/new`}>
            <LinkButton href={`${ENDPOINTS}/new`} small label="Add endpoint" />
          </Permitted>
        )
      }
    >
      {endpoints.length === 0 ? (
        <p class="muted">No endpoints. Set a webhook URL, or add an endpoint that receives only some events.</p>
      ) : (
        <Table
          caption="Webhook endpoints, oldest first"
          rows={endpoints}
          columns={[
            {
              label: "URL",
              class: "breakable",
              cell: ({ id, url }) => (
                <>
                  <a href={`${ENDPOINTS}/${id}`}>{url}</a>
                  {id === ACCOUNT_ENDPOINT ? <span class="muted block small">The webhook URL</span> : null}
                </>
              ),
            },
            { label: "Events", cell: ({ events }) => (events ?? DEFAULT_EVENTS).join(", ") },
          ]}
        />
      )}
    </Card>
  );
}

interface EndpointFormProps {
  mode: Mode;
  /** The id of the endpoint. Null for a new endpoint. */
  id: string | null;
  draft: EndpointDraft;
  errors?: FormErrors | undefined;
}

/** The form that creates or changes an endpoint. */
function EndpointForm({ mode, id, draft, errors }: EndpointFormProps) {
  return (
    <PostForm action={`${ENDPOINTS}/${id ?? "new"}`} class="card fields narrow">
      <FormErrorNotice errors={errors} />
      <input type="hidden" name="mode" value={mode} />
      <TextField
        name="url"
        label="URL"
        type="url"
        inputmode="url"
        hint="The URL must be public and begin with https://."
        value={draft.url}
        placeholder="https://example.org/hooks/failures"
        required
        maxlength={MAX_URL_CHARS}
        autocomplete="off"
        errors={errors}
      />
      <CheckboxGroup
        name="events"
        legend="Events"
        errors={errors}
        checked={draft.events}
        options={WEBHOOK_EVENTS.map((event) => [
          event,
          <>
            <strong>{event}</strong> <span class="muted block small">{EVENT_DESCRIPTIONS[event]}</span>
          </>,
        ])}
      />
      <div class="row">
        <SubmitButton label={id === null ? "Add endpoint" : "Save"} />
        <a class="button quiet" href="/dashboard/webhooks">
          {id === null ? "Cancel" : "Show all endpoints"}
        </a>
      </div>
    </PostForm>
  );
}

/** An endpoint for users who can't change it. */
function EndpointFacts({ url, events }: EndpointDraft) {
  return (
    <Card>
      <Facts
        of={[
          ["URL", <span class="mono breakable">{url}</span>],
          ["Events", events.join(", ")],
        ]}
      />
    </Card>
  );
}

interface EndpointPageProps extends EndpointFormProps {
  id: string;
  /** Null if the secret can't be decrypted. */
  settings: WebhookConfig | null;
  /** False if the user's role may not see secrets. */
  showsSecret: boolean;
}

/** The page of an endpoint. */
function EndpointPage({ settings, showsSecret, ...form }: EndpointPageProps) {
  const { mode, id } = form;
  const action = `${ENDPOINTS}/${id}`;
  return (
    <div class="stack">
      <Permitted action={action} otherwise={<EndpointFacts {...form.draft} />}>
        <EndpointForm {...form} />
        <Card title="Actions">
          <div class="row">
            <PostButton action={`${action}/test`} label="Send test event" fields={{ mode }} />
            <PostButton
              action={`${action}/delete`}
              label="Delete endpoint"
              tone="danger"
              confirm="Delete this endpoint? Its unfinished deliveries are abandoned."
              fields={{ mode }}
            />
          </div>
        </Card>
      </Permitted>
      {showsSecret ? (
        <SecretCard mode={mode} settings={settings} action={`${action}/rotate`} title="Signing secret" />
      ) : null}
    </div>
  );
}
