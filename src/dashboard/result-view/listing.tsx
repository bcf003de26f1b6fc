import { isObject } from "../../json-schema/keywords";
import type { JobExtras } from "../../model/job";
import { ExternalLink } from "../ui/components";
import { toDuration } from "../ui/format";

/** Search results as a searcher would see them. */
export function Listing({ data, extras }: { data: Record<string, unknown>; extras: JobExtras }) {
  const organic = Array.isArray(data.organic) ? data.organic.filter(isObject) : [];
  return (
    <>
      <p class="muted small">{toSummary(data, extras, organic.length)}</p>
      <ol class="serp">
        {organic.map(({ position, title, url, snippet, description }) => (
          <li>
            <span class="position">{String(position)}</span>
            <div dir="auto">
              <p class="serp-address" dir="ltr">
                {String(url)}
              </p>
              <h3>
                <ExternalLink href={String(url)}>{String(title) || String(url)}</ExternalLink>
              </h3>
              <p>{String(snippet || description || "")}</p>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

function toSummary(data: Record<string, unknown>, extras: JobExtras, shown: number): string {
  const { total_results: total, search_time_ms: time } = data;
  const words = [shown === 1 ? "1 result" : `${shown.toLocaleString("en")} results`];
  if (typeof total === "number") {
    words.push(
      extras.total_results_known === false
        ? "the engine doesn't say how many there are"
        : `of about ${total.toLocaleString("en")}`,
    );
  }
  if (typeof time === "number") words.push(`in ${toDuration(time)}`);
  return `${words.join(", ")}.`;
}
