import { toText } from "../lib/env.ts";
import { parseJson } from "../lib/json.ts";

/** The prices of the operations in credits. The service's variables set them, and an account can have its own. */
export interface Prices {
  scrape: number;
  /** Added to the price of a scrape whose page is rendered. */
  rendering: number;
  /** A parse, and each of the formats `json` and `summary` of a scrape. */
  parse: number;
  /** A parse or the format `json` for which no language model was called. At most `parse`. */
  parseWithoutModel: number;
  serp: number;
  map: number;
  /** Each page of a scanned PDF that a model reads. */
  ocr: number;
}

/** The names of the prices in the admin API and in `npm run admin`, with the variables and the default prices. */
const PRICES = {
  scrape: { field: "scrape", variable: "CREDITS_SCRAPE", credits: 1 },
  rendering: { field: "rendering", variable: "CREDITS_RENDERING", credits: 1 },
  parse: { field: "parse", variable: "CREDITS_PARSE", credits: 5 },
  // By default, a parse without a model costs the same as a parse with a model.
  parse_without_model: { field: "parseWithoutModel", variable: "CREDITS_PARSE_WITHOUT_MODEL", credits: null },
  serp: { field: "serp", variable: "CREDITS_SERP", credits: 2 },
  map: { field: "map", variable: "CREDITS_MAP", credits: 1 },
  ocr: { field: "ocr", variable: "CREDITS_OCR", credits: 1 },
} as const satisfies Record<string, { field: keyof Prices; variable: string; credits: number | null }>;

type PriceName = keyof typeof PRICES;
export const PRICE_NAMES = Object.keys(PRICES) as PriceName[];

/** The variables of the prices. An empty variable means the default price. */
export type PriceVariables = { readonly [Name in PriceName as (typeof PRICES)[Name]["variable"]]?: string };

/** The prices of an account that differ from those of the service. */
export type OwnPrices = { readonly [Name in PriceName]?: number };

export const MAX_PRICE = 1_000;

/** Returns an account's prices, `own` before the service's. GET /health/ready reports invalid variables. */
export function toPrices(variables: PriceVariables, own?: OwnPrices | null): Prices {
  const read = (name: PriceName) => own?.[name] ?? readPrice(variables[PRICES[name].variable]) ?? PRICES[name].credits;
  const parse = read("parse") ?? PRICES.parse.credits;
  return {
    scrape: read("scrape") ?? PRICES.scrape.credits,
    rendering: read("rendering") ?? PRICES.rendering.credits,
    parse,
    parseWithoutModel: Math.min(parse, read("parse_without_model") ?? parse),
    serp: read("serp") ?? PRICES.serp.credits,
    map: read("map") ?? PRICES.map.credits,
    ocr: read("ocr") ?? PRICES.ocr.credits,
  };
}

/** Returns a message for each price variable with an invalid value. */
export function describeInvalidPrices(variables: PriceVariables): string[] {
  return Object.values(PRICES).flatMap(({ variable, credits }) => {
    const text = toText(variables[variable]);
    if (text === null || readPrice(text) !== null) return [];
    const usual = credits === null ? "the price of CREDITS_PARSE" : credits;
    return [
      `${variable} is "${text}". It must be a whole number of credits from 0 to ${MAX_PRICE}, or empty for ${usual}.`,
    ];
  });
}

function readPrice(text: string | undefined): number | null {
  const value = toText(text);
  return value !== null && /^\d{1,4}$/.test(value) && Number(value) <= MAX_PRICE ? Number(value) : null;
}

/** Returns prices as a text such as `scrape=2, parse=3`. Empty if there are none. */
export function formatPrices(own: OwnPrices | null): string {
  return PRICE_NAMES.flatMap((name) => (own?.[name] === undefined ? [] : [`${name}=${own[name]}`])).join(", ");
}

/**
 * Reads the column of an account with its own prices (JSON). Returns null if it has none. Ignores unknown names and
 * invalid values, because one invalid row must not make the account's keys and the list of accounts fail.
 */
export function readOwnPrices(json: string | null): OwnPrices | null {
  const stored = json === null ? null : (parseJson(json) as { readonly [name: string]: unknown } | null);
  const prices: { [Name in PriceName]?: number } = {};
  for (const name of PRICE_NAMES) {
    const price = readPrice(String(stored?.[name]));
    if (price !== null) prices[name] = price;
  }
  return Object.keys(prices).length === 0 ? null : prices;
}
