/** What is known of a page besides its bytes: a BCP 47 tag, the top-level domain of its host. */
export interface CharsetHints {
  language?: string;
  tld?: string;
}

/** What a hint is worth: as much as a few characters that fit. */
const LANGUAGE_BITS = 24;
const TLD_BITS = 10;

const LANGUAGE_OF_TLD: Readonly<Record<string, string>> = {
  at: "de",
  br: "pt",
  by: "be",
  cn: "zh",
  cz: "cs",
  dk: "da",
  gr: "el",
  hk: "zh-hant",
  il: "he",
  ir: "fa",
  jp: "ja",
  kr: "ko",
  mx: "es",
  rs: "sr",
  se: "sv",
  si: "sl",
  su: "ru",
  tw: "zh-hant",
  ua: "uk",
};
/** Domains that are named like a language of somewhere else. */
const FOREIGN_TLDS: ReadonlySet<string> = new Set(["ar", "be", "ca", "sl", "sq", "sr", "sv"]);

/** The bits that the hints take off what a page costs in a language. */
export function hintedBits(code: string, { language, tld }: CharsetHints): number {
  const domain = tld?.toLowerCase() ?? "";
  const ofDomain = LANGUAGE_OF_TLD[domain] ?? (FOREIGN_TLDS.has(domain) ? undefined : domain);
  return (language !== undefined && toCode(language) === code ? LANGUAGE_BITS : 0) + (ofDomain === code ? TLD_BITS : 0);
}

/** A tag as the tables have it. */
function toCode(tag: string): string {
  const [language = "", ...rest] = tag.toLowerCase().split("-");
  if (language === "nb" || language === "nn") return "no";
  const isTraditional = language === "zh" && rest.some((part) => ["hant", "tw", "hk", "mo"].includes(part));
  return isTraditional ? "zh-hant" : language;
}
