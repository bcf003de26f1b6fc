import type { Context } from "hono";
import { html } from "hono/html";
import { type PartStatus, readStatus, type ServiceStatus, type StatusDay } from "../health/status";
import { now, toIso } from "../lib/clock";
import { toCount } from "../lib/count";
import { log, toLogged } from "../lib/log";
import type { AppEnv } from "../model/env";
import { type Incident, type PartState, STATUS_PARTS } from "../model/incident";
import { respondWithPage } from "./layout";

const STATE_LABELS: Record<PartState, string> = { up: "Operational", degraded: "Degraded", down: "Down" };
const NO_DATA = "No data";
/** The width of a day in the bars, including the gap to the next day. */
const DAY_WIDTH = 8;
const BAR_WIDTH = 6;
const BAR_HEIGHT = 28;

/** Returns the content of the status page. `status` is null if it can't be read. */
function statusPage(status: ServiceStatus | null) {
  return html`<h1>Status</h1>
      ${status === null ? html`<p class="summary none">The status can't be read at the moment. Reload this page in a minute.</p>` : content(status)}
      <p class="small"><a href="/status.json">This page as JSON</a></p>`;
}

function content({ at, parts, incidents }: ServiceStatus) {
  const open = incidents.filter(({ status }) => status !== "resolved");
  const past = incidents.filter(({ status }) => status === "resolved");
  const [tone, text] = toSummary(parts);
  return html`<p class="summary ${tone}">${text}</p>
      ${open.length === 0 ? "" : html`<h2>Open incidents</h2>`}
      ${open.map((incident) => incidentSection(incident))}
      <h2>Parts</h2>
      <ul class="parts">
        ${parts.map((part) => partItem(part))}
      </ul>
      <p class="small">Each bar is a day (UTC). The bars show the last 90 days, from left to right. Updated at ${timeOf(at)}.</p>
      <h2>Past incidents</h2>
      ${past.length === 0 ? html`<p>There were no incidents in the last 90 days.</p>` : past.map((incident) => incidentSection(incident))}`;
}

function toSummary(parts: readonly PartStatus[]): [tone: PartState | "none", text: string] {
  const withState = (state: PartState) => parts.filter((part) => part.state === state).map(({ label }) => label);
  const [down, degraded] = [withState("down"), withState("degraded")];
  if (down.length > 0) return ["down", `Down: ${down.join(", ")}.`];
  if (degraded.length > 0) return ["degraded", `Degraded: ${degraded.join(", ")}.`];
  if (withState("up").length === 0) return ["none", "There is no data yet."];
  return ["up", "All checked parts are operational."];
}

function partItem({ label, state, days }: PartStatus) {
  const problems = days.filter((day) => day.state === "degraded" || day.state === "down");
  return html`<li>
          <div class="part"><h3>${label}</h3> <span class="state ${state ?? "none"}">${state === null ? NO_DATA : STATE_LABELS[state]}</span></div>
          <svg viewBox="0 0 ${days.length * DAY_WIDTH - (DAY_WIDTH - BAR_WIDTH)} ${BAR_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${describeDays(days)}">${(["up", "degraded", "down", null] as const).map((of) => barsOf(days, of))}</svg>
          <p class="small">${describeHours(days)}</p>
          ${problems.length === 0 ? "" : problemList(problems)}
        </li>`;
}

/** Returns one path with the bars of all days in a state. */
function barsOf(days: readonly StatusDay[], state: PartState | null) {
  const bars = days.flatMap((day, i) =>
    day.state === state ? [`M${i * DAY_WIDTH} 0h${BAR_WIDTH}v${BAR_HEIGHT}h-${BAR_WIDTH}z`] : [],
  );
  return bars.length === 0 ? "" : html`<path class="${state ?? "none"}" d="${bars.join("")}"/>`;
}

function problemList(problems: readonly StatusDay[]) {
  return html`<details><summary>${toCount(problems.length, "day")} with problems</summary><ul>
            ${problems.map(({ start, hours }) => html`<li>${toIso(start).slice(0, 10)}: ${toProblems(hours)}</li>`)}
          </ul></details>`;
}

function toProblems({ degraded = 0, down = 0 }: StatusDay["hours"]): string {
  const texts = [
    ...(down > 0 ? [`down in ${toCount(down, "hour")}`] : []),
    ...(degraded > 0 ? [`degraded in ${toCount(degraded, "hour")}`] : []),
  ];
  return texts.join(", ");
}

/** Returns the text alternative of the bars. */
function describeDays(days: readonly StatusDay[]): string {
  const counts = (["up", "degraded", "down", null] as const).map((state) => ({
    label: (state === null ? NO_DATA : STATE_LABELS[state]).toLowerCase(),
    count: days.filter((day) => day.state === state).length,
  }));
  return `The last ${days.length} days: ${counts
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${count} ${label}`)
    .join(", ")}.`;
}

/** Returns the share of hours without problems among the hours with data. */
function describeHours(days: readonly StatusDay[]): string {
  const sum = (state: PartState) => days.reduce((total, { hours }) => total + (hours[state] ?? 0), 0);
  const [up, total] = [sum("up"), sum("up") + sum("degraded") + sum("down")];
  if (total === 0) return "There is no data for this part yet.";
  // Rounds down, so that 99.999% isn't shown as 100%.
  const percent = Math.floor((up / total) * 10_000) / 100;
  const hours = `${toCount(total, "hour")} of data`;
  return up === total ? `No problems in ${hours}.` : `${percent}% of ${hours} were without problems.`;
}

function incidentSection({ title, status, parts, createdAt, updates }: Incident) {
  const labels = parts.map((part) => STATUS_PARTS[part] ?? part);
  return html`<section class="incident ${status === "resolved" ? "" : "open"}">
        <h3>${title}</h3>
        <p class="small">${labels.length === 0 ? "" : `${labels.join(", ")} · `}began at ${timeOf(createdAt)}</p>
        <ul>
          ${updates.map((update) => html`<li><strong>${update.status}</strong>, ${timeOf(update.at)}<p class="text">${update.text}</p></li>`)}
        </ul>
      </section>`;
}

function timeOf(at: number) {
  const iso = toIso(at);
  return html`<time datetime="${iso}">${`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}</time>`;
}

const MAX_AGE_S = 60;
/** The key of the copy in the cache. It isn't a path of the service. */
const CACHE_KEY = "https://status.example/";

/** Responds with the status page or its data. Each data center keeps a copy of the data for one minute. */
export async function respondWithStatus(c: Context<AppEnv>, type: "html" | "json"): Promise<Response> {
  const cached = await caches.default.match(CACHE_KEY).catch(() => undefined);
  const status = cached === undefined ? await readAndCache(c) : await cached.json<ServiceStatus | null>();
  c.header("Cache-Control", `public, max-age=${MAX_AGE_S}`);
  if (type === "json") return c.json({ success: true, data: toJson(status) });
  return respondWithPage(c, {
    title: "Status",
    description: "The status of each part of the service in the last 90 days, and incidents.",
    path: "/status",
    children: statusPage(status),
  });
}

async function readAndCache(c: Context<AppEnv>): Promise<ServiceStatus | null> {
  const status = await readStatus(c.env, now());
  const copy = Response.json(status, { headers: { "Cache-Control": `public, max-age=${MAX_AGE_S}` } });
  // The response doesn't depend on whether the copy was stored.
  const put = caches.default.put(CACHE_KEY, copy).catch((error) => log("warn", "status_not_cached", toLogged(error)));
  c.executionCtx.waitUntil(put);
  return status;
}

/** Returns the status as JSON. `status` of a part or a day is null if there is no data. */
function toJson(status: ServiceStatus | null) {
  if (status === null) return { at: null, parts: [], incidents: [] };
  return {
    at: toIso(status.at),
    parts: status.parts.map(({ part, label, state, days }) => ({
      name: part,
      label,
      status: state,
      days: days.map((day) => ({ date: toIso(day.start).slice(0, 10), status: day.state, hours: day.hours })),
    })),
    incidents: status.incidents.map(({ title, parts, status: current, createdAt, resolvedAt, updates }) => ({
      title,
      parts,
      status: current,
      created_at: toIso(createdAt),
      resolved_at: resolvedAt === null ? null : toIso(resolvedAt),
      updates: updates.map(({ status: of, text, at }) => ({ status: of, text, at: toIso(at) })),
    })),
  };
}
