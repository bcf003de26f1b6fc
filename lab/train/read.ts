import { loadSource } from "../eval/source.ts";
import type { Labels, TrainingPage } from "./pages.ts";

type Witness = (name: string, value: number) => void;

interface Line {
  text: string;
  words: number;
  region: object;
}

/** The functions of src/html that the training uses. */
interface Source {
  decodeHtml(bytes: Uint8Array, contentType: string | null): string;
  openPage(html: string): { document: object; hidden: ReadonlySet<object> };
  readPage(document: object, options: { url: string; excluded: ReadonlySet<object> }): { page: { lines: Line[] } };
  chooseArticle(read: object): object;
  findPosts(page: object): object;
  readContentFacts(article: object, posts: object): object;
  lineEvidence(line: Line, facts: object, wordsBefore: number, see: Witness): void;
  placeEvidence(region: object, facts: object, see: Witness, seeShared: (all: [string, number][]) => void): void;
  pageSignals(article: object, posts: object, see: Witness): void;
  Surroundings: new (facts: object, likelihoods: Float64Array) => { evidence(index: number, see: Witness): void };
  MIN_ARTICLE_LIKELIHOOD: number;
  hasMostProse(article: object): boolean;
  agrees(facts: object, chosen: readonly boolean[]): boolean;
  PAGE_KINDS: readonly string[];
  nameOnKind(name: string, kind: string): string;
  kindName(kind: string): string;
  chooseLines(facts: object, likelihoods: Float64Array, kind: string): boolean[];
}

/** The evidence about the lines of a page, with their labels. */
export interface ReadPage {
  page: TrainingPage;
  texts: string[];
  labels: Labels;
  /** The evidence in each line and in its place: the index of a name, and a value, one after the other. */
  evidence: Float32Array[];
  signals: Map<string, number>;
  /** Gives the evidence around a line for these likelihoods. */
  surroundings(likelihoods: Float64Array): (index: number, see: Witness) => void;
  /** Returns a flag for each line. `kind` is the kind that the page probably has. */
  choose(likelihoods: Float64Array, kind: string): boolean[];
  /** The lines that the article extraction keeps. */
  articleLines: ReadonlySet<number>;
  /** Returns true if the article extraction is used instead of the chosen lines. */
  trustsArticle(judged: { kind: string; likelihood: number }, chosen: readonly boolean[]): boolean;
}

export interface Read {
  source: Source;
  pages: ReadPage[];
  names: Names;
}

/** Numbers names in the order of their first use. */
export class Names {
  readonly list: string[] = [];
  readonly #indexes = new Map<string, number>();

  indexOf(name: string): number {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = this.list.length;
      this.list.push(name);
      this.#indexes.set(name, index);
    }
    return index;
  }
}

/** Reads all evidence of the pages. */
export async function readEvidence(project: string, pages: readonly TrainingPage[]): Promise<Read> {
  const source = await loadSource<Source>(
    project,
    `export * from "./src/html/encoding/decode";
    export { openPage } from "./src/html/visible-page";
    export { chooseArticle } from "./src/html/main-content/choose-regions";
    export { readPage } from "./src/html/main-content/read-page";
    export { readContentFacts } from "./src/html/content/content-facts";
    export { agrees, hasMostProse, MIN_ARTICLE_LIKELIHOOD } from "./src/html/content/page-content";
    export * from "./src/html/content/evidence";
    export * from "./src/html/content/line-evidence";
    export * from "./src/html/content/page-kind";
    export { PAGE_KINDS } from "./src/model/page-kinds";
    export { findPosts } from "./src/html/content/posts";
    export { Surroundings } from "./src/html/content/weights";
    export * from "./src/html/content/choose-lines";`,
  );
  const names = new Names();
  return { names, source, pages: pages.map((page) => readOne(page, source, names)) };
}

function readOne(page: TrainingPage, source: Source, names: Names): ReadPage {
  const { document, hidden } = source.openPage(source.decodeHtml(page.bytes, page.contentType));
  const read = source.readPage(document, { url: page.url, excluded: hidden });
  const article = source.chooseArticle(read);
  const posts = source.findPosts(read.page);
  const facts = source.readContentFacts(article, posts);
  const signals = new Map<string, number>();
  source.pageSignals(article, posts, (name, value) => {
    if (value !== 0) signals.set(name, value);
  });
  const { lines } = read.page;
  const texts = lines.map(({ text }) => text);
  const places = new Map<object, number[]>();
  let found: number[] = [];
  const see: Witness = (name, value) => {
    const index = names.indexOf(name);
    if (value !== 0) found.push(index, value);
  };
  let wordsBefore = 0;
  const evidence = lines.map((line) => {
    let place = places.get(line.region);
    if (!place) {
      found = [];
      source.placeEvidence(line.region, facts, see, (all) => {
        for (const [name, value] of all) see(name, value);
      });
      place = found;
      places.set(line.region, place);
    }
    found = [...place];
    source.lineEvidence(line, facts, wordsBefore, see);
    wordsBefore += line.words;
    return Float32Array.from(found);
  });
  return {
    page,
    texts,
    labels: page.label(texts),
    evidence,
    signals,
    surroundings: (likelihoods) => {
      const around = new source.Surroundings(facts, likelihoods);
      return (index, witness) => around.evidence(index, witness);
    },
    choose: (likelihoods, kind) => source.chooseLines(facts, likelihoods, kind),
    trustsArticle: ({ kind, likelihood }, chosen) =>
      kind === "article" &&
      likelihood >= source.MIN_ARTICLE_LIKELIHOOD &&
      (source.hasMostProse(article) || source.agrees(facts, chosen)),
    articleLines: (facts as { articleLines: ReadonlySet<number> }).articleLines,
  };
}
