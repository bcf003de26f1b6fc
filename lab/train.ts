// `npm run lab -- train`: learns the weights of src/html/content from the extraction fixtures, and writes weights.json
// and kinds.json. Prints the figures of held-out pages and of all pages. They show how much the weights overfit.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseOptions } from "../scripts/options.ts";
import { loadWcxb } from "./eval/wcxb.ts";
import { evaluateFolds } from "./train/evaluate.ts";
import { learnKinds } from "./train/kinds.ts";
import { learnLines } from "./train/lines.ts";
import { readTrainingPages } from "./train/pages.ts";
import { readEvidence } from "./train/read.ts";

parseOptions(
  `npm run lab -- train

Learns the weights of the main content's evidence from the extraction fixtures. Environment variables:
  FIXTURES    the folder of the data sets`,
  {},
);

const PROJECT = resolve(import.meta.dirname, "..");
const FOLDER = join(PROJECT, "src/html/content");

const pages = await readTrainingPages(PROJECT);
if (pages.length === 0) console.log("train: skipped, because there are no fixtures. Set FIXTURES to their folder.");
else {
  const read = await readEvidence(PROJECT, pages);
  const kinds = learnKinds(read);
  const lines = learnLines(read, kinds);
  writeFileSync(join(FOLDER, "weights.json"), lines.json);
  writeFileSync(join(FOLDER, "kinds.json"), kinds.json);
  const wcxb = await loadWcxb(PROJECT);
  if (wcxb) evaluateFolds(wcxb, read, { lines, kinds });
}
