import type { Child } from "hono/jsx";
import type { ScrapeFormat } from "../../contract/scrape";
import { fieldOf } from "../../endpoints/scrape/formats";
import { readSmallResult, toJobRecord } from "../../jobs/read-job";
import { discardResult } from "../../jobs/temporary";
import { isObject } from "../../json-schema/keywords";
import type { Endpoint } from "../../model/endpoint";
import type { Job } from "../../model/job";
import { MAX_PREVIEW_BYTES } from "../../model/limits";
import { CodeBlock, Tabs } from "../ui/components";
import { toSize, toWords } from "../ui/format";
import { renderData } from "./data-tree";
import { Downloads } from "./downloads";
import { renderMarkdown } from "./markdown";
import { readTables } from "./result-tables";
import {
  MetadataTable,
  PdfLink,
  type Rendered,
  renderImages,
  renderLinks,
  renderMap,
  Screenshot,
  SearchResults,
} from "./views";

/** A parsed result, "too large" if it exceeds MAX_PREVIEW_BYTES, or null if the job has no result or it has expired. */
type ResultPreview = Record<string, unknown> | "too large" | null;

interface View extends Rendered {
  id: string;
  label: string;
}

/**
 * Returns the result of a completed job for the preview. Doesn't read a result that is too large. If the request has
 * `store: false`, deletes the result, because the preview shows all of it.
 */
export async function readResultPreview(env: Env, job: Job): Promise<ResultPreview> {
  const result = job.status === "completed" ? await readSmallResult(env, job, MAX_PREVIEW_BYTES) : null;
  if (job.isTemporary && result !== null && result !== "too large") await discardResult(env, job);
  return result;
}

/** Renders a job's result, with one tab per view and the API's response. Content of pages is escaped. */
export async function renderResult(job: Job, result: ResultPreview): Promise<Child> {
  const data = result === "too large" ? null : result;
  const views = data === null ? [] : await ENDPOINT_VIEWS[job.endpoint](data, job);
  return (
    <>
      <Notice job={job} result={result} />
      {result === null || (job.isTemporary && data !== null) ? null : (
        <Downloads job={job} data={data} tables={await readTables(job.endpoint, data ?? {})} />
      )}
      <Tabs
        id="result"
        label="Result views"
        panels={[...views, toJsonView(job, result)].map(({ id, label, content, isCut }) => ({
          id,
          label,
          content: isCut ? (
            <>
              <p class="notice busy">
                This view is shortened. {job.isTemporary ? "The JSON view has" : "The downloads have"} the whole result.
              </p>
              {content}
            </>
          ) : (
            content
          ),
        }))}
      />
    </>
  );
}

function Notice({ job, result }: { job: Job; result: ResultPreview }) {
  if (job.status !== "completed") return null;
  if (result === null) return <p class="muted">{toDeletedText(job)} Run the request again to get a new result.</p>;
  if (result === "too large") {
    return (
      <p class="notice">
        The result is larger than {toSize(MAX_PREVIEW_BYTES)}, so it can't be shown here. You can download it.
        {job.isTemporary ? " After you have downloaded it as JSON, it is no longer stored." : null}
      </p>
    );
  }
  if (!job.isTemporary) return null;
  return (
    <p class="notice">
      The result is no longer stored, because the request has <code>store: false</code>. Copy what you need before you
      leave this page.
    </p>
  );
}

function toDeletedText({ isTemporary }: Job): string {
  if (!isTemporary) return "The result has expired.";
  return "The result is no longer stored. It was deleted after it was read, or one hour after the end of the job.";
}

const ENDPOINT_VIEWS: { [E in Endpoint]: (data: Record<string, unknown>, job: Job) => View[] | Promise<View[]> } = {
  scrape: toScrapeViews,
  parse: (data, { extras }) => [{ id: "data", label: "Data", ...renderData(data, extras ?? {}) }],
  serp: (data, { extras }) => [
    { id: "results", label: "Results", content: <SearchResults data={data} extras={extras ?? {}} /> },
  ],
  map: (data) => [{ id: "urls", label: "URLs", ...renderMap(data) }],
};

type ToViews = (value: unknown) => View[] | Promise<View[]>;

/** Renders a non-empty value of a format in one or more views. Null: the value is shown as text. */
const FORMAT_VIEWS: { [F in ScrapeFormat]: ToViews | null } = {
  markdown: async (value) => [
    { id: "markdown", label: "Markdown", ...(await renderMarkdown(String(value))) },
    toTextView("source", "Markdown source", value),
  ],
  text: null,
  html: null,
  raw_html: null,
  clean_html: null,
  screenshot: (value) => [{ id: "screenshot", label: "Screenshot", content: <Screenshot url={String(value)} /> }],
  pdf: (value) => [{ id: "pdf", label: "PDF", content: <PdfLink url={String(value)} /> }],
  metadata: (value) => [{ id: "metadata", label: "Metadata", content: <MetadataTable metadata={value} /> }],
  links: (value) => [{ id: "links", label: "Links", ...renderLinks(value) }],
  images: (value) => [{ id: "images", label: "Images", ...renderImages(value) }],
  summary: null,
  json: (value) => [{ id: "data", label: "Data", ...renderData(isObject(value) ? value : {}, {}) }],
};

async function toScrapeViews(data: Record<string, unknown>): Promise<View[]> {
  const views = Object.keys(FORMAT_VIEWS).map(async (name) => {
    const id = name as ScrapeFormat;
    const label = id === "json" ? "Data" : toWords(id);
    const value = data[fieldOf(id)];
    if (value === undefined) return [];
    const isEmpty = value === null || (typeof value === "string" && value.trim() === "");
    if (isEmpty) return [{ id, label, content: <p class="muted">The page has no content in this format.</p> }];
    return (await FORMAT_VIEWS[id]?.(value)) ?? [toTextView(id, label, value)];
  });
  return (await Promise.all(views)).flat();
}

function toTextView(id: string, label: string, value: unknown): View {
  return {
    id,
    label,
    content: (
      <CodeBlock id={`result-${id}`} label={label} wrap={id === "text" || id === "summary"}>
        {String(value)}
      </CodeBlock>
    ),
  };
}

function toJsonView(job: Job, result: ResultPreview): View {
  const hasResult = job.status === "completed" && result !== "too large";
  const response = { success: true, ...toJobRecord(job), ...(hasResult ? { result } : {}) };
  return {
    id: "json",
    label: "JSON",
    content: (
      <CodeBlock id="result-json" label="API response as JSON">
        {JSON.stringify(response, null, 2)}
      </CodeBlock>
    ),
  };
}
