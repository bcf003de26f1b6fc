import { answerFromPage, type PageAnswer } from "../../src/endpoints/parse/page-data/answer";
import { toParts } from "../../src/endpoints/parse/parts";
import { readHtml } from "../../src/endpoints/parse/read-page";
import { readPageData } from "../../src/html/page-data/read-page-data";
import { parseVisiblePage } from "../../src/html/visible-page";

export const PAGE_URL = "https://shop.example/page";
/** Words that make the text of a page long enough to be compared with its declarations. */
const TEXT =
  "This page describes the thing in many words so that a reader can learn all that there is to know about it today.";

export const text = { type: "string" };
export const number = { type: "number" };
export const texts = { type: "array", items: text };

interface Options {
  prompt?: string;
  required?: readonly string[];
  url?: string;
  /** True for a page that shows almost no text. */
  isShort?: boolean;
}

/** Answers a schema with these properties from the data of a page. */
export function answerPage(
  html: string,
  properties: object,
  { prompt = "Extract the data.", required = [], url = PAGE_URL, isShort = false }: Options = {},
): PageAnswer {
  const page = parseVisiblePage(
    html.includes("<body") ? html : `<body>${isShort ? "" : `<p>${TEXT}</p>`}${html}</body>`,
  );
  const nodes = readPageData(page, { baseUrl: url, url });
  const pageText = toParts(readHtml(page, { url }), { maxTokens: 30_000, maxParts: 8 }).text;
  return answerFromPage({ nodes, schema: { type: "object", properties, required }, prompt, pageText });
}

export function jsonLd(...values: object[]): string {
  return values.map((value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`).join("");
}

/** Returns the declaration of a product. */
export function product(more: object = {}): string {
  return jsonLd({
    "@type": "Product",
    name: "Blue Mug",
    offers: { "@type": "Offer", price: "1299.00", priceCurrency: "EUR", availability: "https://schema.org/InStock" },
    ...more,
  });
}
