import { type ScrapeFormat, ScrapeRequest } from "../../contract/scrape";
import { fieldOf } from "../../endpoints/scrape/formats";
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
  const formats = readFormats(job, data);
  const files: (readonly [path: string, label: string] | null)[] = [
    ["", "JSON"],
    formats.hasMarkdown ? ["/markdown", "Markdown"] : null,
    formats.hasScreenshot ? ["/screenshot", `Screenshot (${FILE_TYPES[formats.screenshotType].label})`] : null,
    formats.hasPdf ? ["/pdf", "PDF"] : null,
    ...tables.slice(0, MAX_TABLE_LINKS).map(({ name }, index) => [`/csv?table=${index}`, `${name} (CSV)`] as const),
    tables.length > 1 || data === null ? [`/csv?table=${ALL_TABLES}`, "All tables (CSV)"] : null,
  ];
  return (
    <p class="row small downloads">
      <span class="muted">Download</span>
      {files.map((file) =>
        file === null ? null : (
          <a href={`/dashboard/jobs/${job.id}/result${file[0]}`} download>
            {file[1]}
          </a>
        ),
      )}
    </p>
  );
}

interface Formats {
  hasMarkdown: boolean;
  hasScreenshot: boolean;
  screenshotType: ScreenshotType;
  hasPdf: boolean;
}

/**
 * Reads the formats from the result, or from the request if the result is too large to be read. Only the request has
 * the file format of the screenshot.
 */
function readFormats({ endpoint, request }: Job, data: Record<string, unknown> | null): Formats {
  const body =
    endpoint === "scrape" && request !== null ? ScrapeRequest.safeParse(JSON.parse(request)).data : undefined;
  const has = (format: ScrapeFormat) =>
    data === null ? (body?.formats.includes(format) ?? false) : typeof data[fieldOf(format)] === "string";
  return {
    hasMarkdown: has("markdown"),
    hasScreenshot: has("screenshot"),
    screenshotType: body?.screenshot?.format ?? "png",
    hasPdf: has("pdf"),
  };
}
