/** One statement that wrote, once it was done. */
export interface Written {
  table: string;
  /** Its first parameter: of jobs and deliveries, which row. */
  id: string;
  /** Unix ms. */
  at: number;
  /** What this machine took beside the time that is assumed: for its timer, and for the call itself. */
  ownMs: number;
}
