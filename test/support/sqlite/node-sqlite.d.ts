/** The part of Node's `node:sqlite` that node-storage.ts uses. The types of the Workers runtime don't have it. */
declare module "node:sqlite" {
  export type SQLInputValue = null | number | bigint | string | Uint8Array;
  export type SQLOutputValue = null | number | bigint | string | Uint8Array;
  export class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): { all(...values: SQLInputValue[]): Record<string, SQLOutputValue>[] };
  }
}
