import {
  INCIDENT_STATUSES,
  type Incident,
  type IncidentStatus,
  MAX_INCIDENT_TEXT_CHARS,
  MAX_INCIDENT_TITLE_CHARS,
  STATUS_PART_NAMES,
  STATUS_PARTS,
  type StatusPart,
} from "../../../../model/incident";
import { Card, EmptyState, TableCell, Time } from "../../../ui/components";
import { CheckboxGroup, FormErrorNotice, type FormErrors, SelectField, TextArea, TextField } from "../../../ui/form";
import { DoneNotice } from "../../../ui/notices";

/** The submitted values of a form. */
export interface EnteredIncident {
  title: string;
  status: string;
  text: string;
  parts: StatusPart[];
}

interface FormView {
  entered?: EnteredIncident | undefined;
  errors?: FormErrors | undefined;
}

const TONES: Record<IncidentStatus, string> = {
  investigating: "bad",
  identified: "warn",
  monitoring: "busy",
  resolved: "good",
};

/** The incidents, and the form that publishes one. */
export function IncidentList({
  incidents,
  done,
  entered,
  errors,
}: FormView & { incidents: Incident[]; done?: string | undefined }) {
  return (
    <>
      <DoneNotice
        word={done}
        texts={{ published: "The incident was published.", updated: "The update was published." }}
      />
      <FormErrorNotice errors={errors} />
      <Card>
        {incidents.length === 0 ? (
          <EmptyState title="No incidents">
            <p>Publish an incident to tell customers about a problem.</p>
          </EmptyState>
        ) : (
          <div class="table-scroll">
            <table class="stacking">
              <caption class="visually-hidden">Incidents</caption>
              <thead>
                <tr>
                  <th scope="col">Incident</th>
                  <th scope="col">Parts</th>
                  <th scope="col">Began</th>
                  <th scope="col">Status</th>
                </tr>
              </thead>
              <tbody>
                {incidents.map((incident) => (
                  <tr>
                    <TableCell of="Incident">
                      <a href={`/dashboard/admin/incidents/${incident.id}`}>{incident.title}</a>
                    </TableCell>
                    <TableCell of="Parts">
                      {incident.parts.map((part) => STATUS_PARTS[part]).join(", ") || "–"}
                    </TableCell>
                    <TableCell of="Began" class="when">
                      <Time at={incident.createdAt} />
                    </TableCell>
                    <TableCell of="Status">
                      <IncidentBadge status={incident.status} />
                    </TableCell>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
      <Card title="Publish an incident">
        <form method="post" action="/dashboard/admin/incidents" class="fields">
          <TextField
            name="title"
            label="Title"
            required
            maxlength={MAX_INCIDENT_TITLE_CHARS}
            value={entered?.title}
            errors={errors}
          />
          <CheckboxGroup
            name="parts"
            legend="Affected parts"
            options={STATUS_PART_NAMES.map((part) => [part, STATUS_PARTS[part]] as const)}
            checked={entered?.parts ?? []}
            errors={errors}
          />
          <UpdateFields {...{ entered, errors }} status="investigating" />
          <div>
            <button class="button primary" type="submit">
              Publish
            </button>
          </div>
        </form>
      </Card>
    </>
  );
}

/** An incident with its updates, and the form that adds an update. */
export function IncidentPage({ incident, entered, errors }: FormView & { incident: Incident }) {
  return (
    <>
      <FormErrorNotice errors={errors} />
      <Card>
        <p>
          <IncidentBadge status={incident.status} /> since <Time at={incident.updates[0]?.at ?? incident.createdAt} />
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
        <form method="post" action={`/dashboard/admin/incidents/${incident.id}`} class="fields">
          <UpdateFields {...{ entered, errors }} status={incident.status} />
          <div>
            <button class="button primary" type="submit">
              Publish update
            </button>
          </div>
        </form>
      </Card>
    </>
  );
}

function UpdateFields({ entered, errors, status }: FormView & { status: IncidentStatus }) {
  return (
    <>
      <SelectField
        name="status"
        label="Status"
        value={entered?.status ?? status}
        options={INCIDENT_STATUSES.map((name) => [name, name] as const)}
        errors={errors}
      />
      <TextArea
        name="text"
        label="Text"
        rows={4}
        required
        maxlength={MAX_INCIDENT_TEXT_CHARS}
        value={entered?.text}
        hint="Plain text. It is public."
        errors={errors}
      />
    </>
  );
}

function IncidentBadge({ status }: { status: IncidentStatus }) {
  return <span class={`status ${TONES[status]}`}>{status}</span>;
}
