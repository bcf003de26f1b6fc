import { describe, expect, it } from "vitest";
import { answerPage, jsonLd, number, text } from "../../../support/page-answer";

const H1 = "<h1>Blue Mug</h1>";
const item = (type: string, more: object) => jsonLd({ "@type": type, ...more });
const red = { name: "Red Mug", sku: "R-1", color: "red", offers: { price: 9, priceCurrency: "USD" } };
const microdata = (name: string, price: string) =>
  `<div itemscope itemtype="https://schema.org/Product"><a href="/red" itemprop="url"><b itemprop="name">${name}</b></a>
  <p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="${price}">$${price}</span></p></div>`;
const PRODUCT = { name: text, price: number, sku: text, color: text };

describe("an object that isn't the subject of the page", () => {
  it.each([
    ["a related product with another name", item("Product", red) + H1, "$9"],
    ["a product whose name has more words", item("Product", { ...red, name: "Blue Mug Holder" }) + H1, "$9"],
    ["a product whose name has fewer words", item("Product", { ...red, name: "Mug" }) + H1, "$9"],
    ["the product to which an accessory fits", `${item("Product", { ...red, name: "Mug" })}<h1>Lid for Mug</h1>`, "$9"],
    ["an advertisement on an article", `${item("Product", red)}<h1>How mugs are made in the red factory</h1>`, "$9"],
    [
      "a product that is named in a list of the best ones",
      `${item("Product", red)}<h1>5 mugs better than the Red Mug</h1>`,
      "$9",
    ],
    ["a nameless product", `${item("Product", { ...red, name: undefined })}${H1}`, "$9"],
    [
      "a product with the address of another page",
      `${item("Product", { ...red, name: "Blue", url: "https://shop.example/blue" })}${H1}`,
      "$9",
    ],
    ["microdata in an aside", `${H1}<aside>${microdata("Blue Mug", "9")}</aside>`, ""],
    ["microdata below “You may also like”", `${H1}<h2>You may also like</h2>${microdata("Blue Mug", "9")}`, ""],
    ["microdata below “Kunden kauften auch”", `${H1}<h2>Kunden kauften auch</h2>${microdata("Blue Mug", "9")}`, ""],
    ["microdata in a box of several", `${H1}${microdata("Blue Mug", "9")}${microdata("Red Mug", "8")}`, ""],
    ["a second headline", `<title>Blue Mug | Shop</title>${H1}${item("Product", red)}<h1>Red Mug</h1>`, "$9"],
  ])("gives no value: %s", (_, html, shown) => {
    expect(answerPage(`${html}<p>${shown}</p>`, PRODUCT).data).toEqual({});
  });

  it.each([
    [
      "a job next to the vacancy",
      item("JobPosting", { title: "Senior Potter", hiringOrganization: { name: "Pots" } }),
      "Potter",
    ],
    [
      "an event after the event",
      item("Event", { name: "Spring Concert Afterparty", startDate: "2026-05-01" }),
      "Spring Concert",
    ],
    [
      "a recipe in a collection",
      item("Recipe", { name: "Pumpkin Soup", recipeYield: "4" }),
      "20 pumpkin recipes for soup",
    ],
    ["the operator of a directory", item("Organization", { name: "Yellow Pages", telephone: "+1 555" }), "Mugs Ltd"],
    [
      "the publisher of an article",
      item("NewsMediaOrganization", { name: "The Mug Times", telephone: "+1 555" }),
      "Mugs are back",
    ],
  ])("gives no value: %s", (_, declared, title) => {
    const html = `<title>${title} | Yellow Pages | The Mug Times</title>${declared}<h1>${title}</h1>`;
    const ofKinds = [
      { title: text, company: text, employment_type: text },
      { name: text, start_date: text, venue: text },
      { title: text, ingredients: { type: "array", items: text }, yield: text },
      { name: text, telephone: text },
    ];
    for (const properties of ofKinds) expect(answerPage(html, properties).data).toEqual({});
  });

  it("gives no item of a list on a page about one thing", () => {
    const list = {
      "@type": "ItemList",
      itemListElement: [1, 2].map((at) => ({ "@type": "ListItem", item: { ...red, name: `Cup ${at}` } })),
    };
    const items = { type: "array", items: { type: "object", properties: { name: text, sku: text } } };
    const main = { "@type": "Product", name: "Blue Mug", sku: "B-1" };
    expect(answerPage(`${jsonLd(list)}<h1>Cups</h1>`, { items }).data).toHaveProperty("items");
    expect(answerPage(jsonLd(main, list) + H1, { items }).data).toEqual({});
    const others = [red, { ...red, name: "Green Mug" }].map((one) => ({ "@type": "Product", ...one }));
    expect(answerPage(jsonLd(main, ...others) + H1, { products: items }).data).toEqual({});
  });

  it.each(["Mugs", "Open positions", "Our summer party", "Messaging"])("isn't named by the headline %s", (headline) => {
    const html = `<title>${headline}</title><meta property="og:title" content="${headline}"><h1>${headline}</h1>`;
    expect(answerPage(html, { name: text, price: number }).data).toEqual({});
    expect(answerPage(html, { title: text, company: text }).data).toEqual({});
    expect(answerPage(html, { event: { type: "object", properties: { name: text } } }).data).toEqual({});
    expect(answerPage(html, { title: text, author: text }).data).toEqual({ title: headline });
    const items = { type: "array", items: { type: "object", properties: { name: text, price: number } } };
    expect(answerPage(html, { title: text, items }).data).toEqual({ title: headline });
  });
});

describe("a page about something else than the schema", () => {
  const article = item("Article", { headline: "Blue Mug", datePublished: "2024-05-03", author: "Ada Lovelace" });
  const soup = item("Recipe", { name: "Blue Mug", recipeYield: "4", image: "https://shop.example/i.png" });

  it.each<[string, string, object]>([
    ["an article", article, { title: text, company: text, date_posted: text }],
    ["an article", article, { name: text, start_date: text, venue: text }],
    ["an article", article, { name: text, price: number, weight: text }],
    ["an article", article, { product: { type: "object", properties: { name: text, author: text } } }],
    ["a recipe", soup, { name: text, price: number, image: text }],
    ["a recipe", soup, { title: text, company: text, city: text }],
  ])("gives no value: %s", (_, declared, properties) => {
    const meta =
      '<meta property="article:published_time" content="2024-05-03"><meta property="og:type" content="product">';
    expect(answerPage(`${meta}${declared}${H1}<p>Weight: 9 g</p><p>By Ada Lovelace</p>`, properties).data).toEqual({});
  });
});

describe("a page that declares no thing", () => {
  it("gives a thing no date, image or description of the page", () => {
    const meta = ["article:published_time", "og:image", "og:description", "product:color"].map(
      (name) =>
        `<meta property="${name}" content="${name === "og:image" ? "https://shop.example/i.png" : "2024-05-03"}">`,
    );
    const properties = { title: text, company: text, date_posted: text, image: text, description: text };
    expect(answerPage(`${meta.join("")}${H1}`, properties).data).toEqual({});
    expect(answerPage(`${meta.join("")}${H1}`, { price: number, color: text }).data).toEqual({ color: "2024-05-03" });
    expect(answerPage(`${meta.join("")}${H1}`, { title: text, published: text }).data).toHaveProperty("published");
  });
});

describe("an object that only has a name", () => {
  const state = (more: object) =>
    `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: { page: { name: "Blue Mug", description: "All of it.", ...more } } } })}</script>`;
  const term = (more: object) => item("DefinedTerm", { name: "Blue Mug", description: "All of it.", ...more });

  const title = `<title>Blue Mug</title>${H1}`;

  it.each([
    ["in embedded state", state],
    ["with another type", term],
  ])("is no thing if it is declared %s", (_, declare) => {
    const properties = { name: text, description: text, price: number };
    expect(answerPage(`${declare({})}${title}`, properties).data).toEqual({});
    expect(answerPage(`${declare({ price: 9.99 })}${title}<p>€9.99</p>`, properties).data).toMatchObject({
      name: "Blue Mug",
      price: 9.99,
    });
  });

  it.each([
    { name: text, start_date: text },
    { title: text, company: text, description: text },
  ])("gives no event and no job", (properties) => {
    expect(answerPage(`${state({})}${title}`, properties).data).toEqual({});
    expect(answerPage(`${term({})}${title}`, properties).data).toEqual({});
  });
});

describe("the subject of the page", () => {
  const declared = { ...red, name: "Blue Mug" };
  const url = "https://shop.example/page";

  it.each([
    ["its name is the headline", item("Product", declared) + H1],
    ["its name is a part of the title", `<title>Blue Mug | Shop</title>${item("Product", declared)}`],
    [
      "the headline has the name of its brand",
      `${item("Product", { ...declared, brand: { name: "Potters" } })}<h1>Potters Blue Mug</h1>`,
    ],
    [
      "its name has the name of its brand",
      `${item("Product", { ...declared, name: "Potters Blue Mug", brand: "Potters" })}${H1}`,
    ],
    ["it has the address of the page", `${item("Product", { ...declared, url })}<h1>Blue Mug 300 ml</h1>`],
    [
      "it has the address of the page with a fragment",
      `${item("Product", { ...declared, "@id": `${url}/#product` })}<h1>Blue Mug 300 ml</h1>`,
    ],
    [
      "one of both writes a compound as two words",
      `${item("Product", { ...declared, name: "Big Blue Mug Tea Pot" })}<h1>Big Blue Mug Teapot</h1>`,
    ],
  ])("is found if %s", (_, html) => {
    expect(answerPage(html, { sku: text }).data).toEqual({ sku: "R-1" });
  });

  it("is found in the microdata around the headline", () => {
    const html = `<main itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Blue Mug</h1><b itemprop="sku">B-1</b>
      <div class="related">${microdata("Red Mug", "9")}</div></main>`;
    expect(answerPage(html, PRODUCT).data).toEqual({ name: "Blue Mug", sku: "B-1" });
  });
});

describe("declarations that contradict each other", () => {
  it.each([
    ["sku", { sku: "A-1" }, { sku: "B-2" }],
    ["brand", { brand: "Potters" }, { brand: { "@type": "Brand", name: "Cuppers" } }],
    ["color", { color: "blue" }, { color: "navy" }],
    ["gtin", { gtin13: "4000000000001" }, { gtin: "4000000000002" }],
    ["category", { category: "Mugs" }, { category: "Cups" }],
    ["street", { address: { streetAddress: "1 Old Road" } }, { address: { streetAddress: "2 New Road" } }],
    ["telephone", { telephone: "+1 555 010 2000" }, { telephone: "+1 555 010 3000" }],
  ])("give no %s", (name, one, other) => {
    const type = name === "street" || name === "telephone" ? "LocalBusiness" : "Product";
    const properties = type === "Product" ? { [name]: text, price: number } : { [name]: text, vat_id: text };
    const both = [one, other].map((more) => ({ "@type": type, name: "Blue Mug", ...more }));
    const shown = `${H1}<p>1 Old Road, +1 555 010 2000</p>`;
    expect(answerPage(jsonLd(...both) + shown, properties).data).toEqual({});
    expect(answerPage(jsonLd(...both.slice(0, 1)) + shown, properties).data).toHaveProperty(name);
  });

  it("give no brand if a meta element has another one", () => {
    const html = item("Product", { name: "Blue Mug", brand: "Potters" }) + H1;
    const meta = (brand: string) => `<meta property="product:brand" content="${brand}">`;
    expect(answerPage(meta("Cuppers") + html, { brand: text }).data).toEqual({});
    expect(answerPage(meta("Potters Ltd") + html, { brand: text }).data).toEqual({ brand: "Potters" });
  });

  it("give the description of one of them", () => {
    const both = ["A mug.", "A mug for tea."].map((description) => ({
      "@type": "Product",
      name: "Blue Mug",
      description,
    }));
    expect(answerPage(jsonLd(...both) + H1, { description: text, sku: text }).data).toEqual({ description: "A mug." });
  });

  it.each([
    ["+1 555 010 2000", "1 Old Road", "Call +1 555 010 2000. 1 Old Road, 95536 Ferndale", true],
    ["+1 555 010 2000", "1 Old Road", "Call (555) 010-2000, or visit 1 Old Road.", true],
    ["+1 555 010 2000", "1 Old Road", "We moved to 88 Main Street, 95536 Ferndale. Call +1 555 010 3000.", false],
  ])("give the telephone %s and the street %s if the page shows: %s", (telephone, streetAddress, shown, isFound) => {
    const shop = item("BookStore", { name: "Blue Mug", telephone, address: { streetAddress, postalCode: "95536" } });
    const { data } = answerPage(`${shop}${H1}<p>${shown}</p>`, { telephone: text, street: text });
    expect(data).toEqual(isFound ? { telephone, street: streetAddress } : {});
  });

  it("give no performer whose name is the type of an object", () => {
    const event = item("Event", { name: "Blue Mug", performer: { "@type": "Organization", name: "Organization" } });
    expect(answerPage(event + H1, { performer: text, start_date: text }).data).toEqual({});
  });
});
