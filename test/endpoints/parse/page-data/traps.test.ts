import { describe, expect, it } from "vitest";
import { answerPage, number, text, texts, thing, titled } from "../../../support/page-answer";

/** A page, the properties that are wanted, and the values that may be found. */
type Trap = [what: string, html: string, properties: object, found: object];

const minutes = { type: "integer", description: "in minutes" };

const TRAPS: { [kind: string]: Trap[] } = {
  products: [
    [
      "a price in an installment plan",
      titled(
        "Kettle",
        `${thing("Product", { name: "Kettle", offers: { price: 9, priceCurrency: "EUR" } })}<p>€99 or 11 x €9</p>`,
      ),
      { price: number },
      {},
    ],
    [
      "a range of prices",
      titled(
        "Kettle",
        `${thing("Product", { name: "Kettle", offers: { "@type": "AggregateOffer", lowPrice: 9, highPrice: 99, priceCurrency: "EUR" } })}<p>€9 – €99</p>`,
      ),
      { price: number, low_price: number },
      { low_price: 9 },
    ],
    [
      "stock that is sold out in the main part",
      titled(
        "Kettle",
        `${thing("Product", { name: "Kettle", offers: { price: 9, availability: "InStock" } })}<p>Sold out</p><h2>Related products</h2><p>Toaster</p><button>Add to cart</button>`,
      ),
      { in_stock: { type: "boolean" } },
      {},
    ],
    [
      "the weight of the package",
      titled("Bouilloire", "<h2>Livraison</h2><table><tr><th>Poids<td>3 kg<tr><th>Couleur<td>carton</table>"),
      { poids: text, couleur: text },
      {},
    ],
    [
      "the price of a bundle",
      titled("Tetera", "<h2>Comprados juntos habitualmente</h2><p>Precio: 99 €</p>"),
      { precio: number },
      {},
    ],
    [
      "a currency of the other shops",
      titled(
        "Tea",
        `${thing("Product", { name: "Tea", offers: { price: 9, priceCurrency: "USD" } })}<p>9,00 € inkl. MwSt.</p>`,
      ),
      { price: number, currency: text },
      {},
    ],
    [
      "a model that is the name of a column",
      titled("Tea", "<table><tr><th>Model<th>Material<tr><td>A<td>Tin</table>"),
      { model: text },
      {},
    ],
    [
      "a price in an attribute of an item without a headline",
      `<div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Tea</span><span itemprop="price">€9</span></div><div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Cup</span><span itemprop="price">€5</span></div>`,
      { name: text, price: number },
      {},
    ],
  ],
  recipes: [
    [
      "ingredients of another recipe",
      titled(
        "Pumpkin Soup",
        thing("Recipe", { name: "Pumpkin Bread", recipeIngredient: ["1 pumpkin", "2 cups flour"], prepTime: "PT20M" }),
      ),
      { ingredients: texts, prep_time: minutes },
      {},
    ],
    [
      "a yield that the page shows as a range",
      titled("Kürbissuppe", `${thing("Recipe", { name: "Kürbissuppe", recipeYield: "4" })}<p>Portionen: 4 bis 6</p>`),
      { servings: number },
      {},
    ],
    [
      "the calories of a side dish",
      titled(
        "Pumpkin Soup",
        `${thing("Recipe", { name: "Pumpkin Soup" })}<h3>Serve with garlic bread</h3><p>Calories: 300 kcal</p>`,
      ),
      { calories: text },
      {},
    ],
    [
      "two recipes on one page",
      titled(
        "Soup and bread",
        ["Soup", "Bread"]
          .map((name) =>
            thing("Recipe", { name, recipeYield: "4 servings", recipeIngredient: ["1 cup water", "2 cups flour"] }),
          )
          .join(""),
      ),
      { yield: text, ingredients: texts },
      {},
    ],
  ],
  listings: [
    [
      "the related products of a product",
      titled(
        "Kettle",
        `${thing("Product", { name: "Kettle" })}${thing("ItemList", { itemListElement: ["A", "B"].map((name) => ({ "@type": "Product", name, url: `https://shop.example/${name}` })) })}`,
      ),
      { products: { type: "array", items: { type: "object", properties: { name: text, url: text } } } },
      {},
    ],
    [
      "a list with another number of prices",
      titled(
        "Kettles",
        `${thing("ItemList", { itemListElement: ["A", "B"].map((name, at) => ({ "@type": "Product", name, offers: { price: at + 8, priceCurrency: "EUR" } })) })}<p>€8</p>`,
      ),
      {
        items: {
          type: "array",
          items: { type: "object", properties: { name: text, price: number }, required: ["name", "price"] },
        },
      },
      {},
    ],
    [
      "prices in another currency",
      titled(
        "Kettles",
        `${thing("ItemList", { itemListElement: ["A", "B"].map((name, at) => ({ "@type": "Product", name, offers: { price: at + 8, priceCurrency: "USD" } })) })}<p>€8 €9</p>`,
      ),
      {
        items: {
          type: "array",
          items: { type: "object", properties: { name: text, price: number }, required: ["name", "price"] },
        },
      },
      {},
    ],
    [
      "the price of one of its items",
      titled(
        "Kettles",
        ["A", "B", "C"]
          .map(
            (name) =>
              `<li class="k"><a href="/${name}">Kettle ${name}</a>${name === "A" ? "<p>Price: €9</p>" : "<p>Sold out</p>"}</li>`,
          )
          .join(""),
      ),
      { name: text, price: number },
      {},
    ],
    [
      "two lists",
      titled(
        "Kettles",
        ["1", "2"]
          .map((list) =>
            thing("ItemList", {
              itemListElement: ["A", "B"].map((name) => ({ "@type": "Product", name: `${name}${list}`, sku: name })),
            }),
          )
          .join(""),
      ),
      { items: { type: "array", items: { type: "object", properties: { name: text, sku: text } } } },
      {},
    ],
  ],
};

describe.each(Object.entries(TRAPS))("traps on pages of %s", (_, traps) => {
  it.each(traps)("give no wrong value: %s", (_what, html, properties, found) => {
    expect(answerPage(html, properties).data).toEqual(found);
  });
});
