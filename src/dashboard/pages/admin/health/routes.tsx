import { Hono } from "hono";
import { refreshSummaries } from "../../../../directory/summaries";
import { type HealthRange, RANGES, readHealth } from "../../../../health/report";
import { now } from "../../../../lib/clock";
import { PostButton } from "../../../ui/components";
import type { DashboardEnv } from "../../../ui/env";
import { HealthPage } from "./page";

/** The health page of admins. `routes.tsx` of the admin pages requires an admin. */
export const healthPages = new Hono<DashboardEnv>();

healthPages.get("/admin/health", async (c) => {
  const range = toRange(c.req.query("range"));
  const report = await readHealth(c.env, range, now());
  return await c.render(<HealthPage report={report} refreshed={c.req.query("done") === "refreshed"} />, {
    title: "Health",
    lead: "The state of the service, and the jobs of all accounts.",
    section: "admin",
    actions: (
      <>
        <PostButton action="/dashboard/admin/health" label="Refresh" fields={{ range }} small={false} />
        <a class="button quiet" href="/dashboard/admin/incidents">
          Incidents
        </a>
      </>
    ),
  });
});

// Makes the accounts send their figures now. By default, the figures are up to 15 minutes old.
healthPages.post("/admin/health", async (c) => {
  const { range } = await c.req.parseBody();
  await refreshSummaries(c.env);
  return c.redirect(`/dashboard/admin/health?range=${toRange(range)}&done=refreshed`, 303);
});

function toRange(text: unknown): HealthRange {
  return RANGES.find((range) => range === text) ?? "hour";
}
