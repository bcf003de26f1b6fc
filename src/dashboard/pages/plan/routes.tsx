import { Hono } from "hono";
import { toPrice } from "../../../endpoints/endpoints";
import { Card } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { toCount } from "../../ui/format";
import { type LimitGroup, toLimitGroups } from "./limits";
import { OwnLimits, Plans } from "./plans";

export const plan = new Hono<DashboardEnv>();

plan.get("/plan", (c) => {
  const { account } = c.var;
  return c.render(
    <>
      <OwnLimits env={c.env} account={account} />
      <div class="grid two even">
        <Plans env={c.env} present={account.plan} />
        <Prices />
      </div>
      <div class="grid two even">
        {toLimitGroups(c.env).map((group) => (
          <Limits {...group} />
        ))}
      </div>
    </>,
    { title: "Plan and limits", section: "plan", lead: "What your account may do, and what a request costs." },
  );
});

const PRICES = [
  ["Scrape", toPrice("scrape", false), ""],
  ["Scrape, rendered", toPrice("scrape", true), "js_render, wait_for or a screenshot."],
  ["Parse", toPrice("parse", false), "Whether it had to render the page or not."],
  ["SERP", toPrice("serp", false), "However many pages of results it took."],
  ["A job that fails", 0, "What was reserved for it is given back."],
  ["Anything with a test key", 0, "Mock data; nothing is really asked."],
] as const;

function Prices() {
  return (
    <Card title="Prices">
      <dl class="limits">
        {PRICES.map(([what, credits, note]) => (
          <LimitLine what={what} value={toCount(credits, "credit")} note={note} />
        ))}
      </dl>
    </Card>
  );
}

function Limits({ title, limits }: LimitGroup) {
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
