import { unstable_splitSqlQuery } from "wrangler";

/** A table, index or trigger, and its definition in a form that can be compared. */
export interface SchemaObject {
  type: string;
  name: string;
  definition: string;
}

/** Asked of a database, gives what `toObjects` takes. */
export const OBJECTS_QUERY = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL";

/** What a schema file creates. */
export function readObjects(sql: string): SchemaObject[] {
  return unstable_splitSqlQuery(sql).flatMap((statement) => {
    const definition = toDefinition(statement);
    const [, type, name] = /^CREATE (?:UNIQUE )?(TABLE|INDEX|TRIGGER) (\w+)/.exec(definition) ?? [];
    return type === undefined || name === undefined ? [] : [{ type: type.toLowerCase(), name, definition }];
  });
}

/** What a database has, as it tells it. */
export function toObjects(rows: { type: string; name: string; sql: string }[]): SchemaObject[] {
  return rows.map(({ type, name, sql }) => ({ type, name, definition: toDefinition(sql) }));
}

/** The names of what a database lacks, or has in another form than the schema says. */
export function toMissing(schema: SchemaObject[], found: SchemaObject[]): string[] {
  const definitions = new Map(found.map(({ name, definition }) => [name, definition]));
  return schema.filter(({ name, definition }) => definitions.get(name) !== definition).map(({ name }) => name);
}

/** SQLite keeps a statement as it was written, but for its beginning and its end. */
function toDefinition(sql: string): string {
  return sql
    .replace(/--[^\n]*/g, " ")
    .replace(/\s+/g, " ")
    .replace(/ IF NOT EXISTS /, " ")
    .replace(/[\s;]+$/, "")
    .trim();
}
