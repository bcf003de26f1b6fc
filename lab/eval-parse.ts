// `npm run eval -- parse`: answers schemas from the pages' own data, without a model, and compares the values with
// labels. Fails if the precision of a property or the share of answered recipes is below its goal.
import { resolve } from "node:path";
import { parseOptions } from "../scripts/options.ts";
import { loadHeldOutSets, loadWrittenSets } from "./eval/held-out-sets.ts";
import type { Verdict } from "./eval/parse-judge.ts";
import { type Answerer, loadParser, type PageAnswer } from "./eval/parse-pages.ts";
import { loadParseSets, type ParseSet } from "./eval/parse-sets.ts";

const MIN_PRECISION = 0.98;
/** The share of the recipes with JSON-LD for which all declared properties are found. */
const MIN_ANSWERED_RECIPES = 0.8;
/** A property with fewer right values may have one wrong value, whatever its precision is. */
const MIN_JUDGED = 50;
/** The numbers of wrong values of properties that don't reach the goal yet. They must not increase. */
const KNOWN_WRONG: Readonly<Record<string, number>> = { "development/recipes/ingredients": 4 };
const NAME_CHARS = 16;
const COLUMN_CHARS = 11;
const PROJECT = resolve(import.meta.dirname, "..");

const { values: options } = parseOptions(
  `npm run eval -- parse [--details]

Evaluates the answers from the pages' own data on the pages that the rules were written with (development), on
other pages of the data sets (held out), and on pages that were written for the evaluation (written).

  --details   prints each wrong value

Environment variables:
  FIXTURES    the folder of the data sets`,
  { options: { details: { type: "boolean", default: false } } },
);

const { answer, readySchema } = await loadParser(PROJECT);
const stored = [...(await loadParseSets(PROJECT)), ...(await loadHeldOutSets(PROJECT, readySchema))];
if (stored.length === 0) console.log("eval parse: there are no fixtures. Set FIXTURES to their folder.");
const sets = [...stored, ...loadWrittenSets(PROJECT, readySchema)];
process.exitCode = sets.map((set) => evaluate(set, answer)).every(Boolean) ? 0 : 1;

/** Prints the figures of a set. Returns true if all of them reach their goals. */
function evaluate(set: ParseSet, answer: Answerer): boolean {
  const { name, part, schema, prompt, pages } = set;
  const answers = new Map(pages.map((page) => [page.id, answer(page, { schema, prompt })]));
  const answered = [...answers.values()].filter(({ missingRequired }) => missingRequired.length === 0).length;
  console.log(
    `\n${name} (${part}): ${pages.length} pages. The required properties (${schema.required.join(", ")}) are found on ${percent(answered, pages.length)}.`,
  );
  console.log(row("property", ["right", "wrong", "missing", "none", "unjudged", "precision", "recall"]));
  const isPrecise = Object.keys(schema.properties).map((property) => evaluateProperty(set, property, answers));
  return evaluateDeclared(set, answers) && isPrecise.every(Boolean);
}

function evaluateProperty(set: ParseSet, property: string, answers: ReadonlyMap<string, PageAnswer>): boolean {
  const counts: Record<Verdict | "unjudged", number> = { right: 0, wrong: 0, missing: 0, none: 0, unjudged: 0 };
  for (const { id } of set.pages) {
    const value = answers.get(id)?.data[property];
    const verdict = set.judge(id, property, value);
    if (verdict !== null) counts[verdict]++;
    else if (value !== undefined) counts.unjudged++;
    if (verdict === "wrong" && options.details)
      console.log(`  wrong ${property} of ${id}: ${JSON.stringify(value)?.slice(0, 300)}`);
  }
  const { right, wrong, missing, none, unjudged } = counts;
  if (right + wrong + missing + none === 0) return true;
  const precision = right / (right + wrong);
  const cells = [
    right,
    wrong,
    missing,
    none,
    unjudged,
    share(right, right + wrong),
    share(right, right + wrong + missing),
  ];
  const known = KNOWN_WRONG[`${set.part}/${set.name}/${property}`] ?? (right < MIN_JUDGED ? 1 : 0);
  const isGood = precision >= MIN_PRECISION || wrong <= known;
  console.log(row(property, cells) + (isGood ? "" : "  below the goal"));
  return isGood;
}

/** Compares the answers with what the pages declare. Returns true if the share reaches the goal. */
function evaluateDeclared({ pages, declared }: ParseSet, answers: ReadonlyMap<string, PageAnswer>): boolean {
  const declaring = pages.flatMap((page) => {
    const properties = declared(page);
    const data = answers.get(page.id)?.data ?? {};
    return properties === null ? [] : [{ id: page.id, open: properties.filter((name) => data[name] === undefined) }];
  });
  if (declaring.length === 0) return true;
  const complete = declaring.filter(({ open }) => open.length === 0).length;
  console.log(
    `All of title, ingredients, steps, yield and times that JSON-LD declares are found on ${percent(complete, declaring.length)} of the ${declaring.length} pages with JSON-LD.`,
  );
  if (options.details)
    for (const { id, open } of declaring) if (open.length > 0) console.log(`  open ${id}: ${open.join(", ")}`);
  return complete >= MIN_ANSWERED_RECIPES * declaring.length;
}

function percent(part: number, all: number): string {
  return `${part} (${((100 * part) / all).toFixed(1)} %)`;
}

function share(part: number, all: number): string {
  return all === 0 ? "–" : (part / all).toFixed(3);
}

function row(name: string, cells: readonly (string | number)[]): string {
  return `  ${name.padEnd(NAME_CHARS)}${cells.map((cell) => String(cell).padStart(COLUMN_CHARS)).join("")}`;
}
