import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Miniflare, V4WorkerOptions } from "miniflare";
import type { LocalSecrets } from "../../scripts/local-state.ts";

/** The last commit that stored jobs and credits in one D1 database. The bench compares it with the current code. */
export const COMMIT_BEFORE = "cbd2391";

type Database = Awaited<ReturnType<Miniflare["getD1Database"]>>;

/** The functions of COMMIT_BEFORE's scripts that the bench uses, with the parameter names of that commit. */
export interface Before {
  bundle: (entry: string, outfile: string) => Promise<unknown>;
  productOptions: (bindings: Record<string, string>) => Partial<V4WorkerOptions>;
  startRuntime: (file: string, options: Partial<V4WorkerOptions>, more: { beside: V4WorkerOptions[] }) => Miniflare;
  setUpStatements: (secrets: LocalSecrets, credits: number) => string[];
  setUpDatabase: (db: Database, statements: string[]) => Promise<void>;
}

/**
 * Extracts COMMIT_BEFORE into the empty folder `folder` and returns its scripts. Throws if the repository lacks the
 * commit.
 */
export async function checkOutBefore(project: string, folder: string): Promise<Before> {
  const archive = execFileSync("git", ["archive", "--format=tar", COMMIT_BEFORE], {
    cwd: project,
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  const load = (name: string) => import(pathToFileURL(join(folder, "scripts", name)).href);
  const [bundling, runtime] = [await load("bundle.ts"), await load("local-runtime.ts")];
  return { ...bundling, ...runtime };
}
