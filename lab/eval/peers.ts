// The libraries that the service is compared with. They are slow, so their outputs are cached.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Defuddle } from "defuddle/node";
import { compile } from "html-to-text";
import { readContent, toMarkdown } from "./conversions.ts";
import type { Page } from "./fixtures.ts";
import type { EvaluatedSet, Output } from "./sets.ts";

interface Peer {
  /** The packages that the outputs depend on. */
  packages: readonly string[];
  convert(html: string, page: Page, format: EvaluatedSet["format"]): Promise<Output> | Output;
}

const TEXT_OPTIONS = {
  wordwrap: null,
  selectors: [
    { selector: "a", options: { ignoreHref: true } },
    { selector: "img", format: "skip" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};
/** Converts HTML to text without the addresses of links and images, which aren't words of the content. */
const toText = compile(TEXT_OPTIONS);

export const PEERS = {
  readability: {
    packages: ["@mozilla/readability", "linkedom", "turndown", "html-to-text"],
    convert(html, _page, format) {
      const content = readContent(html);
      return format === "markdown" ? { markdown: toMarkdown(content) } : { text: toText(content) };
    },
  },
  defuddle: {
    packages: ["defuddle", "linkedom", "turndown", "html-to-text"],
    async convert(html, { url }, format) {
      const { content } = await Defuddle(html, url, { markdown: format === "markdown", useAsync: false });
      return format === "markdown" ? { markdown: content } : { text: toText(content) };
    },
  },
  "html-to-text": {
    packages: ["html-to-text"],
    convert: (html) => ({ text: toText(html) }),
  },
} as const satisfies Record<string, Peer>;
export type PeerName = keyof typeof PEERS;
export const PEER_NAMES = Object.keys(PEERS) as PeerName[];

/** The cache is saved after this number of new outputs, because a run may be canceled. */
const PAGES_PER_SAVE = 100;

interface OutputCache {
  /** The versions of the packages and the code that uses them. */
  key: string;
  /** The keys are hashes of pages. */
  outputs: Record<string, Output>;
}

export interface PeerRun {
  project: string;
  decode: (page: Page) => string;
  /** The name of the set, which is the name of its cache. */
  set: string;
}

/** Converts the pages of a set with a peer. A page that the peer fails on has an empty output. */
export async function runPeer(
  name: PeerName,
  { pages, format }: EvaluatedSet,
  { project, decode, set }: PeerRun,
): Promise<Map<string, Output>> {
  const peer: Peer = PEERS[name];
  const folder = join(project, ".cache/eval-peers");
  const file = join(folder, `${name}-${set}.json`);
  const cache = readCache(file, keyOf(peer, project));
  const outputs = new Map<string, Output>();
  const save = () => writeFileSync(file, JSON.stringify(cache));
  mkdirSync(folder, { recursive: true });
  let converted = 0;
  for (const page of pages) {
    const hash = createHash("sha256").update(page.url).update("\n").update(page.bytes).digest("base64");
    let output = cache.outputs[hash];
    if (output === undefined) {
      output = cache.outputs[hash] = await convert(peer, decode(page), page, format);
      converted++;
      if (converted % PAGES_PER_SAVE === 0) save();
    }
    outputs.set(page.id, output);
  }
  if (converted > 0) save();
  console.log(`${set}, ${name}: ${pages.length - converted} of ${pages.length} outputs are cached.`);
  return outputs;
}

async function convert(peer: Peer, html: string, page: Page, format: EvaluatedSet["format"]): Promise<Output> {
  const { error } = console;
  // Defuddle prints each JSON-LD block that it can't parse.
  console.error = () => {};
  try {
    return await peer.convert(html, page, format);
  } catch (cause) {
    console.log(`  ${page.id}: ${cause instanceof Error ? cause.message : cause}`);
    return { text: "" };
  } finally {
    console.error = error;
  }
}

function readCache(file: string, key: string): OutputCache {
  const cache: OutputCache = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { key, outputs: {} };
  return cache.key === key ? cache : { key, outputs: {} };
}

function keyOf({ packages, convert }: Peer, project: string): string {
  const versions = packages.map((name) => {
    const manifest = readFileSync(join(project, "node_modules", name, "package.json"), "utf8");
    return `${name}@${(JSON.parse(manifest) as { version: string }).version}`;
  });
  return [...versions, JSON.stringify(TEXT_OPTIONS), convert.toString()].join("\n");
}
