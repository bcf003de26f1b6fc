import { fixturesFolder, type Page, readContents } from "./fixtures.ts";
import type { Figures } from "./goals.ts";
import { score } from "./score.ts";
import type { Output } from "./sets.ts";

/** The sets of contents that are already extracted. They evaluate only the conversion to markdown. */
export const CONTENT_SETS = ["convert", "structure"] as const;
export type ContentSetName = (typeof CONTENT_SETS)[number];

interface Structure {
  text: { f1: number };
  classes: Record<string, { recall: number | null; precision: number | null }>;
}

/** Converts and scores a set of contents. Prints the score of each class. Returns null if the fixtures don't exist. */
export function evaluateContents(
  set: ContentSetName,
  project: string,
  run: (pages: Page[]) => ReadonlyMap<string, Output>,
): Figures | null {
  const folder = fixturesFolder(project);
  if (folder === null) return null;
  const outputs = Object.fromEntries(run(readContents(folder, set)));
  const { text, classes } = score<Structure>(folder, "structure", set, outputs);
  const cells = Object.entries(classes).map(
    ([name, { recall, precision }]) => `${name} ${recall?.toFixed(3) ?? "-"}/${precision?.toFixed(3) ?? "-"}`,
  );
  console.log(`${set}, recall/precision by class: ${cells.join(", ")}\n`);
  const values = Object.values(classes).flatMap(({ recall, precision }) => [recall ?? 1, precision ?? 1]);
  return new Map([
    [`${set} text F1`, text.f1],
    [`${set} lowest class score`, Math.min(...values)],
  ] as const);
}
