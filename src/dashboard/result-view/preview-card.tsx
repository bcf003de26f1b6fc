import type { Child } from "hono/jsx";
import type { Job } from "../../model/job";
import { MAX_PREVIEW_CHARS } from "../../model/limits";
import { DataTree } from "./data-tree";
import { Listing } from "./listing";
import { renderMarkdown } from "./markdown/markdown";
import { type Preview, VIEWS, type View } from "./preview";
import { LinkTable, MetadataTable, Screenshot, Source } from "./scrape-views";

/** A result, one view of it at a time; `href` is where the page shows another one. */
export async function toPreviewCard(job: Job, preview: Preview, href: (view: View) => string): Promise<Child> {
  const { content, isCut } = await toView(job, preview);
  return (
    <section class="card" aria-labelledby="result-title">
      <div class="card-head">
        <h2 id="result-title">Result</h2>
        <a class="button quiet small" href={`/dashboard/jobs/${job.id}/result`} download>
          Download as JSON
        </a>
      </div>
      <nav class="tabs" aria-label="Views of the result">
        {preview.views.map((view) => (
          <a href={href(view)} aria-current={view === preview.view ? "page" : undefined}>
            {VIEWS[view].label}
          </a>
        ))}
      </nav>
      {isCut || preview.isCut ? (
        <p class="notice busy">
          Shortened: this page shows at most {MAX_PREVIEW_CHARS.toLocaleString("en")} characters, rendered ones fewer.
          Download the whole result to see the rest.
        </p>
      ) : null}
      {content}
    </section>
  );
}

async function toView(job: Job, { view, members }: Preview): Promise<{ content: Child; isCut: boolean }> {
  const whole = Object.fromEntries(members.map(({ name, value }) => [name, value]));
  const value = members[0]?.value;
  const text = typeof value === "string" ? value : "";
  switch (view) {
    case "data":
      return DataTree({ data: whole, extras: job.extras ?? {} });
    case "results":
      return { content: <Listing data={whole} extras={job.extras ?? {}} />, isCut: false };
    case "json":
      return { content: <Source text={JSON.stringify(whole, null, 2)} label="The result as JSON" />, isCut: false };
  }
  const isEmpty = typeof value === "object" ? value === null : text.trim() === "";
  if (isEmpty) return { content: <p class="muted">The page gave nothing of this kind.</p>, isCut: false };
  switch (view) {
    case "markdown":
      return await renderMarkdown(text);
    case "screenshot":
      return { content: <Screenshot url={text} />, isCut: false };
    case "metadata":
      return { content: <MetadataTable metadata={value} />, isCut: false };
    case "links":
      return LinkTable({ links: value });
    default:
      return { content: <Source text={text} label={VIEWS[view].label} wrap={view === "text"} />, isCut: false };
  }
}
