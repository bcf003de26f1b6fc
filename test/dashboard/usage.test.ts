import { describe, expect, it } from "vitest";
import { toChart } from "../../src/dashboard/ui/usage-chart";
import { refOf } from "../support/client";
import { completeJob } from "../support/complete-job";
import { accountIdOf, signUp } from "../support/visitor";

const MAX_PAGE_CHARS = 20_000;

describe("the usage page", () => {
  it("shows the jobs of a range by key, endpoint and outcome, with links to exactly these jobs", async () => {
    const signedUp = await signUp();
    const { visitor } = signedUp;
    expect(await visitor.read("/dashboard/usage")).toContain("No live jobs ended in this range.");
    const account = await refOf(await accountIdOf(signedUp));
    for (const outcome of ["ok", "ok", "login"] as const) await completeJob(account, outcome);
    const day = new Date().toISOString().slice(0, 10);
    const page = await visitor.read(`/dashboard/usage?from=${day}&to=${day}`);
    const range = `from=${day}&amp;to=${day}`;
    expect(page).toContain(`href="/dashboard/jobs?${range}&amp;outcome=login"`);
    expect(page).toContain(`href="/dashboard/jobs?${range}&amp;endpoint=scrape"`);
    expect(page).toContain(`href="/dashboard/jobs?${range}&amp;key_id=key"`);
    expect(page).toContain("Deleted key");
    expect((await visitor.read("/dashboard/usage")).length).toBeLessThan(MAX_PAGE_CHARS);
  });

  it("has a button with the numbers of each bar, and the same numbers in a table", async () => {
    const signedUp = await signUp();
    await completeJob(await refOf(await accountIdOf(signedUp)), "ok");
    const page = await signedUp.visitor.read("/dashboard/usage");
    expect(page.match(/<span>[^<]+: (?:no requests|1 requests \(Scrape 1\))<\/span><\/button>/g)).toHaveLength(30);
    expect(page).toContain("Requests by day and endpoint, newest first");
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
