import { describe, expect, it } from "vitest";
import { answerPage, jsonLd, number, product, text } from "../../../support/page-answer";

const H1 = "<h1>Blue Mug</h1>";
const PRICE = { price: number, currency: text };

describe("the currency", () => {
  const declaredIn = (priceCurrency: string) => product({ offers: { price: 1299, priceCurrency } }) + H1;

  it.each([
    ["EUR", "$1,299.00"],
    ["EUR", "US$ 1,299.00"],
    ["USD", "€1,299.00"],
    ["USD", "1.299,00 EUR"],
    ["CAD", "US$1,299.00"],
    ["USD", "CA$1,299.00"],
    ["JPY", "1,299 zł"],
    ["SEK", "1 299,00 Kč"],
    ["EUR", "£1,299.00"],
    ["BRL", "$1,299.00"],
  ])("isn't %s if the page shows %s, and the price is left out", (code, shown) => {
    expect(answerPage(`${declaredIn(code)}<p>${shown}</p>`, PRICE).data).toEqual({});
  });

  it.each([
    ["EUR", "€1,299.00"],
    ["EUR", "1.299,- €"],
    ["CAD", "$1,299.00"],
    ["CNY", "¥1,299"],
    ["NOK", "1 299 kr"],
    ["BRL", "R$ 1.299,00"],
    ["USD", "€1,299.00 or $1,299.00"],
  ])("is %s if the page shows %s", (code, shown) => {
    expect(answerPage(`${declaredIn(code)}<p>${shown}</p>`, PRICE).data).toEqual({ price: 1299, currency: code });
  });

  it("is left out if the page shows only amounts in another one", () => {
    expect(answerPage(`${declaredIn("EUR")}<p>Shipping: $5</p>`, PRICE).data).toEqual({});
  });

  it("is compared in meta elements and on pages with little text", () => {
    const meta =
      '<meta property="product:price:amount" content="9"><meta property="product:price:currency" content="EUR">';
    expect(answerPage(`${meta}${H1}<p>$9</p>`, PRICE).data).toEqual({});
    expect(answerPage(`${meta}${H1}<p>9 €</p>`, PRICE).data).toEqual({ price: 9, currency: "EUR" });
    expect(answerPage(`${declaredIn("EUR")}<p>$1,299</p>`, PRICE, { isShort: true }).data).toEqual({});
    expect(answerPage(`${declaredIn("EUR")}<p>€999</p>`, { price: number }, { isShort: true }).data).toEqual({});
  });

  it("is compared for salaries", () => {
    const job = (shown: string) =>
      answerPage(
        `${jsonLd({ "@type": "JobPosting", title: "Potter", hiringOrganization: "Pots", baseSalary: { currency: "EUR", value: { minValue: 40000, maxValue: 50000 } } })}<h1>Potter</h1><p>${shown}</p>`,
        { company: text, salary_min: number, salary_currency: text },
      ).data;
    expect(job("€40,000 to €50,000")).toEqual({ company: "Pots", salary_min: 40000, salary_currency: "EUR" });
    expect(job("$40,000 to $50,000")).toEqual({ company: "Pots" });
  });
});

describe("prices that aren't the current ones", () => {
  const offers = (specification: object) => product({ offers: { priceSpecification: specification } });
  const plain = { "@type": "PriceSpecification", price: 12, priceCurrency: "EUR" };

  it.each<[string, object]>([
    ["a list price", { ...plain, priceType: "https://schema.org/ListPrice" }],
    ["a recommended price", { ...plain, priceType: "SRP" }],
    ["a price without a known type", { ...plain, priceType: "StrikethroughPrice" }],
    [
      "a price per kilogram",
      { ...plain, "@type": "UnitPriceSpecification", referenceQuantity: { value: 1, unitCode: "KGM" } },
    ],
    ["a price per month", { ...plain, "@type": "UnitPriceSpecification", billingDuration: 1, unitText: "month" }],
    ["the costs of the delivery", { ...plain, "@type": "DeliveryChargeSpecification" }],
    ["a price for members", { ...plain, validForMemberTier: { name: "Gold" } }],
    ["a price for large amounts", { ...plain, eligibleQuantity: { minValue: 10 } }],
    ["a price without VAT", { ...plain, valueAddedTaxIncluded: false }],
  ])("are left out: %s", (_, specification) => {
    expect(answerPage(`${offers(specification)}${H1}<p>€12</p>`, PRICE).data).not.toHaveProperty("price");
    expect(answerPage(`${offers([plain, specification])}${H1}<p>€12</p>`, PRICE).data).toHaveProperty("price", 12);
  });

  it("are left out if an offer is one", () => {
    const offer = { "@type": "Offer", price: 12, priceCurrency: "EUR", priceType: "ListPrice" };
    expect(answerPage(`${product({ offers: offer })}${H1}<p>€12</p>`, { price: number }).data).toEqual({});
  });

  it.each([
    '<span class="was-price">€1,299.00</span> €999.00',
    '<span class="price price--old">€1,299.00</span> <b>€999.00</b>',
    '<span class="compare-at-price">€1,299.00</span>',
    '<span class="product__oldPrice">€1,299.00</span>',
    '<div class="msrp">€1,299.00</div>',
    '<span class="text-gray-500 line-through">€1,299.00</span>',
    '<span style="color: red; text-decoration: line-through">€1,299.00</span>',
    '<span class="regular-price">€1,299.00</span><span class="sale-price">€999.00</span>',
    "<strike>€1,299.00</strike>",
    "Statt €1,299.00 jetzt €999.00",
    "RRP €1,299.00",
  ])("are left out if the page shows them so: %s", (shown) => {
    expect(answerPage(`${product()}${H1}<p>${shown}</p>`, { price: number }).data).toEqual({});
  });

  it.each([
    '<span class="regular-price">€1,299.00</span>',
    '<span class="price__regular">€1,299.00</span><span class="price__sale">€1,299.00</span>',
    '<div class="price price--with-old"><s>€1,500.00</s> <ins>€1,299.00</ins></div>',
    '<span class="old-price">€1,500.00</span><span class="price">€1,299.00</span>',
  ])("don't hide the current price: %s", (shown) => {
    expect(answerPage(`${product()}${H1}<p>${shown}</p>`, { price: number }).data).toEqual({ price: 1299 });
  });

  it("are left out of microdata, even on a page with little text", () => {
    const item = (price: string) =>
      `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Blue Mug</h1>
       <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">${price}</div></div>`;
    const was = '<span class="price-was" itemprop="price">€12</span>';
    const now = '<b itemprop="price">€9</b>';
    for (const former of [was, "<del itemprop=price>€12</del>"]) {
      expect(answerPage(item(former), { price: number }, { isShort: true }).data).toEqual({});
      expect(answerPage(item(former + now), { price: number }).data).toEqual({ price: 9 });
    }
  });
});
