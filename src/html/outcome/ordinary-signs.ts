import type { PageFacts } from "./page-facts";
import { PHRASES } from "./phrases";

/** Returns true if one of the page's lines outside of the boilerplate has an amount of money. */
export function hasPrice({ content }: PageFacts): boolean {
  return content.some(({ text }) => PHRASES.ordinarySigns.price.test(text));
}

/** Returns true if the page offers a product. */
export function isOffered({ elements }: PageFacts): boolean {
  return elements.buttons.some((label) => PHRASES.ordinarySigns.cart.test(label));
}
