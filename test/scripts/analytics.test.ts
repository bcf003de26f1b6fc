import { describe, expect, it } from "vitest";
import { toQueries } from "../../scripts/admin/analytics";

const options = { limit: 5, dataset: "web_data_extraction" };

describe("the SQL queries of `npm run jobs`", () => {
  it("filter by the columns in which events are stored", () => {
    const filter = {
      host: "example.com",
      since: "2026-11-01",
      until: "2026-11-02T12:00:00Z",
      code: "target_timeout",
      account: "a-1",
    };
    for (const sql of toQueries(filter, options)) {
      expect(sql).toContain("blob1 = 'job'");
      expect(sql).toContain("(blob9 = 'example.com' OR blob9 LIKE '%.example.com')");
      expect(sql).toContain("timestamp >= toDateTime(1793491200)");
      expect(sql).toContain("timestamp < toDateTime(1793620800)");
      expect(sql).toContain("blob4 = 'target_timeout'");
      expect(sql).toContain("index1 = 'a-1'");
    }
  });

  it("weight sampled events and list the latest ones", () => {
    const [groups, events] = toQueries({}, options);
    expect(groups).toContain("SUM(_sample_interval) AS jobs");
    expect(events).toContain("LIMIT 5");
  });

  it.each(["x' OR '1' = '1", "a\\", "%", ""])("refuse the value %j", (host) => {
    expect(() => toQueries({ host }, options)).toThrow("isn't a valid filter value.");
  });

  it("refuse an invalid dataset name", () => {
    expect(() => toQueries({}, { ...options, dataset: "a; DROP" })).toThrow(
      "--dataset may only have letters, digits and underscores",
    );
  });
});
