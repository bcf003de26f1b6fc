import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerFromPage } from "../../../../src/endpoints/parse/page-data/answer";
import { toParts } from "../../../../src/endpoints/parse/parts";
import { readHtml } from "../../../../src/endpoints/parse/read-page";
import { readPageData } from "../../../../src/html/page-data/read-page-data";
import { parseVisiblePage } from "../../../../src/html/visible-page";

const URL = "https://shop.example/page";
/** Words that make the text of a page long enough to be compared with its declarations. */
const TEXT =
  "This page describes the thing in many words so that a reader can learn all that there is to know about it today.";

const text = { type: "string" };
const number = { type: "number" };
const texts = { type: "array", items: text };

function answer(html: string, properties: object, { prompt = "Extract the data.", required = [] as string[] } = {}) {
  const page = parseVisiblePage(`<body>${html}<p>${TEXT}</p></body>`);
  const nodes = readPageData(page, { baseUrl: URL, url: URL });
  const pageText = toParts(readHtml(page, { url: URL }), { maxTokens: 30_000, maxParts: 8 }).text;
  return answerFromPage({ nodes, schema: { type: "object", properties, required }, prompt, pageText });
}

const jsonLd = (...values: object[]) =>
  values.map((value) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`).join("");

const product = (more: object = {}) =>
  jsonLd({
    "@type": "Product",
    name: "Blue Mug",
    brand: { "@type": "Brand", name: "Potters" },
    offers: { "@type": "Offer", price: "1299.00", priceCurrency: "EUR", availability: "https://schema.org/InStock" },
    aggregateRating: { ratingValue: "4.7", reviewCount: 12 },
    ...more,
  });
const SHOWN = "<h1>Blue Mug</h1><p>€1,299.00 Add to cart. 4.7 of 5, 12 reviews</p>";

const recipe = (more: object = {}) =>
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
const SOUP = "<h1>Pumpkin Soup</h1>";

describe("answers from declarations", () => {
  it("fills a product with its types, its enumeration and its nested object", () => {
    const { data, sources, missing } = answer(product() + SHOWN, {
      product_name: text,
      price: number,
      currency: text,
      availability: { type: "string", enum: ["in_stock", "out_of_stock"] },
      in_stock: { type: "boolean" },
      brand: { type: "object", properties: { name: text } },
      rating: number,
      review_count: { type: "integer" },
      weight: text,
    });
    expect(data).toEqual({
      product_name: "Blue Mug",
      price: 1299,
      currency: "EUR",
      availability: "in_stock",
      in_stock: true,
      brand: { name: "Potters" },
      rating: 4.7,
      review_count: 12,
    });
    expect(sources.get("/price")).toBe("json_ld");
    expect(sources.get("/brand/name")).toBe("json_ld");
    expect(missing).toEqual([["weight"]]);
  });

  it("fills a recipe, and converts durations to the unit of the property", () => {
    const { data, quotes } = answer(recipe() + SOUP, {
      title: text,
      ingredients: texts,
      steps: texts,
      servings: { type: "integer" },
      prep_time_minutes: { type: "integer" },
      prep_time: { type: "string" },
    });
    expect(data).toEqual({
      title: "Pumpkin Soup",
      ingredients: ["1 pumpkin", "2 cups water"],
      steps: ["Cut the pumpkin into large pieces.", "Cook everything for about half an hour."],
      servings: 4,
      prep_time_minutes: 90,
      prep_time: "PT1H30M",
    });
    expect(quotes).toContainEqual({ pointer: "/ingredients/1", quote: "2 cups water" });
  });

  it("fills an article with the visible heading, the author and the day", () => {
    const article = jsonLd({
      "@type": "NewsArticle",
      headline: "Rain in May",
      author: [{ "@type": "Person", name: "Ada Lovelace" }],
      datePublished: "2024-05-03T23:30:00-05:00",
    });
    const { data } = answer(`${article}<h1>Rain in May</h1><p>By Ada Lovelace, May 3, 2024</p>`, {
      headline: text,
      author: text,
      authors: texts,
      published_at: { type: "string", format: "date" },
    });
    expect(data).toEqual({
      headline: "Rain in May",
      author: "Ada Lovelace",
      authors: ["Ada Lovelace"],
      published_at: "2024-05-03",
    });
  });

  it("fills a job with its company, its place and its deadline", () => {
    const job = jsonLd({
      "@type": "JobPosting",
      title: "Potter",
      hiringOrganization: { "@type": "Organization", name: "Mugs Ltd" },
      jobLocation: { "@type": "Place", address: { addressLocality: "Berlin", addressCountry: "DE" } },
      validThrough: "2024-06-01",
      employmentType: "FULL_TIME",
    });
    const properties = { title: text, company: text, city: text, country: text, employment_type: text, deadline: text };
    expect(answer(`${job}<h1>Potter (m/f)</h1>`, properties).data).toEqual({
      title: "Potter",
      company: "Mugs Ltd",
      city: "Berlin",
      country: "DE",
      employment_type: "FULL_TIME",
      deadline: "2024-06-01",
    });
  });

  it("fills an event and its nested location", () => {
    const event = jsonLd({
      "@type": "MusicEvent",
      name: "Spring Concert",
      startDate: "2024-05-03T20:00:00+02:00",
      location: { "@type": "Place", name: "Town Hall", address: { addressLocality: "Graz" } },
    });
    const { data } = answer(`${event}<h1>Spring Concert</h1>`, {
      event: { type: "object", properties: { name: text, start_date: { type: "string", format: "date-time" } } },
      location: { type: "object", properties: { name: text, city: text } },
    });
    expect(data).toEqual({
      event: { name: "Spring Concert", start_date: "2024-05-03T20:00:00+02:00" },
      location: { name: "Town Hall", city: "Graz" },
    });
  });
});

describe("organizations", () => {
  const properties = { name: text, telephone: text, city: text };
  const page = "<title>Repairs in Graz | Mugs Ltd</title><h1>Repairs in Graz</h1>";

  it("have the declared name, and not the heading of the page", () => {
    const declared = {
      "@type": "LocalBusiness",
      name: "Mugs Ltd",
      telephone: "+43 1",
      address: { addressLocality: "Graz" },
    };
    expect(answer(jsonLd(declared) + page, properties).data).toEqual({
      name: "Mugs Ltd",
      telephone: "+43 1",
      city: "Graz",
    });
    const meta = '<meta name="description" content="We repair mugs in Graz.">';
    expect(answer(meta + page, { ...properties, description: text, url: text }).data).toEqual({});
  });

  it.each<[name: string, at: object, value: string | number]>([
    ["telephone", { telephone: undefined, contactPoint: { telephone: "+43 2" } }, "+43 2"],
    ["email", { contactPoint: { email: "mugs@shop.example" } }, "mugs@shop.example"],
    ["city", { location: { address: { addressLocality: "Graz" } } }, "Graz"],
    ["region", { location: { address: { addressRegion: "Styria" } } }, "Styria"],
    ["country", { location: { address: { addressCountry: "AT" } } }, "AT"],
    ["zip", { location: { address: { postalCode: "8010" } } }, "8010"],
    ["street", { location: { address: { streetAddress: "Main Street 1" } } }, "Main Street 1"],
    ["latitude", { location: { geo: { latitude: 47.07 } } }, 47.07],
    ["longitude", { location: { geo: { longitude: 15.44 } } }, 15.44],
  ])("can declare their %s in a nested object", (name, at, value) => {
    const declared = { "@type": "LocalBusiness", name: "Mugs Ltd", telephone: "+43 1", ...at };
    const type = typeof value === "number" ? number : text;
    expect(answer(jsonLd(declared) + page, { ...properties, [name]: type }).data).toHaveProperty(name, value);
  });

  it("aren't the items of a list", () => {
    const site = ["WebSite", "WebPage", "CollectionPage"].map((type) => ({
      "@type": type,
      name: "Mugs",
      url: "https://shop.example/",
    }));
    const items = { type: "array", items: { type: "object", properties: { name: text, url: text } } };
    expect(answer(jsonLd(...site), { items }).data).toEqual({});
  });
});

describe("answers from what the page shows", () => {
  it.each([
    ["a table", "<table><tr><th>Material<td>Steel<tr><th>Weight<td>2 kg</table>"],
    ["a definition list", "<dl><dt>Material<dd>Steel<dt>Weight<dd>2 kg</dl>"],
    ["labels", "<p>Material: Steel</p><p>Weight: 2 kg</p>"],
  ])("reads %s", (_, html) => {
    expect(answer(html, { material: text, weight: text, weight_kg: number, weight_g: number }).data).toEqual({
      material: "Steel",
      weight: "2 kg",
    });
  });

  it("uses a number only if the property names its unit", () => {
    const weight = { type: "number", description: "in kg" };
    expect(answer("<p>Net mass: 2 kg</p>", { net_mass: number }).data).toEqual({});
    expect(answer("<p>Net mass: 2 kg</p>", { net_mass: weight }).data).toEqual({ net_mass: 2 });
  });

  it("uses a declared quantity with its unit, and a declared number of minutes not at all", () => {
    const html = product({ weight: { "@type": "QuantitativeValue", value: 2.5, unitCode: "LBR" } }) + SHOWN;
    const inUnit = (unit: string) => ({ type: "number", description: `in ${unit}` });
    expect(answer(html, { weight: inUnit("kg") }).data).toEqual({});
    expect(answer(html, { weight: inUnit("lb") }).data).toEqual({ weight: 2.5 });
    expect(answer(html, { weight: text }).data).toEqual({ weight: "2.5 lb" });
    expect(answer(recipe({ prepTime: 30 }) + SOUP, { prep_time_seconds: number, prep_time: number }).data).toEqual({});
  });

  it("fills a list of objects from a table with the same columns", () => {
    const html = "<table><tr><th>Model<th>Seats<th>Note<tr><td>A<td>2<td>x<tr><td>B<td>4<td>y</table>";
    const items = { type: "object", properties: { model: text, seats: number }, required: ["model", "seats"] };
    expect(answer(html, { cars: { type: "array", items } }).data).toEqual({
      cars: [
        { model: "A", seats: 2 },
        { model: "B", seats: 4 },
      ],
    });
  });

  it("fills a list from the items that a page declares, but no other list of the page", () => {
    const item = (name: string, at: number) => ({
      "@type": "ListItem",
      position: at,
      name,
      url: `https://shop.example/${at}`,
    });
    const html = jsonLd({ "@type": "ItemList", itemListElement: [item("Mug", 1), item("Cup", 2)] });
    const list = {
      type: "array",
      items: { type: "object", properties: { name: text, url: text }, required: ["name"] },
    };
    expect(answer(html, { products: list, related_products: list }).data).toEqual({
      products: [
        { name: "Mug", url: "https://shop.example/1" },
        { name: "Cup", url: "https://shop.example/2" },
      ],
    });
  });

  it("reads embedded state only for the subject that the heading names", () => {
    const state = (name: string) =>
      `<script type="application/json">${JSON.stringify({ a: { name, sku: "M-1", color: "blue" } })}</script>`;
    const html = "<h1>Blue Mug</h1><p>Item M-1 in blue</p>";
    const properties = { name: text, sku: text, color: text };
    expect(answer(state("Blue Mug") + html, properties).data).toMatchObject({ sku: "M-1", color: "blue" });
    expect(answer(state("Red Mug") + html, properties).data).toEqual({});
  });
});

describe("values that aren't used", () => {
  const properties = { name: text, price: number, availability: text };

  it("leaves out a price that differs between declarations", () => {
    const meta = '<meta property="product:price:amount" content="999.00">';
    expect(answer(product() + meta + SHOWN, properties).data).not.toHaveProperty("price");
  });

  it("leaves out the price of variants that differ", () => {
    const offers = [{ price: 10 }, { price: 20 }];
    expect(answer(`${product({ offers })}<h1>Blue Mug</h1><p>€10 €20</p>`, properties).data).toEqual({
      name: "Blue Mug",
    });
  });

  it("leaves out a price and stock that the page doesn't show", () => {
    expect(answer(`${product()}<h1>Blue Mug</h1><p>No longer available</p>`, properties).data).toEqual({
      name: "Blue Mug",
    });
  });

  it.each(["<del>€1,299.00</del> €999.00", "<s>€<b>1,299</b>.00</s> €999.00", "Was: €1,299.00 Now: €999.00"])(
    "leaves out a declared price that the page shows as a former price: %s",
    (shown) => {
      const price = { price: number };
      expect(answer(`${product()}<h1>Blue Mug</h1><p>${shown}</p>`, price).data).toEqual({});
      expect(answer(`${product()}<h1>Blue Mug</h1><p>€1,299.00 ${shown}</p>`, price).data).toEqual({ price: 1299 });
    },
  );

  it("leaves out an amount that can mean two numbers", () => {
    const offers = { price: "1,299", priceCurrency: "EUR" };
    expect(answer(product({ offers }) + SHOWN, properties).data).not.toHaveProperty("price");
  });

  it("leaves out the objects of another page", () => {
    expect(answer(`${product()}<h1>Our shop in Berlin</h1><p>€1,299.00</p>`, properties).data).toEqual({});
  });

  it("leaves out all products of a page with several of them", () => {
    const other = product({ name: "Mug Blue" });
    expect(
      answer(`${product()}${other}<h1>Mug Blue and Blue Mug</h1><p>€1,299.00 Add to cart</p>`, properties).data,
    ).not.toHaveProperty("price");
  });

  it("leaves out ingredients without amounts, and a text with several steps", () => {
    const bare = { recipeIngredient: ["pumpkin", "water", "salt"], recipeInstructions: "1. Cut it. 2. Cook it." };
    expect(answer(recipe(bare) + SOUP, { ingredients: texts, steps: texts }).data).toEqual({});
  });

  it("leaves out a yield and a time that the page shows differently", () => {
    const shown = `${SOUP}<p>Yield: 4-6 servings</p><p>Prep time: 15 minutes</p>`;
    const bare = { recipeYield: "4" };
    expect(answer(recipe(bare) + shown, { yield: text, prep_time: text }).data).toEqual({});
  });

  it("leaves out a number for a range of servings", () => {
    expect(answer(recipe({ recipeYield: "4-6 servings" }) + SOUP, { servings: number, yield: text }).data).toEqual({
      yield: "4-6 servings",
    });
  });

  it.each(["admin", "Potters Ltd", "https://shop.example/ada", "Ada Lovelace, Editor"])(
    "leaves out the author %s",
    (name) => {
      const article = jsonLd({ "@type": "Article", headline: "Rain", author: { name } });
      expect(answer(`${article}<h1>Rain</h1><p>By ${name}</p>`, { author: text }).data).toEqual({});
    },
  );

  it("leaves out a value that the schema doesn't allow", () => {
    const price = { type: "number", maximum: 100 };
    expect(answer(product() + SHOWN, { price, name: { ...text, maxLength: 3 } }).data).toEqual({});
  });
});

describe("prompts", () => {
  const ask = (prompt: string, description?: string) =>
    Object.keys(answer(product() + SHOWN, { name: text, price: { ...number, description } }, { prompt }).data);

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
      expect(answer(product() + SHOWN, { price: { ...number, description } }).data).toEqual({});
    },
  );

  it("leaves out a rating with another scale", () => {
    const html = product({ aggregateRating: { ratingValue: 4.7, bestRating: 10 } }) + SHOWN;
    expect(answer(html, { rating: { ...number, description: "Out of 5" } }).data).toEqual({});
    expect(answer(html, { rating: { ...number, maximum: 5 } }).data).toEqual({});
    expect(answer(html, { rating: { ...number, maximum: 10 } }).data).toEqual({ rating: 4.7 });
    expect(answer(product() + SHOWN, { rating: { ...number, description: "Percentage" } }).data).toEqual({});
    expect(answer(product() + SHOWN, { rating: { ...number, description: "From 0 to 5" } }).data).toEqual({
      rating: 4.7,
    });
  });

  it("leaves out the only option of a schema if the page has another value", () => {
    const properties = {
      kind: { const: "product" },
      currency: { const: "USD" },
      availability: { enum: ["out_of_stock"] },
    };
    expect(answer(product() + SHOWN, properties).data).toEqual({ kind: "product" });
    expect(answer(product() + SHOWN, { currency: { const: "EUR" } }).data).toEqual({ currency: "EUR" });
  });

  it("leaves out a declared number that can be a price with thousands", () => {
    const html = jsonLd({ "@type": "Product", name: "Blue Mug", offers: { price: 1.234 } });
    expect(answer(`${html}<h1>Blue Mug</h1><p>1.234 €</p>`, { price: number }).data).toEqual({});
  });

  it("lists the paths of required and of all missing properties", () => {
    const size = { type: "object", properties: { width: number }, required: ["width"] };
    const { missing, missingRequired } = answer(
      product() + SHOWN,
      { name: text, size, color: text },
      { required: ["name", "size"] },
    );
    expect(missing).toEqual([["size"], ["color"]]);
    expect(missingRequired).toEqual([["size"]]);
  });

  it("doesn't multiply the groups of a schema that refers to itself", () => {
    const html = product() + SHOWN;
    const page = parseVisiblePage(`<body>${html}<p>${TEXT}</p></body>`);
    const names = "product item produkt producto prodotto produit details info data".split(" ");
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: "#" }]));
    const found = answerFromPage({
      nodes: readPageData(page, { baseUrl: URL, url: URL }),
      schema: { type: "object", properties: { ...properties, price: number } },
      prompt: "",
      pageText: "",
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
    const nodes = readPageData(page, { baseUrl: URL, url: URL });
    expect(answerFromPage({ nodes, schema, prompt: "", pageText: "" }).data).toEqual({ name: "Blue Mug", price: 1299 });
  });
});

describe("any schema and any page", () => {
  const anyJson = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      tie("list"),
      tie("object"),
    ),
    list: fc.array(tie("value"), { maxLength: 4 }),
    object: fc.dictionary(
      fc.constantFrom("@type", "@id", "name", "offers", "price", "author", "step", "x"),
      tie("value"),
      { maxKeys: 5 },
    ),
  })).object;
  const anySchema = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom({}, text, number, texts, { enum: ["a", 1] }, { $ref: "#" }, { type: ["string", "null"] }),
      fc.record({ type: fc.constant("array"), items: tie("schema") }),
      fc.record({
        type: fc.constant("object"),
        properties: fc.dictionary(
          fc.constantFrom("name", "price", "author", "offers", "steps", "items", "x"),
          tie("schema"),
          { maxKeys: 4 },
        ),
      }),
    ),
  })).schema;

  it("have an answer without an error", () => {
    fc.assert(
      fc.property(
        anyJson,
        fc.dictionary(fc.constantFrom("name", "items", "offers", "x"), anySchema),
        fc.string(),
        (value, properties, prompt) => {
          const { data, quotes } = answer(jsonLd(value as object) + SHOWN, properties, { prompt });
          expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(data)));
          expect(Array.isArray(quotes)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
