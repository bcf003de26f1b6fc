import { Hono } from "hono";
import type { Child } from "hono/jsx";
import { callAccount } from "../../../account/client";
import type { JobLine } from "../../../account/jobs/job-lines";
import { readRequest, readSmallResult } from "../../../jobs/read-job";
import { isObject } from "../../../json-schema/keywords";
import { toCount } from "../../../lib/count";
import type { Job } from "../../../model/job";
import { MAX_FILTER_CHARS, MAX_PREVIEW_BYTES } from "../../../model/limits";
import { Card, CodeBlock, EmptyState, LinkButton, SubmitButton, Time } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { SelectField } from "../../ui/form";
import { shortenTarget, toProcessingTime, toSize } from "../../ui/format";
import { JobStatus, LatestJob } from "../../ui/job-parts";
import { Table } from "../../ui/table";
import { compareFields, compareTexts, type Piece, type Section } from "./compare-texts";
import { expectJob } from "./find-job";
import { toJobsHref } from "./job-filter";

const LISTED_RUNS = 25;
const MAX_CHANGES_SHOWN = 200;
const MAX_VALUE_CHARS = 300;

/** The formats of a result that are compared as texts, with their labels. */
const TEXTS: Record<string, string> = {
  markdown: "Markdown",
  text: "Text",
  clean_html: "Clean HTML",
  html: "HTML",
  raw_html: "Raw HTML",
  summary: "Summary",
  links: "Links",
  urls: "URLs",
};
/** The signed URLs of files. They differ in each run. */
const FILES = ["screenshot_url", "pdf_url"];

/** One of the two compared runs. */
interface Run {
  job: Job;
  /** Null if the request has expired. */
  request: Record<string, unknown> | null;
  /** The result, or the reason why it can't be compared. */
  result: Record<string, unknown> | string;
}

export const comparisons = new Hono<DashboardEnv>();

comparisons.get("/jobs/compare", async (c) => {
  const { a = "", b, a_format: formatA, b_format: formatB } = c.req.query();
  const first = await readRun(c.env, await expectJob(c, a));
  const target = first.request?.url ?? first.request?.query;
  const head = {
    title: "Compare runs",
    lead: typeof target === "string" ? shortenTarget(target) : undefined,
    actions: <LinkButton href={`/dashboard/jobs/${a}`} label="Show job" />,
    section: "jobs",
  } as const;
  if (b === undefined) {
    const { account, mode } = c.var;
    if (typeof target !== "string") return c.render(<NoRuns />, head);
    const filter = { mode, endpoint: first.job.endpoint, text: target.slice(0, MAX_FILTER_CHARS), offset: 0 };
    const page = await callAccount(c.env, account, (stub) =>
      stub.listLines({ ...filter, includesPages: true, isCounted: false, limit: 4 * LISTED_RUNS }),
    );
    const runs = page.items.filter(({ id, subject }) => id !== a && subject === target);
    return c.render(<RunList first={first.job} target={target} runs={runs.slice(0, LISTED_RUNS)} />, head);
  }
  const second = a === b ? first : await readRun(c.env, await expectJob(c, b));
  return c.render(<Comparison runs={[first, second]} formats={[formatA, formatB]} />, head);
});

async function readRun(env: Env, job: Job): Promise<Run> {
  const request = await readRequest(env, job);
  if (job.status !== "completed") return { job, request, result: "has no result, because it hasn't completed" };
  if (job.isTemporary) return { job, request, result: "has no stored result, because its request has store: false" };
  const result = await readSmallResult(env, job, MAX_PREVIEW_BYTES);
  if (result === null) return { job, request, result: "has no result, because it has expired" };
  if (result === "too large")
    return { job, request, result: `has a result of more than ${toSize(MAX_PREVIEW_BYTES)}, which is too large` };
  return { job, request, result };
}

function NoRuns() {
  return <EmptyState title="No other runs" text="The job has no URL or query, or its request has expired." />;
}

function toFormatsHref({ id }: Job): string {
  return `/dashboard/jobs/compare?${new URLSearchParams({ a: id, b: id })}`;
}

/** The other runs of the same URL or query, newest first. The older one of two runs is shown on the left. */
function RunList({ first, target, runs }: { first: Job; target: string; runs: JobLine[] }) {
  if (runs.length === 0) {
    return (
      <EmptyState
        title="No other runs"
        text="There is no other recent job for this URL or query. Run it again to compare the results."
        link={[`/dashboard/playground?from=${first.id}`, "Run again"]}
      >
        <a href={toFormatsHref(first)}>Compare two formats of this run</a>
      </EmptyState>
    );
  }
  return (
    <Card
      title="Other runs, newest first"
      actions={<a href={toJobsHref({ q: target.slice(0, MAX_FILTER_CHARS) })}>Search all jobs</a>}
    >
      <p>
        Choose a run, or <a href={toFormatsHref(first)}>compare two formats of this run</a>.
      </p>
      <ul class="latest">
        {runs.map((job) => {
          const [a, b] = job.createdAt < first.createdAt ? [job.id, first.id] : [first.id, job.id];
          return <LatestJob job={job} href={`/dashboard/jobs/compare?${new URLSearchParams({ a, b })}`} />;
        })}
      </ul>
    </Card>
  );
}

function Comparison({ runs, formats }: { runs: [Run, Run]; formats: [string | undefined, string | undefined] }) {
  const [first, second] = runs;
  const missing = [...new Set(runs)].filter(({ result }) => typeof result === "string");
  const texts = runs.map(({ result }) => toTexts(result)) as [Record<string, string>, Record<string, string>];
  const shared = Object.keys(texts[0]).find((name) => name in texts[1]);
  const [a, b] = texts.map((own, side) => {
    const wanted = formats[side];
    return wanted !== undefined && Object.hasOwn(own, wanted) ? wanted : (shared ?? Object.keys(own)[0]);
  });
  return (
    <>
      <Card>
        <Table
          caption="The compared runs"
          rows={[...new Set(runs)]}
          columns={[
            {
              label: "Run",
              cell: (run) => (
                <a href={`/dashboard/jobs/${run.job.id}`}>
                  {first === second ? "A and B" : run === first ? "A" : "B"}: {run.job.endpoint}
                </a>
              ),
            },
            { label: "Created", cell: ({ job }) => <Time at={job.createdAt} /> },
            {
              label: "Status",
              cell: ({ job }) => (
                <JobStatus status={job.status} outcome={job.outcome} errorCode={job.error?.code ?? null} />
              ),
            },
            { label: "Duration", cell: ({ job }) => toProcessingTime(job.processingTimeMs) },
            { label: "Credits", cell: ({ job }) => job.creditsUsed },
          ]}
        />
        <FormatForm runs={runs} texts={texts} chosen={[a, b]} />
      </Card>
      {first === second ? null : (
        <FieldsCard title="Request" before={first.request ?? {}} after={second.request ?? {}} />
      )}
      {missing.map((run) => (
        <p class="notice warn">
          Run {run === first ? "A" : "B"} {String(run.result)}.
        </p>
      ))}
      {a === undefined || b === undefined ? null : (
        <TextCard title={a === b ? (TEXTS[a] ?? a) : `${TEXTS[a]} and ${TEXTS[b]}`} {...toPair(texts, a, b)} />
      )}
      {first === second || missing.length > 0 ? null : (
        <FieldsCard title="Metadata and data" before={toFields(first.result)} after={toFields(second.result)} />
      )}
    </>
  );
}

function toPair([before, after]: [Record<string, string>, Record<string, string>], a: string, b: string) {
  return { before: before[a] ?? "", after: after[b] ?? "" };
}

interface FormatFormProps {
  runs: [Run, Run];
  texts: [Record<string, string>, Record<string, string>];
  chosen: (string | undefined)[];
}

/** The choice of the compared formats. Empty if there is no choice. */
function FormatForm({ runs: [first, second], texts: [before, after], chosen: [a, b] }: FormatFormProps) {
  if (Math.max(Object.keys(before).length, Object.keys(after).length) < 2) return null;
  const options = (texts: object) => Object.keys(texts).map((name): [string, string] => [name, TEXTS[name] ?? name]);
  return (
    <form method="get" action="/dashboard/jobs/compare" class="range" aria-label="Choose formats">
      <input type="hidden" name="a" value={first.job.id} />
      <input type="hidden" name="b" value={second.job.id} />
      <SelectField name="a_format" label="Format of A" options={options(before)} value={a} />
      <SelectField name="b_format" label="Format of B" options={options(after)} value={b} />
      <SubmitButton tone="plain" label="Compare" />
    </form>
  );
}

/** Returns the formats of a scrape or map that are texts. A list of links has a block for each URL. */
function toTexts(result: Run["result"]): Record<string, string> {
  if (typeof result === "string") return {};
  const entries = Object.keys(TEXTS).flatMap((name): [string, string][] => {
    const value = result[name];
    if (typeof value === "string") return [[name, value]];
    if (!Array.isArray(value)) return [];
    return [[name, value.map((link) => (isObject(link) ? String(link.url) : String(link))).join("\n\n")]];
  });
  return Object.fromEntries(entries);
}

/** Returns the fields of a result that aren't compared as texts. */
function toFields(result: Run["result"]): object {
  const texts = toTexts(result);
  return Object.fromEntries(
    Object.entries(result).filter(([name]) => !Object.hasOwn(texts, name) && !FILES.includes(name)),
  );
}

interface TextCardProps {
  title: string;
  before: string;
  after: string;
}

function TextCard({ title, before, after }: TextCardProps) {
  const comparison = compareTexts(before, after);
  if (comparison === null) {
    return (
      <Card title={title}>
        <p class="notice">The texts are too different to mark the differences.</p>
        <div class="compared">
          <CodeBlock id="text-a" label="Run A" wrap>
            {before}
          </CodeBlock>
          <CodeBlock id="text-b" label="Run B" wrap>
            {after}
          </CodeBlock>
        </div>
      </Card>
    );
  }
  const { sections, words, isComplete } = comparison;
  const isSame = words.added + words.removed === 0 && sections.every((section) => "same" in section);
  const count = (number: number) => number.toLocaleString("en");
  return (
    <Card title={title}>
      <p>
        {isSame
          ? `${before === after ? "Both texts are the same" : "Only blank lines differ"}: ${toCount(words.same, "word")}.`
          : isComplete
            ? `${toCount(words.added, "word")} added, ${count(words.removed)} removed, ${count(words.same)} unchanged.`
            : "Some parts are too different to mark and count single words."}
      </p>
      {isSame ? null : (
        <div class="compared" aria-hidden="true">
          <strong>A</strong>
          <strong>B</strong>
        </div>
      )}
      {sections.map((section, index) => (
        <SectionRow section={section} isFirst={index === 0} isLast={index === sections.length - 1} />
      ))}
    </Card>
  );
}

/** Blocks that both texts have, or a changed part in two columns. Only the blocks next to a change are open. */
function SectionRow({ section, isFirst, isLast }: { section: Section; isFirst: boolean; isLast: boolean }) {
  if (!("same" in section)) {
    return (
      <div class="compared">
        <Pieces label="A" pieces={section.before} />
        <Pieces label="B" pieces={section.after} />
      </div>
    );
  }
  const { same } = section;
  const start = isFirst ? 0 : 1;
  const end = Math.max(start, same.length - (isLast ? 0 : 1));
  const hidden = same.slice(start, end);
  return (
    <>
      {start === 0 ? null : <p class="compared-text">{same[0]}</p>}
      {hidden.length === 0 ? null : (
        <details>
          <summary class="muted small">{toCount(hidden.length, "unchanged block")}</summary>
          <p class="compared-text">{hidden.join("\n\n")}</p>
        </details>
      )}
      {end < same.length ? <p class="compared-text">{same.at(-1)}</p> : null}
    </>
  );
}

function Pieces({ label, pieces }: { label: string; pieces: Piece[] }) {
  return (
    <p class="compared-text">
      <span class="visually-hidden">{label}: </span>
      {pieces.length === 0 ? <span class="muted">–</span> : pieces.map(toMarked)}
    </p>
  );
}

function toMarked({ kind, text }: Piece): Child {
  if (kind === "same") return text;
  const label = <span class="visually-hidden"> [{kind}] </span>;
  return kind === "removed" ? <del>{[label, text]}</del> : <ins>{[label, text]}</ins>;
}

function FieldsCard({ title, before, after }: { title: string; before: object; after: object }) {
  const { changed, same, isCut } = compareFields(before, after);
  if (changed.length + same === 0) return null;
  const toText = (value: string | null) =>
    value !== null && value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value;
  const toValue = (kind: "removed" | "added", value: string | null) =>
    value === null ? <span class="muted">none</span> : toMarked({ kind, text: toText(value) ?? "" });
  return (
    <Card title={title}>
      <p>
        {toCount(changed.length, "field")} changed, {same.toLocaleString("en")} unchanged.{" "}
        {changed.length > MAX_CHANGES_SHOWN ? `The first ${MAX_CHANGES_SHOWN} changes are shown.` : null}
        {isCut ? " Only the first 2,000 fields of each run were compared." : null}
      </p>
      <Table
        class="compared-fields"
        caption={title}
        rows={changed.slice(0, MAX_CHANGES_SHOWN)}
        columns={[
          { label: "Field", cell: ({ path }) => <code>{path}</code> },
          { label: "A", cell: (field) => toValue("removed", field.before) },
          { label: "B", cell: (field) => toValue("added", field.after) },
        ]}
      />
    </Card>
  );
}
