/** One statement that wrote, once it was done. */
export interface Written {
  table: string;
  /** Its first parameter: of jobs and deliveries, which row. */
  id: string;
  /** Unix ms. */
  at: number;
}
