import { Element, Text } from "domhandler";
import { NEVER_TEXT } from "../parse/dom";

const STRUCK_TAGS = new Set(["del", "s", "strike"]);
const STRUCK_STYLE = /text-decoration[^;]*line-through/i;
/** Words in class names that mark a former or recommended price without a word for “price”. */
const STRUCK_CLASS =
  /^(?:strike|striked|striken|strikethrough|struck|crossed|msrp|rrp|uvp|srp|streichpreis|oldprice|wasprice|listprice|compareat|lineThrough|line-through)$/i;
const FORMER_WORD =
  /^(?:was|old|former|previous|prev|before|original|orig|compare|compared|list|recommended|suggested|antes|ancien|alter|vorher|statt|vecchio|antiguo|anterior)$/;
/** Words for a price that is a former one if another price is shown next to it. */
const REGULAR_WORD = /^(?:regular|normal|standard|full|base|retail|usual)$/;
const CURRENT_WORD = /^(?:sale|special|now|current|final|discount|discounted|reduced|offer|promo|deal|new|your)$/;
const PRICE_WORD = /^(?:prices?|preis|prix|precio|preco|prezzo|prijs|cena|amount|cost)$/;
const WORD = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const MAX_CLASS_CHARS = 200;
const MAX_PRICE_CHARS = 60;
const MAX_PRICE_NODES = 30;
const MAX_NEIGHBORS = 10;
const AMOUNT = /\d+(?:[.,\s]\d+)*/g;

/** Returns true for an element with a price that no longer applies: struck through, or with a class such as `was-price`. */
export function isFormerPrice(element: Element): boolean {
  const { name, attribs } = element;
  if (STRUCK_TAGS.has(name) || STRUCK_STYLE.test(attribs.style ?? "")) return true;
  const classes = attribs.class ?? "";
  if (classes === "" || classes.length > MAX_CLASS_CHARS) return false;
  const words = wordsOf(classes);
  const isStruck =
    classes.split(/\s+/).some((one) => STRUCK_CLASS.test(one)) || words.some((one) => STRUCK_CLASS.test(one));
  const isPrice = words.some((word) => PRICE_WORD.test(word));
  if (isStruck || (isPrice && words.some((word) => FORMER_WORD.test(word)))) return amountsIn(element).length === 1;
  return isPrice && words.some((word) => REGULAR_WORD.test(word)) && hasOtherPrice(element);
}

/** Returns true if a current price with another amount is next to the element. */
function hasOtherPrice(element: Element): boolean {
  const [own] = amountsIn(element);
  const neighbors = element.parent?.children ?? [];
  if (own === undefined || neighbors.length > MAX_NEIGHBORS) return false;
  return neighbors.some((neighbor) => {
    if (!(neighbor instanceof Element) || neighbor === element) return false;
    const isCurrent = wordsOf(neighbor.attribs.class ?? "").some((word) => CURRENT_WORD.test(word));
    const [other] = isCurrent ? amountsIn(neighbor) : [];
    return other !== undefined && other !== own;
  });
}

/** Returns the digits of each amount of a short text. Returns none for a long one. */
function amountsIn(root: Element): string[] {
  let text = "";
  let nodes = 0;
  const stack = root.children.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (++nodes > MAX_PRICE_NODES || text.length > MAX_PRICE_CHARS) return [];
    if (node instanceof Text) text += node.data;
    else if (node instanceof Element && !NEVER_TEXT.has(node.name))
      stack.push(...node.children.slice(0, MAX_PRICE_NODES).toReversed());
  }
  return (text.match(AMOUNT) ?? []).map((digits) => digits.replace(/\s/g, ""));
}

function wordsOf(classes: string): string[] {
  return (classes.slice(0, MAX_CLASS_CHARS).match(WORD) ?? []).map((word) => word.toLowerCase());
}
