import type { Mode } from "../model/api-key";
import type { CaptureQuery, PageCapture } from "../model/page-capture";
import { findCapture, setKeepsCaptures } from "./captures";
import { ReportingObject } from "./reporting-object";
import { discardResult } from "./temporary-results";
import type { Gone } from "./types";

/** Adds the methods for captures, and for results that are deleted after they were read, to the account's Durable Object. */
export abstract class CapturingObject extends ReportingObject {
  /** Returns the capture that the query selects, or null. */
  findCapture(mode: Mode, query: CaptureQuery): { kind: "found"; capture: PageCapture | null } | Gone {
    return this.transact((tx) => ({ kind: "found", capture: findCapture(tx, mode, query) }));
  }

  /**
   * Returns true if the account keeps captures by default. If `change` isn't null, first sets this setting to `change`.
   */
  keepsCaptures(change: boolean | null): { kind: "setting"; keeps: boolean } | Gone {
    return this.transact((tx) => {
      if (change !== null) setKeepsCaptures(tx, change);
      return { kind: "setting", keeps: tx.state.keepsCaptures };
    });
  }

  /** Deletes the results of jobs with `store: false` after they were read. Does nothing for other jobs. Idempotent. */
  discardResults(mode: Mode, ids: string[]): { kind: "discarded" } | Gone {
    return this.transact((tx) => {
      for (const id of ids) discardResult(tx, { mode, id });
      return { kind: "discarded" };
    });
  }
}
