import type { Child } from "hono/jsx";
import { isObject } from "../../json-schema/keywords";
import { toCount } from "../../lib/count";
import type { JobExtras } from "../../model/job";
import { ExternalLink } from "../ui/components";
import { toDuration } from "../ui/format";
import { type Column, Table } from "../ui/table";

const MAX_ITEMS_SHOWN = 1_000;

/** A rendered view. `isCut` is true if the view shows only a part of the value. */
export interface Rendered {
  content: Child;
  isCut?: boolean;
}

export function Screenshot({ url }: { url: string }) {
  const path = toPath(url, "/screenshots/");
  if (path === null) return <p class="muted">The result has no screenshot.</p>;
  return (
    <figure class="shot">
      <a href={path}>
        <img src={path} alt="Screenshot of the page" loading="lazy" />
      </a>
      <figcaption class="small muted">
        <a href={path}>Open full size</a>
      </figcaption>
    </figure>
  );
}

export function PdfLink({ url }: { url: string }) {
  const path = toPath(url, "/pdfs/");
  if (path === null) return <p class="muted">The result has no PDF.</p>;
  return (
    <p>
      <a href={path}>Open the PDF</a>
    </p>
  );
}

/** Returns a signed URL without its host, which the dashboard may not have. Null if it doesn't begin with `start`. */
function toPath(url: string, start: string): string | null {
  const address = URL.parse(url);
  return address?.pathname.startsWith(start) ? `${address.pathname}${address.search}` : null;
}

/** A table with the metadata's names and values. A nested name has the form `open_graph.title`. */
export function MetadataTable({ metadata }: { metadata: unknown }) {
  const rows = Object.entries(isObject(metadata) ? metadata : {}).flatMap(([name, value]) =>
    isObject(value)
      ? Object.entries(value).map(([inner, of]) => [`${name}.${inner}`, of] as const)
      : [[name, value] as const],
  );
  return (
    <Table
      class="addresses"
      rows={rows}
      columns={[
        { label: "Name", cell: ([name]) => name },
        { label: "Value", cell: ([, value]) => <ExternalLink href={String(value)}>{String(value)}</ExternalLink> },
      ]}
    />
  );
}

type Item = Record<string, unknown>;

const URL_COLUMN: Column<Item> = {
  label: "URL",
  cell: ({ url }) => <ExternalLink href={String(url)}>{String(url)}</ExternalLink>,
};

/** Renders a list of objects with URLs as a table. `intro` is the content above it. */
function renderItems(items: readonly Item[], columns: readonly Column<Item>[], intro: Child): Rendered {
  const content = (
    <>
      {intro}
      <Table class="addresses" rows={items.slice(0, MAX_ITEMS_SHOWN)} columns={columns} />
    </>
  );
  return { content, isCut: items.length > MAX_ITEMS_SHOWN };
}

function toItems(value: unknown): Item[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function renderLinks(links: unknown): Rendered {
  const all = toItems(links);
  const columns: Column<Item>[] = [
    { label: "Text", cell: ({ text }) => String(text ?? "") || "–" },
    URL_COLUMN,
    { label: "rel", cell: ({ rel }) => (rel === undefined ? "–" : String(rel)) },
  ];
  const count = toCount(all.length, "URL", "different URLs");
  const intro = all.length === 0 ? "The page has no links." : `The page links to ${count}.`;
  return renderItems(all, columns, <p class="muted small">{intro}</p>);
}

/** Renders a table of the page's images. Loading them would reveal the user's IP address, so it only links them. */
export function renderImages(images: unknown): Rendered {
  const all = toItems(images);
  const columns: Column<Item>[] = [
    { label: "Alternative text", cell: ({ alt }) => String(alt ?? "") || "–" },
    URL_COLUMN,
    {
      label: "Size",
      cell: ({ width, height }) =>
        width === undefined && height === undefined ? "–" : `${width ?? "?"} × ${height ?? "?"} px`,
    },
  ];
  const count = toCount(all.length, "image", "different images");
  const intro = all.length === 0 ? "The page has no images." : `The page has ${count}.`;
  return renderItems(all, columns, <p class="muted small">{intro}</p>);
}

/** Renders a table of the URLs of a map, and the sources that couldn't be read. */
export function renderMap({ urls, sources }: Record<string, unknown>): Rendered {
  const all = toItems(urls);
  const failures = toFailures(sources);
  const columns: Column<Item>[] = [
    URL_COLUMN,
    { label: "Title", cell: ({ title }) => <bdi>{String(title ?? "–")}</bdi> },
    { label: "Last modified", cell: ({ last_modified }) => String(last_modified ?? "–").slice(0, 10) },
    { label: "Source", cell: ({ source }) => String(source) },
  ];
  return renderItems(
    all,
    columns,
    <>
      <p class="muted small">The map has {toCount(all.length, "URL")}.</p>
      {failures.length === 0 ? null : (
        <ul class="notice busy">
          {failures.map((message) => (
            <li class="breakable">{message}</li>
          ))}
        </ul>
      )}
    </>,
  );
}

/** Returns the error messages of the sources. */
function toFailures(sources: unknown): string[] {
  if (!isObject(sources)) return [];
  return Object.values(sources)
    .flat()
    .flatMap((source) => (isObject(source) && isObject(source.error) ? [String(source.error.message)] : []));
}

export function SearchResults({ data, extras }: { data: Record<string, unknown>; extras: JobExtras }) {
  const organic = ["organic", "news", "images", "videos"].map((name) => toItems(data[name]));
  const results = organic.find(({ length }) => length > 0) ?? [];
  const pages = toItems(data.pages);
  const columns: Column<Item>[] = [
    { label: "Position", class: "number", cell: ({ position }) => String(position) },
    { label: "Result", cell: (result) => <SearchResult {...result} /> },
    {
      label: "Snippet",
      cell: ({ snippet, description }) => <bdi>{String(snippet || description || "–")}</bdi>,
    },
  ];
  return (
    <>
      <p class="muted small">{toSummary(data, extras, results.length)}</p>
      <Table class="search-results" rows={results} columns={columns} />
      {pages.length > 0 && <Table class="search-results" rows={pages} columns={PAGE_COLUMNS} />}
    </>
  );
}

/** The columns of the pages that a search has loaded. */
const PAGE_COLUMNS: Column<Item>[] = [
  { label: "Page", cell: ({ url }) => <SearchResult title="" url={url} /> },
  { label: "Outcome", cell: ({ outcome, error, status }) => String((error as Item)?.code ?? outcome ?? status) },
  { label: "Credits", class: "number", cell: ({ meta }) => String((meta as Item)?.credits_used ?? "–") },
];

function SearchResult({ title, url }: { title?: unknown; url?: unknown }) {
  return (
    <>
      <bdi>
        <ExternalLink href={String(url)}>{String(title) || String(url)}</ExternalLink>
      </bdi>
      <span class="block small muted breakable" dir="ltr">
        {String(url)}
      </span>
    </>
  );
}

function toSummary(data: Record<string, unknown>, extras: JobExtras, shown: number): string {
  const { total_results: total, search_time_ms: time } = data;
  const words = [toCount(shown, "result")];
  if (typeof total === "number") {
    words.push(
      extras.total_results_known === false ? "total number unknown" : `of about ${total.toLocaleString("en")}`,
    );
  }
  if (typeof time === "number") words.push(`in ${toDuration(time)}`);
  return `${words.join(", ")}.`;
}
