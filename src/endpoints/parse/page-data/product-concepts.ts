import type { ConceptDefinition } from "./concept";

/** Concepts of products, their offers and their ratings. */
export const PRODUCT_CONCEPTS: readonly ConceptDefinition[] = [
  {
    kind: "amount",
    names:
      "price, current price, price amount, price value, amount, preis, prix, precio, preço, prezzo, prijs, цена, 价格, 価格, offer price, cost",
    paths: "offers.price offers.priceSpecification.price price",
    meta: "product:price:amount og:price:amount",
    families: "Product Offer Book SoftwareApplication Course Event none",
  },
  {
    kind: "amount",
    names: "low price, min price, minimum price, lowest price, price from, price min, starting price",
    paths: "offers.lowPrice",
  },
  {
    kind: "amount",
    names: "high price, max price, maximum price, highest price, price to, price max",
    paths: "offers.highPrice",
  },
  {
    kind: "currency",
    names: "currency, price currency, currency code, währung, devise, moneda, moeda, valuta, валюта, offer currency",
    paths: "offers.priceCurrency offers.priceSpecification.priceCurrency priceCurrency",
    meta: "product:price:currency og:price:currency",
    families: "Product Offer Book SoftwareApplication Course Event none",
  },
  {
    kind: "state",
    names:
      "availability, stock status, stock, in stock, available, is available, is in stock, verfügbarkeit, verfügbar, lieferbar, disponibilité, disponibilidad, disponibilidade, disponibilità, beschikbaarheid",
    paths: "offers.availability availability",
    meta: "product:availability og:availability",
  },
  {
    kind: "state",
    names: "condition, item condition, zustand, état, estado, condizione",
    paths: "offers.itemCondition itemCondition",
    meta: "product:condition",
  },
  {
    kind: "name",
    names: "brand, brand name, marke, marque, marca, merk, бренд, 品牌, ブランド",
    paths: "brand",
    meta: "product:brand og:brand",
    families: "Product none",
  },
  {
    kind: "name",
    names: "manufacturer, hersteller, fabricant, fabricante, produttore, fabrikant",
    paths: "manufacturer",
  },
  {
    kind: "name",
    names: "seller, seller name, vendor, merchant, sold by, verkäufer, vendeur, vendedor",
    paths: "offers.seller seller",
  },
  {
    kind: "text",
    names: "sku, article number, item number, artikelnummer, référence, product code, referencia",
    paths: "sku offers.sku",
    meta: "product:retailer_item_id",
    families: "Product",
  },
  {
    kind: "text",
    names: "mpn, manufacturer part number, part number, model number",
    paths: "mpn",
    families: "Product",
  },
  {
    kind: "text",
    names: "gtin, ean, upc, barcode, gtin13, gtin12, gtin8, gtin14",
    paths: "gtin gtin13 gtin12 gtin8 gtin14",
  },
  { kind: "text", names: "isbn, isbn13", paths: "isbn workExample.isbn", meta: "book:isbn" },
  {
    kind: "text",
    names: "category, product category, kategorie, catégorie, categoría, categoria, categorie, recipe category, course",
    paths: "category recipeCategory",
    meta: "product:category",
  },
  { kind: "text", names: "color, colour, farbe, couleur, colore, kleur", paths: "color", meta: "product:color" },
  { kind: "text", names: "material, matériau, materiale, materiaal", paths: "material", meta: "product:material" },
  { kind: "text", names: "model, modell, modèle, modelo, modello", paths: "model" },
  { kind: "text", names: "size, größe, taille, talla, tamanho, taglia, maat", paths: "size" },
  // Ratings and reviews
  {
    kind: "number",
    names:
      "rating, rating value, average rating, star, star rating, score, stars rating, rating average, bewertung, note, valoración, calificación, avaliação, valutazione, beoordeling, aggregate rating",
    isShown: true,
    paths: "aggregateRating.ratingValue reviewRating.ratingValue ratingValue",
    meta: "og:rating product:rating:value",
  },
  {
    kind: "number",
    names: "review count, number of review, num review, total review, reviews count, anzahl bewertungen, nombre d avis",
    isShown: true,
    paths: "aggregateRating.reviewCount reviewCount",
  },
  {
    kind: "number",
    names: "rating count, number of rating, num rating, total rating, vote, vote count",
    isShown: true,
    paths: "aggregateRating.ratingCount ratingCount",
  },
  {
    kind: "number",
    names: "best rating, max rating, rating scale",
    paths: "aggregateRating.bestRating reviewRating.bestRating bestRating",
  },
  { kind: "object", names: "review, customer review, user review, rezension, avis, reseña", paths: "review reviews" },
  {
    kind: "text",
    names: "review text, review body, text, comment, body, content",
    paths: "reviewBody description text",
    families: "Review",
  },
];
