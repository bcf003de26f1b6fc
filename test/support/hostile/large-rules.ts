const numbered = (count: number, toText: (number: number) => string) =>
  Array.from({ length: count }, (_, number) => toText(number));
const LONG = "a".repeat(960);

interface LargeRobots {
  robots: string;
  urls: string[];
  excluded?: string[];
}

/** Files robots.txt, and the URLs of their sites. `excluded` are patterns of the crawl's request. */
export const LARGE_ROBOTS: Readonly<Record<string, () => LargeRobots>> = {
  "30 rules with 1,000 stars × 6,000 long URLs": () => ({
    robots: `User-agent: *\n${`Disallow: /${"*a".repeat(990)}b\n`.repeat(1)}${numbered(29, (n) => `Disallow: /${"*a".repeat(980)}b${n}\n`).join("")}Disallow: /\n`,
    urls: numbered(6_000, (n) => `https://a.example/${LONG}${n}`),
  }),
  "60,000 rules × 6,000 URLs": () => ({
    robots: `User-agent: *\n${numbered(60_000, (n) => `allow /${n.toString(36)}\n`).join("")}Disallow: /\n`,
    urls: numbered(6_000, (n) => `https://a.example/page/${n}`),
  }),
  "40,000 rules with stars × 6,000 long URLs": () => ({
    robots: `User-agent: *\n${numbered(40_000, (n) => `allow *${n.toString(36)}z\n`).join("")}Disallow: /\n`,
    urls: numbered(6_000, (n) => `https://a.example/${LONG}${n}`),
  }),
  "50 excluded paths with 100 stars × 50,000 URLs": () => ({
    robots: "",
    urls: numbered(50_000, (n) => `https://a.example/${"a".repeat(80)}${n}/`),
    excluded: numbered(50, (n) => `/${"*a".repeat(98)}b${n}`),
  }),
  "1,200 hosts with 1,000 rules each": () => ({
    robots: `User-agent: *\n${numbered(1_000, (n) => `allow /*${n}z\n`).join("")}Disallow: /\n`,
    urls: numbered(5_000, (n) => `https://h${n % 1_200}.a.example/page/${n}`),
  }),
};

const equal = (count: number, schema: object) => Array.from({ length: count }, () => schema);
const properties = (count: number, toSchema: (number: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, toSchema(n)]));

/** JSON Schemas as large as a request may have them. */
export const LARGE_SCHEMAS: Readonly<Record<string, () => object>> = {
  "900 different patterns": () => ({
    type: "object",
    properties: properties(900, (n) => ({ pattern: `^[a-z]{1,9}(?:[a-z0-9]{1,9}x?){1,3}${n}$` })),
  }),
  "900 references to references": () => ({
    type: "object",
    properties: { a: { $ref: "#/$defs/p0" } },
    $defs: properties(900, (n) => ({ anyOf: [{ $ref: `#/$defs/p${(n + 1) % 900}` }, { type: "null" }] })),
  }),
  "5,000 values in enums": () => ({
    type: "object",
    properties: properties(25, (n) => ({ enum: numbered(200, (m) => `${n} ${m}`) })),
  }),
  "an allOf with 1,300 limits": () => ({
    type: "object",
    required: ["a"],
    properties: { a: { allOf: Array.from({ length: 1_300 }, (_, n) => ({ minLength: n, maxLength: 100_000 - n })) } },
  }),
  "2,400 equal enums": () => ({
    type: "object",
    required: ["a"],
    properties: { a: { allOf: equal(2_400, { enum: [1] }) } },
  }),
  "an allOf of 2,500 parts × 4,000 names": () => ({
    type: "object",
    allOf: equal(2_500, {}),
    required: numbered(4_000, (n) => `a${n}`),
  }),
};

/** Selectors, and the names of the pages of `LARGE_PAGES` on which they are slow. */
export const LARGE_SELECTORS: Readonly<Record<string, readonly [selectors: string[], page: string]>> = {
  "siblings × 40,000 links": [["[x] ~ a ~ a ~ a ~ a"], "40,000 links in a line"],
  ":has() × 40,000 links": [["a:has(~ a:has(~ i))"], "40,000 links in a line"],
  ":nth-last-child() × 40,000 links": [["a:nth-last-child(2n+1)"], "40,000 links in a line"],
  "78 nested :not() × 50": [
    numbered(50, (n) => `${":not(".repeat(78)}.x${n}${")".repeat(78)}`),
    "40,000 links in a line",
  ],
  "50 lists of selectors": [numbered(50, (n) => `:is(${"p > i, ".repeat(60)}b${n}) ~ a`), "40,000 links in a line"],
};
