import { now } from "../lib/clock";
import type { Batch } from "../model/batch";
import type { JobKey } from "../model/job";
import { GET_WAIT_MAX_S, SECOND_MS } from "../model/limits";
import {
  type BatchListFilter,
  type BatchListReply,
  listBatches,
  listPageLines,
  type PageLineFilter,
  type PageLinesReply,
} from "./batch-list";
import { listPages } from "./batch-pages";
import { expectBatch, readBatch } from "./batch-row";
import type {
  BatchReply,
  CreateBatchReply,
  NewBatch,
  NewPage,
  PageFilter,
  PagesReply,
  ResumeBatch,
  ResumeReply,
  StartPagesReply,
} from "./batch-types";
import { createBatch, endCrawl, resumeBatch } from "./batches";
import { CapturingObject } from "./capturing-object";
import { cancelBatch, feedBatches, startPages } from "./feed";
import type { Gone } from "./types";
import { WaitingCallers } from "./waiting-callers";

/** Adds the methods for batches and crawls to the account's Durable Object. */
export abstract class BatchingObject extends CapturingObject {
  /** The calls that wait until a job or a batch changes. */
  protected readonly callers = new WaitingCallers();

  /** Inserts a batch and starts its first pages. Idempotent by the batch's id. */
  createBatch(batch: NewBatch): CreateBatchReply {
    return this.transact((tx) => {
      const reply = createBatch(tx, batch);
      feedBatches(tx);
      return "batch" in reply ? { ...reply, batch: expectBatch(tx, reply.batch) } : reply;
    });
  }

  /** Starts pages of a crawl. Idempotent by the pages' numbers. */
  startPages(key: JobKey, pages: NewPage[]): StartPagesReply {
    return this.transact((tx) => startPages(tx, key, pages));
  }

  /** Ends a crawl that has no more pages. */
  endCrawl(key: JobKey): BatchReply {
    return this.transact((tx) => endCrawl(tx, key));
  }

  /** Cancels a batch or crawl. A batch that has ended is returned unchanged. */
  cancelBatch(key: JobKey): BatchReply {
    return this.transact((tx) => cancelBatch(tx, key));
  }

  /** Continues a batch or crawl that stopped because the account couldn't pay for its next page. */
  resumeBatch(call: ResumeBatch): ResumeReply {
    return this.transact((tx) => {
      const reply = resumeBatch(tx, call);
      feedBatches(tx);
      return reply.kind === "resumed" ? { ...reply, batch: expectBatch(tx, call) } : reply;
    });
  }

  /** Returns a batch. If it hasn't ended, first waits up to `waitMs` for its end. */
  async getBatch(key: JobKey, waitMs = 0): Promise<BatchReply> {
    const until = now() + Math.min(waitMs, GET_WAIT_MAX_S * SECOND_MS);
    for (;;) {
      const reply = this.transact<{ kind: "found"; batch: Batch | null } | Gone>((tx) => ({
        kind: "found",
        batch: readBatch(tx, key),
      }));
      if (reply.kind === "gone") return reply;
      const { batch } = reply;
      if (batch === null) return { kind: "missing" };
      const left = until - now();
      if (batch.endedAt !== null || left <= 0) return { kind: "batch", batch };
      await this.callers.wait(key.id, left);
    }
  }

  /** Returns one part of the pages of a batch or crawl, in the order of their numbers. */
  listPages(filter: PageFilter): PagesReply {
    return this.transact((tx) => listPages(tx, filter));
  }

  /** Returns one part of the batches and crawls of a mode, newest first. */
  listBatches(filter: BatchListFilter): BatchListReply {
    return this.transact((tx) => listBatches(tx, filter));
  }

  /** Returns one part of the pages of a batch or crawl without their results, in the order of their numbers. */
  listPageLines(filter: PageLineFilter): PageLinesReply {
    return this.transact((tx) => listPageLines(tx, filter));
  }
}
