import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { log, logAs, toLogged, writeDataPoint } from "../../src/lib/log";

const lines: { method: string; line: unknown }[] = [];

beforeEach(() => {
  lines.length = 0;
  for (const method of ["log", "warn", "error"] as const) {
    vi.spyOn(console, method).mockImplementation((text: string) => void lines.push({ method, line: JSON.parse(text) }));
  }
});
afterEach(() => vi.restoreAllMocks());

it.each([
  ["info", "log"],
  ["warn", "warn"],
  ["error", "error"],
] as const)("writes a line of level %s as JSON with console.%s", (level, method) => {
  log(level, "job_ended", { job_id: "1" });
  expect(lines).toEqual([{ method, line: { level, event: "job_ended", job_id: "1" } }]);
});

it("adds the fields of `logAs` to each line, even after an await and in nested calls, but not afterwards", async () => {
  await logAs({ request_id: "r" }, async () => {
    await Promise.resolve();
    logAs({ job_id: "j" }, () => log("info", "inner"));
    log("info", "outer", { status: 200 });
  });
  log("info", "after");
  expect(lines.map(({ line }) => line)).toEqual([
    { level: "info", event: "inner", request_id: "r", job_id: "j" },
    { level: "info", event: "outer", request_id: "r", status: 200 },
    { level: "info", event: "after" },
  ]);
});

it("prefers a line's own fields to those of `logAs`, and the inner `logAs` to the outer one", () => {
  logAs({ job_id: "outer", key_id: "outer" }, () =>
    logAs({ key_id: "inner" }, () => log("info", "a", { job_id: "own" })),
  );
  expect(lines.map(({ line }) => line)).toEqual([{ level: "info", event: "a", job_id: "own", key_id: "inner" }]);
});

it("returns the result of the work of `logAs`", async () => {
  expect(await logAs({}, async () => 7)).toBe(7);
});

describe("the fields of an error", () => {
  const KEY = `sk_live_${"a".repeat(43)}`;

  it("are its message, stack and cause, without secrets", () => {
    const error = new Error(`Refused ${KEY}`, { cause: new Error(`The header was Bearer ${KEY}`) });
    const fields = toLogged(error);
    expect(fields).toEqual({
      error: expect.stringContaining("Refused"),
      stack: expect.stringContaining("Refused"),
      cause: expect.stringContaining("The header was"),
    });
    expect(JSON.stringify(fields)).not.toContain(KEY);
  });

  it("have the message of the cause, or its text if it isn't an Error", () => {
    const causeOf = (cause: unknown) => toLogged(new Error("x", { cause })).cause;
    expect(causeOf(new Error("The header was lost."))).toBe("The header was lost.");
    expect(causeOf("stopped")).toBe("stopped");
    expect(toLogged(new Error("x"))).not.toHaveProperty("cause");
  });

  it("only have a text if the thrown value isn't an Error", () => {
    expect(toLogged("stopped")).toEqual({ error: "stopped" });
    expect(JSON.stringify(toLogged(KEY))).not.toContain(KEY);
  });
});

describe("a data point", () => {
  it("has empty texts for missing dimensions", () => {
    const points: unknown[] = [];
    const ANALYTICS = { writeDataPoint: (point: unknown) => void points.push(point) };
    writeDataPoint({ ANALYTICS } as unknown as Env, { account: undefined, blobs: ["a", undefined], doubles: [1] });
    expect(points).toEqual([{ indexes: [""], blobs: ["a", ""], doubles: [1] }]);
  });

  it("isn't written without a dataset, and an error of the dataset is only logged", () => {
    const point = { account: "a", blobs: [], doubles: [] };
    writeDataPoint({} as Env, point);
    expect(lines).toEqual([]);
    const broken = () => {
      throw new Error("The dataset is full.");
    };
    writeDataPoint({ ANALYTICS: { writeDataPoint: broken } } as unknown as Env, point);
    expect(lines).toMatchObject([{ method: "warn", line: { event: "not_counted", error: "The dataset is full." } }]);
  });
});
