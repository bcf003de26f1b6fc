import type { Child } from "hono/jsx";
import { isObject } from "../../json-schema/keywords";
import type { JobExtras } from "../../model/job";
import { ExternalLink, TableCell } from "../ui/components";
import { toDuration } from "../ui/format";

const MAX_LINKS_SHOWN = 1_000;

/** A rendered view. `isCut` is true if the view shows only a part of the value. */
export interface Rendered {
  content: Child;
  isCut?: boolean;
}

/** The screenshot of the page. */
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

/** The link to the PDF of the page. */
export function PdfLink({ url }: { url: string }) {
  const path = toPath(url, "/pdfs/");
  if (path === null) return <p class="muted">The result has no PDF.</p>;
  return (
    <p>
      <a href={path}>Open the PDF</a>
    </p>
  );
}

/**
 * Returns the path and query of a signed URL without the host, because the dashboard may use another host. Returns null
 * if the path doesn't begin with `start`.
 */
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
    <div class="table-scroll">
      <table class="pairs">
        <tbody>
          {rows.map(([name, value]) => (
            <tr>
              <th scope="row">{name}</th>
              <td>
                <ExternalLink href={String(value)}>{String(value)}</ExternalLink>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Renders a table of the page's links. */
export function renderLinks(links: unknown): Rendered {
  const all = Array.isArray(links) ? links.filter(isObject) : [];
  if (all.length === 0) return { content: <p class="muted">The page has no links.</p> };
  const content = (
    <>
      <p class="muted small">
        The page links to {all.length.toLocaleString("en")} {all.length === 1 ? "URL" : "different URLs"}.
      </p>
      <table class="stacking addresses">
        <thead>
          <tr>
            <th scope="col">Text</th>
            <th scope="col">URL</th>
            <th scope="col">rel</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, MAX_LINKS_SHOWN).map(({ url, text, rel }) => (
            <tr>
              <TableCell of="Text">{String(text ?? "") || "–"}</TableCell>
              <TableCell of="URL">
                <ExternalLink href={String(url)}>{String(url)}</ExternalLink>
              </TableCell>
              <TableCell of="rel">{rel === undefined ? "–" : String(rel)}</TableCell>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
  return { content, isCut: all.length > MAX_LINKS_SHOWN };
}

/**
 * Renders a table of the page's images. The images are only linked, because loading them would reveal the user's IP
 * address.
 */
export function renderImages(images: unknown): Rendered {
  const all = Array.isArray(images) ? images.filter(isObject) : [];
  if (all.length === 0) return { content: <p class="muted">The page has no images.</p> };
  const content = (
    <>
      <p class="muted small">
        The page has {all.length.toLocaleString("en")} {all.length === 1 ? "image" : "different images"}.
      </p>
      <table class="stacking addresses">
        <thead>
          <tr>
            <th scope="col">Alternative text</th>
            <th scope="col">URL</th>
            <th scope="col">Size</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, MAX_LINKS_SHOWN).map(({ url, alt, width, height }) => (
            <tr>
              <TableCell of="Alternative text">{String(alt ?? "") || "–"}</TableCell>
              <TableCell of="URL">
                <ExternalLink href={String(url)}>{String(url)}</ExternalLink>
              </TableCell>
              <TableCell of="Size">
                {width === undefined && height === undefined ? "–" : `${width ?? "?"} × ${height ?? "?"} px`}
              </TableCell>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
  return { content, isCut: all.length > MAX_LINKS_SHOWN };
}

/** A table of search results. On narrow screens, each row is a card. */
export function SearchResults({ data, extras }: { data: Record<string, unknown>; extras: JobExtras }) {
  const organic = Array.isArray(data.organic) ? data.organic.filter(isObject) : [];
  return (
    <>
      <p class="muted small">{toSummary(data, extras, organic.length)}</p>
      {organic.length === 0 ? null : (
        <table class="stacking search-results">
          <thead>
            <tr>
              <th scope="col" class="number">
                Position
              </th>
              <th scope="col">Result</th>
              <th scope="col">Snippet</th>
            </tr>
          </thead>
          <tbody>
            {organic.map(({ position, title, url, snippet, description }) => (
              <tr>
                <TableCell of="Position" class="number">
                  {String(position)}
                </TableCell>
                <TableCell of="Result">
                  <bdi>
                    <ExternalLink href={String(url)}>{String(title) || String(url)}</ExternalLink>
                  </bdi>
                  <span class="block small muted breakable" dir="ltr">
                    {String(url)}
                  </span>
                </TableCell>
                <TableCell of="Snippet">
                  <bdi>{String(snippet || description || "–")}</bdi>
                </TableCell>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function toSummary(data: Record<string, unknown>, extras: JobExtras, shown: number): string {
  const { total_results: total, search_time_ms: time } = data;
  const words = [shown === 1 ? "1 result" : `${shown.toLocaleString("en")} results`];
  if (typeof total === "number") {
    words.push(
      extras.total_results_known === false ? "total number unknown" : `of about ${total.toLocaleString("en")}`,
    );
  }
  if (typeof time === "number") words.push(`in ${toDuration(time)}`);
  return `${words.join(", ")}.`;
}

const MAX_URLS_SHOWN = 1_000;

/** Renders a table of the URLs of a map, and the sources that couldn't be read. */
export function renderMap({ urls, sources }: Record<string, unknown>): Rendered {
  const all = Array.isArray(urls) ? urls.filter(isObject) : [];
  const failures = toFailures(sources);
  const content = (
    <>
      <p class="muted small">
        The map has {all.length.toLocaleString("en")} {all.length === 1 ? "URL" : "URLs"}.
      </p>
      {failures.length === 0 ? null : (
        <ul class="notice busy">
          {failures.map((message) => (
            <li class="breakable">{message}</li>
          ))}
        </ul>
      )}
      {all.length === 0 ? null : (
        <table class="stacking addresses">
          <thead>
            <tr>
              <th scope="col">URL</th>
              <th scope="col">Title</th>
              <th scope="col">Last modified</th>
              <th scope="col">Source</th>
            </tr>
          </thead>
          <tbody>
            {all.slice(0, MAX_URLS_SHOWN).map(({ url, title, last_modified, source }) => (
              <tr>
                <TableCell of="URL">
                  <ExternalLink href={String(url)}>{String(url)}</ExternalLink>
                </TableCell>
                <TableCell of="Title">
                  <bdi>{String(title ?? "–")}</bdi>
                </TableCell>
                <TableCell of="Last modified">{String(last_modified ?? "–").slice(0, 10)}</TableCell>
                <TableCell of="Source">{String(source)}</TableCell>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
  return { content, isCut: all.length > MAX_URLS_SHOWN };
}

/** Returns the error messages of the sources. */
function toFailures(sources: unknown): string[] {
  if (!isObject(sources)) return [];
  return Object.values(sources)
    .flat()
    .flatMap((source) => (isObject(source) && isObject(source.error) ? [String(source.error.message)] : []));
}
