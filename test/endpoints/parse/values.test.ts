import { describe, expect, it } from "vitest";
import { amountsIn, composedNumbers, numbersIn, toRounded } from "../../../src/endpoints/parse/amounts";
import { toDates, toTimes } from "../../../src/endpoints/parse/dates";
import { normalizeText, toNumbers, toWords } from "../../../src/endpoints/parse/normalize-text";
import { indexPage } from "../../../src/endpoints/parse/page-index";

const wordsOf = (text: string) => toWords(normalizeText(text));

describe("the numbers of words", () => {
  it.each<[number, string]>([
    [1e-2, "%"],
    [1e3, "k tsd thousand tausend mille mil bin тыс 千"],
    [1e4, "万 萬"],
    [1e5, "lakh"],
    [1e6, "m mio mn mln million millions millionen millones milyon млн"],
    [1e7, "crore"],
    [1e8, "億 亿"],
    [1e9, "b bn mrd billion billions milliarde milliarden milyar млрд"],
  ])("include the multiple %d for each of its words", (multiple, names) => {
    for (const name of names.split(" ")) {
      expect([name, ...numbersIn(wordsOf(`about 2.5 ${name} people`))]).toEqual([name, 2.5, toRounded(2.5 * multiple)]);
    }
  });

  it("have no multiple of a word that isn't adjacent, or comes before the number", () => {
    expect([...numbersIn(wordsOf("million 5 people, million"))]).toEqual([5]);
    expect([...numbersIn(wordsOf("0.1 k and 0.29 %"))]).toEqual([0.1, 100, 0.29, 0.0029]);
  });

  it.each<[string, number[]]>([
    ["1,234", [1234, 1.234]],
    ["1.234,50", [1234.5]],
    ["1,234.50", [1234.5]],
    ["1,234,567", [1234567]],
    ["12,34,567", [1234567]],
    ["1’234", [1234]],
    ["1.5", [1.5]],
    ["1.2.3", []],
    ["2024", [2024]],
    ["x1", []],
    ["1234,567", [1234.567]],
    ["1.234,567", [1234.567]],
  ])("have every possible reading of %s", (word, numbers) => {
    expect(toNumbers(word)).toEqual(numbers);
  });

  it("keep 15 digits", () => {
    expect(toRounded(0.1 + 0.2)).toBe(0.3);
    expect(toRounded(123456.789012345)).toBe(123456.789012345);
  });
});

describe("the numbers of several words", () => {
  it.each<[string, number[]]>([
    ["10 000 people", [10_000]],
    ["1'234'567.5 and 1 234,5", [1234567.5, 1234.5]],
    ["12 34", []],
    ["1 2345", []],
    ["€19<sup>99</sup>", [19.99]],
    ["19<sup>99</sup> €", [19.99]],
    ["19<sup>99</sup>", []],
    ["$.99 or €,49", [0.99, 0.49]],
    ["1 1/2 cups", [1.5]],
    ["3/4 cup", [0.75]],
    ["9/10", []],
    ["1/2/3", []],
    [normalizeText("2⅓"), [toRounded(7 / 3)]],
  ])("are found in '%s'", (text, numbers) => {
    expect([...composedNumbers(text)]).toEqual(numbers);
  });
});

describe("the amounts of words", () => {
  it.each([
    ["€ euro euros", "eur"],
    ["£", "gbp"],
    ["₹", "inr"],
    ["₺", "try"],
    ["₽", "rub"],
    ["₴", "uah"],
    ["₩", "krw"],
    ["zł", "pln"],
    ["$", "$"],
    ["chf", "chf"],
  ])("have the code of the currency %s before or after the number", (symbols, code) => {
    for (const symbol of symbols.split(" ")) {
      expect([...amountsIn([symbol, "1,5"])]).toEqual([`1.5 ${code}`]);
      expect([...amountsIn(["1,5", symbol])]).toEqual([`1.5 ${code}`]);
      expect([...amountsIn(["1", "299,50", symbol])]).toContain(`1299.5 ${code}`);
      expect([...amountsIn([symbol, "and", "1,5"])].filter((amount) => amount.endsWith(code))).toEqual([]);
    }
  });
});

const DAYS: [string, string[]][] = [
  ["31.12.2024", ["2024-12-31"]],
  ["12/31/2024", ["2024-12-31"]],
  ["03/04/2024", ["2024-03-04", "2024-04-03"]],
  ["2024-12-31", ["2024-12-31"]],
  ["2024/1/2", ["2024-01-02"]],
  ["32.1.2024, 0.1.2024, 13.13.2024", []],
  ["1.2.69, 1.2.70", ["1970-01-02", "1970-02-01", "2069-01-02", "2069-02-01"]],
  ["123.1.2024", []],
  ["31st of december 2024", ["2024-12-31"]],
  ["december 1st, 2024", ["2024-12-01"]],
  ["1 de enero de 2024", ["2024-01-01"]],
  ["2024年12月1日", ["2024-12-01"]],
  ["2024년 12월 1일", ["2024-12-01"]],
  ["may 30 - june 2, 2024", ["2024-05-30", "2024-06-02"]],
  ["30 may to 2 june 2024", ["2024-05-30", "2024-06-02"]],
  ["28.12. - 31.12.2024", ["2024-12-28", "2024-12-31"]],
  ["1.-5.12.2024", ["2024-05-12", "2024-12-01", "2024-12-05"]],
];

const MONTHS: [number, string][] = [
  [1, "january januar janvier gennaio enero ocak января"],
  [2, "february februar février fevereiro febbraio şubat февраля"],
  [3, "march märz mars maart mrt marzo марта"],
  [4, "april avril abril aprile nisan апреля"],
  [5, "may mai maggio mei maj мая май"],
  [6, "june juni juin giugno haziran июня"],
  [7, "july juli juillet luglio temmuz июля"],
  [8, "august août agosto ağustos августа"],
  [9, "september settembre eylül сентября"],
  [10, "october oktober ottobre outubro ekim октября"],
  [11, "november kasım ноября"],
  [12, "december dezember décembre dicembre aralık декабря"],
];

describe("dates", () => {
  it.each(DAYS)("are found in '%s'", (text, days) => {
    const found = toDates(normalizeText(text));
    expect([...found.days].sort()).toEqual(days);
    expect([...found.months]).toEqual(expect.arrayContaining(days.map((day) => day.slice(0, 7))));
  });

  it("are the same in the middle of a long text, far from other years", () => {
    const words = "the keeper writes a line about each ship and the wind ".repeat(5);
    const text = DAYS.map(([date]) => date).join(` ${words}`);
    const near = toDates(normalizeText(`${words} 1999 and ${text} ${words}`));
    expect([...near.days].sort()).toEqual([...new Set(DAYS.flatMap(([, days]) => days))].sort());
    expect(toDates(normalizeText(`${words} september 2023, then ${words}`)).months).toEqual(new Set(["2023-09"]));
  });

  it.each(MONTHS)("have the month %i in each language", (month, names) => {
    const padded = String(month).padStart(2, "0");
    for (const name of names.split(" ")) {
      const { days, months } = toDates(normalizeText(`5 ${name} 2024`));
      expect([name, ...days, ...months]).toEqual([name, `2024-${padded}-05`, `2024-${padded}`]);
      expect([name, ...toDates(normalizeText(`in ${name} 2023`)).months]).toEqual([name, `2023-${padded}`]);
    }
    expect([...toDates(`since ${month}/2024`).months]).toEqual([`2024-${padded}`]);
  });

  it.each(["lamp 2024", "5 lamps 2024", "13/2024", "0/2024"])("aren't found in '%s'", (text) => {
    const { days, months } = toDates(text);
    expect([[...days], [...months]]).toEqual([[], []]);
  });
});

it.each([
  ["14:30", ["14:30"]],
  ["9:05:59", ["09:05"]],
  ["12 am", ["00:00"]],
  ["12:15 am", ["00:15"]],
  ["12 pm", ["12:00"]],
  ["1:37 p.m.", ["13:37"]],
  ["11 a.m.", ["11:00"]],
  ["19.30 uhr", ["19:30"]],
  ["19 uhr", ["19:00"]],
  ["20h", ["20:00"]],
  ["23:59", ["23:59"]],
  ["24:00", []],
  ["25 uhr", []],
  ["14:60", []],
  ["14.30", []],
])("finds the times of '%s'", (text, times) => {
  expect([...toTimes(text)]).toEqual(times);
});

describe("normalized text", () => {
  it.each([
    ["so\u00adft and jo\u200dined", "soft and joined"],
    ["x\ufe0f", "x"],
    ["5² and 10⁻³", "5 2 and 10- 3"],
    ["1½", "1 1⁄2 "],
    ["− – — ‐ ﹣ －", "- - - - - -"],
    ["٣ ۴ ५", "3 4 5"],
    ["Straße", "strasse"],
    ["ＡＢＣ", "abc"],
  ])("has one form for each variant of a character: %s", (text, normalized) => {
    expect(normalizeText(text).replace(/ +/g, " ").trim()).toBe(normalized.replace(/ +/g, " ").trim());
  });

  it.each([
    ["C++ and C# and #tag", ["c++", "and", "c#", "and", "tag"]],
    ["漢字 かな ไทย", ["漢", "字", "か", "な", "ไ", "ท", "ย"]],
    ["-5 a-5 5-6", ["-", "5", "a", "5", "5", "6"]],
    ["1,234.5 kg, 19% €5", ["1,234.5", "kg", "19", "%", "€", "5"]],
  ])("consists of words: %s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe("the index of a page", () => {
  const words = Array.from({ length: 300 }, (_, at) => `word${at}`);
  const index = indexPage(words.join(" "));

  it.each([1, 63, 64, 65, 127, 128, 129, 200])(
    "finds a passage of %i words, unless one word is missing or moved",
    (length) => {
      const passage = words.slice(50, 50 + length);
      const swapped = [...passage.slice(0, -2), ...passage.slice(-2).toReversed()];
      const texts = [passage, [...passage, "other"], [...passage, "word0"], swapped];
      const found = texts.map((text) => index.hasText(text.join(" ")));
      expect(found).toEqual([true, false, false, length === 1]);
    },
  );

  it("finds no text without words", () => {
    expect(["", "…", "word1"].map(index.hasText)).toEqual([false, false, true]);
  });

  it("finds a number regardless of its sign, and numbers with hyphens", () => {
    const page = indexPage("It is −7 °C at 978-3-16-148410-x, or 5 EUR, 14:30, 5 March 2024");
    expect([7, -7, 8].map((value) => page.hasNumber(value))).toEqual([true, true, false]);
    expect(["978316148410x", "978316148410"].map((code) => page.hasHyphenated(code))).toEqual([true, false]);
    expect([
      page.hasAmount(5, "eur"),
      page.hasAmount(7, "eur"),
      page.hasCurrency("eur"),
      page.hasCurrency("usd"),
    ]).toEqual([true, false, true, false]);
    expect([page.hasDate("2024-03-05"), page.hasDate("2024-03"), page.hasDate("2024-04")]).toEqual([true, true, false]);
    expect([page.hasTime("14:30"), page.hasTime("02:30")]).toEqual([true, false]);
  });
});
