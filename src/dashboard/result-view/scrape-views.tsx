import type { Child } from "hono/jsx";
import { isObject } from "../../json-schema/keywords";
import { CopyButton, ExternalLink, TableCell } from "../ui/components";

const MAX_LINKS_SHOWN = 1_000;

/** Text as it is written, to be read and copied. */
export function Source({ text, label, wrap = false }: { text: string; label: string; wrap?: boolean }) {
  return (
    <div class={wrap ? "code-block wrap" : "code-block"}>
      <section class="scroll" aria-label={label} tabindex={0}>
        <pre id="result-source">
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton of="result-source" />
    </div>
  );
}

/** The picture lies with this service; whatever address it was reached by then, it is asked here. */
export function Screenshot({ url }: { url: string }) {
  const address = URL.parse(url);
  if (address === null || !address.pathname.startsWith("/screenshots/"))
    return <p class="muted">There is no picture.</p>;
  const path = `${address.pathname}${address.search}`;
  return (
    <figure class="shot">
      <a href={path}>
        <img src={path} alt="The page as the browser showed it" />
      </a>
      <figcaption class="small muted">
        <a href={path}>Open in full size</a>
      </figcaption>
    </figure>
  );
}

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

export function LinkTable({ links }: { links: unknown }): { content: Child; isCut: boolean } {
  const all = Array.isArray(links) ? links.filter(isObject) : [];
  if (all.length === 0) return { content: <p class="muted">The page has no links.</p>, isCut: false };
  const content = (
    <>
      <p class="muted small">
        {all.length.toLocaleString("en")} {all.length === 1 ? "address" : "addresses"}, each once.
      </p>
      <table class="stacking addresses">
        <thead>
          <tr>
            <th scope="col">Text</th>
            <th scope="col">Address</th>
            <th scope="col">Relation</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, MAX_LINKS_SHOWN).map(({ url, text, rel }) => (
            <tr>
              <TableCell of="Text">{String(text ?? "") || "–"}</TableCell>
              <TableCell of="Address">
                <ExternalLink href={String(url)}>{String(url)}</ExternalLink>
              </TableCell>
              <TableCell of="Relation">{rel === undefined ? "–" : String(rel)}</TableCell>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
  return { content, isCut: all.length > MAX_LINKS_SHOWN };
}
