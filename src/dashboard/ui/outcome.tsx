import { toCount } from "../../lib/count";
import type { Job } from "../../model/job";
import { OUTCOME_HELP, type OutcomeHelp } from "../../model/outcome-help";

/** The outcome of a completed job as a badge. Empty for an ordinary page. */
export function OutcomeBadge({ outcome }: { outcome: string | null }) {
  if (outcome === null || outcome === "ok") return null;
  return (
    <span class="status warn" title={helpOf(outcome)?.meaning}>
      {outcome}
    </span>
  );
}

/** The outcome of a job, with its price and advice. Empty for an ordinary page and for a job that hasn't completed. */
export function OutcomeNotice({ job }: { job: Job }) {
  const { outcome, extras } = job;
  if (outcome === null || outcome === "ok") return null;
  const help = helpOf(outcome);
  const reason = extras?.outcome_reason;
  return (
    <section class="notice warn failure" aria-labelledby="outcome-title">
      <h2 id="outcome-title">
        <code>{outcome}</code>
      </h2>
      <p>
        {help?.meaning} {toPrice(job)}
      </p>
      {typeof reason === "string" ? (
        <p>
          <strong>Evidence:</strong> {reason}
        </p>
      ) : null}
      {help?.advice == null ? null : (
        <p>
          <strong>What to do:</strong> {help.advice}
        </p>
      )}
    </section>
  );
}

function toPrice({ mode, creditsUsed }: Job): string {
  if (mode === "test") return "Test requests are free.";
  if (creditsUsed === 0) return "Nothing was charged.";
  return `${toCount(creditsUsed, "credit was charged", "credits were charged")}.`;
}

/** Returns the texts of an outcome, or undefined for an outcome that a later version of the service stored. */
export function helpOf(outcome: string): OutcomeHelp | undefined {
  return (OUTCOME_HELP as Record<string, OutcomeHelp | undefined>)[outcome];
}
