import type { Job } from "../../model/job";
import { MAX_PREVIEW_CHARS } from "../../model/limits";
import { openRequest } from "../../store/objects";
import { readMembers } from "./read-members";

/** Of a member of the request, such as the page that was sent along. */
const MAX_MEMBER_CHARS = 20_000;
const MAX_HTML_CHARS = 2_000;

/** What was asked, as far as it is shown. */
export interface Input {
  request: Record<string, unknown>;
  /** Names of members that go on. */
  cut: string[];
}

/** Null when it isn't kept any more. */
export async function readInput(env: Env, job: Job): Promise<Input | null> {
  const source = job.request ?? (await openRequest(env.STORE, job.id))?.body;
  if (source === undefined) return null;
  const room = (name: string, used: number) =>
    Math.min(name === "html" ? MAX_HTML_CHARS : MAX_MEMBER_CHARS, Math.max(0, MAX_PREVIEW_CHARS - used));
  const members = await readMembers(source, { room });
  return {
    request: Object.fromEntries(members.map(({ name, value }) => [name, value])),
    cut: members.filter(({ isCut }) => isCut).map(({ name }) => name),
  };
}
