import type { Wcxb } from "../eval/wcxb.ts";
import type { LearnedKinds } from "./kinds.ts";
import type { LearnedLines } from "./lines.ts";
import { FOLDS } from "./pages.ts";
import type { Read, ReadPage } from "./read.ts";

/** The models that the training has learned. */
interface Learned {
  lines: LearnedLines;
  kinds: LearnedKinds;
}

/** Prints the F1 of words on WCXB by kind: with models that didn't see the page's domain, and with the final model. */
export function evaluateFolds({ scorer }: Wcxb, read: Read, { lines, kinds }: Learned): void {
  const rows: Record<string, Record<string, string>> = {};
  const add = (column: string, choose: (page: ReadPage, at: number) => boolean[]) => {
    const byKind = new Map<string, number[]>();
    for (const [at, page] of read.pages.entries()) {
      const { expected, set } = page.page;
      if (expected === null || set !== "wcxb") continue;
      const chosen = choose(page, at);
      const { f1: value } = scorer.score(
        { main_content: expected, with: [], without: [] },
        page.texts.filter((_, line) => chosen[line]).join("\n"),
      );
      for (const kind of ["all", page.page.kind ?? ""]) byKind.set(kind, [...(byKind.get(kind) ?? []), value]);
    }
    for (const [kind, values] of byKind) {
      const mean = (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(4);
      rows[kind] = { ...rows[kind], [column]: mean };
    }
  };
  const articleOf = (page: ReadPage) => page.texts.map((_, line) => page.articleLines.has(line));
  const choice = (by: "heldOut" | "final", isHybrid: boolean) => {
    const cache = new Map<number, boolean[]>();
    return (page: ReadPage, at: number) => {
      const known = cache.get(at);
      if (known) return known;
      const judged = kinds[by][at];
      const likely = page.choose(lines[by][at] ?? new Float64Array(), judged?.kind ?? "article");
      const chosen = isHybrid && judged && page.trustsArticle(judged, likely) ? articleOf(page) : likely;
      cache.set(at, chosen);
      return chosen;
    };
  };
  add("article extraction", articleOf);
  add("evidence, held out", choice("heldOut", false));
  add("evidence, all", choice("final", false));
  add("both, held out", choice("heldOut", true));
  add("both, all", choice("final", true));
  console.table(rows);
  for (const by of ["heldOut", "final"] as const) {
    const known = read.pages.flatMap(({ page }, at) =>
      page.set === "wcxb" ? [page.kind === kinds[by][at]?.kind] : [],
    );
    console.log(
      `Kinds recognized (${by}, ${FOLDS} folds): ${(known.filter(Boolean).length / known.length).toFixed(3)}`,
    );
  }
}
