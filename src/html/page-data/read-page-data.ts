import type { ChildNode, Document } from "domhandler";
import { chooseHeadline } from "../page/headline";
import type { JsonLdNode } from "../page/json-ld";
import { readItems } from "../page/microdata";
import { type PageModel, readPageModel } from "../page/page-model";
import { findPageParts } from "../page/parts";
import { isWithin } from "../parse/dom";
import { absoluteUrl } from "../parse/urls";
import type { VisiblePage } from "../visible-page";
import type { DataNode } from "./data-node";
import { DataWriter, type Place } from "./data-writer";
import { readEmbeddedState } from "./embedded-state";
import { readShownData } from "./shown-data";

/** The limits of what the page declares and shows. The limits of embedded state are separate, because it is often large. */
const LIMITS = { nodes: 20_000, chars: 2_000_000 };
const STATE_LIMITS = { nodes: 20_000, chars: 1_000_000 };

/** Meta elements that belong to Open Graph and its extensions. */
const OPEN_GRAPH = /^(?:og|article|product|book|video|music|place|business|profile|event|recipe):/;
/** Meta elements that say nothing about the subject of the page. */
const TECHNICAL_META =
  /^(?:viewport|theme-color|robots|googlebot|generator|referrer|format-detection|csrf|x-ua|content-type|msapplication|apple-|google-site|msvalidate|fb:|twitter:(?:card|site|creator|domain)|next-head)/;

/**
 * Reads the data that the page declares in its markup, and the text that it shows. Returns the roots of a tree, in the
 * order of the sources in `DataSource`, but with embedded state last. Leaves out hidden microdata and RDFa, those in parts
 * about other subjects, and former prices.
 */
export function readPageData(
  page: VisiblePage,
  { baseUrl, url }: { baseUrl: string; url: string | null },
): readonly DataNode[] {
  const { document, hidden } = page;
  const writer = new DataWriter(LIMITS);
  const head = readPageModel(document);
  const shown = head.headings().filter(({ element }) => !isWithin(element, hidden));
  const headline = chooseHeadline(shown, head.titles);
  const parts = findPageParts(document, { hidden, headline });
  const excluded = hidden.union(parts.asides).union(parts.formerPrices);
  return [
    ...readJsonLdData(head.objects(), writer),
    ...readItemData(document, "microdata", { baseUrl, hidden: excluded, repeated: parts.repeated, writer }),
    ...readItemData(document, "rdfa", { baseUrl, hidden: excluded, repeated: parts.repeated, writer }),
    ...readMetaData(head, { baseUrl, url, writer }),
    ...readShownData(page, { parts, headline, writer }),
    ...readEmbeddedState(page.html, new DataWriter(STATE_LIMITS)),
  ];
}

/** Reads JSON-LD. The objects of `@graph` are roots, and a reference to an object with an `@id` becomes the object. */
function readJsonLdData(objects: readonly (readonly JsonLdNode[])[], writer: DataWriter): DataNode[] {
  const references = new Map<string, object>();
  for (const object of objects.flat()) {
    const id = object["@id"];
    if (typeof id === "string" && !references.has(id) && Object.keys(object).length > 2) references.set(id, object);
  }
  return objects.flatMap((found, script) =>
    found.flatMap((object, index) => {
      const position = found.length > 1 ? `json_ld[${script}]/${index}` : `json_ld[${script}]`;
      return writer.fromJson(object, { name: "", source: "json_ld", position }, references) ?? [];
    }),
  );
}

/** Reads the items of microdata or RDFa that aren't hidden. Marks those in `repeated` elements. */
function readItemData(
  document: Document,
  syntax: "microdata" | "rdfa",
  {
    baseUrl,
    hidden,
    repeated,
    writer,
  }: { baseUrl: string; hidden: ReadonlySet<ChildNode>; repeated: ReadonlySet<ChildNode>; writer: DataWriter },
): DataNode[] {
  const inBoxes = new Set<object>();
  const items = readItems(document, {
    syntax,
    hidden,
    toUrl: (address) => absoluteUrl(address, baseUrl) ?? "",
    onItem: (item, element) => {
      if (isWithin(element, repeated)) inBoxes.add(item);
    },
  });
  return items.flatMap((item, index) => {
    const node = writer.fromJson(item, { name: "", source: syntax, position: `${syntax}[${index}]` });
    return node === null ? [] : inBoxes.has(item) ? { ...node, part: "repeated" } : node;
  });
}

/** Reads the properties of Open Graph, the other meta elements, the title, the language and the URLs of the page. */
function readMetaData(
  head: PageModel,
  { baseUrl, url, writer }: { baseUrl: string; url: string | null; writer: DataWriter },
): DataNode[] {
  const openGraph: (DataNode | null)[] = [];
  const meta: (DataNode | null)[] = [];
  const toPlace = (name: string, source: Place["source"]): Place => ({ name, source, position: `meta[${name}]` });
  for (const [name, content] of head.meta) {
    if (/^twitter:label\d$/.test(name)) {
      const value = head.meta.get(name.replace("label", "data"));
      const place = { ...toPlace(name.replace("label", "data"), "meta"), name: content };
      if (value !== undefined) meta.push(writer.toValue(place, value));
    } else if (OPEN_GRAPH.test(name)) openGraph.push(writer.toValue(toPlace(name, "open_graph"), content));
    else if (!TECHNICAL_META.test(name) && !/^twitter:data\d$/.test(name))
      meta.push(writer.toValue(toPlace(name, "meta"), content));
  }
  const canonical = head.canonical && absoluteUrl(head.canonical, baseUrl);
  const own = { title: head.title, language: head.language, canonical: canonical ?? "", url: url ?? "" };
  for (const [name, value] of Object.entries(own))
    if (value !== "") meta.push(writer.toValue({ name, source: "meta", position: name }, value));
  return [
    writer.toObject({ name: "open_graph", source: "open_graph", position: "meta" }, [], openGraph),
    writer.toObject({ name: "meta", source: "meta", position: "meta" }, [], meta),
  ].filter((node) => node !== null);
}
