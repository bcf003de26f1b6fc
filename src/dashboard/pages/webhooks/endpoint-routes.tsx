import { type Context, Hono } from "hono";
import { toInvalidRequest } from "../../../contract/invalid-request";
import { WebhookEndpointRequest } from "../../../contract/webhook-endpoints";
import { now } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import { DEFAULT_EVENTS, type WebhookEvent } from "../../../model/delivery";
import { AppError } from "../../../model/errors";
import { hasRole } from "../../../model/role";
import { sendTest } from "../../../webhooks/deliveries";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  openEndpoint,
  rotateEndpoint,
} from "../../../webhooks/endpoints";
import type { WebhookConfig } from "../../../webhooks/settings";
import { assertNotSuspended, consumeRateLimit } from "../../auth/account-checks";
import type { DashboardEnv } from "../../ui/env";
import type { FormErrors } from "../../ui/form";
import { DoneNotice } from "../../ui/notices";
import { type EndpointDraft, EndpointForm, EndpointPage } from "./endpoint-cards";
import { readChecked, readModeForm, toFormErrors, toOwner } from "./mode-form";

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
