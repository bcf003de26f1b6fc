/** A log line of the service (src/lib/log.ts). */
interface LogLine {
  level: string;
  event: string;
  [field: string]: unknown;
}

/** The fields of a line that its short form doesn't print. */
const HIDDEN_FIELDS = new Set(["level", "event", "error", "stack", "account_id", "key_id", "user_id"]);
const MOST_CHARS = 400;

/** Converts the log lines of the service to the short lines that `npm start` prints. */
export class StartLog {
  readonly #verbose: boolean;
  #isReady = false;
  /** The ended jobs whose callers wait for the response, by id. */
  readonly #ended = new Map<string, LogLine>();
  /** The jobs whose requests were answered before they ended, by id. */
  readonly #running = new Set<string>();

  constructor({ verbose }: { verbose: boolean }) {
    this.#verbose = verbose;
  }

  /** Call this when the service is ready. From then on, requests and jobs are logged. */
  ready(): void {
    this.#isReady = true;
  }

  /** Call this before a restart of the service. It ends the browsers, which would be logged as warnings. */
  pause(): void {
    this.#isReady = false;
  }

  /**
   * Returns the text to print for a line, or null to print nothing. With `--verbose`, returns every line unchanged.
   * Otherwise, only errors are printed until the service is ready, because the service is called while it starts. The
   * runtime's reports about failed fetches and about routine work are never printed.
   */
  format(line: string): string | null {
    if (this.#verbose) return line;
    if (isRuntimeReport(line)) return null;
    const parsed = parse(line);
    if (parsed === null) return line;
    const { level, event } = parsed;
    if (level === "error" || (level === "warn" && this.#isReady)) return toProblem(parsed);
    if (!this.#isReady || event === "cron") return null;
    if (event === "request") return this.#toRequest(parsed);
    if (event === "job") return this.#toJob(parsed);
    if (event === "webhook") {
      const { status, status_code, duration_ms, attempt, host, reason } = parsed;
      return join("webhook", status, status_code, toMs(duration_ms), `attempt ${attempt}`, host, reason);
    }
    return `${event}${toFields(parsed)}`;
  }

  /** Formats a request. If the request's job has ended, the line includes the job's result. */
  #toRequest(line: LogLine): string {
    const { method, route, path, status, code, ms, mode, tool, batch_id, job_id } = line;
    const job = this.#ended.get(String(job_id));
    this.#ended.delete(String(job_id));
    const isRunning = status === 202 && job_id !== undefined && job === undefined;
    if (isRunning) this.#running.add(String(job_id));
    const end = job === undefined ? [code] : toResult(job);
    const ids = [batch_id !== undefined && `batch ${batch_id}`, isRunning && `job ${job_id}`];
    return join(method, path ?? route, tool, status, toMs(ms), mode === "test" && "test", ...end, ...ids);
  }

  /** Formats the end of a job. Returns null if the line of the caller's request will include it. */
  #toJob(job: LogLine): string | null {
    const id = String(job.job_id);
    const isAnswered = this.#running.delete(id);
    if (job.request_id !== undefined && !isAnswered) {
      this.#ended.set(id, job);
      return null;
    }
    return join("job", id, job.endpoint, job.status, toMs(job.processing_ms), ...toResult(job));
  }
}

/** Returns the credits and the result of a job, and the host of its target. */
function toResult({ credits, outcome, code, rendered, host }: LogLine): unknown[] {
  const price = `${credits} ${credits === 1 ? "credit" : "credits"}`;
  return [price, code, outcome !== "ok" && outcome, rendered === true && "rendered", host];
}

/** Formats a warning or an error: the event, the message of the error, and the other fields. */
function toProblem(line: LogLine): string {
  const message = typeof line.error === "string" ? `: ${line.error}` : "";
  return `${line.level} ${line.event}${message}${toFields(line)}`.slice(0, MOST_CHARS);
}

function toFields(line: LogLine): string {
  return Object.entries(line)
    .filter(([name, value]) => !HIDDEN_FIELDS.has(name) && value !== null)
    .map(([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("");
}

function toMs(value: unknown): string {
  return `${value} ms`;
}

function join(...parts: unknown[]): string {
  return parts.filter((part) => part !== undefined && part !== null && part !== false && part !== "").join(" ");
}

/** Returns true for the runtime's report of a failed fetch. The service itself logs failures that matter. */
function isRuntimeReport(line: string): boolean {
  return /^(?:Socket proxy disconnected abruptly; )?e = /.test(line) && line.includes("wdErrId");
}

/** Returns null if the text isn't a log line of the service. */
function parse(line: string): LogLine | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("level" in value) || !("event" in value)) return null;
    return { ...value, level: String(value.level), event: String(value.event) };
  } catch {
    return null;
  }
}
