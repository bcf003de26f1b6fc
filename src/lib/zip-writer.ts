import { Zip, ZipDeflate } from "fflate";

/** The maximum number of files, and the maximum number of bytes, of a zip file without the extension Zip64. */
const MAX_ZIP_FILES = 65_535;
const MAX_ZIP_BYTES = 4_294_967_295;
/** The number of bytes that are reserved for the list of files and for another small file. */
const RESERVED_BYTES = 32 * 1024 * 1024;
/** The number of bytes that are compressed before the compressed bytes are sent. */
const SLICE_BYTES = 64 * 1024;

/** Writes a zip file in parts, so that it can be streamed. `now` (Unix ms) is the time of all files. */
export class ZipWriter {
  readonly #now: number;
  readonly #zip: Zip;
  #parts: Uint8Array[] = [];
  #files = 0;
  #bytes = 0;

  constructor(now: number) {
    this.#now = now;
    this.#zip = new Zip((error, part) => {
      if (error !== null) throw error;
      this.#parts.push(part);
      this.#bytes += part.byteLength;
    });
  }

  /** Returns true if a file with this many bytes, and another small file, fit into the zip file. */
  hasRoomFor(bytes: number): boolean {
    return this.#files < MAX_ZIP_FILES - 1 && this.#bytes + bytes + RESERVED_BYTES <= MAX_ZIP_BYTES;
  }

  /** Adds a file. Yields the bytes of the zip file for it. The name must be unique, and uses `/` between folders. */
  *add(name: string, content: Uint8Array): Generator<Uint8Array, void> {
    const file = new ZipDeflate(name);
    file.mtime = this.#now;
    this.#zip.add(file);
    this.#files++;
    for (let at = 0; ; at += SLICE_BYTES) {
      const isLast = at + SLICE_BYTES >= content.byteLength;
      file.push(content.subarray(at, at + SLICE_BYTES), isLast);
      yield* this.#takeParts();
      if (isLast) return;
    }
  }

  /** Returns the last part of the zip file: the list of its files. */
  end(): Uint8Array[] {
    this.#zip.end();
    return this.#takeParts();
  }

  #takeParts(): Uint8Array[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }
}
