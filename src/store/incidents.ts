import type { Incident, IncidentStatus } from "../model/incident";
import { auditIfChanged } from "./audit";

/** A row with the columns in COLUMNS. The lists are JSON. */
type IncidentRow = Omit<Incident, "parts" | "updates"> & { parts: string; updates: string };

const COLUMNS = `i.id, i.title, i.parts, i.status, i.created_at AS createdAt, i.resolved_at AS resolvedAt,
  (SELECT json_group_array(json_object('status', u.status, 'text', u.text, 'at', u.created_at) ORDER BY u.id DESC)
   FROM incident_updates u WHERE u.incident_id = i.id) AS updates`;

/** Returns the incidents that were updated after `since` (Unix ms) or aren't resolved, newest first. */
export async function listIncidents(db: D1Database, since: number, limit: number): Promise<Incident[]> {
  const { results } = await db
    .prepare(
      `SELECT ${COLUMNS} FROM incidents i WHERE i.updated_at > ?1 OR i.status <> 'resolved' ORDER BY i.id DESC LIMIT ?2`,
    )
    .bind(since, limit)
    .all<IncidentRow>();
  return results.map(toIncident);
}

/** Returns an incident, or null if it doesn't exist. */
export async function getIncident(db: D1Database, id: number): Promise<Incident | null> {
  const row = await db.prepare(`SELECT ${COLUMNS} FROM incidents i WHERE i.id = ?1`).bind(id).first<IncidentRow>();
  return row === null ? null : toIncident(row);
}

interface NewUpdate {
  status: IncidentStatus;
  text: string;
  actor: string;
  now: number;
}

/** Inserts an incident with its first update, and an entry of the audit log. */
export async function insertIncident(
  db: D1Database,
  { title, parts, status, text, actor, now }: NewUpdate & Pick<Incident, "title" | "parts">,
): Promise<void> {
  await db.batch([
    db
      .prepare(
        `INSERT INTO incidents (title, parts, status, created_at, updated_at, resolved_at)
         VALUES (?1, ?2, ?3, ?4, ?4, CASE ?3 WHEN 'resolved' THEN ?4 END)`,
      )
      .bind(title, JSON.stringify(parts), status, now),
    auditIfChanged(db, {
      actor,
      action: "incident.create",
      accountId: null,
      detail: { title, status, parts: parts.join(", ") },
      at: now,
    }),
    db
      .prepare(
        `INSERT INTO incident_updates (incident_id, status, text, created_at)
         SELECT MAX(id), ?1, ?2, ?3 FROM incidents`,
      )
      .bind(status, text, now),
  ]);
}

/** Adds an update to an incident, and an entry of the audit log. Changes nothing if the incident doesn't exist. */
export async function insertIncidentUpdate(
  db: D1Database,
  id: number,
  { status, text, actor, now }: NewUpdate,
): Promise<void> {
  await db.batch([
    db
      .prepare(
        `UPDATE incidents SET status = ?2, updated_at = ?3, resolved_at = CASE ?2 WHEN 'resolved' THEN ?3 END
         WHERE id = ?1`,
      )
      .bind(id, status, now),
    auditIfChanged(db, {
      actor,
      action: "incident.update",
      accountId: null,
      detail: { incident: id, status },
      at: now,
    }),
    db
      .prepare(
        `INSERT INTO incident_updates (incident_id, status, text, created_at)
         SELECT id, ?2, ?3, ?4 FROM incidents WHERE id = ?1`,
      )
      .bind(id, status, text, now),
  ]);
}

function toIncident(row: IncidentRow): Incident {
  return { ...row, parts: JSON.parse(row.parts), updates: JSON.parse(row.updates) };
}
