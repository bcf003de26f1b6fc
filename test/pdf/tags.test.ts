import { describe, expect, it } from "vitest";
import { writeMarkdown } from "../../src/html/markdown/markdown";
import { readPdf } from "../../src/pdf/read";
import { type PdfPage, type PdfTag, type PdfText, writePdf } from "../support/pdf-writer";

async function readMarkdown(pages: PdfPage[], tags: PdfTag | null): Promise<string> {
  const { blocks } = await readPdf(writePdf(pages, [], tags), { signal: new AbortController().signal });
  return writeMarkdown(blocks).trim();
}

/** Returns a text whose mark is its first word. */
function at(x: number, y: number, text: string, more: Partial<PdfText> = {}): PdfText {
  return { text, x, y, mark: text.split(" ")[0] ?? "", ...more };
}

describe("a tagged page", () => {
  it("is read in the order of its tags, with their headings and without artifacts", async () => {
    const page = {
      texts: [
        at(50, 760, "Tariffs of the harbor", { mark: "Artifact" }),
        at(50, 700, "Day", { bold: true }),
        at(300, 700, "Week", { bold: true }),
        at(50, 685, "Valid on all boats"),
        at(300, 685, "For seven days"),
        at(50, 670, "until midnight.", { mark: "Valid" }),
        at(300, 670, "in a row.", { mark: "For" }),
        at(50, 640, "Bold but no heading", { bold: true }),
      ],
    };
    const tags: PdfTag = [
      "Document",
      ["Sect", ["H2", "Day"], ["P", "Valid"]],
      ["Sect", ["H2", "Week"], ["P", ["Span", "For"]]],
      ["P", "Bold"],
    ];
    expect(await readMarkdown([page], tags)).toBe(
      "## Day\n\nValid on all boats until midnight.\n\n## Week\n\nFor seven days in a row.\n\nBold but no heading",
    );
  });

  it("has nested lists, with or without labels", async () => {
    const texts = ["1. ", "Before", "Check the sky", "Fill the tank", "2. ", "After"];
    const page = { texts: texts.map((text, i) => at(50, 700 - 20 * i, text, { mark: text })) };
    const tags: PdfTag = [
      "L",
      [
        "LI",
        ["Lbl", "1. "],
        ["LBody", "Before", ["L", ["LI", ["LBody", ["P", "Check the sky"]]], ["LI", ["LBody", "Fill the tank"]]]],
      ],
      ["LI", ["Lbl", "2. "], ["LBody", ["P", "After"]]],
    ];
    expect(await readMarkdown([page], tags)).toBe("1. Before\n   - Check the sky\n   - Fill the tank\n2. After");
  });

  it("has tables whose cells are in their columns, even if their tags leave out empty cells", async () => {
    const page = {
      texts: [
        at(100, 760, "Caption"),
        ...[at(50, 740, "Port"), at(155, 740, "Spring"), at(230, 740, "Sum")],
        ...[at(150, 720, "Cod"), at(200, 720, "Eel")],
        ...[at(50, 670, "Oslo"), at(150, 670, "12"), at(200, 670, "9"), at(230, 670, "more")],
        ...[at(50, 700, "Leba"), at(200, 700, "75"), at(230, 700, "words"), at(230, 690, "below", { mark: "words" })],
      ],
    };
    const tags: PdfTag = [
      "Table",
      ["Caption", "Caption"],
      ["THead", ["TR", ["TH", "Port"], ["TH", "Spring"], ["TH", "Sum"]]],
      [
        "TBody",
        ["TR", ["TH", "Cod"], ["TH", "Eel"]],
        ["TR", ["TD", "Leba"], ["TD", ["P", "75"]], ["TD", "words"]],
        ["TR", ["TD", "Oslo"], ["TD", "12"], ["TD", "9"], ["TD", "more"]],
      ],
    ];
    expect(await readMarkdown([page], tags)).toBe(
      "Caption\n\n| Port | Spring |  | Sum |\n| --- | --- | --- | --- |\n|  | Cod | Eel |  |\n| Leba |  | 75 | words below |\n| Oslo | 12 | 9 | more |",
    );
  });

  it("has the content of a table that only places it", async () => {
    const page = { texts: [at(50, 700, "Menu"), at(200, 700, "Welcome"), at(200, 670, "Text of the page.")] };
    const tags: PdfTag = ["Table", ["TR", ["TD", ["P", "Menu"]], ["TD", ["H1", "Welcome"], ["P", "Text"]]]];
    expect(await readMarkdown([page], tags)).toBe("Menu\n\n# Welcome\n\nText of the page.");
  });

  it("has the alternative texts of figures, and notes after their paragraph", async () => {
    const page = { texts: [at(50, 700, "Lamps"), at(50, 680, "Before"), at(50, 660, "Note"), at(90, 680, "after")] };
    const tags: PdfTag = [
      "Document",
      ["H1", "Lamps"],
      ["Figure", { Alt: "A red lamp" }, "none"],
      ["P", "Before", ["Note", ["P", "Note"]], "after"],
    ];
    expect(await readMarkdown([page], tags)).toBe("# Lamps\n\nBefore after\n\nNote");
  });

  it("keeps its text without tags, after the others", async () => {
    const page = {
      texts: [
        { text: "Left", x: 50, y: 720 },
        at(50, 700, "Tides"),
        at(50, 680, "The water is high in the morning and low at noon."),
      ],
    };
    expect(await readMarkdown([page], ["Document", ["H1", "Tides"], ["P", "The"]])).toBe(
      "# Tides\n\nThe water is high in the morning and low at noon.\n\nLeft",
    );
  });
});

it("paragraphs and lists continue on the next page", async () => {
  const first: PdfPage = { texts: [at(50, 700, "Boats"), at(50, 600, "The page ends in")] };
  const middle: PdfPage = { texts: [at(50, 700, "the middle of a", { mark: "The" })] };
  const second: PdfPage = { texts: [at(50, 700, "long sentence.", { mark: "The" }), at(50, 600, "One")] };
  const third: PdfPage = { texts: [at(50, 700, "Two")] };
  const tags: PdfTag = ["Document", ["H1", "Boats"], ["P", "The"], ["L", ["LI", "One"], ["LI", "Two"]]];
  expect(await readMarkdown([first, middle, second, third], tags)).toBe(
    "# Boats\n\nThe page ends in the middle of a long sentence.\n\n- One\n- Two",
  );
});

describe("tags aren't used", () => {
  const page = {
    texts: [at(50, 700, "Tides", { size: 20 }), at(50, 660, "The water is high."), at(50, 600, "Low water follows.")],
  };
  const expected = "# Tides\n\nThe water is high.\n\nLow water follows.";

  it.each<[string, PdfTag]>([
    ["if all of them are paragraphs", ["Document", ["P", "Low"], ["Div", ["P", ["Span", "The"], "Tides"]]]],
    ["if they leave out a tenth of the text", ["Document", ["H2", "Low"], ["P", "The"]]],
    ["if they are nested too deeply", nest(["Document", ["H2", "Low"], ["P", "The", "Tides"]], 70)],
  ])("%s", async (_, tags) => {
    expect(await readMarkdown([page], tags)).toBe(expected);
  });

  function nest(tag: PdfTag, depth: number): PdfTag {
    return depth === 0 ? tag : ["Div", nest(tag, depth - 1)];
  }
});

it("elements that contain each other are read once", async () => {
  const page = { texts: [at(50, 700, "Tides"), at(50, 680, "Low water")] };
  const file = Buffer.from(writePdf([page], [], ["Document", ["H1", "Tides"], ["P", "Low"]])).toString("latin1");
  const [, number] = /\/Type\/StructTreeRoot\/K\[(\d+) 0 R/.exec(file) ?? [];
  const cycle = file.replace(/(\/S\/P\/P \d+ 0 R\/K\[)/, `$1${number} 0 R `);
  const bytes = Uint8Array.from(Buffer.from(cycle, "latin1"));
  const { blocks } = await readPdf(bytes, { signal: new AbortController().signal });
  expect(cycle).not.toBe(file);
  expect(writeMarkdown(blocks).trim()).toBe("# Tides\n\nLow water");
});

it("a document is complete if its tags take too many steps", async () => {
  // Lines that differ only in their numbers would be running heads.
  const names = Array.from({ length: 60 }, (_, i) => String.fromCharCode(97 + i / 8, 97 + (i % 8)));
  const pages = names.map((name) => ({ texts: [at(50, 700, `${name} ends here`)] }));
  const headings = names.map((name): PdfTag => ["H1", name]);
  const empty = Array.from({ length: 4_000 }, (): PdfTag => ["P", "none"]);
  const { blocks, truncated } = await readPdf(writePdf(pages, [], ["Document", ...headings, ...empty]), {
    signal: new AbortController().signal,
  });
  expect(truncated).toBeUndefined();
  expect(writeMarkdown(blocks).match(/ends here/g)).toHaveLength(60);
  expect(blocks[0]).toMatchObject({ type: "heading", depth: 1 });
});
