import { loadSource } from "./source.ts";

/** The part of a schema that a page's own data answers. */
export interface PageAnswer {
  data: Record<string, unknown>;
  sources: ReadonlyMap<string, string>;
  missing: readonly (readonly string[])[];
  missingRequired: readonly (readonly string[])[];
}

type Schema = { required: readonly string[]; properties: Record<string, object> };

/** The service's reading of a page's own data, bundled from src. */
interface Source {
  decodeHtml(bytes: Uint8Array, contentType: string | null): string;
  parseVisiblePage(html: string): { document: object };
  baseUrl(document: object, url: string): string;
  readPageData(page: object, options: { baseUrl: string; url: string | null }): readonly object[];
  readySchema(name: string): { schema: Schema; prompt: string };
  answerFromPage(input: { nodes: readonly object[]; schema: object; prompt: string }): PageAnswer;
}

const MODULES = [
  "html/encoding/decode",
  "html/visible-page",
  "html/parse/urls",
  "html/page-data/read-page-data",
  "endpoints/parse/page-data/answer",
  "contract/schema-library",
];

export type Answerer = (
  page: { bytes: Uint8Array; contentType: string; url: string },
  request: { schema: object; prompt: string },
) => PageAnswer;

export interface Parser {
  answer: Answerer;
  /** Reads a ready-made schema with its prompt. */
  readySchema: Source["readySchema"];
}

/** Bundles and loads the answers from the page's own data. */
export async function loadParser(project: string): Promise<Parser> {
  const source = await loadSource<Source>(project, MODULES.map((file) => `export * from "./src/${file}";`).join("\n"));
  const answer: Answerer = ({ bytes, contentType, url }, { schema, prompt }) => {
    const page = source.parseVisiblePage(source.decodeHtml(bytes, contentType));
    const nodes = source.readPageData(page, { baseUrl: source.baseUrl(page.document, url), url });
    return source.answerFromPage({ nodes, schema, prompt });
  };
  return { answer, readySchema: source.readySchema };
}
