// Captures: the pages that jobs loaded and kept. A job can use one instead of loading the page again.
import { EXAMPLE_JOB_ID } from "../../contract/common";
import type { RenderMode } from "../../contract/load-options";
import { findPrivateFields } from "../../contract/page-capture-options";
import type { PageFields } from "../../contract/scrape";
import { now, toIso } from "../../lib/clock";
import { sha256Hex } from "../../lib/crypto";
import { isId } from "../../lib/id";
import { toCanonicalJson } from "../../lib/json";
import { lazyModule } from "../../lib/lazy";
import { AppError } from "../../model/errors";
import type { JobExtras } from "../../model/job";
import { MAX_CAPTURE_BYTES, SECOND_MS } from "../../model/limits";
import type { CaptureQuery, NewPageCapture, PageCapture } from "../../model/page-capture";
import type { PriceLine } from "../../model/receipt";
import type { RunContext } from "../../model/run-context";
import { type CaptureFacts, getCapture, type PageParts, putCapture } from "../../store/captures";
import { toDevice } from "./device";
import type { KeptPage, RenderedContent } from "./load-page";
import type { Content, ContentSelection } from "./read-content";

/** Loaded on demand, because only a run reads the page of a capture. */
const loadReading = lazyModule(() => import("./read-content"));

/** A page that was read from a capture. */
interface ReplayedPage {
  content: Content | RenderedContent;
  rendered: boolean;
  capture: UsedCapture;
}

export interface UsedCapture extends PageCapture {
  /** True if the page comes from the capture. False if the job has loaded the page and kept it. */
  isReplayed: boolean;
}

type CaptureContext = Pick<RunContext, "env" | "job" | "findCapture" | "signal" | "acquireLargeLock">;

const UTF8 = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** The captures that one job uses and keeps. Does nothing if neither the request nor the account turns captures on. */
export class PageCaptures {
  readonly #context: CaptureContext;
  readonly #fields: PageFields;
  readonly #mode: RenderMode;
  #kept: UsedCapture | null = null;

  constructor(context: CaptureContext, fields: PageFields, mode: RenderMode) {
    this.#context = context;
    this.#fields = fields;
    this.#mode = mode;
  }

  /** True if the loaded page is kept. */
  get keepsPage(): boolean {
    const { url, capture, max_age = 0, store } = this.#fields;
    if (url === undefined || store === false || findPrivateFields(this.#fields).length > 0) return false;
    return capture ?? (max_age > 0 || this.#context.job.settings.keepsCaptures);
  }

  /** The capture that was kept last. Null if there is none. */
  get kept(): UsedCapture | null {
    return this.#kept;
  }

  /** Returns the capture to use, or null to load the page. Throws AppError `not_found` for an unknown capture. */
  async find(): Promise<PageCapture | null> {
    const { capture_id: id, max_age = 0, formats = [] } = this.#fields;
    if (id === undefined && (max_age === 0 || formats.includes("screenshot") || formats.includes("pdf"))) return null;
    const query: CaptureQuery =
      id === undefined ? { lookup: await this.#toLookup(), since: now() - max_age * SECOND_MS } : { id };
    const found = await this.#context.findCapture(query);
    if (found === null && id !== undefined) throw captureNotFound(id);
    return found;
  }

  /** Reads the page of a capture. Returns null if the object doesn't exist and the page can be loaded instead. */
  async replay(capture: PageCapture, pages: ContentSelection = {}): Promise<ReplayedPage | null> {
    const { env, signal, acquireLargeLock } = this.#context;
    const stored = await this.#read(capture);
    if (stored === null) return null;
    const { readContent, toRendered } = await loadReading();
    const { facts, parts } = stored;
    const source = parts.source ?? new Uint8Array();
    const found = { url: facts.url, status: facts.status, contentType: facts.contentType };
    const used = { ...capture, isReplayed: true };
    if (!facts.rendered) {
      const file = { ...found, disposition: facts.disposition, body: source };
      const content = await readContent(file, { ...pages, env, signal, beforeReading: acquireLargeLock });
      return { content, rendered: false, capture: used };
    }
    const content: RenderedContent = {
      ...found,
      ...toRendered(UTF8.decode(source), facts.contentType),
      visibility: parts.visibility && UTF8.decode(parts.visibility),
      body: parts.body && UTF8.decode(parts.body),
      screenshot: null,
      partialLoad: facts.partialLoad,
    };
    return { content, rendered: true, capture: used };
  }

  /** Returns the URL of a capture, for a mock result. Returns null if the object doesn't exist. */
  async readUrl(capture: PageCapture): Promise<string | null> {
    return (await this.#read(capture))?.facts.url ?? null;
  }

  async #read({ id, run }: PageCapture): Promise<{ facts: CaptureFacts; parts: PageParts } | null> {
    const { env, acquireLargeLock } = this.#context;
    const stored = await getCapture(env.STORE, { jobId: id, run }, acquireLargeLock);
    if (stored === null && this.#fields.capture_id !== undefined) throw captureNotFound(id);
    return stored;
  }

  /** Stores a loaded page that isn't too large. If the run loads another page, that one replaces the first. */
  readonly keep = async (page: KeptPage): Promise<void> => {
    this.#kept = null;
    const { env, job, acquireLargeLock } = this.#context;
    const source = toBytes(page.source);
    if (source.byteLength > MAX_CAPTURE_BYTES) return;
    const visibility = page.visibility === null ? null : toBytes(page.visibility);
    const body = page.body === null ? null : toBytes(page.body);
    const size = source.byteLength + (visibility?.byteLength ?? 0) + (body?.byteLength ?? 0);
    await acquireLargeLock(size);
    const capturedAt = now();
    await putCapture(
      env.STORE,
      { jobId: job.id, run: job.run },
      {
        rendered: page.rendered,
        url: page.url,
        status: page.status,
        contentType: page.contentType,
        lastModified: page.header("last-modified"),
        etag: page.header("etag"),
        disposition: page.header("content-disposition"),
        partialLoad: page.partialLoad,
        capturedAt,
        sha256: await sha256Hex(source),
      },
      { source, visibility, body: (body?.byteLength ?? 0) > MAX_CAPTURE_BYTES ? null : body },
    );
    this.#kept = { id: job.id, run: job.run, capturedAt, isFree: false, isReplayed: false };
  };

  /** Returns the capture for the job's end. `isComplete`: false if another load may return a better page. */
  async toNewCapture(isComplete: boolean): Promise<{ capture?: NewPageCapture }> {
    if (this.#kept === null) return {};
    const { capturedAt } = this.#kept;
    return { capture: { lookup: isComplete ? await this.#toLookup() : null, capturedAt } };
  }

  /** Returns the hash of the URL and of the options that affect how the page is loaded. */
  async #toLookup(): Promise<string> {
    const { url = "", wait_for, wait_until, wait_ms, block_ads, user_agent, proxy_country } = this.#fields;
    const { prefer_markdown } = this.#fields;
    const options = { wait_for, wait_until, wait_ms, block_ads, prefer_markdown, user_agent, proxy_country };
    const device = toDevice(this.#fields) ?? null;
    return await sha256Hex(
      toCanonicalJson({ url: toLookupUrl(url, this.#mode), mode: this.#mode, device, ...options }),
    );
  }
}

/** Returns the URL for finding captures. Keeps the fragment of a rendered page, because its scripts can read it. */
function toLookupUrl(url: string, mode: RenderMode): string {
  const { href, hash } = new URL(url);
  return mode === "never" && hash !== "" ? href.slice(0, -hash.length) : href;
}

function toBytes(part: string | Uint8Array): Uint8Array {
  return typeof part === "string" ? new TextEncoder().encode(part) : part;
}

/** Returns true if the request names a capture whose page was charged. Other requests pay for their page. */
export async function usesPaidCapture(findCapture: RunContext["findCapture"], request: unknown): Promise<boolean> {
  const { capture_id: id } = Object(request) as { capture_id?: unknown };
  return typeof id === "string" && (await findCapture({ id }))?.isFree === false;
}

export function toCaptureMeta(capture: PageCapture | null): JobExtras {
  return capture === null ? {} : { capture_id: capture.id, captured_at: toIso(capture.capturedAt) };
}

/** Returns the price line of a job that used a capture. The part for loading the page isn't charged. */
export function toCaptureLine(item: "scrape" | "parse", credits: number): PriceLine {
  return { item, credits, reason: "capture" };
}

/** Returns the error for an id that isn't a capture of the caller's account and mode. */
export function captureNotFound(id: string): AppError {
  const form = isId(id) ? "" : ` A capture id is a UUID, such as ${EXAMPLE_JOB_ID}.`;
  const message = `There is no capture '${id.slice(0, 100)}'. It doesn't exist, or it was deleted together with the result of its job.${form}`;
  return new AppError("not_found", message, {
    hint: "Send the request with 'url' to load the page again. A capture can be used only with a key of its account and its mode.",
  });
}
