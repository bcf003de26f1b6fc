// Product pages of one template, and of changed versions of it. The tests of learned extractors know what each page says.

export interface TemplateProduct {
  name: string;
  maker: string;
  price: number;
  currency: string;
  released: string;
  in_stock: boolean;
  features: string[];
  reviews: { author: string; stars: number }[];
  discount: number | null;
}

/**
 * - `first`: the template that is learned.
 * - `renamed`: the classes have other names.
 * - `offer`: the label "Price" now has the former price, and another label has the current price.
 * - `seller`: the line of the maker now has the seller.
 * - `swapped`: the places of the price and of the delivery costs are exchanged, with the same labels and classes.
 * - `rebuilt`: the page consists of other elements.
 */
export type Template = "first" | "renamed" | "offer" | "seller" | "swapped" | "rebuilt";

export const TEMPLATE_SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string" },
    maker: { type: "string" },
    price: { type: "number" },
    currency: { type: "string" },
    released: { type: "string", format: "date" },
    in_stock: { type: "boolean" },
    features: { type: "array", items: { type: "string" } },
    reviews: {
      type: "array",
      items: {
        type: "object",
        properties: { author: { type: "string" }, stars: { type: "number" } },
        required: ["author", "stars"],
      },
    },
    discount: { type: ["number", "null"] },
  },
  required: ["name", "maker", "price", "currency", "released", "in_stock", "features", "reviews", "discount"],
};

const NAMES = ["Tide lamp", "Harbor chair", "North table", "Reed stool", "Dune shelf", "Pier bench", "Cliff mirror"];
const MAKERS = ["Acme Works", "Bergmann", "Castle & Sons", "Dorn Studio", "Elling"];
const PEOPLE = ["Ann Reed", "Bo Lind", "Cem Aydin", "Dora Weiss", "Eli Stone"];
const FEATURES = ["Solid oak", "Hand made", "Flat pack", "Five years of warranty", "Free of plastic", "Foldable"];
const MONTHS = ["January", "March", "May", "July", "September", "November"];

/** Returns the product of page `number`. The same number always gives the same product. */
export function productOf(number: number): TemplateProduct {
  const pick = <Value>(values: readonly Value[], step: number) => values[(number * step) % values.length] as Value;
  const month = MONTHS.indexOf(pick(MONTHS, 5)) * 2 + 1;
  return {
    name: `${pick(NAMES, 3)} ${["one", "two", "three", "four", "five"][number % 5]}`,
    maker: pick(MAKERS, 2),
    price: 15 + number * 7 + (number % 4) * 0.25,
    currency: "EUR",
    released: `2024-${String(month).padStart(2, "0")}-${String(1 + (number % 28)).padStart(2, "0")}`,
    in_stock: number % 3 !== 1,
    features: FEATURES.slice(number % 3, (number % 3) + 2 + (number % 2)),
    reviews: Array.from({ length: 1 + (number % 4) }, (_, at) => ({
      author: PEOPLE[(number + at) % PEOPLE.length] as string,
      stars: 1 + ((number + 2 * at) % 5),
    })),
    discount: number % 5 === 4 ? 5 + (number % 7) : null,
  };
}

/** Returns the page of a product. */
export function templatePage(number: number, template: Template): string {
  const product = productOf(number);
  const { name, maker, currency, released, in_stock, features, reviews, discount } = product;
  const classOf = (name: string) => (template === "renamed" ? `x-${[...name].reverse().join("")}` : name);
  const [year, month, day] = released.split("-").map(Number);
  const date = `${MONTHS[((month ?? 1) - 1) / 2]} ${day}, ${year}`;
  const price = `${product.price.toFixed(2)} ${currency}`;
  const former = `${(product.price + 20).toFixed(2)} ${currency}`;
  const delivery = `${4 + (number % 3)}.90 ${currency}`;
  const prices = {
    first: `<dt>Price</dt><dd class="${classOf("price")}">${price}</dd><dt>Delivery</dt><dd>${delivery}</dd>`,
    renamed: `<dt>Price</dt><dd class="${classOf("price")}">${price}</dd><dt>Delivery</dt><dd>${delivery}</dd>`,
    offer: `<dt>Price</dt><dd class="price">${former}</dd><dt>Your price</dt><dd class="price">${price}</dd><dt>Delivery</dt><dd>${delivery}</dd>`,
    seller: `<dt>Price</dt><dd class="price">${price}</dd><dt>Delivery</dt><dd>${delivery}</dd>`,
    swapped: `<dt>Delivery</dt><dd class="price">${delivery}</dd><dt>Price</dt><dd>${price}</dd>`,
    rebuilt: "",
  }[template];
  const by =
    template === "seller"
      ? `<p class="by">By ${MAKERS[(number + 1) % MAKERS.length]}</p><p class="brand">A product of ${maker}</p>`
      : `<p class="${classOf("by")}">By ${maker}</p>`;
  const stock = in_stock ? "In stock" : "Sold out";
  if (template === "rebuilt") {
    return wrap(
      name,
      `<section><h1>${name}</h1><table><tr><td>${maker}</td><td>${price}</td><td>${date}</td><td>${stock}</td></tr></table>
      <p>No. ${number}</p><p>${features.join(" · ")}</p>${reviews.map(({ author, stars }) => `<p>${author} gave it ${stars} of 5</p>`).join("")}
      ${discount === null ? "" : `<p>Save ${discount} %</p>`}</section>`,
    );
  }
  return wrap(
    name,
    `<article class="${classOf("product")}"><h1>${name}</h1>${by}
    <dl>${prices}<dt>Released</dt><dd>${date}</dd><dt>Availability</dt><dd>${stock}</dd></dl>
    <p class="${classOf("number")}">No. ${number}</p>
    ${discount === null ? "" : `<p class="${classOf("discount")}">Save ${discount} %</p>`}
    <p class="${classOf("about")}">The ${name} by ${maker} suits every home. It is delivered within days, and you can return it for free.</p>
    <h2>Features</h2><ul class="${classOf("features")}">${features.map((one) => `<li>${one}</li>`).join("")}</ul>
    <h2>Reviews</h2><div class="${classOf("reviews")}">${reviews
      .map(
        ({ author, stars }) =>
          `<div class="${classOf("review")}"><strong>${author}</strong><span>${stars} of 5 stars</span><p>I use it every day, and I would buy it again.</p></div>`,
      )
      .join("")}</div></article>`,
  );
}

function wrap(name: string, content: string): string {
  return `<!doctype html><html lang="en"><head><title>${name} - Harbor Goods</title></head><body>
  <header><a href="/">Harbor Goods</a><nav><ul><li><a href="/lamps">Lamps</a></li><li><a href="/chairs">Chairs</a></li></ul></nav></header>
  <main>${content}</main><footer><p>Harbor Goods, Pier 4. All prices in EUR.</p></footer></body></html>`;
}
