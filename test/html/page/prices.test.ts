import { describe, expect, it } from "vitest";
import { hasPrice, namesOfCurrency, toCurrency } from "../../../src/html/page/prices";

describe("a price", () => {
  it.each(
    (
      "€5|5 €|5€|5,- €|10.– CHF|CHF 10.–|US$ 1,299.00|$5–$10|from 5 to 10 EUR|ab 1.234,56 €|1 299 kr|kr. 12|1 299 Kč|" +
      "15 zł|₹499|Rs. 1,49,999|100 руб.|100 ₽|₺20|20 TL|¥980|980円|98元|9,900원|₩9,900|₴100|฿50|₪30|₫90.000|₦500|₱75|" +
      "TRY 20|20 usd|Eur 20|R$ 10|C$ 3|20 DH|ZAR 100"
    ).split("|"),
  )("is found in '%s'", (text) => {
    expect(hasPrice(text)).toBe(true);
  });

  it.each(["5", "€", "try 5 recipes", "5 all day", "krona 5", "5 krill", "top 10", "10 eurostars", "5th of May"])(
    "isn't found in '%s'",
    (text) => {
      expect(hasPrice(text)).toBe(false);
    },
  );
});

describe("a currency", () => {
  it.each([
    ["€", "eur"],
    ["euros", "eur"],
    ["₪", "ils"],
    ["kč", "czk"],
    ["$", "$"],
    ["kr", "kr"],
    ["sek", "sek"],
  ])("'%s' is %s", (word, currency) => {
    expect(toCurrency(word)).toBe(currency);
  });

  it.each(["at", "euro?", "dollar", "u1d", "", "%"])("isn't '%s'", (word) => {
    expect(toCurrency(word)).toBeNull();
  });

  it("has a code, symbols and words", () => {
    expect(namesOfCurrency("SEK")).toEqual(["SEK", "kr", "sek"]);
    expect(namesOfCurrency("XYZ")).toEqual(["XYZ"]);
  });
});
