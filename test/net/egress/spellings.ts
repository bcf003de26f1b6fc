import fc from "fast-check";

// Every address block that isn't public, as [first address, prefix length]. The list doesn't come from ipaddr.js, so
// the tests also check that library.
const SPECIAL_IPV4: [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];
export const SPECIAL_RANGES = SPECIAL_IPV4.map(([address, bits]) => {
  const first = address.split(".").reduce((word, octet) => word * 256 + Number(octet), 0);
  return { first, last: first + 2 ** (32 - bits) - 1 };
});

export function isSpecial(word: number): boolean {
  return SPECIAL_RANGES.some(({ first, last }) => word >= first && word <= last);
}

function octets(word: number): number[] {
  return [24, 16, 8, 0].map((shift) => Math.floor(word / 2 ** shift) % 256);
}

export function dotted(word: number): string {
  return octets(word).join(".");
}

/** Returns a 32-bit number as two groups of an IPv6 address. */
function groups(word: number): string {
  return `${Math.floor(word / 65_536).toString(16)}:${(word % 65_536).toString(16)}`;
}

export const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
export const publicWord = word.filter((value) => !isSpecial(value));
export const specialWord = fc
  .constantFrom(...SPECIAL_RANGES)
  .chain(({ first, last }) => fc.oneof(fc.constantFrom(first, last), fc.integer({ min: first, max: last })));

const digits = fc.constantFrom<((value: number) => string)[]>(
  (value) => String(value),
  (value) => `0${value.toString(8)}`,
  (value) => `0000${value.toString(8)}`,
  (value) => `0x${value.toString(16)}`,
  (value) => `0X00${value.toString(16).toUpperCase()}`,
);
const disguise = fc.constantFrom<((text: string) => string)[]>(
  (text) => text,
  (text) => text.replace(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`),
  (text) => text.replace(/\d/g, (char) => encodeURIComponent(char.replace(/\d/, String.fromCharCode(0xff10 + +char)))),
  (text) => text.replace(/[\da-z]/gi, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  (text) => text.replaceAll(".", "。"),
  (text) => text.replaceAll(".", "%EF%BC%8E"),
  (text) => text.replace(/(?<=.)/g, "\u00ad"),
);

/** Generates spellings that the URL standard parses as this IPv4 address. */
export function spellingsOf(value: number): fc.Arbitrary<string> {
  return fc
    .record({
      parts: fc.integer({ min: 1, max: 4 }),
      radix: fc.array(digits, { minLength: 4, maxLength: 4 }),
      tail: fc.constantFrom("", "."),
      disguise,
    })
    .map(({ parts, radix, tail, disguise }) => {
      const leading = octets(value).slice(0, parts - 1);
      const numbers = [...leading, value % 256 ** (5 - parts)];
      return disguise(numbers.map((number, index) => (radix[index] ?? String)(number)).join(".") + tail);
    });
}

// Matches the refusals of IPv6 addresses that contain an IPv4 address. `::`, `::1` and fe80::/10 have their own
// descriptions.
export const WRAPPED =
  / is (an IPv4 address wrapped in IPv6|an unspecified address|a loopback address|a link-local address)\.$/;
export const wrappers: ((value: number) => string)[] = [
  (value) => `::ffff:${dotted(value)}`,
  (value) => `::FFFF:${groups(value)}`,
  (value) => `0:0:0:0:0:ffff:${groups(value)}`,
  (value) => `::${dotted(value)}`,
  (value) => `::${groups(value)}`,
  (value) => `::ffff:0:${dotted(value)}`,
  (value) => `64:ff9b::${dotted(value)}`,
  (value) => `64:ff9b:1::${groups(value)}`,
  (value) => `2002:${groups(value)}::1`,
  (value) => `2001:0:${groups(value)}::1`,
  (value) => `2001::ffff:${groups(2 ** 32 - 1 - value)}`,
  (value) => `2606:4700::5efe:${dotted(value)}`,
  (value) => `2606:4700::200:5efe:${groups(value)}`,
  (value) => `2606:4700::300:5efe:${groups(value)}`,
  (value) => `fe80::5efe:${dotted(value)}`,
];

/** Generates spellings of an IPv6 address. `groups` are its eight groups. */
export function spellingsOfSix(groups: readonly number[]): fc.Arbitrary<string> {
  const shape = { padded: fc.boolean(), upper: fc.boolean(), shortened: fc.boolean(), dottedTail: fc.boolean() };
  return fc.record(shape).map(({ padded, upper, shortened, dottedTail }) => {
    const parts = groups.map((group) => group.toString(16).padStart(padded ? 4 : 1, "0"));
    if (dottedTail) parts.splice(6, 2, dotted((groups[6] ?? 0) * 65_536 + (groups[7] ?? 0)));
    const text = parts.join(":");
    const short = shortened
      ? text.replace(/(?<![\da-f])0{1,4}(:0{1,4})+(?![\da-f.])/, "::").replace(/:{3,}/, "::")
      : text;
    return upper ? short.toUpperCase() : short;
  });
}
