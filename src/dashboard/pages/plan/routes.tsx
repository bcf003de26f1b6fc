import { Hono } from "hono";
import { Endpoint } from "../../../contract/common";
import { ENDPOINTS, toPrice } from "../../../endpoints/endpoints";
import { toCount } from "../../../lib/count";
import { type Prices, toPrices } from "../../../model/prices";
import { Card } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { type LimitGroup, toLimitGroups } from "./limits";
import { AccountLimitsCard, PlansCard } from "./plan-cards";

export const plan = new Hono<DashboardEnv>();

plan.get("/plan", (c) => {
  const { account } = c.var;
  return c.render(
    <>
      <AccountLimitsCard env={c.env} account={account} />
      <PlansCard env={c.env} current={account.plan} />
      <div class="grid two even">
        <PricesCard prices={toPrices(c.env, account.prices)} />
        {toLimitGroups(c.env).map((group) => (
          <LimitsCard {...group} />
        ))}
      </div>
    </>,
    { title: "Plan and limits", section: "plan", lead: "The limits of your account and the prices of requests." },
  );
});

type Price = readonly [what: string, credits: number, note: string];

function listPrices(prices: Prices): Price[] {
  const { parse, parseWithoutModel } = prices;
  const ofEndpoints: { [E in Endpoint]: Price[] } = {
    scrape: [
      [ENDPOINTS.scrape.label, toPrice(prices, "scrape", false), ""],
      [
        `${ENDPOINTS.scrape.label} with rendering`,
        toPrice(prices, "scrape", true),
        "Requests with render, wait_for or screenshots use rendering.",
      ],
      [
        `${ENDPOINTS.scrape.label} with JSON or a summary`,
        toPrice(prices, "scrape", false) + parse,
        `Each of these formats costs ${toCount(parse, "credit")} in addition to the price of the page.`,
      ],
    ],
    parse: [
      [ENDPOINTS.parse.label, toPrice(prices, "parse", false), "Rendering is included."],
      ...(parseWithoutModel < parse
        ? [["Data without a language model", parseWithoutModel, "Also the format JSON of a scrape."] as const]
        : []),
    ],
    serp: [[ENDPOINTS.serp.label, toPrice(prices, "serp", false), "All result pages are included."]],
    map: [[ENDPOINTS.map.label, toPrice(prices, "map", false), "All sitemaps are included."]],
  };
  return [
    ...Endpoint.options.flatMap((endpoint) => ofEndpoints[endpoint]),
    ["Failed job", 0, "The reserved credits are released."],
    ["Request with a test key", 0, "Test keys return mock data."],
  ];
}

function PricesCard({ prices }: { prices: Prices }) {
  return (
    <Card title="Prices">
      <dl class="limits">
        {listPrices(prices).map(([what, credits, note]) => (
          <LimitLine what={what} value={toCount(credits, "credit")} note={note} />
        ))}
      </dl>
    </Card>
  );
}

function LimitsCard({ title, limits }: LimitGroup) {
  return (
    <Card title={title}>
      <dl class="limits">
        {limits.map(([what, value, note = ""]) => (
          <LimitLine {...{ what, value, note }} />
        ))}
      </dl>
    </Card>
  );
}

function LimitLine({ what, value, note }: { what: string; value: string; note: string }) {
  return (
    <div>
      <dt>
        {what}
        {note === "" ? null : <span class="note small muted">{note}</span>}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}
