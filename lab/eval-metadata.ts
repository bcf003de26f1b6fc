// `npm run eval -- metadata`: compares the title, the author and the date of pages with the expected ones, for the
// service and for other libraries. Fails if a share is worse than its floor.
import { resolve } from "node:path";
import { parseOptions } from "../scripts/options.ts";
import {
  isInPage,
  judge,
  METADATA_FIELDS,
  METADATA_PEERS,
  type MetadataField,
  type MetadataPage,
  type MetadataShares,
  type MetadataValues,
  metadataGroups,
  metadataShares,
  readMetadataPages,
} from "./eval/metadata.ts";
import { loadSource } from "./eval/source.ts";
import { loadWcxb } from "./eval/wcxb.ts";

const { values: options } = parseOptions(
  `npm run eval -- metadata [--details]

Evaluates the metadata of the pages in the data set wcxb. Other libraries read the same pages.

  --details   prints each value that isn't as expected

Environment variables:
  FIXTURES    the folder of the data sets
  PEERS       the other libraries: ${Object.keys(METADATA_PEERS).join(",")} (default: all), or 0 for none`,
  { options: { details: { type: "boolean", default: false } } },
);

interface Source {
  decodeHtml(bytes: Uint8Array, contentType: string | null): string;
  openPage(html: string): { document: object };
  readMetadata(
    document: object,
    options: { baseUrl: string },
  ): {
    title?: string;
    author?: string;
    published_time?: string;
    modified_time?: string;
  };
}

/** The highest share of missing, of wrong and of extra values on all pages that isn't a regression. */
const FLOORS: Record<MetadataField, { missing: number; wrong: number; extra: number }> = {
  title: { missing: 0, wrong: 0.235, extra: 0 },
  author: { missing: 0.11, wrong: 0.05, extra: 0.12 },
  date: { missing: 0.115, wrong: 0.06, extra: 0.2 },
};
const COLUMNS = ["equal", "partial", "wrong", "missing", "missingInPage", "extra"] as const;
const PROJECT = resolve(import.meta.dirname, "..");

const wcxb = await loadWcxb(PROJECT);
if (wcxb === null) console.log("eval metadata: skipped, because there are no fixtures. Set FIXTURES to their folder.");
else process.exitCode = await evaluate(wcxb);

async function evaluate(data: NonNullable<typeof wcxb>): Promise<number> {
  const files = ["encoding/decode", "visible-page", "metadata/metadata"];
  const modules = files.map((file) => `export * from "./src/html/${file}";`);
  const source = await loadSource<Source>(PROJECT, modules.join("\n"));
  const pages = readMetadataPages(data, (bytes) => source.decodeHtml(bytes, "text/html"));
  const ours = new Map(pages.map((page) => [page.id, readOurs(source, page)]));
  if (options.details) printDetails(pages, ours);
  const groups = metadataGroups(pages);
  for (const field of METADATA_FIELDS) {
    printHeader(field);
    for (const [name, group] of groups) printShares(name, metadataShares(field, group, ours));
  }
  console.log(`\nPages with only a time of change that is the expected date: ${countChanged(pages, ours)}`);
  const names = process.env.PEERS === "0" ? [] : (process.env.PEERS?.split(",") ?? Object.keys(METADATA_PEERS));
  for (const name of names) {
    const values = await readByPeer(name, pages);
    printHeader(name);
    for (const field of METADATA_FIELDS) printShares(field, metadataShares(field, pages, values));
  }
  return checkFloors(pages, ours);
}

function readOurs(
  { openPage, readMetadata }: Source,
  { html, url }: MetadataPage,
): MetadataValues & { changed?: string | undefined } {
  const metadata = readMetadata(openPage(html).document, { baseUrl: url });
  return {
    title: metadata.title,
    author: metadata.author,
    date: metadata.published_time,
    changed: metadata.modified_time,
  };
}

async function readByPeer(name: string, pages: readonly MetadataPage[]): Promise<Map<string, MetadataValues>> {
  const read = METADATA_PEERS[name];
  if (read === undefined) throw new Error(`PEERS=${name} is unknown. Use ${Object.keys(METADATA_PEERS).join(", ")}.`);
  const values = new Map<string, MetadataValues>();
  for (const page of pages) values.set(page.id, await read(page));
  return values;
}

/** Counts the pages without a date of publication whose expected date is the time of a change. */
function countChanged(
  pages: readonly MetadataPage[],
  values: ReadonlyMap<string, { date?: string | null | undefined; changed?: string | undefined }>,
): number {
  return pages.filter(({ id, truth }) => {
    const { date, changed } = values.get(id) ?? {};
    return !date && judge("date", changed, truth.date) === "equal";
  }).length;
}

function printHeader(label: string): void {
  console.log(`\n${label.padEnd(16)}${["pages", ...COLUMNS].map((name) => name.padStart(15)).join("")}`);
}

function printShares(label: string, shares: MetadataShares): void {
  const cells = COLUMNS.map((column) => {
    const value = shares[column];
    return value === null ? "-" : `${(100 * value).toFixed(1)} %`;
  });
  console.log(`${label.padEnd(16)}${[String(shares.pages), ...cells].map((cell) => cell.padStart(15)).join("")}`);
}

function printDetails(pages: readonly MetadataPage[], values: ReadonlyMap<string, MetadataValues>): void {
  for (const field of METADATA_FIELDS)
    for (const page of pages) {
      const value = values.get(page.id)?.[field];
      const verdict = judge(field, value, page.truth[field]);
      if (verdict === "equal" || verdict === "none") continue;
      const note = verdict === "missing" && !isInPage(field, page) ? " (not in the page)" : "";
      const both = `${JSON.stringify(value ?? null)} instead of ${JSON.stringify(page.truth[field])}`;
      console.log(`${field} ${verdict}${note} ${page.id} ${page.kind}: ${both} ${page.url}`);
    }
}

/** Prints the shares that are worse than their floors. Returns the exit code. */
function checkFloors(pages: readonly MetadataPage[], values: ReadonlyMap<string, MetadataValues>): number {
  let status = 0;
  for (const field of METADATA_FIELDS) {
    const shares = metadataShares(field, pages, values);
    for (const name of ["missing", "wrong", "extra"] as const) {
      const value = shares[name] ?? 0;
      if (value <= FLOORS[field][name]) continue;
      console.log(`${field}, ${name}: ${value.toFixed(4)} is worse than the floor ${FLOORS[field][name]}.`);
      status = 1;
    }
  }
  return status;
}
