/** A file that a request contains instead of a URL. The wire, the job's record and the run have the same names. */
export interface UploadedFile {
  /** The name without a path. */
  name: string;
  /** The media type that the caller has declared, or null. */
  content_type: string | null;
  size: number;
  /** The SHA-256 in hex. It is computed when the job is created. */
  sha256?: string;
  /** The content. A stored request doesn't have it: a run reads the file from R2. */
  content?: FileContent;
}

/** The content of an uploaded file, which is kept in memory until the file is stored. */
export class FileContent {
  #blob: Blob | null;
  readonly #onRelease: () => void;

  constructor(blob: Blob, onRelease: () => void = () => {}) {
    this.#blob = blob;
    this.#onRelease = onRelease;
  }

  /** Throws if the content was released. */
  get blob(): Blob {
    if (this.#blob === null) throw new Error("The content of the file was released.");
    return this.#blob;
  }

  /** Frees the memory. A request that waits for its result would otherwise hold the content for up to a minute. */
  release(): void {
    this.#blob = null;
    this.#onRelease();
  }
}

const MAX_FILE_NAME_CHARS = 255;

/** Returns the end of a file's name without its path and without characters that aren't visible. */
export function toSafeName(name: string): string {
  const [last = ""] = name.split(/[\\/]/).slice(-1);
  return last
    .slice(-MAX_FILE_NAME_CHARS)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .trim();
}

/** Returns the URL that stands for a file, such as `file:///report.pdf`. It is never requested. */
export function toFileUri({ name }: Pick<UploadedFile, "name">): string {
  return `file:///${encodeURIComponent(name)}`;
}
