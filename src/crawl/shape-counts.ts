import type { SkipReason } from "../model/crawl";
import { filteredPathOf, idFolderOf, MAX_PARAMETER_SETS, MAX_REPEATS, shapeOf } from "./url-shape";

/** The numbers of URLs by shape, in the table `shapes`. Methods that write must be called within a transaction. */
export class ShapeCounts {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts a URL by its shape. Returns `trap` if there are too many URLs of this shape. */
  count(target: URL): SkipReason | null {
    const known = shapeOf(target);
    if (known === null) return null;
    const filtered = filteredPathOf(target);
    const sets = filtered === null ? null : `sets ${filtered.path}`;
    if (filtered !== null && sets !== null && this.#countUrls(sets) > MAX_PARAMETER_SETS) {
      return this.#take(`filtered ${filtered.path}`, filtered.max) ? null : "trap";
    }
    if (sets !== null && this.#countUrls(known.shape) === 0) this.#take(sets, Number.POSITIVE_INFINITY);
    return this.#take(known.shape, known.max) ? null : "trap";
  }

  /** Counts a page with the content of an earlier page. Counts only pages whose path contains a generated id. */
  countRepeat(url: string): void {
    const folder = idFolderOf(new URL(url));
    if (folder !== null) this.#take(`repeats ${folder}`, Number.POSITIVE_INFINITY);
  }

  /**
   * Returns true if the path contains a generated id, and many pages with such an id had the content of earlier pages.
   */
  isRepeating(url: string): boolean {
    const folder = idFolderOf(new URL(url));
    return folder !== null && this.#countUrls(`repeats ${folder}`) >= MAX_REPEATS;
  }

  #countUrls(shape: string): number {
    const rows = this.#sql.exec<{ urls: number }>("SELECT urls FROM shapes WHERE shape = ?1", shape).toArray();
    return rows[0]?.urls ?? 0;
  }

  /** Counts a URL. Returns false if there are already `max` URLs of this shape. */
  #take(shape: string, max: number): boolean {
    if (this.#countUrls(shape) >= max) return false;
    this.#sql.exec(
      "INSERT INTO shapes (shape, urls) VALUES (?1, 1) ON CONFLICT (shape) DO UPDATE SET urls = urls + 1",
      shape,
    );
    return true;
  }
}
