const MAX_NAME_CHARS = 100;

type Rule<Value> = readonly [words: RegExp, make: (index: number) => Value];

/** Texts by the words in a property's name; the first rule that fits holds. */
const TEXTS: readonly Rule<string>[] = [
  [/\be?mail\b/, (index) => `jane.doe${suffix(index)}@example.com`],
  [
    /\b(image|img|photo|picture|avatar|thumbnail|logo|icon)s?\b/,
    (index) => `https://example.com/image-${index + 1}.png`,
  ],
  [/\b(url|uri|link|href|website|homepage)s?\b/, (index) => `https://example.com/mock-${index + 1}`],
  [/\b(phone|tel|telephone|mobile|fax)\b/, (index) => `+1 202 555 ${String(100 + (index % 100)).padStart(4, "0")}`],
  [/\bfirst name\b/, (index) => pick(["Jane", "John", "Mary", "Paul"], index)],
  [/\b(last name|surname)\b/, (index) => pick(["Doe", "Smith", "Miller", "Brown"], index)],
  [/\b(author|full name|person|contact)\b/, (index) => pick(["Jane Doe", "John Smith", "Mary Miller"], index)],
  [/\b(company|brand|publisher|manufacturer|seller|vendor)\b/, (index) => `Example Company${suffix(index)}`],
  [/\bcountry code\b/, (index) => pick(["US", "DE", "TR"], index)],
  [/\bcountry\b/, (index) => pick(["United States", "Germany", "Türkiye"], index)],
  [/\bcity\b/, (index) => pick(["New York", "Berlin", "Istanbul"], index)],
  [/\b(zip|postal|postcode)\b/, (index) => String(10_001 + index)],
  [/\b(street|address)\b/, (index) => `${index + 1} Example Street`],
  [/\bcurrency\b/, (index) => pick(["USD", "EUR", "TRY"], index)],
  [/\b(language|locale|lang)\b/, (index) => pick(["en", "de", "tr"], index)],
  [/\b(price|cost|amount|fee)\b/, (index) => (19.99 + 10 * index).toFixed(2)],
  [/\bcolou?rs?\b/, (index) => pick(["red", "green", "blue"], index)],
  [/\b(id|sku|code|uuid|isbn|ean|asin|number)\b/, (index) => `MOCK-${index + 1}`],
  [/\b(datetime|timestamp|(created|updated|published|modified) at)\b/, (index) => `${toDay(index)}T09:30:00Z`],
  [/\b(date|day|published|created|updated|birthday)\b/, toDay],
  [/\btime\b/, () => "09:30"],
  [/\b(availability|status|state)\b/, (index) => pick(["available", "unavailable"], index)],
  [
    /\b(description|summary|text|content|body|abstract|review|comment)s?\b/,
    (index) => `This is mock text ${index + 1}.`,
  ],
];

const NUMBERS: readonly Rule<number>[] = [
  [/\b(price|cost|amount|fee|total|subtotal|salary|revenue)\b/, (index) => 19.99 + 10 * index],
  [/\b(rating|score|stars?)\b/, (index) => 4.5 - (index % 4)],
  [/\byear\b/, (index) => 2026 - index],
  [/\b(lat|latitude)\b/, (index) => 41.01 + index],
  [/\b(lng|lon|long|longitude)\b/, (index) => 28.98 + index],
  [/\b(percent|percentage|discount)\b/, (index) => 15 + index],
  [/\bage\b/, (index) => 34 + index],
  [/\bid\b/, (index) => 1_001 + index],
  [/\b(count|quantity|stock|reviews|views|likes|votes)\b/, (index) => 12 + index],
  [/\b(weight|width|height|length|depth|size)\b/, (index) => 2.5 + index],
];

/** A text such as a property of that name may have. */
export function textFor(name: string, index: number): string {
  const words = toWords(name);
  const rule = TEXTS.find(([pattern]) => pattern.test(words));
  return rule?.[1](index) ?? `Mock ${words || "text"}${index === 0 ? "" : ` ${index + 1}`}`;
}

export function numberFor(name: string, index: number): number {
  const words = toWords(name);
  const value = NUMBERS.find(([pattern]) => pattern.test(words))?.[1](index) ?? index + 1;
  return Math.round(value * 100) / 100;
}

/** The day of a mock: the 12th of March 2026 and the days after it. */
export function toDay(index: number): string {
  return new Date(Date.UTC(2026, 2, 12 + index)).toISOString().slice(0, 10);
}

function toWords(name: string): string {
  return name
    .slice(0, MAX_NAME_CHARS)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

function suffix(index: number): string {
  return index === 0 ? "" : String(index + 1);
}

function pick(texts: readonly string[], index: number): string {
  const text = texts[index % texts.length] ?? "";
  return index < texts.length ? text : `${text} ${index + 1}`;
}
