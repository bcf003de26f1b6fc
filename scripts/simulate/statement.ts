/** One statement of D1 as it was made, with what it cost. */
export interface Statement {
  /** Who asked: the Worker's handler, or the class of a Durable Object. */
  by: string;
  sql: string;
  values: unknown[];
  rowsRead: number;
  rowsWritten: number;
}
