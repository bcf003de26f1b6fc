import { readHead } from "../metadata/head";
import type { VisiblePage } from "../visible-page";
import type { DataNode } from "./data-node";
import { DataWriter } from "./data-writer";
import { readJsonLdData, readMetaData, readMicrodata } from "./declared-data";
import { readEmbeddedState } from "./embedded-state";
import { findPageParts } from "./page-parts";
import { readRdfa } from "./rdfa";
import { readShownData } from "./shown-data";

/** The limits of what the page declares and shows. The limits of embedded state are separate, because it is often large. */
const LIMITS = { nodes: 20_000, chars: 2_000_000 };
const STATE_LIMITS = { nodes: 20_000, chars: 1_000_000 };

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
  const head = readHead(document);
  const parts = findPageParts(document, hidden, page.page);
  const excluded = hidden.union(parts.asides).union(parts.formerPrices);
  return [
    ...readJsonLdData(head.documents, writer),
    ...readMicrodata(document, { baseUrl, hidden: excluded, repeated: parts.repeated, writer }),
    ...readRdfa(document, { baseUrl, hidden: excluded, repeated: parts.repeated, writer }),
    ...readMetaData(head, { baseUrl, url, writer }),
    ...readShownData(page, { parts, writer }),
    ...readEmbeddedState(page.html, new DataWriter(STATE_LIMITS)),
  ];
}
