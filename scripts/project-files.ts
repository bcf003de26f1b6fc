import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Returns the paths of the project's files that Git doesn't ignore. Includes new files, and no deleted files. */
export function listFiles(project: string): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const output = execFileSync("git", args, { cwd: project, encoding: "utf8", maxBuffer: 1 << 26 });
  return output.split("\0").filter((file) => file !== "" && existsSync(join(project, file)));
}
