import type { Job } from "../../model/job";
import { MAX_PREVIEW_CHARS } from "../../model/limits";
import { openResult } from "../../store/objects";
import type { Input } from "./input";
import type { Member } from "./members";
import { readMembers } from "./read-members";

/** The ways to look at a result, by what they show. */
export const VIEWS = {
  markdown: { label: "Markdown", member: "markdown" },
  source: { label: "Markdown source", member: "markdown" },
  text: { label: "Text", member: "text" },
  html: { label: "HTML", member: "html" },
  screenshot: { label: "Screenshot", member: "screenshot_url" },
  metadata: { label: "Metadata", member: "metadata" },
  links: { label: "Links", member: "links" },
  data: { label: "Data", member: null },
  results: { label: "Results", member: null },
  json: { label: "JSON", member: null },
} as const satisfies Record<string, { label: string; member: string | null }>;
export type View = keyof typeof VIEWS;

export interface Preview {
  /** Those that this result has, the first one shown at first. */
  views: View[];
  view: View;
  /** What the view is made of. */
  members: Member[];
  /** It goes on after what was read. */
  isCut: boolean;
}

/**
 * The part of a result that the view is made of: a large result isn't read further, and never held. Null when the result
 * isn't kept any more.
 */
export async function readPreview(
  env: Env,
  job: Job,
  { input, view: asked }: { input: Input | null; view: string | undefined },
): Promise<Preview | null> {
  const source = job.resultStored ? (await openResult(env.STORE, job.id, job.run))?.body : job.result;
  if (source === null || source === undefined) return null;
  const views = toViews(job, input);
  const view = views.find((name) => name === asked) ?? views[0] ?? "json";
  const { member: wanted } = VIEWS[view];
  if (wanted === null) {
    const room = (_: string, used: number) => Math.max(0, MAX_PREVIEW_CHARS - used);
    const isEnough = (members: readonly Member[]) => members.some(({ isCut }) => isCut);
    const read = await readMembers(source, { room, isEnough });
    const members = read.filter(({ value }) => value !== undefined);
    return { views, view, members, isCut: isEnough(read) };
  }
  const found = (members: readonly Member[]) => members.filter(({ name }) => name === wanted);
  const read = await readMembers(source, {
    room: (name) => (name === wanted ? MAX_PREVIEW_CHARS : 0),
    isEnough: (members) => found(members).length > 0,
  });
  const members = found(read);
  return { views, view, members, isCut: members.some(({ isCut }) => isCut) };
}

function toViews(job: Job, input: Input | null): View[] {
  if (job.endpoint === "parse") return ["data", "json"];
  if (job.endpoint === "serp") return ["results", "json"];
  const formats = input?.request.formats;
  if (!Array.isArray(formats)) return ["json"];
  const names = Object.keys(VIEWS) as View[];
  return names.filter((name) => formats.includes(name === "source" ? "markdown" : name));
}
