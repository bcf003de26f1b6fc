import { describe, expect, it } from "vitest";
import { AppError } from "../../src/model/errors";
import { run } from "../support/run-endpoint";
import { type Case, hostileUrl, type Outcome, PAGE, withNames } from "./check";
import { plainCases } from "./plain-cases";

const { bodies, "redirects and refreshes": moves, statuses, types, "broken HTTP": wire } = plainCases;

/** The service's own parser for HTTP accepts more than the runtime's parser. */
const OTHER_OUTCOMES: Readonly<Record<string, Outcome>> = {
  "a status of five digits": "target_http_error",
  "an unknown HTTP version": PAGE,
  "a header with a NUL character": PAGE,
  "a header without a colon": PAGE,
};

/** Returns the error code, or the text of the page. */
async function scrapeOverSocket(behavior: string, request: Record<string, unknown>): Promise<Outcome> {
  const input = { url: hostileUrl(behavior), formats: ["text"], ...request };
  try {
    const { data } = await run("scrape", input, { bindings: { FETCH_VIA: "socket" } });
    return { text: (data as { text: string }).text };
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe.concurrent.each(Object.entries({ bodies, moves, statuses, types, wire }))(
  "the hostile website over a socket: %s",
  (_part, cases = []) => {
    it.each(withNames(cases))("%s", async (name, [, behavior, usual, request = {}]: Case) => {
      const outcome = OTHER_OUTCOMES[name] ?? usual;
      const expected =
        typeof outcome === "string" || outcome.text === "" ? outcome : { text: expect.stringContaining(outcome.text) };
      expect(await scrapeOverSocket(behavior, request)).toEqual(expected);
    });
  },
);
