import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerPage, jsonLd, number, product, recipe, SHOWN, SOUP, text, texts } from "../../../support/page-answer";

describe("answers from declarations", () => {
  it("fills a product with its types, its enumeration and its nested object", () => {
    const { data, sources, missing } = answerPage(product() + SHOWN, {
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
    const { data, quotes } = answerPage(recipe() + SOUP, {
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
    const { data } = answerPage(`${article}<h1>Rain in May</h1><p>By Ada Lovelace, May 3, 2024</p>`, {
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
    expect(answerPage(`${job}<h1>Potter (m/f)</h1>`, properties).data).toEqual({
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
    const { data } = answerPage(`${event}<h1>Spring Concert</h1>`, {
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
  const page =
    "<title>Repairs in Graz | Mugs Ltd</title><h1>Repairs in Graz</h1><p>Call +43 664 1000001 or 1000002, Main Street 1</p>";

  it("have the declared name, and not the heading of the page", () => {
    const declared = {
      "@type": "LocalBusiness",
      name: "Mugs Ltd",
      telephone: "+43 664 1000001",
      address: { addressLocality: "Graz" },
    };
    expect(answerPage(jsonLd(declared) + page, properties).data).toEqual({
      name: "Mugs Ltd",
      telephone: "+43 664 1000001",
      city: "Graz",
    });
    const meta = '<meta name="description" content="We repair mugs in Graz.">';
    expect(answerPage(meta + page, { ...properties, description: text, url: text }).data).toEqual({});
  });

  it.each<[name: string, at: object, value: string | number]>([
    ["telephone", { telephone: undefined, contactPoint: { telephone: "+43 664 1000002" } }, "+43 664 1000002"],
    ["email", { contactPoint: { email: "mugs@shop.example" } }, "mugs@shop.example"],
    ["city", { location: { address: { addressLocality: "Graz" } } }, "Graz"],
    ["region", { location: { address: { addressRegion: "Styria" } } }, "Styria"],
    ["country", { location: { address: { addressCountry: "AT" } } }, "AT"],
    ["zip", { location: { address: { postalCode: "8010" } } }, "8010"],
    ["street", { location: { address: { streetAddress: "Main Street 1" } } }, "Main Street 1"],
    ["latitude", { location: { geo: { latitude: 47.07 } } }, 47.07],
    ["longitude", { location: { geo: { longitude: 15.44 } } }, 15.44],
  ])("can declare their %s in a nested object", (name, at, value) => {
    const declared = { "@type": "LocalBusiness", name: "Mugs Ltd", telephone: "+43 664 1000001", ...at };
    const type = typeof value === "number" ? number : text;
    expect(answerPage(jsonLd(declared) + page, { ...properties, [name]: type }).data).toHaveProperty(name, value);
  });

  it("aren't the items of a list", () => {
    const site = ["WebSite", "WebPage", "CollectionPage"].map((type) => ({
      "@type": type,
      name: "Mugs",
      url: "https://shop.example/",
    }));
    const items = { type: "array", items: { type: "object", properties: { name: text, url: text } } };
    expect(answerPage(jsonLd(...site), { items }).data).toEqual({});
  });
});

describe("answers from what the page declares", () => {
  it.each([
    ["a table", "<table><tr><th>Material<td>Steel<tr><th>Weight<td>2 kg</table>"],
    ["a definition list", "<dl><dt>Material<dd>Steel<dt>Weight<dd>2 kg</dl>"],
    ["labels", "<p>Material: Steel</p><p>Weight: 2 kg</p>"],
  ])("don't have the values of %s", (_, html) => {
    expect(answerPage(`<h1>Pan</h1>${html}`, { material: text, weight: text }).data).toEqual({});
  });

  it("have no quantity with a unit, and no declared number of minutes", () => {
    const html = product({ weight: { "@type": "QuantitativeValue", value: 2.5, unitCode: "LBR" } }) + SHOWN;
    expect(answerPage(html, { weight: number, name: text }).data).toEqual({ name: "Blue Mug" });
    expect(answerPage(recipe({ prepTime: 30 }) + SOUP, { prep_time_seconds: number, prep_time: number }).data).toEqual(
      {},
    );
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
    expect(answerPage(html, { products: list, related_products: list }).data).toEqual({
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
    expect(answerPage(state("Blue Mug") + html, properties).data).toMatchObject({ sku: "M-1", color: "blue" });
    expect(answerPage(state("Red Mug") + html, properties).data).toEqual({});
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
          const { data, quotes } = answerPage(jsonLd(value as object) + SHOWN, properties, { prompt });
          expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(data)));
          expect(Array.isArray(quotes)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});
