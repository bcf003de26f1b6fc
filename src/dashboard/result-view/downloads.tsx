import { ScrapeRequest } from "../../contract/scrape";
import type { Job } from "../../model/job";
import type { Table } from "./tables";

interface DownloadsProps {
  job: Job;
  /** The result, or null if it is too large for the page. */
  data: Record<string, unknown> | null;
  tables: readonly Table[];
}

/** The links that download the result of a completed job: as JSON, and in each format that the result can have. */
export function Downloads({ job, data, tables }: DownloadsProps) {
  const formats = data === null ? readFormats(job) : toFormats(data);
  const path = `/dashboard/jobs/${job.id}/result`;
  return (
    <p class="row small downloads">
      <span class="muted">Download</span>
      <a href={path} download>
        JSON
      </a>
      {formats.hasMarkdown ? (
        <a href={`${path}/markdown`} download>
          Markdown
        </a>
      ) : null}
      {formats.hasScreenshot ? (
        <a href={`${path}/screenshot`} download>
          Screenshot (PNG)
        </a>
      ) : null}
      {tables.map(({ name }, index) => (
        <a href={`${path}/csv?table=${index}`} download>
          {name} (CSV)
        </a>
      ))}
    </p>
  );
}

interface Formats {
  hasMarkdown: boolean;
  hasScreenshot: boolean;
}

function toFormats({ markdown, screenshot_url }: Record<string, unknown>): Formats {
  return { hasMarkdown: typeof markdown === "string", hasScreenshot: typeof screenshot_url === "string" };
}

/** Reads the formats from the request, because the result is too large. */
function readFormats({ endpoint, request }: Job): Formats {
  const body =
    endpoint === "scrape" && request !== null ? ScrapeRequest.safeParse(JSON.parse(request)).data : undefined;
  const formats = body?.formats ?? [];
  return { hasMarkdown: formats.includes("markdown"), hasScreenshot: formats.includes("screenshot") };
}
