/** A promise that wasn't kept. */
export interface Violation {
  rule: string;
  /** The job, or whatever else it is about. */
  subject: string;
  detail: string;
}

export function broken(rule: string, subject: string, detail: string): Violation {
  return { rule, subject, detail };
}
