import { createHash, randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { type Account, ApiError, type Route } from "./account.ts";

/** The routes of D1. `origin` returns the URL of the API, which also takes the uploads. */
export function databaseRoutes({ databases }: Account, origin: () => string): Route[] {
  const uploads = new Map<string, string>();
  const database = (name = "") => {
    const found = databases.find((one) => one.name === name || one.uuid === name);
    if (found === undefined) throw new ApiError(404, 7404, `The database ${name} could not be found.`);
    return found;
  };
  const toDatabase = ({ uuid, name, body }: Account["databases"][number]) => {
    return { uuid, name, version: "production", jurisdiction: body.jurisdiction ?? null };
  };
  return [
    ["GET", /^\/d1\/database$/, () => databases.map(toDatabase)],
    [
      "POST",
      /^\/d1\/database$/,
      (_, { body }) => {
        const { name } = body;
        if (databases.some((one) => one.name === name)) throw new ApiError(400, 7502, "database exists");
        const created = { uuid: randomUUID(), name, body, sqlite: new DatabaseSync(":memory:") };
        databases.push(created);
        return { ...toDatabase(created), created_in_region: "WEUR" };
      },
    ],
    ["GET", /^\/d1\/database\/([^/]+)$/, ([name]) => toDatabase(database(name))],
    [
      "POST",
      /^\/d1\/database\/([^/]+)\/query$/,
      ([id], { body }) => {
        const results = database(id).sqlite.prepare(body.sql).all();
        return [{ results, success: true, meta: { duration: 0.1 } }];
      },
    ],
    [
      "POST",
      /^\/d1\/database\/([^/]+)\/import$/,
      ([id], { body }) => importSql(database(id).sqlite, body, { uploads, origin }),
    ],
    [
      "PUT",
      /^\/uploads\/(.+)$/,
      ([name = ""], { raw }) => {
        uploads.set(name, raw.toString());
        return createHash("md5").update(raw).digest("hex");
      },
    ],
  ];
}

/** Runs the three steps of an import. The whole file is one transaction, as on D1. */
function importSql(
  sqlite: DatabaseSync,
  { action, etag, filename }: { action?: string; etag?: string; filename?: string },
  { uploads, origin }: { uploads: Map<string, string>; origin: () => string },
) {
  if (action === "init")
    return { success: true, messages: [], filename: etag, upload_url: `${origin()}/uploads/${etag}` };
  const done = {
    ...{ success: true, messages: [], status: "complete", type: "import" },
    result: {
      num_queries: 1,
      final_bookmark: "1",
      meta: { duration: 1, rows_read: 0, rows_written: 1, size_after: 1 },
    },
  };
  if (action === "poll") return done;
  sqlite.exec("BEGIN");
  try {
    sqlite.exec(uploads.get(filename ?? "") ?? "");
    sqlite.exec("COMMIT");
  } catch (error) {
    sqlite.exec("ROLLBACK");
    throw new ApiError(400, 7500, String(error));
  }
  return done;
}
