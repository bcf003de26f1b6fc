import type { Context } from "hono";
import { readStatus, type ServiceStatus } from "../../health/status";
import { now, toIso } from "../../lib/clock";
import { log, toLogged } from "../../lib/log";
import type { AppEnv } from "../../model/env";
import { STATIC_POLICY } from "./pages";
import { statusPage } from "./status-page";

const MAX_AGE_S = 60;
/** The keys of the copies in the cache. Any origin works, because the pages have no absolute links. */
const CACHE_ORIGIN = "https://status.example";

/**
 * Returns the status page, or the same data as JSON. Each data center of Cloudflare keeps a copy for one minute, so that
 * many visitors don't load the service.
 */
export async function cacheStatus(c: Context<AppEnv>, type: "html" | "json"): Promise<Response> {
  const key = `${CACHE_ORIGIN}/${type}`;
  const cached = await caches.default.match(key).catch(() => undefined);
  const body = await (cached === undefined ? makeBody(c, key, type) : cached.text());
  c.header("Cache-Control", `public, max-age=${MAX_AGE_S}`);
  if (type === "json") return c.body(body, 200, { "Content-Type": "application/json" });
  c.header("Content-Security-Policy", STATIC_POLICY);
  return c.html(body);
}

async function makeBody(c: Context<AppEnv>, key: string, type: "html" | "json"): Promise<string> {
  const status = await readStatus(c.env, now());
  const body = type === "json" ? JSON.stringify({ success: true, data: toJson(status) }) : String(statusPage(status));
  const copy = new Response(body, { headers: { "Cache-Control": `public, max-age=${MAX_AGE_S}` } });
  // The response doesn't depend on whether the copy was stored.
  const put = caches.default.put(key, copy).catch((error) => log("warn", "status_not_cached", toLogged(error)));
  c.executionCtx.waitUntil(put);
  return body;
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
