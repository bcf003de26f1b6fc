import { describe, expect, it } from "vitest";
import type { Endpoint } from "../../src/contract/common";
import { chooseReturnPath } from "../../src/dashboard/auth/session";
import { readJobsQuery, toJobsHref } from "../../src/dashboard/pages/jobs/job-filter";
import { fillForm, hasNonDefault, toBody, toFormValues } from "../../src/dashboard/pages/playground/form-values";
import { chooseTicks, toChartDays } from "../../src/dashboard/ui/usage-chart";

describe("the chart", () => {
  const now = Date.parse("2024-03-01T00:30:00Z");
  const usage = [
    { date: "2024-03-01", endpoint: "scrape", requests: 3, credits: 15 },
    { date: "2024-03-01", endpoint: "serp", requests: 1, credits: 5 },
    { date: "2024-02-29", endpoint: "parse", requests: 2, credits: 10 },
    { date: "2024-02-27", endpoint: "parse", requests: 9, credits: 9 },
  ] as const;

  it.each([
    ["requests", [0, 2, 4]],
    ["credits", [0, 10, 20]],
  ] as const)("has the %s of the last days, oldest first", (measure, totals) => {
    const days = toChartDays(usage, measure, 3, now);
    expect(days.map(({ date }) => date)).toEqual(["2024-02-28", "2024-02-29", "2024-03-01"]);
    expect(days.map(({ total }) => total)).toEqual(totals);
    expect(days[1]?.counts).toEqual({ scrape: 0, parse: totals[1], serp: 0, map: 0 });
  });

  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [5, [0, 2, 4, 6]],
    [9, [0, 5, 10]],
    [40, [0, 10, 20, 30, 40]],
    [41, [0, 20, 40, 60]],
    [1_000, [0, 500, 1_000]],
  ])("for a maximum of %i has the ticks %j", (max, ticks) => {
    expect(chooseTicks(max)).toEqual(ticks);
  });
});

describe("the filter of the job list", () => {
  it("is in the link of each page, without surrounding spaces and unknown parameters", () => {
    const { conditions, parsed, hasEmpty } = readJobsQuery({
      status: "failed",
      code: " dns_failure ",
      q: " a b ",
      from: "2026-11-01",
      to: "2026-11-02",
      key_id: "k",
      page: "x",
    });
    expect(parsed).toMatchObject({
      filter: {
        status: "failed",
        code: "dns_failure",
        text: "a b",
        since: Date.parse("2026-11-01"),
        until: Date.parse("2026-11-03"),
        keyId: "k",
      },
    });
    expect(hasEmpty).toBe(false);
    const url = new URL(toJobsHref(conditions, "c"), "https://a.example");
    expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
      "/dashboard/jobs",
      {
        ...{ status: "failed", code: "dns_failure", q: "a b", key_id: "k" },
        ...{ from: "2026-11-01", to: "2026-11-02", cursor: "c" },
      },
    ]);
  });

  it("has no conditions without a value", () => {
    const { conditions, hasEmpty } = readJobsQuery({ status: "", q: " " });
    expect([conditions, hasEmpty]).toEqual([{}, true]);
    expect(toJobsHref(conditions)).toBe("/dashboard/jobs");
    expect(toJobsHref(conditions, "c")).toBe("/dashboard/jobs?cursor=c");
  });

  it("names each invalid value", () => {
    const { parsed } = readJobsQuery({ status: "x", from: "yesterday", cursor: "-1", q: "ok" });
    if (!("errors" in parsed)) throw new Error("The query is valid.");
    expect(["status", "from", "cursor", "q"].map((name) => parsed.errors.at(name) !== undefined)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("the path after the sign-in", () => {
  it.each([
    ["/dashboard/jobs?status=failed", "/dashboard/jobs?status=failed"],
    ["/dashboard", "/dashboard"],
    ["/dashboardx", "/dashboard"],
    ["/v1/scrape", "/dashboard"],
    ["//evil.example/dashboard/jobs", "/dashboard"],
    ["https://evil.example/dashboard/jobs", "/dashboard"],
    ["/dashboard/../v1", "/dashboard"],
    ["/\\evil.example/dashboard", "/dashboard"],
    ["", "/dashboard"],
  ])("for %j is %j", (to, path) => {
    expect(chooseReturnPath(to)).toBe(path);
  });
});

describe("the form of the playground", () => {
  const values = (query: string) => new URLSearchParams(query);
  const body = (endpoint: Endpoint, query: string) => toBody(endpoint, values(query));

  it.each([
    [
      "scrape",
      "url= https://a.example/ &formats=markdown&only_main_content=true&render=never",
      { url: "https://a.example/" },
    ],
    ["scrape", "url=", { formats: [] }],
    ["scrape", "url=a&formats=text&formats=html", { url: "a", formats: ["text", "html"] }],
    ["scrape", "url=a&formats=markdown&render=auto", { url: "a", render: "auto" }],
    [
      "scrape",
      "url=a&formats=markdown&include_selectors=%0A .x %0A%0Ah1",
      { url: "a", include_selectors: [".x", "h1"] },
    ],
    ["parse", "url=a&prompt= b %0A", { url: "a", prompt: " b \n" }],
    ["parse", 'prompt=b&schema={"type":"object"}&model=+', { prompt: "b", schema: { type: "object" } }],
    ["parse", "html=<p>&evidence=true", { html: "<p>", evidence: true }],
    ["serp", "query=a&num_results=10&engine=google&device=desktop", { query: "a" }],
    ["serp", "query=a&num_results=5&device=mobile", { query: "a", num_results: 5, device: "mobile" }],
    ["serp", "query=a&num_results=five", { query: "a", num_results: "five" }],
  ] as const)("for %s with %j has the request %j", (endpoint, query, expected) => {
    expect(body(endpoint, query)).toEqual(expected);
  });

  it("reports invalid JSON with the field's name", () => {
    expect(() => body("parse", "prompt=a&schema={")).toThrow("The parameter 'schema' must be valid JSON");
  });

  it("shows an earlier request again", () => {
    const request = {
      url: "https://a.example/",
      formats: ["text", "links"],
      include_selectors: [".x", "h1"],
      other: 1,
    };
    const filled = toFormValues("scrape", request);
    expect(filled.get("include_selectors")).toBe(".x\nh1");
    expect(filled.has("other")).toBe(false);
    const { other, ...expected } = request;
    expect(toBody("scrape", filled)).toEqual(expected);
  });

  it("has the defaults for parameters that a link doesn't set", () => {
    const filled = fillForm("scrape", values("url=a&formats=text&formats=html"));
    expect(filled.getAll("formats")).toEqual(["text", "html"]);
    expect(filled.get("only_main_content")).toBe("true");
    expect(fillForm("serp", values("")).get("engine")).toBe("google");
  });

  it.each([
    ["js_render=true", "always"],
    ["js_render=false", "never"],
    ["js_render=true&render=auto", "auto"],
    ["", "never"],
  ])("has one field for both parameters of rendering: %s", (query, expected) => {
    const filled = fillForm("scrape", values(query));
    expect([filled.get("render"), filled.has("js_render")]).toEqual([expected, false]);
  });

  it.each([
    ["scrape", "render=never&wait_for= ", false],
    ["scrape", "render=auto", true],
    ["scrape", "wait_for=.x", true],
  ] as const)("for %s with %j has other values than the defaults: %s", (endpoint, query, expected) => {
    expect(hasNonDefault(endpoint, values(query), ["render", "wait_for"])).toBe(expected);
  });
});
