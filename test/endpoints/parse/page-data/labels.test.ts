import { describe, expect, it } from "vitest";
import { answerPage, number, product, text } from "../../../support/page-answer";

const H1 = "<h1>Blue Mug</h1>";
const FACTS = { price: number, weight: text, color: text };
const PRICE = "<p>Price: $9</p>";
const ROW = "<div><span>Weight</span><span>200 g</span></div>";

describe("labels that describe something else", () => {
  it.each([
    ["below “Related products”", `${H1}<h2>Related products</h2>${PRICE}`],
    [
      "below a related heading of another level",
      `${H1}<h4>You might also like</h4><div><h3>Red Mug</h3>${PRICE}</div>`,
    ],
    ["below “Ähnliche Produkte”", `${H1}<h3>Ähnliche Produkte</h3><div>${ROW}</div>`],
    ["below “Produits similaires”", `${H1}<h2>Produits similaires</h2><table><tr><th>Color<td>red</table>`],
    ["below “関連商品”", `${H1}<h2>関連商品</h2>${ROW}`],
    ["below “Shipping”", `${H1}<h2>Shipping</h2>${PRICE}`],
    ["below “Battery”", `${H1}<h3>Battery</h3><dl><dt>Weight<dd>20 g</dl>`],
    ["below the name of another product", `${H1}<h2>Red Mug</h2>${PRICE}`],
    ["below a bold line", `${H1}<p>It is a mug.</p><p><b>Gift box</b></p>${PRICE}`],
    [
      "below an element that looks like a heading",
      `${H1}<div><div class="box-title">Gift box</div>${PRICE}<p>With a bow.</p></div>`,
    ],
    [
      "below the caption of a table",
      `${H1}<table><caption>Lid</caption><tr><th>Color<td>red<tr><th>Weight<td>9 g</table>`,
    ],
    ["below a row with one cell", `${H1}<table><tr><th>Size<td>M<tr><td colspan=2>Lid<tr><th>Color<td>red</table>`],
    ["in a legend's group", `${H1}<fieldset><legend>Engraving</legend>${PRICE}</fieldset>`],
    ["in details", `${H1}<details open><summary>Delivery</summary>${PRICE}</details>`],
    ["in an aside", `${H1}<aside>${PRICE}</aside>`],
    ["in a navigation", `${H1}<nav><div>${ROW}</div></nav>`],
    ["in the footer", `${H1}<footer>${PRICE}</footer>`],
    ["in an advertisement", `${H1}<div class="ads">${PRICE}</div>`],
    ["in a part with a name for upselling", `${H1}<div class="product-upsells">${PRICE}</div>`],
    ["in a part that is labeled as similar", `${H1}<section aria-label="Similar items">${PRICE}</section>`],
    ["before the headline", `<p>Today only</p>${PRICE}${H1}`],
    ["in a review", `${H1}<div class="review"><p>Color: red</p><p>By Bob</p></div>`],
    [
      "in a card of several",
      `${H1}<ul><li><a href="/r">Red Mug</a>${PRICE}<li><a href="/g">Green Mug</a><p>Sold out</p></ul>`,
    ],
    [
      "in boxes with linked pictures",
      `${H1}<div class="c"><a href="/r"><img alt=""> Red</a>${PRICE}</div><div class="c"><a href="/g">Green</a><p>New</p></div>`,
    ],
    [
      "in the second part of two",
      `${H1}<section><h2>Details</h2></section><section><h2>Warranty</h2>${PRICE}</section>`,
    ],
    ["of the columns of a table", `${H1}<table><tr><th>Color<th>Weight<tr><td>Red<td>Blue</table>`],
    ["with several descriptions", `${H1}<dl><dt>Color<dd>red<dd>blue</dl>`],
    ["with a struck value", `${H1}<p>Price: <s>$9</s></p><div><span>Price</span><del>$9</del></div>`],
    [
      "with a value that has a class for former prices",
      `${H1}<div><span>Price</span><span class="was-price">$9</span></div>`,
    ],
    ["with a price per unit", `${H1}<p>Price: $9 / kg</p>`],
    ["with a range of prices", `${H1}<p>Price: $9 - $12</p>`],
    ["with a price that begins at an amount", `${H1}<p>Price: ab 9 €</p>`],
    ["with a weight instead of a price", `${H1}<p>Price: 9 kg</p>`],
    ["in a column with another product", `${H1}<table><tr><th><th>Red Mug<tr><td>Price<td>$9</table>`],
    ["in a column per 100 g", `${H1}<table><tr><th>Facts<th>per 100 g<tr><td>Weight<td>9 g</table>`],
    [
      "in the value of another label",
      `${H1}<div><span>Delivery</span><div><span>Price</span><span>$9</span></div></div>`,
    ],
    ["in the cell of another label", `${H1}<table><tr><th>Delivery<td><span>Price</span><span>$9</span></table>`],
    [
      "in the description of another term",
      `${H1}<dl><dt>Delivery<dd><p>Price: $9</p><div><b>Price</b><i>$9</i></div></dl>`,
    ],
    ["in a list below an item", `${H1}<ul><li>Delivery<ul><li>Price: $9<li><b>Weight</b><i>2 kg</i></ul></ul>`],
    [
      "in the panel of another tab",
      `${H1}<b id="t2">Delivery</b><div role="tabpanel" aria-labelledby="t2">${PRICE}</div>`,
    ],
    ["below some words of the headline", `<h1>Blue Mug with lid and gift box</h1><h2>Gift box</h2>${PRICE}`],
    ["with a qualified name", `${H1}<p>Net price: $9</p><p>Price (per month): $9</p><p>Shipping weight: 2 kg</p>`],
  ])("give no value: %s", (_, html) => {
    expect(answerPage(html, FACTS).data).toEqual({});
  });
});

describe("labels that describe the subject", () => {
  it.each([
    ["below the headline", `${H1}${PRICE}${ROW}`],
    ["below “Specifications”", `${H1}<h2>Specifications</h2>${PRICE}${ROW}`],
    ["below “Technische Daten”", `${H1}<h2>Technische Daten</h2>${PRICE}${ROW}`],
    ["below “Caractéristiques techniques”", `${H1}<h2>Caractéristiques techniques</h2>${PRICE}${ROW}`],
    ["below a heading with the name", `${H1}<h2>About the Blue Mug</h2>${PRICE}${ROW}`],
    ["below a part about something else", `${H1}<section><h2>Shipping</h2><p>It is fast.</p></section>${PRICE}${ROW}`],
    ["below related products", `${H1}<div><h2>Related</h2><p>Price: $5</p></div><h2>Details</h2>${PRICE}${ROW}`],
    [
      "in the panel of a tab",
      `${H1}<b id="t1">Details</b><div role="tabpanel" aria-labelledby="t1">${PRICE}${ROW}</div>`,
    ],
    ["in a list with a title", `${H1}<div><span>Details</span><ul><li>Price: $9<li>Weight: 200 g</ul></div>`],
    ["on a page without a headline", `${PRICE}${ROW}`],
    [
      "in rows with links",
      `${H1}<ul><li><b>Price</b> <a href="/p">$9</a><li><b>Weight</b> <a href="/w">200 g</a></ul>`,
    ],
  ])("give values: %s", (_, html) => {
    expect(answerPage(html, FACTS).data).toEqual({ price: 9, weight: "200 g" });
  });

  it("don't contradict a declaration from a part about something else", () => {
    const html = `${product()}${H1}<p>€1,299.00</p><h2>Related products</h2><p>Price: €9</p>`;
    expect(answerPage(html, { price: number }).data).toEqual({ price: 1299 });
  });
});

describe("what the page shows outside of its main part", () => {
  it("shows no price, stock or rating of the subject", () => {
    const declared = product({ aggregateRating: { ratingValue: "4.7", reviewCount: 12 } }) + H1;
    const properties = { price: number, availability: text, rating: number };
    const shown = "<p>€1,299.00</p><p>Add to cart</p><p>4.7 of 5</p>";
    expect(answerPage(`${declared}${shown}`, properties).data).toEqual({
      price: 1299,
      availability: "InStock",
      rating: 4.7,
    });
    for (const around of ["<aside>", '<div class="related">', "<h2>Similar products</h2>"])
      expect(answerPage(`${declared}${around}${shown}`, properties).data).toEqual({});
  });
});
