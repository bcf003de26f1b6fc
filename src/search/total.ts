/** Digits in groups, whatever marks the groups; groups of two stand in India. */
const NUMBER = /\d+(?:[.,'’٬\s\u00a0\u202f]\d{2,3}(?!\d))*/g;
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef]/g;
/** More than any engine claims: a run of digits that is none. */
const MAX_TOTAL = 1e13;
const MAX_LINE_CHARS = 300;

/** "About 55,900,000 results (0.25 s)", "Page 2 of 1.270.000 …": the largest number before the time; null without any. */
export function toTotal(line: string): number | null {
  const text = toAsciiDigits(line.slice(0, MAX_LINE_CHARS)).replace(/[(（].*$/su, "");
  const numbers = (text.match(NUMBER) ?? []).map((number) => Number(number.replace(/\D/g, "")));
  const total = Math.max(...numbers);
  return numbers.length > 0 && total <= MAX_TOTAL ? total : null;
}

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:млрд|billion|milyar|bln|миллиард|мільярд|mlrd)/iu, 1e9],
  [/^(?:млн|million|milyon|mln|миллион|мільйон)/iu, 1e6],
  [/^(?:тыс|thousand|bin(?:\s|$)|тис|мың|ming)/iu, 1e3],
];

/** "нашлось 20 млн результатов", "20 milyon sonuç bulundu"; null when no number is said. */
export function toScaledTotal(line: string): number | null {
  const text = toAsciiDigits(line.slice(0, MAX_LINE_CHARS));
  const scaled = /(\d+(?:[.,]\d+)?)\s+(\p{L}.*)/u.exec(text);
  const scale = SCALES.find(([word]) => word.test(scaled?.[2] ?? ""))?.[1];
  if (!scaled?.[1] || !scale) return toTotal(text);
  const total = Math.round(Number(scaled[1].replace(",", ".")) * scale);
  return total <= MAX_TOTAL ? total : null;
}

function toAsciiDigits(text: string): string {
  return text.replace(OTHER_DIGITS, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = code < 0x0900 ? code & 0xfff0 : ((code - 6) & 0xfff0) + 6;
    return String(code - zero);
  });
}
