import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/app";
import { sumService, watchService } from "../../src/health/watch";
import { DAY_MS, MINUTE_MS } from "../../src/model/limits";
import { toPeriod } from "../../src/model/service-counts";
import { insertIncident, insertIncidentUpdate, listIncidents } from "../../src/store/incidents";
import { putServiceDay } from "../../src/store/service-hours";
import { ORIGIN, request } from "../support/client";
import { recordLines } from "../support/lines";

const NOW = Date.now();
/** The key of the copy that a data center keeps of the status. */
const CACHE_KEY = "https://status.example/";
const HOUR_MS = 60 * MINUTE_MS;
const TODAY = NOW - (NOW % DAY_MS);

/** A database whose statements fail. */
const DOWN = {
  prepare: () => {
    throw new Error("D1 is down");
  },
} as unknown as D1Database;

interface Body {
  data: {
    at: string | null;
    parts: { name: string; status: string | null; days: { date: string; status: string | null; hours: object }[] }[];
    incidents: { title: string; status: string; updates: { text: string }[] }[];
  };
}

async function readJson(bindings: Env = env): Promise<Body["data"]> {
  await caches.default.delete(CACHE_KEY);
  const context = createExecutionContext();
  const response = await app.fetch(new Request(`${ORIGIN}/status.json`), bindings, context);
  await waitOnExecutionContext(context);
  expect(response.status).toBe(200);
  return (await response.json<Body>()).data;
}

async function readPage(): Promise<string> {
  await caches.default.delete(CACHE_KEY);
  return await (await request("/status")).text();
}

const stateOf = (data: Body["data"], part: string) => data.parts.find(({ name }) => name === part)?.status;

beforeEach(async () => {
  const tables = ["account_periods", "service_hours", "service_days", "incident_updates", "incidents", "serp_checks"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  await env.DB.prepare("DELETE FROM service_state").run();
  await env.STORE.delete(["service/status.json", "service/alerts.json"]);
});
afterEach(() => vi.restoreAllMocks());

describe("the status", () => {
  it("says that there is no data instead of 100%", async () => {
    const { parts } = await readJson();
    expect(parts).toHaveLength(9);
    expect(new Set(parts.flatMap(({ status, days }) => [status, ...days.map((day) => day.status)]))).toEqual(
      new Set([null]),
    );
    const page = await readPage();
    expect(page).toContain("There is no data yet.");
    expect(page).not.toContain("100%");
  });

  it("shows parse as up if schemas don't match, if a model refuses, and as down if the model fails", async () => {
    await watchService(env, NOW);
    const put = async (counts: Record<string, number>) => {
      await env.DB.prepare("INSERT OR REPLACE INTO account_periods VALUES (?1, 'a', ?2, ?1)")
        .bind(toPeriod(NOW), JSON.stringify(counts))
        .run();
      await watchService(env, NOW);
      return stateOf(await readJson(), "parse");
    };
    expect(await put({ "job/parse/plain/schema_mismatch/": 9, "job/parse/plain/model_refused/": 9 })).toBe("up");
    expect(await put({ "job/parse/plain/model_failed/": 9 })).toBe("down");
  });

  it("has the current state and the last 90 days of each part", async () => {
    await putServiceDay(env.DB, { start: TODAY - DAY_MS, parts: { rendering: { up: 22, down: 2 } } });
    await watchService(env, NOW);
    await sumService(env, NOW);
    await watchService(env, NOW);
    const data = await readJson();
    expect(Object.fromEntries(data.parts.map(({ name, status }) => [name, status]))).toEqual({
      ...{ api: "up", scraping: "up", rendering: "up", parse: "up", google: null, bing: null, yandex: null },
      ...{ webhooks: "up", dashboard: "up" },
    });
    const days = data.parts.find(({ name }) => name === "rendering")?.days ?? [];
    expect(days).toHaveLength(90);
    const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    expect(days.slice(-3)).toEqual([
      { date: date(TODAY - 2 * DAY_MS), status: null, hours: {} },
      { date: date(TODAY - DAY_MS), status: "down", hours: { up: 22, down: 2 } },
      { date: date(TODAY), status: "up", hours: { up: 1 } },
    ]);
    const page = await readPage();
    expect(page).toContain("All checked parts are operational.");
    expect(page).toContain("down in 2 hours");
    expect(page).toContain("92% of 25 hours of data were without problems.");
  });

  it("has the state of each search engine from its checks", async () => {
    const insert = env.DB.prepare("INSERT INTO serp_checks (engine, outcome, checked_at) VALUES (?1, ?2, ?3)");
    await env.DB.batch([
      insert.bind("google", "results", NOW - 1),
      insert.bind("bing", "serp_unavailable", NOW - 1),
      insert.bind("bing", "results", NOW - 2),
      insert.bind("yandex", "serp_unavailable", NOW - 1),
      insert.bind("yandex", "no_results", NOW - 2),
    ]);
    await sumService(env, NOW);
    const data = await readJson();
    expect(["google", "bing", "yandex"].map((engine) => stateOf(data, engine))).toEqual(["up", "degraded", "down"]);
    const today = data.parts.find(({ name }) => name === "yandex")?.days.at(-1);
    expect(today).toMatchObject({ status: "degraded" });
  });

  it("shows incidents with their updates, newest first, and marks the parts of open incidents", async () => {
    const update = { actor: "admin@a.example", now: NOW };
    const incident = { title: "Slow <renders>", parts: ["rendering" as const], text: "We look\ninto it." };
    await insertIncident(env.DB, { ...incident, ...update, status: "investigating" });
    const open = await readJson();
    // The heading of an incident follows the heading of its group.
    expect(await readPage()).toMatch(/<h2>Open incidents<\/h2>.*<h3>Slow &lt;renders&gt;<\/h3>.*<h2>Parts<\/h2>/s);
    expect(stateOf(open, "rendering")).toBe("degraded");
    const [{ id } = { id: 0 }] = await listIncidents(env.DB, 0, 1);
    await insertIncidentUpdate(env.DB, id, { ...update, status: "resolved", text: "Fixed." });
    const { incidents, ...rest } = await readJson();
    expect(incidents).toMatchObject([
      { title: "Slow <renders>", status: "resolved", updates: [{ text: "Fixed." }, { text: "We look\ninto it." }] },
    ]);
    expect(stateOf({ ...rest, incidents }, "rendering")).toBeNull();
    const page = await readPage();
    expect(page).toContain("Slow &lt;renders&gt;");
    expect(page).not.toContain("admin@a.example");
  });

  it("works while the database is down, and shows the parts that need it as down", async () => {
    await watchService(env, NOW);
    recordLines();
    const down = { ...env, DB: DOWN };
    await watchService(down, NOW).catch(() => undefined);
    const data = await readJson(down);
    expect([stateOf(data, "api"), stateOf(data, "dashboard"), stateOf(data, "webhooks")]).toEqual([
      "down",
      "down",
      "up",
    ]);
  });

  it("counts an outage of the database after it has ended", async () => {
    recordLines();
    const hour = TODAY - DAY_MS + 12 * HOUR_MS;
    const down = { ...env, DB: DOWN };
    for (const minute of [0, 1, 59]) await watchService(down, hour + minute * MINUTE_MS).catch(() => undefined);
    // Two hours later, the first hour isn't added up again.
    for (const minute of [200, 201]) await watchService(env, hour + minute * MINUTE_MS);
    await sumService(env, hour + 201 * MINUTE_MS);
    const data = await readJson();
    const yesterday = data.parts.find(({ name }) => name === "api")?.days.at(-2);
    expect(yesterday).toMatchObject({ status: "down", hours: { down: 1, up: 1 } });
  });

  it("keeps the parts of open incidents degraded while the database is down", async () => {
    recordLines();
    const incident = { title: "T", parts: ["webhooks" as const], text: "X", actor: "a@a.example", now: NOW };
    await insertIncident(env.DB, { ...incident, status: "monitoring" });
    await watchService(env, NOW);
    const down = { ...env, DB: DOWN };
    await watchService(down, NOW).catch(() => undefined);
    expect(stateOf(await readJson(down), "webhooks")).toBe("degraded");
  });

  it("doesn't claim a state after the checks have stopped", async () => {
    await watchService(env, NOW - DAY_MS);
    recordLines();
    const data = await readJson({ ...env, DB: DOWN });
    expect(stateOf(data, "api")).toBeNull();
  });

  it("can't be read without D1 and R2, and says so", async () => {
    recordLines();
    const STORE = { get: () => Promise.reject(new Error("R2 is down")) } as unknown as R2Bucket;
    expect(await readJson({ ...env, DB: DOWN, STORE })).toEqual({ at: null, parts: [], incidents: [] });
  });

  it("is cached for a minute, so that many visitors don't load the database", async () => {
    await readJson();
    const context = createExecutionContext();
    const broken = { ...env, DB: DOWN, STORE: undefined } as unknown as Env;
    const response = await app.fetch(new Request(`${ORIGIN}/status.json`), broken, context);
    expect((await response.json<Body>()).data.parts).toHaveLength(9);
    expect(response.headers.get("cache-control")).toBe("public, max-age=60");
  });

  it("is HTML or JSON, as the caller accepts, and needs no key", async () => {
    const page = await request("/status", { headers: { accept: "text/html,*/*" } });
    expect(page.headers.get("content-type")).toContain("text/html");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect((await page.text()).length).toBeLessThan(20_000);
    const json = await request("/status", { headers: { accept: "application/json" } });
    expect(json.headers.get("content-type")).toContain("application/json");
  });
});
