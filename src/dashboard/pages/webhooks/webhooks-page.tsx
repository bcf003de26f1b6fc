import { Hono } from "hono";
import { callAccount } from "../../../account/client";
import { parseWith } from "../../../contract/invalid-request";
import { DeliveryStatus, WebhookSettingsRequest } from "../../../contract/webhooks";
import { now } from "../../../lib/clock";
import { toOrigin } from "../../../lib/env";
import type { Delivery } from "../../../model/delivery";
import { AppError } from "../../../model/errors";
import { HOUR_MS } from "../../../model/limits";
import { readDelivery, redeliver, redeliverAll } from "../../../webhooks/deliveries";
import { assertNotSuspended, consumeRateLimit } from "../../auth/caller";
import { AutoRefresh, Card, DoneNotice, EmptyState, LinkButton } from "../../ui/components";
import { toDownloadHeaders } from "../../ui/download";
import { type DashboardContext, type DashboardEnv, notInMode } from "../../ui/env";
import type { FormErrors } from "../../ui/form";
import { readFormFields, refuseForm } from "../../ui/form-data";
import { Pagination, readOffset } from "../../ui/pagination";
import {
  DeliveryFilterForm,
  type DeliveryListFilter,
  DeliveryPage,
  DeliveryTable,
  hasDeliveryFilter,
  REDELIVERY_PERIODS,
  RedeliveryForm,
} from "./delivery-page";
import { EndpointsCard, listShownEndpoints, toOwner } from "./webhook-endpoint-page";

const DELIVERIES_PER_PAGE = 12;
/** A bulk redelivery makes at most this many calls, each for up to MAX_REDELIVERIES deliveries. */
const REDELIVERY_CALLS = 10;
const DELIVERY_DONE = {
  sent: "A test event was sent. This page shows the receiver's response.",
  again: "A new round of attempts has started. The X-Webhook-ID stays the same.",
};

/** The list of endpoints and deliveries, and the page of a delivery. */
export const webhookPages = new Hono<DashboardEnv>();

webhookPages.get("/webhooks", async (c) => {
  const { account, mode } = c.var;
  const filter: DeliveryListFilter = {
    status: DeliveryStatus.safeParse(c.req.query("status")).data,
    jobId: c.req.query("job_id")?.trim().slice(0, 100) || undefined,
  };
  const query = { mode, ...filter, limit: DELIVERIES_PER_PAGE, offset: readOffset(c) };
  const [endpoints, page] = await Promise.all([
    listShownEndpoints(c),
    callAccount(c.env, account, (stub) => stub.listDeliveries(query)),
  ]);
  const done = { deleted: "The endpoint was deleted.", redelivered: toRedeliveredText(c) };
  return c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={done} />
      <EndpointsCard endpoints={endpoints} />
      <DeliveriesCard filter={filter} offset={query.offset} {...page} />
    </>,
    {
      title: "Webhooks",
      lead: (
        <>
          The webhook settings and deliveries for your <strong>{mode}</strong> jobs.{" "}
          <a href="/docs/guides/verify-webhooks">Verify signatures</a>
        </>
      ),
      section: "webhooks",
    },
  );
});

webhookPages.post("/webhooks/deliveries/redeliver", async (c) => {
  const { hours } = await readFormFields(c, ["hours"]);
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
  const query = new URLSearchParams({ done: "redelivered", count: String(redelivered), skipped: String(skipped) });
  if (hasMore) query.set("more", "true");
  return c.redirect(`/dashboard/webhooks?${query}`, 303);
});

webhookPages.get("/webhooks/deliveries/:id/payload", async (c) => {
  const { payload } = await expectDelivery(c, c.req.param("id"));
  if (payload === null) throw new AppError("not_found", "The payload was deleted with the job's result.");
  return c.body(payload, 200, toDownloadHeaders("payload.json", "application/json"));
});

webhookPages.get("/webhooks/deliveries/:id", (c) => renderDelivery(c, c.req.param("id")));

webhookPages.post("/webhooks/deliveries/:id/redeliver", async (c) => {
  assertNotSuspended(c.var.account);
  await consumeRateLimit(c);
  const text = (await readFormFields(c, ["url"])).url;
  const id = c.req.param("id");
  try {
    const url = text === "" ? null : parseWith(WebhookSettingsRequest, { url: text }).url;
    await redeliver(c.env, toOwner(c), id, { url, origin: toOrigin(c.env, c.req.url) });
  } catch (error) {
    return await renderDelivery(c, id, { draft: text, errors: refuseForm(c, error) });
  }
  return c.redirect(`/dashboard/webhooks/deliveries/${encodeURIComponent(id)}?done=again`, 303);
});

async function renderDelivery(c: DashboardContext, id: string, refused: { draft?: string; errors?: FormErrors } = {}) {
  const { delivery, payload } = await expectDelivery(c, id);
  return c.render(
    <>
      <DoneNotice word={c.req.query("done")} texts={DELIVERY_DONE} />
      <DeliveryPage delivery={delivery} payload={payload} {...refused} hidesPayload={c.var.support !== undefined} />
    </>,
    {
      title: "Webhook delivery",
      actions: <LinkButton href="/dashboard/webhooks" tone="quiet" label="Show all deliveries" />,
      section: "webhooks",
    },
  );
}

/** Returns a delivery and its payload. Throws AppError if the mode has no such delivery. */
async function expectDelivery(
  c: DashboardContext,
  id: string,
): Promise<{ delivery: Delivery; payload: string | null }> {
  const found = await readDelivery(c.env, toOwner(c), id);
  if (found === null) throw notInMode(c, "delivery");
  return found;
}

/** Returns the notice after a bulk redelivery. */
function toRedeliveredText(c: DashboardContext): string {
  const [count, skipped] = ["count", "skipped"].map((name) => Number(c.req.query(name)) || 0);
  if (count === 0 && skipped === 0) return "There are no failed events in this period.";
  const events = count === 1 ? "1 event is" : `${(count ?? 0).toLocaleString("en")} events are`;
  const rest = skipped === 0 ? "" : ` ${skipped} were skipped, because their endpoint has no URL anymore.`;
  const more =
    c.req.query("more") === "true" ? " There are more failed events. To redeliver them, select the button again." : "";
  return `${events} being sent again.${rest}${more}`;
}

interface DeliveriesCardProps {
  filter: DeliveryListFilter;
  offset: number;
  deliveries: Delivery[];
  total: number;
  totalIsEstimate: boolean;
}

function DeliveriesCard({ filter, offset, deliveries, total, totalIsEstimate }: DeliveriesCardProps) {
  const href = (to: number) => {
    const query = new URLSearchParams({ offset: String(to) });
    if (filter.status !== undefined) query.set("status", filter.status);
    if (filter.jobId !== undefined) query.set("job_id", filter.jobId);
    return `/dashboard/webhooks?${query}`;
  };
  if (deliveries.length === 0 && !hasDeliveryFilter(filter)) {
    const text = "This page lists all events that are sent to a receiver, with their attempts and responses.";
    return <EmptyState title="No deliveries yet" text={text} />;
  }
  const isBusy = deliveries.some(({ status }) => status === "pending");
  return (
    <Card title="Deliveries">
      <DeliveryFilterForm filter={filter} />
      <AutoRefresh id="deliveries" src={href(offset)} busy={isBusy}>
        <DeliveryTable deliveries={deliveries} />
      </AutoRefresh>
      <Pagination
        limit={DELIVERIES_PER_PAGE}
        offset={offset}
        href={href}
        shown={deliveries.length}
        total={total}
        atLeast={totalIsEstimate}
        more={offset + DELIVERIES_PER_PAGE < total}
      />
      <RedeliveryForm />
    </Card>
  );
}
