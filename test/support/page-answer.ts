import { answerFromPage, type PageAnswer } from "../../src/endpoints/parse/page-data/answer";
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
  return answerFromPage({ nodes, schema: { type: "object", properties, required }, prompt });
}

export function jsonLd(...values: object[]): string {
  return values.map((value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`).join("");
}

/** Returns the declaration of a product. */
export const product = (more: object = {}): string =>
  jsonLd({
    "@type": "Product",
    name: "Blue Mug",
    brand: { "@type": "Brand", name: "Potters" },
    offers: { "@type": "Offer", price: "1299.00", priceCurrency: "EUR", availability: "https://schema.org/InStock" },
    aggregateRating: { ratingValue: "4.7", reviewCount: 12 },
    ...more,
  });
/** The text that shows the product. */
export const SHOWN = "<h1>Blue Mug</h1><p>€1,299.00 Add to cart. 4.7 of 5, 12 reviews</p>";

/** Returns the declaration of a recipe. */
export const recipe = (more: object = {}): string =>
  jsonLd({
    "@type": "Recipe",
    name: "Pumpkin Soup",
    recipeIngredient: ["1 pumpkin", "2 cups water"],
    recipeInstructions: [
      {
        "@type": "HowToSection",
        name: "Soup",
        itemListElement: [{ "@type": "HowToStep", text: "Cut the pumpkin into large pieces." }],
      },
      { "@type": "HowToStep", text: "Cook everything for about half an hour." },
    ],
    recipeYield: ["4", "4 servings"],
    prepTime: "PT1H30M",
    ...more,
  });
/** The headline of the recipe. */
export const SOUP = "<h1>Pumpkin Soup</h1>";

/** Returns the declaration of a thing of schema.org. */
export const thing = (type: string, more: object): string =>
  jsonLd({ "@context": "https://schema.org", "@type": type, ...more });

/** Returns a page with a title and a headline. */
export const titled = (title: string, html: string): string => `<title>${title}</title><h1>${title}</h1>${html}`;
