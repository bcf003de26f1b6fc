import type { Mode } from "../model/api-key";
import type { Extractor, ExtractorChange, ExtractorQuery, StoredExtractor } from "../model/extractor";
import { CapturingObject } from "./capturing-object";
import { deleteExtractor, listExtractors, readExtractor, saveExtractor, useExtractor } from "./extractors";
import type { Gone } from "./types";

/** Adds the methods for learned extractors to the account's Durable Object. */
export abstract class ExtractingObject extends CapturingObject {
  /** Returns the extractor for a page, or null. Counts its use, once per run. */
  useExtractor(mode: Mode, query: ExtractorQuery): { kind: "found"; extractor: StoredExtractor | null } | Gone {
    return this.transact((tx) => ({ kind: "found", extractor: useExtractor(tx, mode, query) }));
  }

  /** Inserts or changes an extractor. Idempotent by its version. */
  saveExtractor(mode: Mode, change: ExtractorChange): { kind: "saved" } | Gone {
    return this.transact((tx) => {
      saveExtractor(tx, mode, change);
      return { kind: "saved" };
    });
  }

  /** Returns the extractors of a mode, the last used first. */
  listExtractors(mode: Mode): { kind: "listed"; extractors: Extractor[] } | Gone {
    return this.transact((tx) => ({ kind: "listed", extractors: listExtractors(tx, mode) }));
  }

  /** Returns an extractor with its rules, or null. */
  getExtractor(mode: Mode, id: string): { kind: "found"; extractor: StoredExtractor | null } | Gone {
    return this.transact((tx) => ({ kind: "found", extractor: readExtractor(tx, mode, id) }));
  }

  /** Deletes an extractor. `found` is false if it doesn't exist. */
  deleteExtractor(mode: Mode, id: string): { kind: "deleted"; found: boolean } | Gone {
    return this.transact((tx) => ({ kind: "deleted", found: deleteExtractor(tx, mode, id) }));
  }
}
