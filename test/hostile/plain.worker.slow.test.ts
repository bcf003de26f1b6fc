import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { scrapeCase, toExpected, withNames } from "./check";
import { plainCases } from "./plain-cases";

/** With the stand-in for Cloudflare's `fetch`, these sections are left out. Their cases don't depend on `fetch`. */
const SAME_EVERYWHERE = ["slow responses", "characters", "bodies", "types"];
const isPlatform = env.DNS_RESOLVER === "";
const cases = Object.entries(plainCases).filter(([part]) => !isPlatform || !SAME_EVERYWHERE.includes(part));

// Some cases end only when a timeout of the service expires. They start first and run in parallel with the others.
describe.concurrent("the hostile website in a plain fetch", () => {
  describe.each(cases)("%s", (part, rows) => {
    it.each(withNames(rows))("%s", async (_, row) => {
      expect(await scrapeCase(`Plain: ${part}`, row)).toEqual(toExpected(row));
    });
  });
});
