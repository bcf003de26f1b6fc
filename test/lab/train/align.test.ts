import { describe, expect, it } from "vitest";
import { alignWords } from "../../../lab/train/align.ts";

function aligned(page: string, wanted: string): string {
  const words = page.split(" ");
  const isCovered = alignWords(words, wanted.split(" "));
  return words.filter((_, at) => isCovered[at]).join(" ");
}

describe("the words of a page that are in the expected text", () => {
  it("are those that follow each other in both texts", () => {
    expect(aligned("home news the ferry leaves at noon share", "the ferry leaves at noon")).toBe(
      "the ferry leaves at noon",
    );
  });

  it("don't include the second copy of a text that is expected once", () => {
    const post = "the ferry leaves at noon";
    const page = `${post} anna wrote ${post} reply share thanks a lot anna`.split(" ");
    const isCovered = alignWords(page, `${post} thanks a lot anna`.split(" "));
    expect(isCovered.indexOf(0)).toBe(5);
    expect(page.filter((_, at) => isCovered[at]).join(" ")).toBe(`${post} thanks a lot anna`);
  });

  it("include both copies of a text that is expected twice", () => {
    const post = "the ferry leaves at noon";
    expect(aligned(`${post} reply ${post}`, `${post} ${post}`)).toBe(`${post} ${post}`);
  });

  it("include single words between aligned sequences", () => {
    const page = "the ferry leaves at noon price buy 12 the island has many old houses";
    const wanted = "the ferry leaves at noon price 12 the island has many old houses";
    expect(aligned(page, wanted)).toBe(wanted);
  });

  it("include sequences in another order", () => {
    const [first, second] = ["the ferry leaves at noon today", "the island has many old houses"];
    expect(aligned(`${first} menu ${second}`, `${second} ${first}`)).toBe(`${first} ${second}`);
  });
});
