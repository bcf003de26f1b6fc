/** Decides which log lines of the service `npm start` prints. */
export class StartLog {
  readonly #verbose: boolean;
  #isReady = false;

  constructor({ verbose }: { verbose: boolean }) {
    this.#verbose = verbose;
  }

  /** Call this when the service is ready. From then on, requests and jobs are logged. */
  ready(): void {
    this.#isReady = true;
  }

  /**
   * Returns true if the line is printed. Without `--verbose`, only errors are printed until the service is ready,
   * because the service is called while it starts. The runtime's reports about failed fetches and about routine work
   * are never printed.
   */
  isPrinted(line: string): boolean {
    if (this.#verbose) return true;
    if (isRuntimeReport(line)) return false;
    const { level, event } = parse(line);
    if (!this.#isReady) return level === undefined || level === "error";
    return level !== "info" || event !== "cron";
  }
}

/** Returns true for the runtime's report of a failed fetch. The service itself logs failures that matter. */
function isRuntimeReport(line: string): boolean {
  return /^(?:Socket proxy disconnected abruptly; )?e = /.test(line) && line.includes("wdErrId");
}

function parse(line: string): { level?: string; event?: string } {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
