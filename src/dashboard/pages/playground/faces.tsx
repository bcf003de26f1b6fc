import type { Child } from "hono/jsx";
import type { z } from "zod";
import { ScrapeData } from "../../../contract/scrape";
import { SerpData } from "../../../contract/serp";
import type { Endpoint } from "../../../model/endpoint";
import { CodeBlock } from "../../ui/components";

/** A way to look at a result. */
interface Face {
  id: string;
  label: string;
  content: Child;
}

const TEXTS = [
  ["markdown", "Markdown"],
  ["text", "Text"],
  ["html", "HTML"],
] as const;

/** The ways to look at a result that its JSON isn't. What a page says is shown as text, never as markup. */
export function toFaces(endpoint: Endpoint, result: Record<string, unknown> | null): Face[] {
  if (result === null) return [];
  // A result of an older form has no face but its JSON.
  const scraped = endpoint === "scrape" ? ScrapeData.safeParse(result).data : undefined;
  if (scraped !== undefined) return toScrapeFaces(scraped);
  const found = endpoint === "serp" ? SerpData.safeParse(result).data : undefined;
  if (found !== undefined) return toSerpFaces(found);
  if (endpoint !== "parse") return [];
  return [{ id: "data", label: "Data", content: <Text id="data">{JSON.stringify(result, null, 2)}</Text> }];
}

function toScrapeFaces(data: z.infer<typeof ScrapeData>): Face[] {
  const texts = TEXTS.flatMap(([id, label]) => {
    const text = data[id];
    return text === undefined ? [] : [{ id, label, content: <Text id={id}>{text}</Text> }];
  });
  const address = toOwnAddress(data.screenshot_url);
  if (address === null) return texts;
  const picture = (
    <a class="shot" href={address}>
      <img src={address} alt="The page as the browser showed it" loading="lazy" />
    </a>
  );
  return [...texts, { id: "screenshot", label: "Screenshot", content: picture }];
}

function toSerpFaces({ organic }: z.infer<typeof SerpData>): Face[] {
  const list =
    organic.length === 0 ? (
      <p class="muted">The engine found nothing.</p>
    ) : (
      <ol class="found">
        {organic.map(({ title, url, snippet, position }) => (
          <li value={position}>
            <Outward url={url}>{title}</Outward>
            <p class="small muted">{url}</p>
            <p class="small">{snippet}</p>
          </li>
        ))}
      </ol>
    );
  return [{ id: "results", label: "Results", content: list }];
}

function Text({ id, children }: { id: string; children: string }) {
  if (children === "") return <p class="muted">Empty.</p>;
  return (
    <div class="wrap">
      <CodeBlock id={`answer-${id}`} label={`The result: ${id}`}>
        {children}
      </CodeBlock>
    </div>
  );
}

/** Engines give addresses of all sorts: only those of pages are links. */
function Outward({ url, children }: { url: string; children: string }) {
  if (!/^https?:\/\//i.test(url)) return <span>{children}</span>;
  return (
    <a href={url} rel="noopener noreferrer nofollow" target="_blank">
      {children}
    </a>
  );
}

/** Our own signed address of a screenshot, whatever host it was made under: pictures from elsewhere are refused anyway. */
function toOwnAddress(address: string | undefined): string | null {
  const url = address === undefined ? null : URL.parse(address);
  return url?.pathname.startsWith("/screenshots/") ? `${url.pathname}${url.search}` : null;
}
