import { describe, expect, it } from "vitest";
import { read, readingsOf, type Scalar } from "../../../../src/endpoints/parse/learned/readings";

const STATES = ["in_stock", "sold_out"];

describe("a reading", () => {
  it.each<[value: Scalar, text: string, next: string, nextValue: Scalar]>([
    ["Tide lamp", "Tide lamp", "Reed stool", "Reed stool"],
    ["Jane Doe", "By Jane Doe", "By Max Roe", "Max Roe"],
    ["Jane Doe", "Written by Jane Doe, editor", "Written by Max Roe, editor", "Max Roe"],
    [19.5, "19.50 EUR", "1,299.00 EUR", 1299],
    [19.5, "19,50 €", "1.299,00 €", 1299],
    [4.5, "4.5 of 5 stars", "3.0 of 5 stars", 3],
    [-3, "-3 °C", "−12 °C", -12],
    ["2024-03-05", "March 5, 2024", "Nov 12, 2025", "2025-11-12"],
    ["2024-03-05", "2024-03-05T10:00:00Z", "2025-11-12T10:00:00Z", "2025-11-12"],
    ["EUR", "19.50 €", "£ 20", "GBP"],
    [true, "In stock", "Sold out", false],
    ["in_stock", "In stock", "Sold out", "sold_out"],
    ["in_stock", "https://schema.org/InStock", "https://schema.org/SoldOut", "sold_out"],
  ])("of %j in %j reads the value of %j", (value, text, next, nextValue) => {
    const values = readingsOf(value, text, STATES).map((reading) => read(reading, next, STATES));
    expect(values.filter((one) => one !== undefined)).toContain(nextValue);
  });

  it.each<[value: Scalar, text: string, next: string]>([
    [19.5, "19.50 EUR", "on request"],
    [19.5, "19.50 EUR", "24.50 EUR 19.50 EUR"],
    [19.5, "19.50 EUR", "1.5k EUR"],
    [19.5, "19.50 EUR", "2 million EUR"],
    ["2024-03-05", "March 5, 2024", "March 5, 2024 - March 7, 2024"],
    ["Jane Doe", "By Jane Doe", "From Max Roe"],
    ["Jane Doe", "By Jane Doe", "By "],
    ["EUR", "19.50 €", "$ 20"],
    ["EUR", "19.50 €", "20 € (22 $, 18 £)"],
    [true, "In stock", "Only three left"],
    ["in_stock", "In stock", "Only three left"],
  ])("of %j in %j reads nothing in %j", (value, text, next) => {
    const readings = readingsOf(value, text, STATES).filter((reading) => reading !== "text");
    expect(readings).not.toEqual([]);
    for (const reading of readings) expect(read(reading, next, STATES)).toBeUndefined();
  });

  it.each<[value: Scalar, text: string]>([
    ["lamp", "lampshade"],
    [5, "15 EUR"],
    [2024, "Since 1999"],
    [1_500, "1.5k EUR"],
    ["Jane", "By Jane on May 5"],
    ["2024-03-05", "05/03/2024"],
    ["sold_out", "In stock"],
    [true, "Sold out"],
  ])("doesn't exist for %j in %j", (value, text) => {
    expect(readingsOf(value, text, STATES)).toEqual([]);
  });
});
