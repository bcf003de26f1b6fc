import { describe, expect, it } from "vitest";
import { toChart } from "../../src/dashboard/ui/usage-chart";
import type { AccountRef } from "../../src/model/account";
import { sqlIn } from "../support/account";
import { refOf } from "../support/client";
import { completeJob } from "../support/complete-job";
import { accountIdOf, signUp } from "../support/visitor";

const MAX_PAGE_CHARS = 20_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

describe("the usage page", () => {
  it("shows the jobs of a range by key, endpoint and outcome, with links to these jobs", async () => {
    const signedUp = await signUp();
    const { visitor } = signedUp;
    expect(await visitor.read("/dashboard/usage")).toContain("No live jobs ended in this range.");
    const account = await refOf(await accountIdOf(signedUp));
    for (const outcome of ["ok", "ok", "login"] as const) await completeJob(account, outcome);
    const day = new Date().toISOString().slice(0, 10);
    const page = await visitor.read(`/dashboard/usage?from=${day}&to=${day}`);
    const range = `from=${day}&amp;to=${day}`;
    expect(page).toContain(
      `href="/dashboard/jobs?outcome=login&amp;status=completed&amp;${range}&amp;include=children"`,
    );
    expect(page).toContain(
      `href="/dashboard/jobs?endpoint=scrape&amp;status=completed&amp;${range}&amp;include=children"`,
    );
    expect(page).toContain(`href="/dashboard/jobs?key_id=key&amp;status=completed&amp;${range}&amp;include=children"`);
    expect(page).toContain("Deleted key");
    expect(page.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")).toContain(
      "Success rate 100% of ended jobs With content 66.7%",
    );
  });

  it.each([
    "/dashboard",
    "/dashboard?chart=credits",
    "/dashboard/usage",
    "/dashboard/usage?from=2026-01-01&to=2026-03-31",
  ])("has a small page although all bars have all endpoints: %s", async (path) => {
    const signedUp = await signUp();
    const account = await refOf(await accountIdOf(signedUp));
    for (let day = 0; day < 30; day++) await addUsage(account, new Date(Date.now() - day * DAY_MS));
    for (let day = 0; day < 90; day++) await addUsage(account, new Date(Date.UTC(2026, 0, 1 + day)));
    const page = await signedUp.visitor.read(path);
    expect(page).toContain("Search");
    expect(page.length).toBeLessThan(MAX_PAGE_CHARS);
  });

  it("lists the key with the most jobs or credits first", async () => {
    const signedUp = await signUp();
    const account = await refOf(await accountIdOf(signedUp));
    for (const keyId of ["aaaa", "bbbb", "bbbb"]) await completeJob(account, "login", { keyId });
    await completeJob(account, "ok", { keyId: "aaaa", credits: 5 });
    await completeJob(account, "login", { keyId: "bbbb" });
    const keys = async (chart: string) =>
      (await signedUp.visitor.read(`/dashboard/usage?chart=${chart}`)).match(/(?<=>Deleted key )\w+/g);
    expect(await keys("requests")).toEqual(["bbbb", "aaaa"]);
    expect(await keys("credits")).toEqual(["aaaa", "bbbb"]);
  });

  it("has a button with the numbers of each bar", async () => {
    const signedUp = await signUp();
    await completeJob(await refOf(await accountIdOf(signedUp)), "ok");
    const page = await signedUp.visitor.read("/dashboard/usage");
    expect(page.match(/<span>[^<]+: (?:no requests|1 request \(Scrape 1\))<\/span><\/button>/g)).toHaveLength(30);
  });

  it.each([
    ["from=2026-02-30&to=2026-03-01", "from"],
    ["from=2026-03-02&to=2026-03-01", "from"],
    ["from=2020-01-01&to=2026-03-01", "from"],
    ["from=2026-03-01&to=soon", "to"],
  ])("refuses an invalid range with an error at the field: %s", async (query, field) => {
    const { visitor } = await signUp();
    const response = await visitor.get(`/dashboard/usage?${query}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`id="problem-${field}"`);
  });
});

/** Adds jobs of three keys, all endpoints and several outcomes to the usage of a day. */
async function addUsage(account: AccountRef, day: Date): Promise<void> {
  const date = day.toISOString().slice(0, 10);
  const insert = `INSERT INTO usage (mode, date, key_id, endpoint, code, failed, requests, credits, durations)
    VALUES ('live', ?1, ?2, ?3, ?4, ?5, 1234, 1234, '{}')`;
  const rows = [
    ["key-1", "scrape", "ok", 0],
    ["key-2", "parse", "login", 0],
    ["key-3", "serp", "blocked_by_target", 1],
    ["key-1", "scrape", "target_http_error", 1],
    ["key-2", "parse", "target_timeout", 1],
  ] as const;
  for (const row of rows) await sqlIn(account, insert, date, ...row);
}

describe("the bars of the chart", () => {
  const usage = [
    { date: "2026-03-01", endpoint: "scrape" as const, requests: 2, credits: 2 },
    { date: "2026-03-08", endpoint: "parse" as const, requests: 1, credits: 5 },
  ];
  const bars = (from: string, to: string) => {
    const { unit, days } = toChart(usage, "requests", { from, to });
    return [unit, days.length, days.filter(({ total }) => total > 0).map(({ date, total }) => [date, total])];
  };

  it.each([
    [
      "days up to 31 days",
      "2026-02-20",
      "2026-03-22",
      [
        "day",
        31,
        [
          ["2026-03-01", 2],
          ["2026-03-08", 1],
        ],
      ],
    ],
    [
      "weeks up to 31 weeks",
      "2026-03-01",
      "2026-05-31",
      [
        "week",
        14,
        [
          ["2026-03-01", 2],
          ["2026-03-08", 1],
        ],
      ],
    ],
    ["months in a longer range", "2025-03-15", "2026-03-14", ["month", 13, [["2026-03-01", 3]]]],
  ])("are %s, and contain all jobs", (_, from, to, expected) => {
    expect(bars(from, to)).toEqual(expected);
  });
});
