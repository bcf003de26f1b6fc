import { describe, expect, it } from "vitest";
import { BalanceCard, FirstStepsCard, LatestJobsCard } from "../../src/dashboard/pages/overview/overview-page";
import { DAY_MS } from "../../src/model/limits";

const NOW = Date.UTC(2026, 10, 3);

/** Returns the words of a component's HTML. */
function textOf(component: { toString(): unknown } | null): string {
  return String(component ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

describe("the balance", () => {
  function card({ balance = 1_200, granted = 2_000, added = 0, used = 800, end = NOW + DAY_MS } = {}) {
    const usage = { balance, reserved: 30, period: { granted, added, used, end } };
    const props = { usage, now: NOW } as unknown as Parameters<typeof BalanceCard>[0];
    return String(BalanceCard(props));
  }

  it("has the credits of the period and the day of the next renewal", () => {
    expect(textOf(card())).toBe(
      "Balance 1,200 credits Reserved 30 by unfinished jobs Used in this period 800 of 2,000 granted Next renewal 2026-11-04 00:00 UTC unused credits expire",
    );
    expect(card()).toMatch(/<progress[^>]* max="2000" value="800"/);
    expect(card({ used: 2_500 })).toContain('value="2000"');
    expect(card({ added: 500 })).toMatch(/<progress[^>]* max="2500" value="800"/);
    expect(textOf(card({ added: 500 }))).toContain("800 of 2,500 (2,000 granted, 500 added)");
  });

  it("says when there are no credits left", () => {
    expect(textOf(card({ balance: 0 }))).toContain("You have no credits left.");
    expect(textOf(card({ balance: 1 }))).not.toContain("You have no credits left.");
  });

  it("says that the renewal is on hold, and not to wait for it", () => {
    const text = textOf(card({ balance: 0, end: NOW }));
    expect(text).toContain("Next renewal On hold until you verify your email address");
    expect(text).not.toContain("You have no credits left.");
  });

  it("has no bar if no credits were granted", () => {
    const html = card({ granted: 0 });
    expect(html).not.toContain("<progress");
    expect(textOf(html)).toContain("Used in this period 800 credits");
  });
});

describe("the first steps", () => {
  const steps = (hasKey: boolean, hasJob: boolean, hasCalled = false) =>
    textOf(
      FirstStepsCard({ progress: { hasKey, hasJob, hasCalled }, mode: "test", origin: "https://api.example" }),
    ).match(/Scrape a page in the playground|Create an API key|Call the API/g);

  it("are those that the user hasn't completed", () => {
    const [scrape, create, call] = ["Scrape a page in the playground", "Create an API key", "Call the API"];
    expect(steps(false, false)).toEqual([scrape, create, call]);
    expect(steps(true, false)).toEqual([scrape, call]);
    expect(steps(false, true)).toEqual([create, call]);
    expect(steps(true, true, true)).toBeNull();
  });

  it("have a command for the mode's key", () => {
    const progress = { hasKey: true, hasJob: true, hasCalled: false };
    const text = textOf(FirstStepsCard({ progress, mode: "test", origin: "https://api.example" }));
    expect(text).toContain("curl &#39;https://api.example/v1/scrape?wait=true&#39;");
    expect(text).toContain("Bearer sk_test_…");
  });
});

describe("the latest jobs", () => {
  const job = { id: "1", endpoint: "scrape", status: "failed", subject: "https://a.example/b", createdAt: NOW };

  it("have their target, their error and their duration", () => {
    const failed = { ...job, errorCode: "dns_failure", processingTimeMs: 1_500 };
    const queued = { ...job, id: "2", status: "queued", errorCode: null, processingTimeMs: null, subject: null };
    const html = String(LatestJobsCard({ jobs: [failed, queued] as never }));
    expect(html).toContain('href="/dashboard/jobs/1"');
    expect(textOf(html)).toMatch(/failed Scrape a\.example\/b dns_failure .* · 1\.5 s .*queued Scrape/);
    expect(html.match(/<code>/g)).toHaveLength(1);
  });

  it("are replaced with a link to the playground before the first job", () => {
    expect(String(LatestJobsCard({ jobs: [] }))).toContain('href="/dashboard/playground"');
  });
});
