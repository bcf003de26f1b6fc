/** The codes that a symbol or a word can stand for, in the order in which a pattern must try them. */
const SYMBOLS: readonly (readonly [symbol: string, codes: string])[] = [
  ["US$", "USD"],
  ["CA$", "CAD"],
  ["AU$", "AUD"],
  ["NZ$", "NZD"],
  ["HK$", "HKD"],
  ["NT$", "TWD"],
  ["MX$", "MXN"],
  ["R$", "BRL"],
  ["C$", "CAD NIO"],
  ["A$", "AUD"],
  ["S$", "SGD"],
  ["$", "USD CAD AUD NZD HKD SGD TWD MXN ARS CLP COP UYU DOP BBD BZD BMD BSD FJD JMD LRD NAD SBD TTD XCD"],
  ["€", "EUR"],
  ["£", "GBP EGP GIP FKP LBP SYP SHP"],
  ["¥", "JPY CNY"],
  ["￥", "JPY CNY"],
  ["円", "JPY"],
  ["元", "CNY TWD"],
  ["₹", "INR"],
  ["₩", "KRW"],
  ["₽", "RUB"],
  ["₺", "TRY"],
  ["₴", "UAH"],
  ["₪", "ILS"],
  ["₫", "VND"],
  ["₱", "PHP"],
  ["฿", "THB"],
  ["₦", "NGN"],
  ["₡", "CRC"],
  ["₸", "KZT"],
  ["₾", "GEL"],
  ["kr", "SEK NOK DKK ISK"],
  ["Rs", "INR PKR LKR NPR MUR SCR"],
  ["Rp", "IDR"],
  ["RM", "MYR"],
  ["zł", "PLN"],
  ["Kč", "CZK"],
  ["Ft", "HUF"],
  ["lei", "RON MDL"],
  ["лв", "BGN"],
  ["руб", "RUB BYN"],
  ["грн", "UAH"],
  ["TL", "TRY"],
  ["SFr", "CHF"],
  ["Fr", "CHF"],
  ["euros", "EUR"],
  ["euro", "EUR"],
  ["dollars", "USD CAD AUD NZD HKD SGD"],
];
const CODES = new Set(
  (
    "AED ARS AUD BDT BGN BHD BRL BYN CAD CHF CLP CNY COP CRC CZK DKK DOP EGP EUR GBP GEL HKD HRK HUF IDR ILS INR ISK JOD " +
    "JPY KES KRW KWD KZT LBP LKR MAD MDL MXN MYR NGN NOK NPR NZD OMR PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND " +
    "TRY TWD UAH USD UYU UZS VND ZAR"
  ).split(" "),
);
const BY_SYMBOL: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  SYMBOLS.map(([symbol, codes]) => [symbol.toLowerCase(), new Set(codes.split(" "))]),
);

const alternatives = (words: readonly string[]) => words.map((word) => word.replace("$", "\\$")).join("|");
const isWord = ([symbol]: readonly [string, string]) => /^\p{L}+$/u.test(symbol);
/** The source of a pattern that matches a currency. Needs the flag `u`. */
export const CURRENCY = `(?:${alternatives(SYMBOLS.filter((one) => !isWord(one)).map(([symbol]) => symbol))}|\\p{Sc}|(?<!\\p{L})(?:${alternatives([...CODES, ...SYMBOLS.filter(isWord).map(([symbol]) => symbol)])})(?!\\p{L})\\.?)`;

/** Returns the codes of the currencies that a symbol or a word can stand for. Returns null if it isn't known. */
export function currenciesOf(text: string): ReadonlySet<string> | null {
  const word = text.trim().replace(/\.$/, "");
  if (/^[a-z]{3}$/i.test(word) && CODES.has(word.toUpperCase())) return new Set([word.toUpperCase()]);
  return BY_SYMBOL.get(word.toLowerCase()) ?? null;
}
