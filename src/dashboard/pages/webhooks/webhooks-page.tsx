import { type Context, Hono } from "hono";
import { callAccount } from "../../../account/client";
import { toInvalidRequest } from "../../../contract/invalid-request";
import { DeliveryStatus, WebhookSettingsRequest } from "../../../contract/webhooks";
import { now } from "../../../lib/clock";
import { isStartedLocally, toOrigin } from "../../../lib/env";
import type { Mode } from "../../../model/api-key";
import type { Delivery } from "../../../model/delivery";
import { AppError } from "../../../model/errors";
import { MINUTE_MS } from "../../../model/limits";
import { hasRole } from "../../../model/role";
import { PAYLOAD_FILE } from "../../../webhooks/curl";
import { readDelivery, redeliver, redeliverAll, sendTest } from "../../../webhooks/deliveries";
import { changeUrl, type Owner, readSettings, rotate, type WebhookConfig } from "../../../webhooks/settings";
import { assertNotSuspended, consumeRateLimit } from "../../auth/caller";
import { AutoRefresh, Card, DoneNotice, EmptyState, LinkButton } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import type { FormErrors } from "../../ui/form";
import { readFormFields } from "../../ui/form-data";
import { Pagination, readOffset } from "../../ui/pagination";
import {
  DeliveryFilterForm,
  type DeliveryListFilter,
  DeliveryPage,
  DeliveryTable,
  hasDeliveryFilter,
  REDELIVERY_PERIODS,
  RedeliveryForm,
  toRefreshInterval,
} from "./delivery-page";
import { readModeForm, toFormErrors, toOwner } from "./mode-form";
import { EndpointsCard } from "./webhook-endpoint-page";
import { ReceiverCard, SecretCard, VerificationCard } from "./webhook-settings-cards";

const DELIVERIES_PER_PAGE = 12;
/** A bulk redelivery makes at most this many calls, each for up to MAX_REDELIVERIES deliveries. */
const REDELIVERY_CALLS = 10;
const HOUR_MS = 60 * MINUTE_MS;
const DONE = {
  set: "The webhook URL was saved. It receives the results of new jobs. To check the URL, send a test event.",
  removed: "The webhook URL was removed. From now on, events are sent only for requests with a webhook_url.",
  rotated: "The signing secret was rotated. Copy the new secret to your receiver.",
  deleted: "The endpoint was deleted.",
};
const DELIVERY_DONE = {
  sent: "A test event was sent. This page shows the receiver's response.",
  again: "A new round of attempts has started. The X-Webhook-ID stays the same.",
};

export const webhookPages = new Hono<DashboardEnv>();

webhookPages.get("/webhooks", (c) => renderPage(c));

webhookPages.post("/webhooks", async (c) => {
  const { url: text } = await readModeForm(c, ["url"]);
  try {
    const url = toUrl(text);
    await changeUrl(c.env, toOwner(c), { url, origin: toOrigin(c.env, c.req.url), now: now() });
  } catch (error) {
    return await renderPage(c, { draft: text, errors: toFormErrors(c, error) });
  }
  return c.redirect("/dashboard/webhooks?done=set", 303);
});

webhookPages.post("/webhooks/remove", async (c) => {
  await readModeForm(c, []);
  const origin = toOrigin(c.env, c.req.url);
  await changeUrl(c.env, toOwner(c), { url: null, origin, now: now() });
  return c.redirect("/dashboard/webhooks?done=removed", 303);
});

webhookPages.post("/webhooks/rotate", async (c) => {
  await readModeForm(c, []);
  await rotate(c.env, toOwner(c), now());
  return c.redirect("/dashboard/webhooks?done=rotated", 303);
});

// A form with errors is rendered at the path of its POST. If the user opens that URL again or signs in there, the
// browser requests it with GET, so it redirects to the page with the form.
webhookPages.get("/webhooks/:action{test|remove|rotate}", (c) => c.redirect("/dashboard/webhooks", 303));

webhookPages.post("/webhooks/test", async (c) => {
  await readModeForm(c, []);
  assertNotSuspended(c.var.account);
  await consumeRateLimit(c);
  const { id } = await sendTest(c.env, toOwner(c), toOrigin(c.env, c.req.url));
  return c.redirect(`/dashboard/webhooks/deliveries/${id}?done=sent`, 303);
});

webhookPages.post("/webhooks/deliveries/redeliver", async (c) => {
  const { hours } = await readModeForm(c, ["hours"]);
  assertNotSuspended(c.var.account);
  await consumeRateLimit(c);
  const [chosen] = REDELIVERY_PERIODS.find(([value]) => value === hours) ?? ["24"];
  const until = now();
  const since = until - Number(chosen) * HOUR_MS;
  const filter = { status: "failed", endpointId: null, since, until, now: until } as const;
  let [redelivered, skipped, hasMore] = [0, 0, true];
  for (let i = 0; i < REDELIVERY_CALLS && hasMore; i++) {
    const counts = await redeliverAll(c.env, toOwner(c), filter);
    redelivered += counts.redelivered;
    skipped += counts.skipped;
    hasMore = counts.hasMore;
  }
  const counts = { count: String(redelivered), skipped: String(skipped) };
  const query = new URLSearchParams({ done: "redelivered", ...counts, ...(hasMore ? { more: "true" } : {}) });
  return c.redirect(`/dashboard/webhooks?${query}`, 303);
});

webhookPages.get("/webhooks/deliveries/redeliver", (c) => c.redirect("/dashboard/webhooks", 303));

webhookPages.get("/webhooks/deliveries/:id/payload", async (c) => {
  const { payload } = await mustRead(c, c.req.param("id"));
  if (payload === null) throw new AppError("not_found", "The payload was deleted with the job's result.");
  return c.body(payload, 200, {
    "content-type": "application/json",
    "content-disposition": `attachment; filename="${PAYLOAD_FILE}"`,
    "x-content-type-options": "nosniff",
  });
});

webhookPages.get("/webhooks/deliveries/:id", (c) => renderDelivery(c));

webhookPages.post("/webhooks/deliveries/:id/redeliver", async (c) => {
  assertNotSuspended(c.var.account);
  await consumeRateLimit(c);
  const text = (await readFormFields(c, ["url"])).url;
  const id = c.req.param("id");
  try {
    const url = text === "" ? null : toUrl(text);
    await redeliver(c.env, toOwner(c), id, { url, origin: toOrigin(c.env, c.req.url) });
  } catch (error) {
    return await renderDelivery(c, { draft: text, errors: toFormErrors(c, error) });
  }
  return c.redirect(`/dashboard/webhooks/deliveries/${encodeURIComponent(id)}?done=again`, 303);
});

webhookPages.get("/webhooks/deliveries/:id/redeliver", (c) =>
  c.redirect(`/dashboard/webhooks/deliveries/${encodeURIComponent(c.req.param("id"))}`, 303),
);

async function renderDelivery(
  c: Context<DashboardEnv, "/webhooks/deliveries/:id">,
  refused: { draft?: string; errors?: FormErrors } = {},
) {
  const { delivery, payload } = await mustRead(c, c.req.param("id"));
  return c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={DELIVERY_DONE} />
      <DeliveryPage
        delivery={delivery}
        payload={payload}
        {...refused}
        now={now()}
        hidesPayload={c.var.support !== undefined}
      />
    </>,
    {
      title: "Webhook delivery",
      actions: <LinkButton href="/dashboard/webhooks" tone="quiet" label="Show all deliveries" />,
      section: "webhooks",
    },
  );
}

/** Returns a delivery and its payload. Throws AppError if the mode has no such delivery. */
async function mustRead(c: Context<DashboardEnv>, id: string): Promise<{ delivery: Delivery; payload: string | null }> {
  const found = await readDelivery(c.env, toOwner(c), id);
  if (found !== null) return found;
  const other = c.var.mode === "live" ? "test" : "live";
  throw new AppError(
    "not_found",
    `Your ${c.var.mode} data doesn't contain this delivery. If it's a ${other} delivery, switch to ${other} data at the top of the page.`,
  );
}

/** Returns the notice after a bulk redelivery. */
function toRedeliveredText(c: Context<DashboardEnv>): string {
  const [count, skipped] = ["count", "skipped"].map((name) => Number(c.req.query(name)) || 0);
  if (count === 0 && skipped === 0) return "There are no failed events in this period.";
  const events = count === 1 ? "1 event is" : `${(count ?? 0).toLocaleString("en")} events are`;
  const rest = skipped === 0 ? "" : ` ${skipped} were skipped, because their endpoint has no URL anymore.`;
  const more =
    c.req.query("more") === "true" ? " There are more failed events. To redeliver them, select the button again." : "";
  return `${events} being sent again.${rest}${more}`;
}

async function renderPage(c: Context<DashboardEnv>, refused: { draft?: string; errors?: FormErrors } = {}) {
  const { account, mode } = c.var;
  const settings = await readSettingsIfPossible(c.env, toOwner(c));
  return c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={{ ...DONE, redelivered: toRedeliveredText(c) }} />
      <div class="grid two">
        {settings === null ? null : (
          <ReceiverCard mode={mode} url={settings.url} allowsHttp={isStartedLocally(c.env)} {...refused} />
        )}
        {hasRole(c.var.role, "member") ? (
          <SecretCard
            mode={mode}
            settings={settings}
            action="/dashboard/webhooks/rotate"
            title={`Signing secret for ${mode} jobs`}
          />
        ) : null}
      </div>
      <EndpointsCard endpoints={await callAccount(c.env, account, (stub) => stub.listEndpoints(mode))} />
      <VerificationCard />
      <DeliveriesCard mode={mode} {...(await readDeliveries(c))} />
    </>,
    {
      title: "Webhooks",
      lead: (
        <>
          The webhook settings and deliveries for your <strong>{mode}</strong> jobs.
        </>
      ),
      section: "webhooks",
    },
  );
}

async function readDeliveries(c: Context<DashboardEnv>) {
  const filter: DeliveryListFilter = {
    status: DeliveryStatus.safeParse(c.req.query("status")).data,
    jobId: c.req.query("job_id")?.trim().slice(0, 100) || undefined,
  };
  const offset = readOffset(c);
  const { account, mode } = c.var;
  const page = await callAccount(c.env, account, (stub) =>
    stub.listDeliveries({ mode, ...filter, limit: DELIVERIES_PER_PAGE, offset }),
  );
  return { filter, offset, ...page };
}

type Listed = Awaited<ReturnType<typeof readDeliveries>>;

function DeliveriesCard({ mode, filter, offset, deliveries, total, totalIsEstimate }: Listed & { mode: Mode }) {
  const href = (to: number) => {
    const query = new URLSearchParams({ offset: String(to) });
    if (filter.status !== undefined) query.set("status", filter.status);
    if (filter.jobId !== undefined) query.set("job_id", filter.jobId);
    return `/dashboard/webhooks?${query}`;
  };
  if (deliveries.length === 0 && !hasDeliveryFilter(filter)) {
    return (
      <EmptyState title="No deliveries yet">
        <p>This page lists all events that are sent to a receiver, with their attempts and responses.</p>
      </EmptyState>
    );
  }
  const isBusy = deliveries.some(({ status }) => status === "pending");
  return (
    <Card title="Deliveries">
      <RedeliveryForm mode={mode} />
      <DeliveryFilterForm filter={filter} />
      <AutoRefresh id="deliveries" src={href(offset)} busy={isBusy} {...toRefreshInterval(deliveries, now())}>
        {deliveries.length === 0 ? (
          <p class="muted">No matching deliveries</p>
        ) : (
          <DeliveryTable deliveries={deliveries} now={now()} />
        )}
      </AutoRefresh>
      <Pagination total={total} atLeast={totalIsEstimate} limit={DELIVERIES_PER_PAGE} offset={offset} href={href} />
    </Card>
  );
}

/** Returns the settings, or null if the secret can't be decrypted. In that case, the user can rotate the secret. */
async function readSettingsIfPossible(env: Env, owner: Owner): Promise<WebhookConfig | null> {
  try {
    return await readSettings(env, owner, now());
  } catch (error) {
    if (error instanceof AppError && error.code === "unavailable") return null;
    throw error;
  }
}

/** Validates the URL with the API's schema and returns it. Throws AppError if it is invalid. */
function toUrl(text: string): string | null {
  const parsed = WebhookSettingsRequest.safeParse({ url: text });
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);
  return parsed.data.url;
}
