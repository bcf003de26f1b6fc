// Learned extractors: rules that read the values of a schema from the pages of one template, without a model.

/** The maximum number of extractors of an account in each mode. The one that wasn't used for the longest time is dropped. */
export const MAX_EXTRACTORS = 200;
/** The maximum size of an extractor's rules. A larger one isn't stored. */
export const MAX_EXTRACTOR_BYTES = 32_768;
/** One in this many uses of an extractor is compared with the model. */
export const EXTRACTOR_CHECK_INTERVAL = 20;

/** Selects an extractor by the page and the request. */
export interface ExtractorQuery {
  host: string;
  /** The hash of the outline of the page. */
  shape: string;
  /** The hash of the schema and the prompt. */
  request: string;
  /** Names the run. A repeated query of the same run counts as one use. */
  run: string;
}

/** A learned extractor. Times are Unix ms. */
export interface Extractor {
  id: string;
  host: string;
  /** The names of the schema's properties. */
  properties: readonly string[];
  /** `learning` until enough pages were parsed to use it. */
  status: "learning" | "active";
  /** The number of parses that it was learned from. */
  pages: number;
  /** The number of pages that it was used for, including misses. */
  uses: number;
  /** The number of uses without a certain result, which a model answered. */
  misses: number;
  /** The number of uses that were compared with the model. */
  checks: number;
  /** Why the extractor last had to be learned again. Null: never. */
  drift: string | null;
  driftedAt: number | null;
  createdAt: number;
  /** When it was last learned again, or became active. Null while it is learning. */
  learnedAt: number | null;
  usedAt: number;
}

/** An extractor with its rules. */
export interface StoredExtractor extends Extractor {
  /** Increases with every change of the rules. */
  version: number;
  /** The rules as JSON. */
  rules: string;
}

/** A change of an extractor, or a new extractor. */
export interface ExtractorChange {
  id: string;
  query: ExtractorQuery;
  properties: readonly string[];
  /** The version that the change is based on. 0: the extractor is new. The change has no effect on another version. */
  version: number;
  rules: string;
  status: "learning" | "active";
  pages: number;
  isMiss: boolean;
  isCheck: boolean;
  /** Why the extractor is learned again. Null: the rules still apply. */
  drift: string | null;
}

/** The access of a run to the extractors of its account. */
export interface Extractors {
  /** Returns the extractor for a page, or null. Counts the use of an active one. */
  find: (query: ExtractorQuery) => Promise<StoredExtractor | null>;
  save: (change: ExtractorChange) => Promise<void>;
}
