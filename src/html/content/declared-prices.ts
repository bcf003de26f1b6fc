import { type Document, Element } from "domhandler";
import { headOf, jsonLdOf } from "../parse/document";

const DECLARED_PRICE = /"(?:lowPrice|price)"\s*:\s*"?(\d[\d.,]{0,20})/g;
const META_PRICE = /^(?:product|og):price:amount$/;

/** Returns the prices that the page's JSON-LD and Open Graph state, as numbers. A price of 0 means that there is none. */
export function declaredPrices(document: Document): ReadonlySet<number> {
  const prices = new Set<number>();
  for (const source of jsonLdOf(document))
    for (const [, price = ""] of source.matchAll(DECLARED_PRICE)) prices.add(readPrice(price));
  for (const node of headOf(document).children)
    if (node instanceof Element && META_PRICE.test(node.attribs.property ?? ""))
      prices.add(readPrice(node.attribs.content ?? ""));
  prices.delete(0);
  return prices;
}

/** Reads the price in a page's data. The decimal separator is a point there, as in `84.9000`, but not on all pages. */
function readPrice(price: string): number {
  return /^\d+\.\d+$/.test(price) ? Math.round(Number(price) * 100) / 100 : toNumber(price);
}

/** Reads `1,299.00`, `1.299,00`, `1 299` and the like. A separator with one or two digits after it is a decimal point. */
export function toNumber(amount: string): number {
  const [, whole = amount, cents = ""] = /^(.*)[.,](\d{1,2})$/.exec(amount) ?? [];
  return Number(`${whole.replace(/\D/g, "")}.${cents}`);
}
