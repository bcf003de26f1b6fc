import { describe, expect, it } from "vitest";
import { describeInvalidPrices, formatPrices, readOwnPrices, toPrices } from "../../src/model/prices";

const CONTRACT = { scrape: 1, rendering: 1, parse: 5, parseWithoutModel: 5, serp: 2, map: 1, ocr: 1 };

describe("the prices", () => {
  it("are those of the API's contract without variables, and with empty or invalid ones", () => {
    expect(toPrices({})).toEqual(CONTRACT);
    expect(toPrices({ CREDITS_SCRAPE: " ", CREDITS_PARSE: "five", CREDITS_SERP: "-1", CREDITS_MAP: "1001" })).toEqual(
      CONTRACT,
    );
  });

  it("are those of the variables, and the account's own prices override them", () => {
    const variables = {
      ...{ CREDITS_SCRAPE: "3", CREDITS_RENDERING: "0", CREDITS_PARSE: "20", CREDITS_PARSE_WITHOUT_MODEL: "4" },
      ...{ CREDITS_SERP: "7", CREDITS_MAP: " 1000 ", CREDITS_OCR: "2" },
    };
    const prices = { scrape: 3, rendering: 0, parse: 20, parseWithoutModel: 4, serp: 7, map: 1_000, ocr: 2 };
    expect(toPrices(variables)).toEqual(prices);
    expect(toPrices(variables, { scrape: 0, parse_without_model: 9 })).toEqual({
      ...prices,
      scrape: 0,
      parseWithoutModel: 9,
    });
  });

  it.each([
    [{ CREDITS_PARSE: "8" }, null, 8],
    [{ CREDITS_PARSE: "3", CREDITS_PARSE_WITHOUT_MODEL: "5" }, null, 3],
    [{ CREDITS_PARSE_WITHOUT_MODEL: "2" }, { parse: 1 }, 1],
  ])("never cost more without a model than with one: %j %j", (variables, own, credits) => {
    expect(toPrices(variables, own).parseWithoutModel).toBe(credits);
  });

  it("name each invalid variable and what it must be", () => {
    expect(describeInvalidPrices({ CREDITS_SCRAPE: "1", CREDITS_SERP: "", CREDITS_MAP: "0" })).toEqual([]);
    expect(describeInvalidPrices({ CREDITS_SCRAPE: "1.5", CREDITS_PARSE_WITHOUT_MODEL: "free" })).toEqual([
      'CREDITS_SCRAPE is "1.5". It must be a whole number of credits from 0 to 1000, or empty for 1.',
      'CREDITS_PARSE_WITHOUT_MODEL is "free". It must be a whole number of credits from 0 to 1000, or empty for the price of CREDITS_PARSE.',
    ]);
  });
});

it("the column of an account's own prices is read without invalid content", () => {
  const values = { scrape: 2, rendering: "free", parse: 1.5, parse_without_model: -1, serp: 1001, map: null, crawl: 3 };
  expect(readOwnPrices(JSON.stringify(values))).toEqual({ scrape: 2 });
  expect([null, "null", "{", "[]", "7", "{}"].map(readOwnPrices)).toEqual([null, null, null, null, null, null]);
});

it("an account's own prices are shown as a text", () => {
  expect([formatPrices({ parse: 3, scrape: 2 }), formatPrices(null)]).toEqual(["scrape=2, parse=3", ""]);
});
