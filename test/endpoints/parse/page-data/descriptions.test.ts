import { describe, expect, it } from "vitest";
import { answerPage, jsonLd, number, product, text } from "../../../support/page-answer";

const SHOP = `${product({ brand: "Potters", sku: "B-1", aggregateRating: { ratingValue: 4.7, reviewCount: 12 } })}
  <h1>Blue Mug</h1><p>€1,299.00 Add to cart. 4.7 of 5, 12 reviews</p>`;
const ARTICLE = `${jsonLd({ "@type": "Article", headline: "Rain", author: "Ada Lovelace", datePublished: "2024-05-03T10:00:00Z", dateModified: "2024-05-04" })}
  <h1>Rain</h1><p>By Ada Lovelace</p>`;
const SOUP = `${jsonLd({ "@type": "Recipe", name: "Soup", prepTime: "PT30M", recipeYield: "4 servings", recipeIngredient: ["1 pumpkin", "2 cups water"] })}<h1>Soup</h1>`;

/** Returns true if the page gives a value for a property with the description. */
function isFound(html: string, name: string, schema: object): boolean {
  return Object.hasOwn(answerPage(html, { name: text, title: text, [name]: schema }).data, name);
}

describe("descriptions that say more than the name", () => {
  it.each([
    "Net price",
    "Price without VAT",
    "The price (without VAT)",
    "Price excluding taxes",
    "Price incl. shipping",
    "The price per unit",
    "Price per 100 g",
    "Monthly price",
    "Lowest price of the last 30 days",
    "The price before the discount, as a number",
    "Price for members",
    "Price of the cheapest variant",
    "Price in USD",
    "The price in cents",
    "Unit price",
    "Wholesale price",
    "The shipping price",
    "The total price with delivery",
    "Price of the second item",
    "The price, e.g. net 9.99",
    "Price without currency symbol and VAT",
    "Nettopreis",
    "Preis pro Monat",
    "Le prix hors taxes",
    "El precio sin IVA",
    "Цена без НДС",
  ])("leave out a price: %s", (description) => {
    expect(isFound(SHOP, "price", { ...number, description })).toBe(false);
  });

  it.each<[name: string, description: string, page: string]>([
    ["rating", "Out of 10", SHOP],
    ["rating", "Rating of the seller", SHOP],
    ["name", "The name of the seller", SHOP],
    ["name", "The name in German", SHOP],
    ["brand", "The brand of the competitor", SHOP],
    ["sku", "The SKU of the replacement", SHOP],
    ["review_count", "Reviews with one star", SHOP],
    ["availability", "Availability in the store in Graz", SHOP],
    ["author", "The email of the author", ARTICLE],
    ["author", "The photographer", ARTICLE],
    ["published", "As DD/MM/YYYY", ARTICLE],
    ["published", "Format: MM-DD-YYYY", ARTICLE],
    ["published", "In the form 3 May 2024", ARTICLE],
    ["published", "As a Unix time", ARTICLE],
    ["published", "Only the year", ARTICLE],
    ["published", "Relative to today", ARTICLE],
    ["modified", "When the page was archived", ARTICLE],
    ["prep_time", "In minutes", SOUP],
    ["yield", "For children", SOUP],
    ["ingredients", "Only the vegan ingredients", SOUP],
  ])("leave out %s: %s", (name, description, html) => {
    const isList = name === "ingredients";
    const schema = isList ? { type: "array", items: text } : /rating|count/.test(name) ? number : text;
    expect(isFound(html, name, { ...schema, description })).toBe(false);
    expect(isFound(html, name, schema)).toBe(true);
  });

  it.each([
    "price_hour",
    "net_price",
    "price_without_vat",
    "monthly_price",
    "price_per_unit",
    "lowest_price_30_days",
    "shipping_price",
  ])("are like names that say more: %s", (name) => expect(isFound(SHOP, name, number)).toBe(false));
});

describe("descriptions that say the same as the name", () => {
  it.each<[name: string, schema: object, page: string]>([
    [
      "price",
      { ...number, description: "The current price of the product as a number, without the currency symbol" },
      SHOP,
    ],
    ["price", { ...number, description: "Price (numeric, e.g. 19.99)" }, SHOP],
    ["price", { ...number, description: "Der Preis des Produkts" }, SHOP],
    ["currency", { ...text, description: "ISO 4217 code of the currency, such as EUR" }, SHOP],
    ["currency", { ...text, description: "Three-letter currency code" }, SHOP],
    ["availability", { ...text, description: "Whether the product is in stock" }, SHOP],
    ["rating", { ...number, description: "Average customer rating, out of 5" }, SHOP],
    ["review_count", { ...number, description: "The total number of reviews" }, SHOP],
    ["brand", { ...text, description: "The brand or manufacturer of the product" }, SHOP],
    ["sku", { ...text, description: "Stock keeping unit (SKU)" }, SHOP],
    ["name", { ...text, description: "The full name of the product as shown on the page" }, SHOP],
    ["author", { ...text, description: "The name of the person who wrote the article" }, ARTICLE],
    ["published", { ...text, format: "date", description: "Publication date (YYYY-MM-DD)" }, ARTICLE],
    ["published", { ...text, description: "The date of publication in ISO 8601 format" }, ARTICLE],
    ["prep_time", { ...text, description: "Preparation time (ISO 8601 duration)" }, SOUP],
    ["prep_time", { ...number, description: "Preparation time in minutes" }, SOUP],
    ["yield", { ...text, description: "How many servings the recipe makes" }, SOUP],
    ["ingredients", { type: "array", items: text, description: "All ingredients with their amounts" }, SOUP],
  ])("leave in %s: %j", (name, schema, html) => {
    expect(isFound(html, name, schema)).toBe(true);
  });
});

describe("prompts", () => {
  it.each(["Extract the price net of taxes.", "The price (net)", "Extract the price excl. VAT"])(
    "leave out a price that they qualify: %s",
    (prompt) => expect(answerPage(SHOP, { price: number }, { prompt }).data).toEqual({}),
  );
});
