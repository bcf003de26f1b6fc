import { describe, expect, it } from "vitest";
import { findDate } from "../../../src/html/page/dates";

describe("findDate", () => {
  it.each([
    ["Published 2024-05-17", "", "2024-05-17"],
    ["2024-05-17T08:10+02:00", "", "2024-05-17"],
    ["Essay - 2025.12.17 |", "", "2025-12-17"],
    ["2024/5/7", "", "2024-05-07"],
    ["on May 17, 2024 at 11:00 AM", "en", "2024-05-17"],
    ["May 17th, 2024", "en", "2024-05-17"],
    ["Dec. 19, 2025", "", "2025-12-19"],
    ["on Friday January 12, 2024 @11:40AM", "en", "2024-01-12"],
    ["17 May, 2024", "", "2024-05-17"],
    ["5 min read May 17, 2024", "en", "2024-05-17"],
    ["17. März 2024", "de", "2024-03-17"],
    ["3. Dez. 2024", "de", "2024-12-03"],
    ["1er mai 2024", "fr", "2024-05-01"],
    ["3 de mayo de 2024", "es", "2024-05-03"],
    ["17 de março de 2024", "pt", "2024-03-17"],
    ["12 мая 2024 г.", "ru", "2024-05-12"],
    ["12 Ağustos 2024", "tr", "2024-08-12"],
    ["2024. május 3.", "hu", "2024-05-03"],
    ["2024年5月3日", "ja", "2024-05-03"],
    ["2024년 5월 3일", "ko", "2024-05-03"],
    ["17.05.2024", "", "2024-05-17"],
    ["3.4.2024", "", "2024-04-03"],
    ["25/12/2024", "", "2024-12-25"],
    ["12/25/2024", "", "2024-12-25"],
    ["5/5/2024", "en-US", "2024-05-05"],
    ["03/04/2024", "de", "2024-04-03"],
    ["03/04/2024", "en-GB", "2024-04-03"],
  ])("finds the date in %j on a page in %j", (text, language, day) => {
    expect(findDate(text, language)?.day).toBe(day);
  });

  it.each([
    ["03/04/2024", "en"],
    ["03/04/2024", "en-US"],
    ["03/04/2024", ""],
    ["31 February 2024", "en"],
    ["May 2024", "en"],
    ["version 2024-05", ""],
    ["17 cats 2024", "en"],
    ["2 days ago", "en"],
    ["costs 12.345.2024", ""],
  ])("finds no date in %j on a page in %j", (text, language) => {
    expect(findDate(text, language)).toBeNull();
  });

  it("returns the place of the date in the text", () => {
    const date = findDate("By Ada on May 17, 2024.", "en");
    expect("By Ada on May 17, 2024.".slice(date?.start, date?.end)).toBe("May 17, 2024");
  });
});
