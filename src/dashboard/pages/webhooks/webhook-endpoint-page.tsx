import { Hono } from "hono";
import { useRequestContext } from "hono/jsx-renderer";
import { callAccount } from "../../../account/client";
import type { WebhookEndpointRow } from "../../../account/deliveries/webhook-settings";
import { parseWith } from "../../../contract/invalid-request";
import { WebhookEndpointRequest } from "../../../contract/webhook-endpoints";
import { now } from "../../../lib/clock";
import { isStartedLocally, toOrigin } from "../../../lib/env";
import { ACCOUNT_ENDPOINT, DEFAULT_EVENTS, WEBHOOK_EVENTS, type WebhookEvent } from "../../../model/delivery";
import { AppError } from "../../../model/errors";
import { MAX_WEBHOOK_ENDPOINTS } from "../../../model/limits";
import { hasRole } from "../../../model/role";
import { sendTest } from "../../../webhooks/deliveries";
import { changeEndpoint, createEndpoint, deleteEndpoint } from "../../../webhooks/endpoints";
import {
  changeUrl,
  endpointNotFound,
  type Owner,
  readSettings,
  rotate,
  type WebhookConfig,
} from "../../../webhooks/settings";
import { assertNotSuspended, consumeRateLimit } from "../../auth/caller";
import { Card, CopyButton, DoneNotice, Facts, LinkButton, SubmitButton, Time } from "../../ui/components";
import type { DashboardContext, DashboardEnv } from "../../ui/env";
import { Choices, type FormErrors, ReceiverField } from "../../ui/form";
import { readChecked, readFormFields, refuseForm } from "../../ui/form-data";
import { Permitted, PostButton, PostForm } from "../../ui/post-form";
import { Table } from "../../ui/table";

const ENDPOINTS = "/dashboard/webhooks/endpoints";
const DONE = {
  created: "The endpoint was added. To check it, send a test event.",
  saved: "The endpoint was saved. To check it, send a test event.",
  rotated: "The signing secret was rotated. Copy the new secret to your receiver.",
};

/** The page of a webhook endpoint, and its forms. The endpoint with the account's URL has the id ACCOUNT_ENDPOINT. */
export const webhookEndpointPages = new Hono<DashboardEnv>();

webhookEndpointPages.get("/webhooks/endpoints", (c) => c.redirect("/dashboard/webhooks", 303));

webhookEndpointPages.get("/webhooks/endpoints/new", (c) => renderNew(c, { url: "", events: DEFAULT_EVENTS }));

webhookEndpointPages.post("/webhooks/endpoints/new", async (c) => {
  const draft = await readDraft(c);
  try {
    const input = { ...validate(draft), origin: toOrigin(c.env, c.req.url), now: now() };
    const { id } = await createEndpoint(c.env, toOwner(c), input);
    return c.redirect(`${ENDPOINTS}/${id}?done=created`, 303);
  } catch (error) {
    return await renderNew(c, draft, refuseForm(c, error).toHighlighted());
  }
});

webhookEndpointPages.get("/webhooks/endpoints/:id", (c) => renderEndpoint(c, c.req.param("id")));

webhookEndpointPages.post("/webhooks/endpoints/:id", async (c) => {
  const id = c.req.param("id");
  const draft = await readDraft(c);
  const origin = toOrigin(c.env, c.req.url);
  try {
    const { url, events } = validate(draft);
    // The account's URL can be unset. Then there is no endpoint yet.
    if (id === ACCOUNT_ENDPOINT) await changeUrl(c.env, toOwner(c), { url, origin, now: now() });
    await changeEndpoint(c.env, toOwner(c), id, { url, events, origin });
  } catch (error) {
    return await renderEndpoint(c, id, { draft, errors: refuseForm(c, error).toHighlighted() });
  }
  return c.redirect(`${ENDPOINTS}/${id}?done=saved`, 303);
});

webhookEndpointPages.post("/webhooks/endpoints/:id/rotate", async (c) => {
  const id = c.req.param("id");
  await rotate(c.env, { ...toOwner(c), endpointId: id }, now());
  return c.redirect(`${ENDPOINTS}/${id}?done=rotated`, 303);
});

webhookEndpointPages.post("/webhooks/endpoints/:id/delete", async (c) => {
  await deleteEndpoint(c.env, toOwner(c), c.req.param("id"));
  return c.redirect("/dashboard/webhooks?done=deleted", 303);
});

webhookEndpointPages.post("/webhooks/endpoints/:id/test", async (c) => {
  assertNotSuspended(c.var.account);
  await consumeRateLimit(c);
  const owner = { ...toOwner(c), endpointId: c.req.param("id") };
  const { id } = await sendTest(c.env, owner, toOrigin(c.env, c.req.url));
  return c.redirect(`/dashboard/webhooks/deliveries/${id}?done=sent`, 303);
});

/** Returns the owner of the webhook settings that the page shows. */
export function toOwner({ var: { account, mode } }: DashboardContext): Owner {
  return { account, mode };
}

/** An endpoint of the list. The URL is empty if the account's URL isn't set. */
type ShownEndpoint = Pick<WebhookEndpointRow, "id" | "url" | "events">;

/** Lists the endpoints of the mode. The first one is the endpoint with the account's URL, even if there is no URL. */
export async function listShownEndpoints({ env, var: { account, mode } }: DashboardContext): Promise<ShownEndpoint[]> {
  const endpoints = await callAccount(env, account, (stub) => stub.listEndpoints(mode));
  if (endpoints[0]?.id === ACCOUNT_ENDPOINT) return endpoints;
  return [{ id: ACCOUNT_ENDPOINT, url: "", events: null }, ...endpoints];
}

async function readDraft(c: DashboardContext): Promise<EndpointDraft> {
  const { url } = await readFormFields(c, ["url"]);
  return { url, events: await readChecked(c, "events") };
}

/** Validates the form with the API's schema. Throws AppError if a field is invalid. */
function validate(draft: EndpointDraft): { url: string; events: WebhookEvent[] } {
  const { url, events = [] } = parseWith(WebhookEndpointRequest, draft);
  return { url, events };
}

async function renderNew(c: DashboardContext, draft: EndpointDraft, errors?: FormErrors) {
  return await c.render(<EndpointForm id={null} draft={draft} errors={errors} />, {
    title: "Add webhook endpoint",
    section: "webhooks",
  });
}

/** Renders the page of an endpoint. Throws AppError if there is no such endpoint. */
async function renderEndpoint(c: DashboardContext, id: string, refused?: { draft: EndpointDraft; errors: FormErrors }) {
  const found = (await listShownEndpoints(c)).find((endpoint) => endpoint.id === id);
  if (found === undefined) throw endpointNotFound(id);
  const draft = refused?.draft ?? { url: found.url, events: found.events ?? DEFAULT_EVENTS };
  const action = `${ENDPOINTS}/${id}`;
  const facts = (
    <Card>
      <Facts
        of={[
          ["URL", <span class="mono breakable">{draft.url}</span>],
          ["Events", draft.events.join(", ")],
        ]}
      />
    </Card>
  );
  return await c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={DONE} />
      <div class="stack">
        <Permitted action={action} otherwise={facts}>
          <EndpointForm id={id} draft={draft} errors={refused?.errors} />
          {found.url === "" ? null : (
            <Card title="Actions">
              <div class="row">
                <PostButton action={`${action}/test`} label="Send test event" />
                <PostButton
                  action={`${action}/delete`}
                  label="Delete endpoint"
                  tone="danger"
                  confirm="Delete this endpoint? Its unfinished deliveries are abandoned."
                />
              </div>
            </Card>
          )}
        </Permitted>
        {hasRole(c.var.role, "member") ? (
          <SecretCard settings={await readSettingsIfPossible(c, id)} action={`${action}/rotate`} />
        ) : null}
      </div>
    </>,
    { title: id === ACCOUNT_ENDPOINT ? `Webhook URL for ${c.var.mode} jobs` : "Webhook endpoint", section: "webhooks" },
  );
}

/** Returns the endpoint's settings, or null if the secret can't be decrypted. Then the user can rotate the secret. */
async function readSettingsIfPossible(c: DashboardContext, endpointId: string): Promise<WebhookConfig | null> {
  try {
    return await readSettings(c.env, { ...toOwner(c), endpointId }, now());
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable") return null;
    throw error;
  }
}

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

export function EndpointsCard({ endpoints }: { endpoints: readonly ShownEndpoint[] }) {
  const isFull = endpoints.filter(({ url }) => url !== "").length >= MAX_WEBHOOK_ENDPOINTS;
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
      <Table
        caption="Webhook endpoints, oldest first"
        rows={endpoints}
        columns={[
          {
            label: "URL",
            class: "breakable",
            cell: ({ id, url }) => (
              <>
                <a href={`${ENDPOINTS}/${id}`}>{url === "" ? "Not set" : url}</a>
                {id === ACCOUNT_ENDPOINT ? <span class="muted block small">The webhook URL</span> : null}
              </>
            ),
          },
          { label: "Events", cell: ({ url, events }) => (url === "" ? "none" : (events ?? DEFAULT_EVENTS).join(", ")) },
        ]}
      />
    </Card>
  );
}

interface EndpointFormProps {
  /** The id of the endpoint. Null for a new endpoint. */
  id: string | null;
  draft: EndpointDraft;
  errors: FormErrors | undefined;
}

function EndpointForm({ id, draft, errors }: EndpointFormProps) {
  const c = useRequestContext<DashboardEnv>();
  const hint =
    id === ACCOUNT_ENDPOINT
      ? `The service sends the result of each asynchronous ${c.var.mode} job to this URL by POST, unless the request has a webhook_url. `
      : "";
  const local = isStartedLocally(c.env) ? " A host in ALLOWED_PRIVATE_HOSTS may also use http://." : "";
  return (
    <PostForm action={`${ENDPOINTS}/${id ?? "new"}`} class="card fields narrow" errors={errors}>
      <ReceiverField
        label={id === ACCOUNT_ENDPOINT ? "Webhook URL" : "URL"}
        hint={`${hint}The URL must be public and begin with https://.${local}`}
        value={draft.url}
      />
      <Choices
        name="events"
        legend="Events"
        checked={draft.events}
        options={WEBHOOK_EVENTS.map((event) => [event, event, EVENT_DESCRIPTIONS[event]] as const)}
      />
      <div class="row">
        <SubmitButton label={id === null ? "Add endpoint" : "Save"} />
        <LinkButton href="/dashboard/webhooks" tone="quiet" label={id === null ? "Cancel" : "Show all endpoints"} />
      </div>
    </PostForm>
  );
}

interface SecretCardProps {
  /** Null if the secret can't be decrypted. */
  settings: WebhookConfig | null;
  /** The path of the form that rotates the secret. */
  action: string;
}

/** The signing secret of an endpoint, and the form that rotates it. */
function SecretCard({ settings, action }: SecretCardProps) {
  const previousEndsAt = settings?.previousSecretExpiresAt ?? null;
  return (
    <Card title="Signing secret">
      {settings === null ? (
        <p class="notice bad" role="alert">
          The secret can't be decrypted, because this service's ENCRYPTION_KEY was changed. No events are sent until you
          rotate the secret.
        </p>
      ) : (
        <Secret secret={settings.secret} />
      )}
      {previousEndsAt === null ? null : (
        <p class="notice">
          Until <Time at={previousEndsAt} />, events also have a signature with the previous secret in{" "}
          <code>X-Webhook-Signature-Previous</code>.
        </p>
      )}
      <details open={settings === null}>
        <summary>Rotate secret</summary>
        <div class="disclosed">
          {settings === null ? (
            <p>Rotating creates a new secret. Copy it to your receiver.</p>
          ) : (
            <p>
              Rotating creates a new secret. For 24 hours, <code>X-Webhook-Signature-Previous</code> contains a
              signature with the current secret. Copy the new secret to your receiver within that time.
              {previousEndsAt === null
                ? null
                : " Events are no longer signed with the previous secret. If the last rotation was less than five minutes ago, events remain signed with the previous secret, and the current secret is discarded."}
            </p>
          )}
          <div>
            <PostButton action={action} label="Rotate secret" tone="danger" small={false} />
          </div>
        </div>
      </details>
    </Card>
  );
}

/** A secret, which is hidden at first. */
function Secret({ secret }: { secret: string }) {
  return (
    <details>
      <summary>Show secret</summary>
      <div class="secret">
        <code id="webhook-secret">{secret}</code>
        <CopyButton of="webhook-secret" />
      </div>
    </details>
  );
}
