import { describe, expect, it } from "vitest";
import type { AlertState } from "../../src/health/alert-state";
import { type AlertValues, type Condition, nextAlerts, toConditions, toThresholds } from "../../src/health/alerts";
import { toFigures } from "../../src/health/figures";
import { MINUTE_MS } from "../../src/model/limits";

const THRESHOLDS = { failurePercent: 5, queueMs: 300_000, abandoned: 100 };
const NONE: AlertValues = { checks: [], recent: null, abandoned: null, queueAgeMs: null, engines: [] };
const failing = (own: number, ok: number) =>
  toFigures({ "job/scrape/plain/ok/1": ok, "job/scrape/rendered/render_failed/": own });

describe("the conditions", () => {
  it.each<[string, Partial<AlertValues>, string[]]>([
    ["nothing", {}, []],
    ["5% of failures", { recent: failing(1, 19) }, ["failures"]],
    ["fewer failures", { recent: failing(1, 20) }, []],
    ["few jobs", { recent: failing(19, 0) }, []],
    ["failures of targets", { recent: toFigures({ "job/scrape/plain/dns_failure/": 50 }) }, []],
    ["a late job", { queueAgeMs: 300_000 }, ["queue"]],
    ["a job that isn't late", { queueAgeMs: 299_999 }, []],
    ["abandoned deliveries", { abandoned: 100 }, ["deliveries"]],
    ["few abandoned deliveries", { abandoned: 99 }, []],
    ["a failed part", { checks: [{ part: "store", result: "failed", ms: 1 }] }, ["part:store"]],
    ["a part that doesn't respond", { checks: [{ part: "database", result: "timeout", ms: 1 }] }, ["part:database"]],
    ["a slow part", { checks: [{ part: "database", result: "ok", ms: 1_000 }] }, ["part:database/slow"]],
    ["a part that isn't slow", { checks: [{ part: "database", result: "ok", ms: 999 }] }, []],
    [
      "an engine",
      { engines: [{ engine: "bing", label: "Bing", lastOutcome: "no_results", lastAt: 1, isFailing: true }] },
      ["engine:bing"],
    ],
  ])("of %s", (_, values, names) => {
    expect(toConditions({ ...NONE, ...values }, THRESHOLDS).map(({ name }) => name)).toEqual(names);
  });
});

describe("an alert", () => {
  /**
   * Evaluates the condition once a minute. A character of `minutes` is 1 if the condition is true in this minute, and ?
   * if its values can't be read. Returns the changes by minute.
   */
  function run(minutes: string, { isAccepted = true, name = "x" } = {}): string[] {
    const condition: Condition = { name, text: "X.", times: 2 };
    let state: AlertState = { at: 0, alerts: {} };
    return [...minutes].flatMap((is, minute) => {
      const evaluation = { conditions: is === "1" ? [condition] : [], isComplete: is !== "?" };
      const next = nextAlerts(state, evaluation, minute * MINUTE_MS);
      state = next.state;
      for (const { name, kind } of next.changes) {
        const entry = state.alerts[name];
        if (!isAccepted || entry === undefined) continue;
        if (kind === "began") entry.isTold = true;
        else delete state.alerts[name];
      }
      return next.changes.map(({ kind, text }) => `${minute} ${kind}${text === "X." ? "" : `: ${text}`}`);
    });
  }

  it.each([
    ["begins after two minutes and ends five minutes after the last failure", "0111000000001", ["2 began", "9 ended"]],
    ["doesn't begin after a single failure", "010101", []],
    ["doesn't end during a short pause", "11000110000000", ["1 began", "12 ended"]],
    ["doesn't end while its values can't be read", "11????????0?0000010", ["1 began", "15 ended"]],
    ["begins again after it has ended", "110000001100", ["1 began", "7 ended", "9 began"]],
  ])("%s", (_, minutes, changes) => expect(run(minutes)).toEqual(changes));

  it.each([
    [
      "that fails every second check begins with the fourth failure, and ends after five minutes without one",
      "10101010101000000",
      ["6 began: X. This was so in 4 of the last 7 checks.", "16 ended: X. This was so in 5 of the last 10 checks."],
    ],
    [
      "that fails every third check begins with the fourth failure",
      "1001001001",
      ["9 began: X. This was so in 4 of the last 10 checks."],
    ],
    ["that fails every fourth check doesn't begin", "1000100010001000100010001", []],
    ["that failed a long time ago needs new failures", "1010100000000001010", []],
  ])("of a part %s", (_, minutes, changes) => expect(run(minutes, { name: "part:x" })).toEqual(changes));

  it("has the time at which its failures began, even if the part failed now and then before", () => {
    const fails: Condition = { name: "part:x", text: "X.", times: 2 };
    const begin = (minutes: string) => {
      let state: AlertState = { at: 0, alerts: {} };
      return [...minutes].flatMap((is, minute) => {
        const evaluation = { conditions: is === "1" ? [fails] : [], isComplete: true };
        const next = nextAlerts(state, evaluation, minute * MINUTE_MS);
        state = next.state;
        return next.changes.map(({ since }) => since / MINUTE_MS);
      });
    };
    expect(begin("1000000001000000000100000000011")).toEqual([29]);
    expect(begin("100000000010101")).toEqual([]);
    expect(begin("10000000001010101")).toEqual([10]);
  });

  it("of a slow part doesn't end while the part fails", () => {
    const slow: Condition = { name: "part:x/slow", text: "Slow.", times: 3 };
    const fails: Condition = { name: "part:x", text: "X.", times: 2 };
    let state: AlertState = { at: 0, alerts: {} };
    const changes = [..."sssffffffffff0000000"].flatMap((is, minute) => {
      const conditions = is === "s" ? [slow] : is === "f" ? [fails] : [];
      const next = nextAlerts(state, { conditions, isComplete: true }, minute * MINUTE_MS);
      state = next.state;
      for (const { name, kind } of next.changes) {
        const entry = state.alerts[name];
        if (kind === "ended") delete state.alerts[name];
        else if (entry !== undefined) entry.isTold = true;
      }
      return next.changes.map(({ name, kind }) => `${minute} ${name} ${kind}`);
    });
    expect(changes).toEqual(["2 part:x/slow began", "4 part:x began", "18 part:x ended", "18 part:x/slow ended"]);
  });

  it("doesn't begin with a failure from before a pause of the checks", () => {
    const fails: Condition = { name: "part:x", text: "X.", times: 2 };
    const evaluation = { conditions: [fails], isComplete: true };
    const { state } = nextAlerts({ at: 0, alerts: {} }, evaluation, 0);
    expect(nextAlerts(state, evaluation, 60 * MINUTE_MS).changes).toEqual([]);
    expect(nextAlerts(state, evaluation, 2 * MINUTE_MS).changes).toHaveLength(1);
  });

  it("begins again if only some channels have accepted its end", () => {
    const condition: Condition = { name: "x", text: "X.", times: 2 };
    const base = { text: "X.", since: 0, times: 0, clearSince: MINUTE_MS, isActive: true, isTold: false };
    const ending: AlertState = { at: 60 * MINUTE_MS, alerts: { x: { ...base, told: ["webhook"] } } };
    const none = { conditions: [], isComplete: true };
    expect(nextAlerts(ending, none, 61 * MINUTE_MS).changes).toMatchObject([{ name: "x", kind: "ended", since: 0 }]);
    const some = { conditions: [condition], isComplete: true };
    const { state } = nextAlerts(ending, some, 61 * MINUTE_MS);
    const since = 61 * MINUTE_MS;
    expect(nextAlerts(state, some, 62 * MINUTE_MS).changes).toMatchObject([{ name: "x", kind: "began", since }]);
  });

  it("is repeated until its email is accepted, and doesn't end if no email was accepted", () => {
    expect(run("11100000000", { isAccepted: false })).toEqual(["1 began", "2 began"]);
  });
});

it("the thresholds are 5%, five minutes and 100 deliveries, unless variables set others", () => {
  const toEnv = (percent: string, seconds: string, deliveries: string) =>
    ({
      ALERT_FAILURE_PERCENT: percent,
      ALERT_QUEUE_SECONDS: seconds,
      ALERT_ABANDONED_DELIVERIES: deliveries,
    }) as Env;
  expect(toThresholds(toEnv("", "", ""))).toEqual(THRESHOLDS);
  expect(toThresholds(toEnv("7.5", "60", "3"))).toEqual({ failurePercent: 7.5, queueMs: 60_000, abandoned: 3 });
});
