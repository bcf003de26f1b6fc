import type { Asked } from "./statement";

/** What happens in place of a call to D1, a batch being one; `make` makes it. */
export type Around = (asked: Asked[], make: () => Promise<D1Result[]>) => Promise<D1Result[]>;

class AroundStatement {
  readonly raw: D1PreparedStatement;
  readonly asked: Asked;
  readonly #around: Around;

  constructor(raw: D1PreparedStatement, asked: Asked, around: Around) {
    this.raw = raw;
    this.asked = asked;
    this.#around = around;
  }

  bind(...values: unknown[]): AroundStatement {
    return new AroundStatement(this.raw.bind(...values), { sql: this.asked.sql, values }, this.#around);
  }

  async all(): Promise<D1Result> {
    const [result] = await this.#around([this.asked], async () => [await this.raw.all()]);
    if (result === undefined) throw new Error("A statement has no result.");
    return result;
  }

  async run(): Promise<D1Result> {
    return await this.all();
  }

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all()).results as Record<string, unknown>[];
    if (row === undefined) return null;
    return column === undefined ? row : row[column];
  }
}

/** The database, with this around each call: as much of it as the product uses. */
export function aroundDatabase(db: D1Database | D1DatabaseSession, around: Around): D1Database {
  const surrounded = {
    withSession: (start?: string) => ("withSession" in db ? aroundDatabase(db.withSession(start), around) : surrounded),
    prepare: (sql: string) => new AroundStatement(db.prepare(sql), { sql, values: [] }, around),
    batch: (statements: AroundStatement[]) =>
      around(
        statements.map(({ asked }) => asked),
        () => db.batch(statements.map(({ raw }) => raw)),
      ),
  };
  return surrounded as unknown as D1Database;
}
