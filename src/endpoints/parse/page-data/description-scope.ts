import type { Kind } from "./concept";
import { conceptsOfAny, synonymsOf } from "./concepts";
import { toSingular, wordsOf } from "./keys";
import { NEUTRAL, OTHER_SCRIPT, plain, TRANSFORMED } from "./prompt-words";

function words(list: string): readonly string[] {
  return list.split(" ");
}

/** Words of descriptions that don't change which value is meant. */
const STRUCTURAL = words(
  "value property name label given optional required where if plain raw human readable own subject thing dish work result content here as was were not",
);
/** Words that don't change which value of a kind is meant. */
const BY_KIND: { readonly [K in Kind]?: readonly string[] } = {
  title: words("title headline heading h1 display"),
  text: words(
    "short long shop manufacturer maker teaser identifier id unique stock keeping unit assigned period way how",
  ),
  name: words("person people who wrote writer creator maker manufacturer place venue where site website shop"),
  number: words(
    "average overall mean customer user reader visitor buyer review rating star score count amount out scale total numeric integer decimal float how many much",
  ),
  amount: words(
    "offer offered ticket cost numeric integer decimal float amount cost charged pay paid sold sells selling asked how much start end range top bottom from to",
  ),
  currency: words("iso 4217 code three letter symbol price salary offer amount uppercase iso4217"),
  date: words(
    "date day time when iso 8601 format iso8601 calendar publication publish modification change begin beginning ending application post which on timestamp string datetime",
  ),
  duration: words("time duration iso 8601 format iso8601 needed takes take how long integer numeric"),
  state: words("whether if stock availability status state condition enum option currently schema org new used"),
  url: words(
    "absolute full url uri link address web canonical https http image picture photo file src source profile account social network main large website homepage site home",
  ),
  keywords: words("list keyword tag comma label"),
  ingredients: words("list amount quantity unit line each per item ingredient order include including with"),
  steps: words("list step text order ordered instruction preparation each paragraph include sentence"),
  yield: words("people person serving portion yield number amount how many serves feed"),
  object: words("address postal object nested offer review"),
};
/** Words for properties that aren't concepts, such as lists and labels. */
const OF_OTHERS = words("number amount numeric integer decimal order ordered sequence listed entry");
/** Phrases that only say how a value is written. */
const NOTATION = [
  /\b(?:without|no|excluding|not including|omit) (?:the |any )?(?:(?:currency|symbols?|signs?|codes?|html|markup|tags|site name|name of the site|thousands?|separators?)[ ,/]*(?:and |or )?)+/g,
  /\bexactly as (?:shown|given|written|on the page)\b/g,
  /\byyyy-mm-dd(?:[t ]hh:mm(?::ss)?(?:\.s+)?(?:z|[+-]hh:?mm)?)?/g,
  /\biso[ -]?(?:8601|4217)\b/g,
];
/** Examples end with the sentence or the parentheses around them. */
const EXAMPLES =
  /\b(?:e\.? ?g\.?|for example|for instance|such as|z\.? ?b\.?|par exemple|por ejemplo|p\. ?ej\.?)(?!\w)(?:[^.;()]|\.(?=\d))*/g;
/** Words that also qualify a property in its examples. */
const QUALIFYING =
  /\b(?:vat|tax|taxes|mwst|tva|iva|net|netto|gross|brutto|shipping|delivery|discount\w*|month\w*|week\w*|per|unit|lowest|highest|former|old|before|after|excl\w*|incl\w*|without|instal\w*)\b/g;
/** Matches the end of a scale, such as “out of 5” and “0-10”. Filler compares the scale. */
const SCALES =
  /\b(?:out of|from)? ?\d+(?:\.\d+)? ?(?:to|-|–|\/) ?\d+(?:\.\d+)?\b|\bout of \d+\b|\bmaximum(?: is)? \d+\b|%/g;
/** Units of numbers. A number is used only if its unit is the same. */
const UNITS = words(
  "in kg g mg lb oz gram kilogram pound ounce kcal calorie kj mm cm m km inch foot ml l liter litre watt volt gb tb mb percent percentage page",
);
const TIME_UNITS = words("minute min hour second sec day");
const RATING = /\b(?:rating|star|score|bewertung)\b/;

/**
 * Returns true if the description of a property says something that its name doesn't say, such as “net” or “per month”.
 * Unknown words count as such, because they can select another value.
 */
export function isQualified(description: string, key: string, { isText }: { isText: boolean }): boolean {
  if (description === "") return false;
  if (OTHER_SCRIPT.test(description)) return true;
  let text = plain(description);
  for (const phrase of NOTATION) text = text.replace(phrase, " ");
  if (RATING.test(key)) text = text.replace(SCALES, " ");
  if (TRANSFORMED.test(text)) return true;
  const own = new Set([...synonymsOf(key)].flatMap((name) => name.split(" ")));
  const examples = (text.match(EXAMPLES) ?? []).join(" ");
  if ((examples.match(QUALIFYING) ?? []).some((word) => !own.has(toSingular(word)))) return true;
  const concepts = conceptsOfAny(key);
  const allowed = new Set([
    ...own,
    ...STRUCTURAL,
    ...concepts.flatMap(({ kind }) => BY_KIND[kind] ?? []),
    ...(concepts.length === 0 ? OF_OTHERS : []),
    ...(isText ? [] : UNITS),
    ...(!isText && concepts.some(({ kind }) => kind === "duration") ? TIME_UNITS : []),
  ]);
  return wordsOf(text.replace(EXAMPLES, " "))
    .map(toSingular)
    .some((word) => !NEUTRAL.has(word) && !allowed.has(word));
}
