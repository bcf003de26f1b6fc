import { Hono } from "hono";
import { Card, Stat } from "../components/parts";
import type { DashboardEnv } from "../env";

export const overview = new Hono<DashboardEnv>();

overview.get("/", (c) => {
  const { account } = c.var;
  return c.render(
    <Card>
      <dl class="stats">
        <Stat label="Balance" value={account.balance.toLocaleString("en")} note="credits" />
      </dl>
    </Card>,
    { title: "Overview", section: "overview" },
  );
});
