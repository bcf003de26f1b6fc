/** A statement as it goes to D1. */
export interface Asked {
  sql: string;
  values: unknown[];
}

/** One that was made, with what it cost. */
export interface Statement extends Asked {
  /** Who asked: the Worker's handler, or the class of a Durable Object. */
  by: string;
  rowsRead: number;
  rowsWritten: number;
}
