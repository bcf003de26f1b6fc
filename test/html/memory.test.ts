import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { convertHtml } from "../../src/html/convert";

const MB = 1_000_000;
const PAGES = 40;

function heapMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / MB;
}

/** Returns a page of 1 MB with class names, ids and elements that no other page has. */
function page(number: number): string {
  const block = (at: number) =>
    `<div class="block-of-page-${number} kind-of-block-${at}" id="the-block-${number}-${at}"><custom-element-${number}>The ferry ${number} leaves from the old pier, whatever the weather, for $${at}.</custom-element-${number}></div>`;
  const blocks = Array.from({ length: 50 }, (_, at) => block(at)).join("");
  return `<body>${blocks}<script>${number}${"x".repeat(MB)}</script></body>`;
}

it("keeps no page in memory after its conversion", () => {
  const convert = (number: number) =>
    convertHtml(page(number), {
      url: "https://coast.example/",
      markdown: true,
      text: true,
      cleanHtml: true,
      metadata: true,
      links: true,
      images: true,
      onlyMainContent: true,
    });
  convert(0);
  const before = heapMb();
  for (let number = 1; number <= PAGES; number++) convert(number);
  expect(heapMb() - before).toBeLessThan(PAGES / 4);
});
