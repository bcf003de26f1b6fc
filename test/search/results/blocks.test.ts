import { expect, it } from "vitest";
import { parseDocument } from "../../../src/html/parse/document";
import { placeBlocks, selectBlocks } from "../../../src/search/results/blocks";
import { findAll } from "../../../src/search/results/dom";
import { isLink } from "../../../src/search/results/matchers";

it("numbers the items of each block, and counts the organic results above it", () => {
  const document = parseDocument("<p>A</p><a href=1></a><section>B</section><a href=2></a><aside>C</aside>");
  const at = (name: string) => {
    const [element] = findAll(document, (other) => other.name === name, 1);
    if (!element) throw new Error(`The page has no <${name}>.`);
    return element;
  };
  const blocks = placeBlocks(
    document,
    {
      related_searches: { content: [{ query: "a" }, { query: "b" }], at: at("aside") },
      people_also_ask: { content: [{ question: "c?" }], at: at("section") },
      spelling: { content: { corrected: "d", applied: true }, at: at("p") },
      videos: { content: [], at: at("p") },
    },
    findAll(document, isLink),
  );
  expect(blocks).toEqual({
    spelling: { corrected: "d", applied: true },
    people_also_ask: [{ position: 1, question: "c?" }],
    related_searches: [
      { position: 1, query: "a" },
      { position: 2, query: "b" },
    ],
    block_positions: { spelling: 0, people_also_ask: 1, related_searches: 2 },
  });
  expect(Object.keys(blocks.block_positions ?? {})).toEqual(["spelling", "people_also_ask", "related_searches"]);
  expect(selectBlocks(blocks, undefined)).toBe(blocks);
  expect(selectBlocks(blocks, ["spelling", "ads"])).toEqual({
    spelling: { corrected: "d", applied: true },
    block_positions: { spelling: 0 },
  });
  expect(selectBlocks(blocks, [])).toEqual({});
  expect(placeBlocks(document, {}, [])).toEqual({});
});
