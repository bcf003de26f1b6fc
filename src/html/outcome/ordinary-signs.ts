import type { PageFacts } from "./page-facts";

/** An amount of money. */
const PRICE =
  /[€$£¥₺₽₩]\s?\d|\d(?:[.,]\d+)?\s?(?:[€£₺₽]|(?:zł|eur|usd|gbp|chf|kr|tl|pln|руб)(?!\p{L})|円|元|원)|\d[.,]\d\d?\s?\$/iu;
/** The labels of buttons that put a product in the cart. */
const CART =
  /\b(?:add to|in den|in het) (?:cart|basket|bag|warenkorb|einkaufswagen|winkelwagen|winkelmand)|warenkorb|au panier|(?:al|a la|a|ao) (?:carrito|cesta|carrinho|carrello)|sepete|в корзину|do koszyka|カートに|加入购物车|加入購物車|장바구니/iu;

/** Returns true if one of the page's lines outside of the boilerplate has an amount of money. */
export function hasPrice({ content }: PageFacts): boolean {
  return content.some(({ text }) => PRICE.test(text));
}

/** Returns true if the page offers a product. */
export function isOffered({ elements }: PageFacts): boolean {
  return elements.buttons.some((label) => CART.test(label));
}
