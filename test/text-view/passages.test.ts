import { describe, expect, it } from "vitest";
import { findPassages } from "../../src/text-view/passages";
import { HOSTILE_TEXTS } from "./markdown-texts";

const filler = (topic: string) => `The ${topic} is described here in a long and boring sentence. `.repeat(25);

const PAGE = [
  "# Lighthouses",
  filler("history"),
  "## Visits",
  filler("museum"),
  "### Tickets",
  "Adults pay eight euros, and children are admitted for free.",
  "## Names",
  `| Light | Keeper |\n| --- | --- |\n${Array.from({ length: 120 }, (_, at) => `| Light ${at} | Person ${at} |\n`).join("")}`,
  "## Code",
  `\`\`\`js\n${Array.from({ length: 90 }, (_, at) => `const lamp${at} = on(${at});\n`).join("")}\`\`\``,
].join("\n\n");

const find = (query: string, text = PAGE, limits: object = {}) =>
  findPassages(text, "markdown", query, { max: 1, ...limits });

describe("a passage", () => {
  it("has its headings and its offset", () => {
    expect(find("What do children pay for a ticket?")).toEqual([
      {
        text: "### Tickets\n\nAdults pay eight euros, and children are admitted for free.",
        heading: "Lighthouses > Visits > Tickets",
        offset: PAGE.indexOf("### Tickets"),
      },
    ]);
  });

  it("of a long table has its head, and of long code its fences", () => {
    const [table] = find("Who is person 77?");
    expect(table?.text).toMatch(/^\| Light \| Keeper \|\n\| --- \| --- \|\n\| Light \d+ \|/);
    expect(table?.text).toContain("| Light 77 | Person 77 |");
    expect(table?.text.length).toBeLessThan(1_300);
    const [code] = find("lamp60");
    expect(code?.text).toMatch(/^```js\nconst lamp.*lamp60 .*\n```$/s);
  });

  it("is found by other forms of a word, without accents, and by a heading alone", () => {
    const text = [
      "# Menü",
      filler("soup"),
      "## Öffnungszeiten",
      "Täglich geöffnet von 9 bis 17 Uhr.",
      "## Müll",
      filler("bin"),
    ];
    for (const query of ["offnungszeit", "TAGLICHE", "geöffnete Tage"])
      expect(find(query, text.join("\n\n"))[0]?.text).toContain("von 9 bis 17 Uhr");
  });

  it.each([
    ["Chinese", "灯塔的门票多少钱？", "成人门票八欧元，六岁以下儿童免费。", "看守人和家人住在一楼。"],
    ["Japanese", "入場料はいくらですか", "入場料は大人が八ユーロです。", "灯台守は家族と一緒に住んでいました。"],
    ["Korean", "입장료는 얼마예요?", "어른의 입장료가 팔 유로이다.", "등대지기는 가족과 함께 살았다."],
    ["Thai", "ค่าเข้าชมเท่าไร", "ผู้ใหญ่เสียค่าเข้าชมแปดยูโร", "ผู้ดูแลอาศัยอยู่กับครอบครัวที่นี่"],
    ["Arabic", "كم سعر التذكرة؟", "يبلغ سعر التذكرة ثمانية يورو.", "كان الحارس يعيش مع عائلته."],
    [
      "Greek",
      "Πόσο κοστίζει το εισιτήριο;",
      "Το εισιτήριο για ενήλικες κοστίζει οκτώ ευρώ.",
      "Ο φαροφύλακας ζούσε εδώ.",
    ],
  ])("is found in %s", (_, query, answer, other) => {
    const text = [other.repeat(60), answer, other.repeat(60)].join("\n\n# …\n\n");
    expect(find(query, text)[0]?.text).toContain(answer);
  });
});

describe("the passages of a text", () => {
  it("are the best ones, in the order of the text, without passages that have no word of the query", () => {
    const passages = find("history, tickets, person 3", PAGE, { max: 20 });
    expect(passages.map(({ offset }) => offset)).toEqual(passages.map(({ offset }) => offset).sort((a, b) => a - b));
    expect(passages.length).toBeGreaterThan(2);
    expect(find("zebra", PAGE)).toEqual([]);
    expect(find("zebra", "")).toEqual([]);
    expect(find("?!", PAGE)).toEqual([]);
  });

  it.each([{ maxChars: 2_000 }, { maxChars: 40 }, { maxChars: 1 }, { maxTokens: 300 }, { maxTokens: 9 }])(
    "together aren't longer than %j",
    (limits) => {
      const passages = find("person ticket lamp", PAGE, { max: 10, ...limits });
      const text = passages.map((passage) => passage.text).join("");
      expect(text.length).toBeGreaterThan(0);
      if ("maxChars" in limits) expect(text.length).toBeLessThanOrEqual(limits.maxChars ?? 0);
      else expect(text.length).toBeLessThan(5 * (limits.maxTokens ?? 0));
    },
  );

  it.each(HOSTILE_TEXTS)("are found in linear time in %s", { timeout: 10_000 }, (_, text) => {
    const passages = find("a b x light code quote", text, { max: 20 });
    for (const passage of passages) expect(passage.text.length).toBeLessThan(4_000);
  });
});
