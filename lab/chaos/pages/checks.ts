// The checks that apply to every crawl and batch.
import type { Post } from "../../../test/support/receiver.ts";
import { checkCredits, checkUsage, type ShownCredits } from "../money.ts";
import type { JobRow, State } from "../state.ts";
import { broken, type Violation } from "../violation.ts";
import type { ShownBatch, ShownPage } from "./api.ts";
import type { Scenario } from "./scenarios.ts";

export interface Evidence {
  scenario: Scenario;
  id: string;
  /** The crawl or batch after it has ended. */
  final: ShownBatch;
  canceled: ShownBatch | null;
  pages: ShownPage[];
  /** The stored state after the service was stopped. */
  state: State;
  /** The balance that the API returned after the end. */
  shown: ShownCredits;
  /** The events that the webhook receiver got. */
  posts: Post[];
}

const IDLE = "no work is unfinished";

/** Checks the counts, the credits, the event and the stored rows. */
export function findViolations(evidence: Evidence): Violation[] {
  const { state, shown, id, pages } = evidence;
  const jobs = state.jobs.filter(({ batch_id }) => batch_id === id);
  return [
    ...state.damage.map((detail) => broken("the databases are intact", "SQLite", detail)),
    ...checkCounts(evidence),
    ...checkPages(evidence, jobs),
    ...checkMoney(evidence, jobs),
    ...checkCredits(state, shown, new Set(pages.filter(isRepeated).map(({ job_id }) => job_id ?? ""))),
    ...checkUsage(state),
    ...checkEvent(evidence),
    ...state.jobs.flatMap(checkIdle),
    ...(state.outbox === 0 ? [] : [broken(IDLE, "outbox", `${state.outbox} entries remain in the outbox.`)]),
  ];
}

/** Returns true for a page that redirects to an earlier page. It has no data and is free. */
function isRepeated({ meta, result }: ShownPage): boolean {
  return meta?.duplicate_of !== undefined && JSON.stringify(result) === "{}";
}

function checkCounts({ final, canceled, pages, scenario, id }: Evidence): Violation[] {
  const { total, pending, running, completed, failed, by_code: byCode } = final.counts;
  const found: Violation[] = [];
  const expected = scenario.cancelAfter === null ? "completed" : "failed";
  if (final.status !== expected) {
    found.push(broken("the status is correct", id, `${final.status}, ${final.error?.code ?? "no error"}`));
  }
  const sum = Object.values(byCode).reduce((all, count) => all + count, 0);
  if (pending + running !== 0 || completed + failed !== total || sum !== total || (byCode.ok ?? 0) > completed) {
    found.push(broken("the counts add up", id, JSON.stringify(final.counts)));
  }
  if (canceled !== null && JSON.stringify(canceled.counts) !== JSON.stringify(final.counts)) {
    found.push(broken("a cancellation is final", id, JSON.stringify([canceled.counts, final.counts])));
  }
  const shown = pages.map(({ status, error }) => (status === "completed" ? "completed" : (error?.code ?? status)));
  const codes = Object.entries(byCode).filter(([code]) => shown.includes(code));
  for (const [code, count] of codes) {
    const listed = shown.filter((one) => one === code).length;
    if (listed !== count)
      found.push(broken("the counts match the pages", code, `${listed} pages, but ${count} counted`));
  }
  if (shown.filter((one) => one === "completed").length !== completed || pages.length !== total) {
    found.push(broken("the counts match the pages", id, `${pages.length} pages, ${JSON.stringify(final.counts)}`));
  }
  return found;
}

/** Checks that each page is listed once, with its own job, and that each result can be read. */
function checkPages({ pages, scenario }: Evidence, jobs: JobRow[]): Violation[] {
  const found: Violation[] = [];
  for (const [i, page] of pages.entries()) {
    const { number, url, job_id, status, result, result_truncated } = page;
    if (number !== i + 1) found.push(broken("the numbers are consecutive", url, `${number} at position ${i + 1}`));
    const job = jobs.find(({ id }) => id === job_id);
    if (job_id !== null && (job?.page !== number || job.status !== status)) {
      found.push(broken("a page has one job", url, `${job_id}: ${job?.status ?? "no row"}`));
    }
    if (
      status === "completed" &&
      result_truncated !== true &&
      typeof result?.markdown !== "string" &&
      !isRepeated(page)
    ) {
      found.push(broken("a completed page has a result", url, JSON.stringify(result ?? null)));
    }
    const expected = scenario.urls[i];
    if (expected !== undefined && expected !== url) found.push(broken("a batch keeps its order", expected, url));
  }
  const urls = new Set(pages.map(({ url }) => url));
  if (urls.size !== pages.length) {
    found.push(broken("a URL occurs once", "the pages", `${urls.size} URLs for ${pages.length} pages`));
  }
  const started = pages.filter(({ job_id }) => job_id !== null).length;
  if (jobs.length !== started) {
    found.push(broken("a page has one job", "the pages", `${jobs.length} jobs for ${started} pages`));
  }
  return found;
}

/** Checks that the reserved credits of each page were charged or released. */
function checkMoney({ final, pages, id }: Evidence, jobs: JobRow[]): Violation[] {
  const { reserved, used, given_back: givenBack } = final.credits;
  const planned = jobs.reduce((sum, { credits }) => sum + credits, 0);
  const charged = jobs.reduce((sum, { credits_used }) => sum + credits_used, 0);
  const shown = pages.reduce((sum, { meta }) => sum + (meta?.credits_used ?? 0), 0);
  const isRight = reserved === 0 && used === charged && used === shown && used + givenBack === planned;
  const detail = `${JSON.stringify(final.credits)}, planned ${planned}, charged ${charged}, shown ${shown}`;
  return isRight ? [] : [broken("the credits of the pages add up", id, detail)];
}

/** Checks that exactly one event reported the end, with the final counts. */
function checkEvent({ posts, state, scenario, final, id }: Evidence): Violation[] {
  const found: Violation[] = [];
  const rows = state.deliveries.filter(({ event }) => event === scenario.event);
  if (rows.length !== 1 || rows[0]?.status !== "succeeded") {
    found.push(broken("the end causes one delivery", id, JSON.stringify(rows)));
  }
  if (posts.length === 0)
    found.push(broken("the receiver gets the event about the end", id, "The receiver got no event."));
  for (const { headers, body } of posts) {
    const event = JSON.parse(Buffer.from(body, "base64").toString("utf8"));
    const isSame =
      event.event === scenario.event &&
      event[`${scenario.path}_id`] === id &&
      JSON.stringify([event.status, event.counts]) === JSON.stringify([final.status, final.counts]);
    if (headers["x-webhook-id"] !== rows[0]?.id)
      found.push(broken("the end causes one event", id, JSON.stringify(headers)));
    if (!isSame) found.push(broken("the event has the final counts", id, JSON.stringify(event)));
  }
  return found;
}

function checkIdle({ id, status, waits, due_at, lease_until }: JobRow): Violation[] {
  const hasEnded = status === "completed" || status === "failed";
  if (hasEnded && waits === 0 && due_at === null && lease_until === null) return [];
  return [broken(IDLE, id, `${status}, waits ${waits}, due_at ${due_at}, lease_until ${lease_until}`)];
}
