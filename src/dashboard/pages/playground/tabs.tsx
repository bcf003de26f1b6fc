import { Endpoint } from "../../../contract/common";
import { ENDPOINTS } from "../../../endpoints/endpoints";

/** The links to the forms of the playground. */
export function PlaygroundTabs({ current }: { current: Endpoint | "batch" | "crawl" }) {
  return (
    <nav class="tabs" aria-label="Endpoints">
      {Endpoint.options.map((id) => (
        <a href={`/dashboard/playground?endpoint=${id}`} aria-current={id === current ? "page" : undefined}>
          {ENDPOINTS[id].label}
        </a>
      ))}
      <a href="/dashboard/playground/batch" aria-current={current === "batch" ? "page" : undefined}>
        Batch
      </a>
      <a href="/dashboard/playground/crawl" aria-current={current === "crawl" ? "page" : undefined}>
        Crawl
      </a>
    </nav>
  );
}
