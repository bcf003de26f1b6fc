/** A failed check. */
export interface Violation {
  rule: string;
  /** The id of the job, or the name of another subject. */
  subject: string;
  detail: string;
}

export function broken(rule: string, subject: string, detail: string): Violation {
  return { rule, subject, detail };
}
