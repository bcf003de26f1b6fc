import { type ScrapeFormat, ScrapeRequest } from "../../contract/scrape";
import { fieldOf } from "../../endpoints/scrape/formats";
import type { Job } from "../../model/job";
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
export function Downloads(props: DownloadsProps) {
  const { job, data, tables } = props;
  const files: (readonly [path: string, label: string] | null)[] = [
    ["", "JSON"],
    hasFormat(props, "markdown") ? ["/markdown", "Markdown"] : null,
    hasFormat(props, "screenshot") ? ["/screenshot", "Screenshot"] : null,
    hasFormat(props, "pdf") ? ["/pdf", "PDF"] : null,
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

/** Returns true if the result has the format. If the result is too large to be read, the request says so. */
function hasFormat({ job: { endpoint, request }, data }: DownloadsProps, format: ScrapeFormat): boolean {
  if (data !== null) return typeof data[fieldOf(format)] === "string";
  if (endpoint !== "scrape" || request === null) return false;
  return ScrapeRequest.safeParse(JSON.parse(request)).data?.formats.includes(format) ?? false;
}
