import { describe, expect, it } from "vitest";
import { answerFromPage } from "../../../../src/endpoints/parse/page-data/answer";
import { readPageData } from "../../../../src/html/page-data/read-page-data";
import { parseVisiblePage } from "../../../../src/html/visible-page";
import {
  answerPage,
  jsonLd,
  number,
  PAGE_URL,
  product,
  recipe,
  SHOWN,
  SOUP,
  text,
  texts,
} from "../../../support/page-answer";

describe("values that aren't used", () => {
  const properties = { name: text, price: number, availability: text };

  it("leaves out a price that differs between declarations", () => {
    const meta = '<meta property="product:price:amount" content="999.00">';
    expect(answerPage(product() + meta + SHOWN, properties).data).not.toHaveProperty("price");
  });

  it("leaves out the price of variants that differ", () => {
    const offers = [{ price: 10 }, { price: 20 }];
    expect(answerPage(`${product({ offers })}<h1>Blue Mug</h1><p>€10 €20</p>`, properties).data).toEqual({
      name: "Blue Mug",
    });
  });

  it("leaves out a price and stock that the page doesn't show", () => {
    expect(answerPage(`${product()}<h1>Blue Mug</h1><p>No longer available</p>`, properties).data).toEqual({
      name: "Blue Mug",
    });
  });

  it.each(["<del>€1,299.00</del> €999.00", "<s>€<b>1,299</b>.00</s> €999.00", "Was: €1,299.00 Now: €999.00"])(
    "leaves out a declared price that the page shows as a former price: %s",
    (shown) => {
      const price = { price: number };
      expect(answerPage(`${product()}<h1>Blue Mug</h1><p>${shown}</p>`, price).data).toEqual({});
      expect(answerPage(`${product()}<h1>Blue Mug</h1><p>€1,299.00 ${shown}</p>`, price).data).toEqual({ price: 1299 });
    },
  );

  it("leaves out an amount that can mean two numbers", () => {
    const offers = { price: "1,299", priceCurrency: "EUR" };
    expect(answerPage(product({ offers }) + SHOWN, properties).data).not.toHaveProperty("price");
  });

  it("leaves out the objects of another page", () => {
    expect(answerPage(`${product()}<h1>Our shop in Berlin</h1><p>€1,299.00</p>`, properties).data).toEqual({});
  });

  it("leaves out all products of a page with several of them", () => {
    const other = product({ name: "Mug Blue" });
    expect(
      answerPage(`${product()}${other}<h1>Mug Blue and Blue Mug</h1><p>€1,299.00 Add to cart</p>`, properties).data,
    ).not.toHaveProperty("price");
  });

  it("leaves out ingredients without amounts, and a text with several steps", () => {
    const bare = { recipeIngredient: ["pumpkin", "water", "salt"], recipeInstructions: "1. Cut it. 2. Cook it." };
    expect(answerPage(recipe(bare) + SOUP, { ingredients: texts, steps: texts }).data).toEqual({});
  });

  it.each(["4-6 servings", "4 to 6 servings", "2 to 4 servings", "one 4-inch cake"])(
    "leaves out the yield 4 if the page shows %s",
    (shown) => {
      const html = `${recipe({ recipeYield: "4" })}${SOUP}<p>Yield: ${shown}</p>`;
      expect(answerPage(html, { yield: text, servings: number }).data).toEqual({});
    },
  );

  it("leaves out a number for a range of servings", () => {
    expect(answerPage(recipe({ recipeYield: "4-6 servings" }) + SOUP, { servings: number, yield: text }).data).toEqual({
      yield: "4-6 servings",
    });
  });

  it.each(["admin", "Potters Ltd", "https://shop.example/ada", "Ada Lovelace, Editor"])(
    "leaves out the author %s",
    (name) => {
      const article = jsonLd({ "@type": "Article", headline: "Rain", author: { name } });
      expect(answerPage(`${article}<h1>Rain</h1><p>By ${name}</p>`, { author: text }).data).toEqual({});
    },
  );

  it("leaves out a value that the schema doesn't allow", () => {
    const price = { type: "number", maximum: 100 };
    expect(answerPage(product() + SHOWN, { price, name: { ...text, maxLength: 3 } }).data).toEqual({});
  });
});

describe("prompts", () => {
  const ask = (prompt: string, description?: string) =>
    Object.keys(answerPage(product() + SHOWN, { name: text, price: { ...number, description } }, { prompt }).data);

  it.each([
    "Extract the product's name and its price.",
    "Give me the name and price of the product. If a value is missing, use null.",
    "Extrahiere Name und Preis des Produkts.",
    "Return only valid JSON.",
  ])("answer everything: %s", (prompt) => expect(ask(prompt)).toEqual(["name", "price"]));

  it.each([
    "Extract the name and the SALE price.",
    "Extract the name and the price before the discount.",
    "Extract the name, and the price per kilogram",
  ])("leave the price open: %s", (prompt) => expect(ask(prompt)).toEqual(["name"]));

  it.each([
    "Translate the name into German.",
    "Extract the second product.",
    "Only products under 20 euros.",
    "提取产品名称",
  ])("leave everything open: %s", (prompt) => expect(ask(prompt)).toEqual([]));

  it("leaves a property open whose description qualifies it", () => {
    expect(ask("Extract the data.", "The price without currency symbol")).toEqual(["name", "price"]);
    expect(ask("Extract the data.", "The original price before the discount")).toEqual(["name"]);
  });
});

describe("missing properties", () => {
  it.each(["Price in CHF", "The price in Swiss francs", "In minor units", "The monthly instalment", "Shipping costs"])(
    "leaves out a price whose description is “%s”",
    (description) => {
      expect(answerPage(product() + SHOWN, { price: { ...number, description } }).data).toEqual({});
    },
  );

  it("leaves out a rating with another scale", () => {
    const html = product({ aggregateRating: { ratingValue: 4.7, bestRating: 10 } }) + SHOWN;
    expect(answerPage(html, { rating: { ...number, description: "Out of 5" } }).data).toEqual({});
    expect(answerPage(html, { rating: { ...number, maximum: 5 } }).data).toEqual({});
    expect(answerPage(html, { rating: { ...number, maximum: 10 } }).data).toEqual({ rating: 4.7 });
    expect(answerPage(product() + SHOWN, { rating: { ...number, description: "Percentage" } }).data).toEqual({});
    expect(answerPage(product() + SHOWN, { rating: { ...number, description: "From 0 to 5" } }).data).toEqual({
      rating: 4.7,
    });
  });

  it("leaves out the only option of a schema if the page has another value", () => {
    const properties = {
      kind: { const: "product" },
      currency: { const: "USD" },
      availability: { enum: ["out_of_stock"] },
    };
    expect(answerPage(product() + SHOWN, properties).data).toEqual({ kind: "product" });
    expect(answerPage(product() + SHOWN, { currency: { const: "EUR" } }).data).toEqual({ currency: "EUR" });
  });

  it("leaves out a declared number that can be a price with thousands", () => {
    const html = jsonLd({ "@type": "Product", name: "Blue Mug", offers: { price: 1.234 } });
    expect(answerPage(`${html}<h1>Blue Mug</h1><p>1.234 €</p>`, { price: number }).data).toEqual({});
  });

  it("lists the paths of required and of all missing properties", () => {
    const size = { type: "object", properties: { width: number }, required: ["width"] };
    const { missing, missingRequired } = answerPage(
      product() + SHOWN,
      { name: text, size, color: text },
      { required: ["name", "size"] },
    );
    expect(missing).toEqual([["size"], ["color"]]);
    expect(missingRequired).toEqual([["size"]]);
  });

  it("doesn't multiply the groups of a schema that refers to itself", () => {
    const html = product() + SHOWN;
    const page = parseVisiblePage(`<body>${html}<p>A page.</p></body>`);
    const names = "product item produkt producto prodotto produit details info data".split(" ");
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: "#" }]));
    const found = answerFromPage({
      nodes: readPageData(page, { baseUrl: PAGE_URL, url: PAGE_URL }),
      schema: { type: "object", properties: { ...properties, price: number } },
      prompt: "",
    });
    expect(found.data).toMatchObject({ price: 1299, product: { item: { price: 1299 } } });
    expect(found.data).not.toHaveProperty("product.item.info.price");
  });

  it("follows references and allows null", () => {
    const page = parseVisiblePage(product() + SHOWN);
    const schema = {
      type: "object",
      properties: { name: { $ref: "#/$defs/text" }, price: { anyOf: [{ type: "number" }, { type: "null" }] } },
      $defs: { text },
    };
    const nodes = readPageData(page, { baseUrl: PAGE_URL, url: PAGE_URL });
    expect(answerFromPage({ nodes, schema, prompt: "" }).data).toEqual({ name: "Blue Mug", price: 1299 });
  });
});
