import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { invalidParameter } from "../../../../contract/invalid-request";
import { writeSnapshot } from "../../../../health/status";
import { now } from "../../../../lib/clock";
import { AppError } from "../../../../model/errors";
import {
  INCIDENT_STATUSES,
  type IncidentStatus,
  MAX_INCIDENT_TEXT_CHARS,
  MAX_INCIDENT_TITLE_CHARS,
  STATUS_PART_NAMES,
  type StatusPart,
} from "../../../../model/incident";
import { getIncident, insertIncident, insertIncidentUpdate, listIncidents } from "../../../../store/incidents";
import type { DashboardEnv } from "../../../ui/env";
import { FormErrors } from "../../../ui/form";
import { readFormData } from "../../../ui/form-data";
import { type EnteredIncident, IncidentList, IncidentPage } from "./incidents";

const SHOWN = 50;

/** The pages on which admins publish incidents. `routes.tsx` of the admin pages requires an admin. */
export const incidentPages = new Hono<DashboardEnv>();

incidentPages.get("/admin/incidents", async (c) => await renderList(c, { done: c.req.query("done") }));

incidentPages.post("/admin/incidents", async (c) => {
  const entered = await readIncident(c);
  try {
    const { title, parts } = entered;
    checkText("title", title, MAX_INCIDENT_TITLE_CHARS);
    await insertIncident(c.env.DB, { title, parts, ...toUpdate(c, entered) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    c.status(error.status as ContentfulStatusCode);
    return await renderList(c, { entered, errors: FormErrors.of(error) });
  }
  await writeSnapshot(c.env, [], now());
  return c.redirect("/dashboard/admin/incidents?done=published", 303);
});

incidentPages.get("/admin/incidents/:id{\\d{1,9}}", async (c) => await renderIncident(c));

incidentPages.post("/admin/incidents/:id{\\d{1,9}}", async (c) => {
  const id = Number(c.req.param("id"));
  if ((await getIncident(c.env.DB, id)) === null) return await c.notFound();
  const entered = await readIncident(c);
  try {
    await insertIncidentUpdate(c.env.DB, id, toUpdate(c, entered));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    c.status(error.status as ContentfulStatusCode);
    return await renderIncident(c, { entered, errors: FormErrors.of(error) });
  }
  await writeSnapshot(c.env, [], now());
  return c.redirect("/dashboard/admin/incidents?done=updated", 303);
});

interface View {
  done?: string | undefined;
  entered?: EnteredIncident;
  errors?: FormErrors;
}

async function renderList(c: Context<DashboardEnv>, view: View): Promise<Response> {
  const incidents = await listIncidents(c.env.DB, 0, SHOWN);
  return await c.render(<IncidentList {...{ incidents, ...view }} />, {
    title: "Incidents",
    lead: "Incidents are public. The status page shows them within a minute.",
    section: "admin",
    actions: (
      <a class="button quiet" href="/status">
        Status page
      </a>
    ),
  });
}

async function renderIncident(c: Context<DashboardEnv>, view: View = {}): Promise<Response> {
  const incident = await getIncident(c.env.DB, Number(c.req.param("id")));
  if (incident === null) return await c.notFound();
  return await c.render(<IncidentPage {...{ incident, ...view }} />, {
    title: incident.title,
    section: "admin",
    actions: (
      <a class="button quiet" href="/dashboard/admin/incidents">
        All incidents
      </a>
    ),
  });
}

async function readIncident(c: Context<DashboardEnv>): Promise<EnteredIncident> {
  const form = await readFormData(c);
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const parts = STATUS_PART_NAMES.filter((part): part is StatusPart => form.getAll("parts").includes(part));
  return { title: text("title"), status: text("status"), text: text("text"), parts };
}

/** Returns the values of an update. Throws AppError if one of them is invalid. */
function toUpdate(c: Context<DashboardEnv>, { status, text }: EnteredIncident) {
  const known = INCIDENT_STATUSES.find((name): name is IncidentStatus => name === status);
  if (known === undefined)
    throw invalidParameter("status", `must be one of ${INCIDENT_STATUSES.join(", ")}`, { kind: "field" });
  checkText("text", text, MAX_INCIDENT_TEXT_CHARS);
  if (c.var.user === null) throw new Error("The request has no user.");
  return { status: known, text, actor: c.var.user.email, now: now() };
}

function checkText(path: string, text: string, max: number): void {
  if (text === "" || text.length > max)
    throw invalidParameter(path, `must have 1 to ${max.toLocaleString("en")} characters`, { kind: "field" });
}
