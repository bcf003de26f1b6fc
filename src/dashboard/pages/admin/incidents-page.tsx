import { Hono } from "hono";
import { invalidParameter } from "../../../contract/invalid-request";
import { writeSnapshot } from "../../../health/status";
import { now } from "../../../lib/clock";
import {
  INCIDENT_STATUSES,
  type Incident,
  type IncidentStatus,
  MAX_INCIDENT_TEXT_CHARS,
  MAX_INCIDENT_TITLE_CHARS,
  STATUS_PART_NAMES,
  STATUS_PARTS,
  type StatusPart,
} from "../../../model/incident";
import { getIncident, insertIncident, insertIncidentUpdate, listIncidents } from "../../../store/incidents";
import { Card, DoneNotice, LinkButton, StatusBadge, Time } from "../../ui/components";
import { type DashboardContext, type DashboardEnv, requireSignedIn } from "../../ui/env";
import { Choices, type FormErrors, SelectField, TextArea, TextField } from "../../ui/form";
import { readFormData, refuseForm } from "../../ui/form-data";
import { PostForm } from "../../ui/post-form";
import { Table } from "../../ui/table";

const SHOWN = 50;

/** The pages on which admins publish incidents. `admin-pages.tsx` requires an admin. */
export const incidentPages = new Hono<DashboardEnv>();

incidentPages.get("/admin/incidents", async (c) => await renderList(c, { done: c.req.query("done") }));

incidentPages.post("/admin/incidents", async (c) => {
  const entered = await readIncident(c);
  try {
    const { title, parts } = entered;
    checkText("title", title, MAX_INCIDENT_TITLE_CHARS);
    await insertIncident(c.env.DB, { title, parts, ...readUpdate(c, entered) });
  } catch (error) {
    return await renderList(c, { entered, errors: refuseForm(c, error) });
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
    await insertIncidentUpdate(c.env.DB, id, readUpdate(c, entered));
  } catch (error) {
    return await renderIncident(c, { entered, errors: refuseForm(c, error) });
  }
  await writeSnapshot(c.env, [], now());
  return c.redirect("/dashboard/admin/incidents?done=updated", 303);
});

interface View {
  done?: string | undefined;
  entered?: EnteredIncident | undefined;
  errors?: FormErrors | undefined;
}

async function renderList(c: DashboardContext, view: View): Promise<Response> {
  const incidents = await listIncidents(c.env.DB, 0, SHOWN);
  return await c.render(<IncidentList incidents={incidents} {...view} />, {
    title: "Incidents",
    lead: "Incidents are public. The status page shows them within a minute.",
    section: "admin",
    actions: <LinkButton href="/status" tone="quiet" label="Status page" />,
  });
}

async function renderIncident(c: DashboardContext, view: View = {}): Promise<Response> {
  const incident = await getIncident(c.env.DB, Number(c.req.param("id")));
  if (incident === null) return await c.notFound();
  return await c.render(<IncidentPage incident={incident} {...view} />, {
    title: incident.title,
    section: "admin",
    actions: <LinkButton href="/dashboard/admin/incidents" tone="quiet" label="All incidents" />,
  });
}

async function readIncident(c: DashboardContext): Promise<EnteredIncident> {
  const form = await readFormData(c);
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const parts = STATUS_PART_NAMES.filter((part): part is StatusPart => form.getAll("parts").includes(part));
  return { title: text("title"), status: text("status"), text: text("text"), parts };
}

/** Returns the values of an update. Throws AppError if one of them is invalid. */
function readUpdate(c: DashboardContext, { status, text }: EnteredIncident) {
  const known = INCIDENT_STATUSES.find((name): name is IncidentStatus => name === status);
  if (known === undefined)
    throw invalidParameter("status", `must be one of ${INCIDENT_STATUSES.join(", ")}`, { kind: "field" });
  checkText("text", text, MAX_INCIDENT_TEXT_CHARS);
  return { status: known, text, actor: requireSignedIn(c).email, now: now() };
}

function checkText(path: string, text: string, max: number): void {
  if (text === "" || text.length > max)
    throw invalidParameter(path, `must have 1 to ${max.toLocaleString("en")} characters`, { kind: "field" });
}

/** The submitted values of a form. */
interface EnteredIncident {
  title: string;
  status: string;
  text: string;
  parts: StatusPart[];
}

/** The incidents, and the form that publishes one. */
function IncidentList({ incidents, done, entered, errors }: View & { incidents: Incident[] }) {
  return (
    <>
      <DoneNotice
        word={done}
        texts={{ published: "The incident was published.", updated: "The update was published." }}
      />
      <Card>
        <Table
          caption="Incidents"
          empty="There are no incidents. Publish one to tell customers about a problem."
          rows={incidents}
          columns={[
            { label: "Incident", cell: ({ id, title }) => <a href={`/dashboard/admin/incidents/${id}`}>{title}</a> },
            { label: "Parts", cell: ({ parts }) => parts.map((part) => STATUS_PARTS[part]).join(", ") || "–" },
            { label: "Began", class: "when", cell: ({ createdAt }) => <Time at={createdAt} /> },
            { label: "Status", cell: ({ status }) => <StatusBadge is={status} /> },
          ]}
        />
      </Card>
      <Card title="Publish an incident">
        <PostForm action="/dashboard/admin/incidents" class="fields" errors={errors} submit="Publish">
          <TextField name="title" label="Title" required maxlength={MAX_INCIDENT_TITLE_CHARS} value={entered?.title} />
          <Choices
            name="parts"
            legend="Affected parts"
            options={STATUS_PART_NAMES.map((part) => [part, STATUS_PARTS[part]] as const)}
            checked={entered?.parts ?? []}
          />
          <UpdateFields entered={entered} status="investigating" />
        </PostForm>
      </Card>
    </>
  );
}

/** An incident with its updates, and the form that adds an update. */
function IncidentPage({ incident, entered, errors }: View & { incident: Incident }) {
  return (
    <>
      <Card>
        <p>
          <StatusBadge is={incident.status} /> since <Time at={incident.updates[0]?.at ?? incident.createdAt} />
        </p>
        <ul>
          {incident.updates.map(({ status, text, at }) => (
            <li>
              <Time at={at} />: {status}
              <p class="lines">{text}</p>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Publish an update">
        <PostForm
          action={`/dashboard/admin/incidents/${incident.id}`}
          class="fields"
          errors={errors}
          submit="Publish update"
        >
          <UpdateFields entered={entered} status={incident.status} />
        </PostForm>
      </Card>
    </>
  );
}

function UpdateFields({ entered, status }: View & { status: IncidentStatus }) {
  return (
    <>
      <SelectField
        name="status"
        label="Status"
        value={entered?.status ?? status}
        options={INCIDENT_STATUSES.map((name) => [name, name] as const)}
      />
      <TextArea
        name="text"
        label="Text"
        rows={4}
        required
        maxlength={MAX_INCIDENT_TEXT_CHARS}
        value={entered?.text}
        hint="Plain text. It is public."
      />
    </>
  );
}
