import { ScrapeRequest } from "../../contract/scrape";
import type { Job } from "../../model/job";
import { FILE_TYPES, type ScreenshotType } from "../../model/page-files";
import type { Table } from "./result-tables";

/** The value of the query parameter `table` that selects all tables. */
export const ALL_TABLES = "all";
/** The maximum number of tables with a link. The file with all tables also contains the other tables. */
const MAX_TABLE_LINKS = 20;

interface DownloadsProps {
  job: Job;
  /** The result, or null if it is too large for the page. */
  data: Record<string, unknown> | null;
  tables: readonly Table[];
}

/** The links that download the result of a completed job: as JSON, and in each format that the result can have. */
export function Downloads({ job, data, tables }: DownloadsProps) {
  const formats = data === null ? readFormats(job) : toFormats(data, job);
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
          Screenshot ({FILE_TYPES[formats.screenshotType].label})
        </a>
      ) : null}
      {formats.hasPdf ? (
        <a href={`${path}/pdf`} download>
          PDF
        </a>
      ) : null}
      {tables.slice(0, MAX_TABLE_LINKS).map(({ name }, index) => (
        <a href={`${path}/csv?table=${index}`} download>
          {name} (CSV)
        </a>
      ))}
      {tables.length > 1 || data === null ? (
        <a href={`${path}/csv?table=${ALL_TABLES}`} download>
          All tables (CSV)
        </a>
      ) : null}
    </p>
  );
}

interface Formats {
  hasMarkdown: boolean;
  hasScreenshot: boolean;
  screenshotType: ScreenshotType;
  hasPdf: boolean;
}

function toFormats({ markdown, screenshot_url, pdf_url }: Record<string, unknown>, job: Job): Formats {
  return {
    ...readFormats(job),
    hasMarkdown: typeof markdown === "string",
    hasScreenshot: typeof screenshot_url === "string",
    hasPdf: typeof pdf_url === "string",
  };
}

/**
 * Reads the formats from the request, because the result may be too large to read, and doesn't name the file format.
 */
function readFormats({ endpoint, request }: Job): Formats {
  const body =
    endpoint === "scrape" && request !== null ? ScrapeRequest.safeParse(JSON.parse(request)).data : undefined;
  const formats = body?.formats ?? [];
  return {
    hasMarkdown: formats.includes("markdown"),
    hasScreenshot: formats.includes("screenshot"),
    screenshotType: body?.screenshot?.format ?? "png",
    hasPdf: formats.includes("pdf"),
  };
}
