import { isObject } from "../../json-schema/keywords";
import { ExternalLink, TableCell } from "../ui/components";
import type { Rendered } from "./views";

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
