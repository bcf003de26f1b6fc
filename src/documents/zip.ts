import { constants, createInflateRaw } from "node:zlib";
import { AppError } from "../model/errors";

/** The limits for reading one file. */
interface ZipLimits {
  /** The maximum number of entries. An ordinary document has 10 to 300. */
  entries: number;
  /** The maximum size of all decompressed parts together. */
  bytes: number;
}

const MB = 1024 * 1024;
const LIMITS: ZipLimits = { entries: 5_000, bytes: 64 * MB };

// The records of APPNOTE.TXT, section 4.3.
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const MAX_COMMENT_BYTES = 65_535;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const CHUNK_BYTES = 64 * 1024;

interface Entry {
  method: number;
  isEncrypted: boolean;
  compressedBytes: number;
  offset: number;
}

/**
 * A zip file. Decompresses only the entries that are read, and counts the bytes during decompression, because the sizes
 * in the file may be wrong. Therefore the limit also stops a zip bomb.
 */
export class Zip {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #limits: ZipLimits;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** True if the end of the file or of an entry is missing or broken. */
  isDamaged = false;
  #read = 0;

  /** Reads the list of entries. Throws AppError if the file is broken or has too many entries. */
  constructor(bytes: Uint8Array, limits: Partial<ZipLimits> = {}) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#limits = { ...LIMITS, ...limits };
    this.#entries = this.#guard(() => this.#readEntries());
  }

  /** Returns the first name that matches, or null. */
  find(pattern: RegExp): string | null {
    return this.#entries.keys().find((name) => pattern.test(name)) ?? null;
  }

  /** Yields the bytes of an entry. Yields nothing if there is no such entry. Throws AppError. */
  async *read(name: string): AsyncGenerator<Uint8Array, void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    if (entry.isEncrypted) throw new AppError("unsupported_content", ENCRYPTED_MESSAGE);
    const data = this.#guard(() => this.#dataOf(entry));
    if (entry.method === STORED)
      for (let at = 0; at < data.length; at += CHUNK_BYTES) yield this.#count(data.subarray(at, at + CHUNK_BYTES));
    else if (entry.method === DEFLATED) yield* this.#inflate(data);
    else throw unreadable("it uses an unknown compression method");
  }

  async *#inflate(data: Uint8Array): AsyncGenerator<Uint8Array, void> {
    // With this flush, the data of a file whose end is missing is returned as far as it goes.
    const inflate = createInflateRaw(this.isDamaged ? { finishFlush: constants.Z_SYNC_FLUSH } : {});
    let isEmpty = true;
    try {
      inflate.end(data);
      for await (const chunk of inflate) {
        isEmpty = false;
        yield this.#count(chunk as Uint8Array);
      }
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      // Keeps the beginning of an entry whose end is broken.
      if (isEmpty) throw unreadable("its data is broken", cause);
      this.isDamaged = true;
    } finally {
      inflate.destroy();
    }
  }

  #count(chunk: Uint8Array): Uint8Array {
    this.#read += chunk.byteLength;
    if (this.#read > this.#limits.bytes) {
      throw new AppError("target_too_large", `The document needs more than ${this.#limits.bytes / MB} MB of memory.`);
    }
    return chunk;
  }

  #readEntries(): Map<string, Entry> {
    const end = this.#findEnd();
    if (end === null) return this.#findEntries();
    const count = this.#view.getUint16(end + 10, true);
    if (count > this.#limits.entries) {
      throw new AppError("target_too_large", `The document has more than ${this.#limits.entries} parts.`);
    }
    const entries = new Map<string, Entry>();
    const decoder = new TextDecoder();
    let at = this.#view.getUint32(end + 16, true);
    for (let index = 0; index < count; index++) {
      if (this.#view.getUint32(at, true) !== ENTRY_SIGNATURE) throw unreadable("its list of parts is broken");
      const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
        this.#view.getUint16(at + offset, true),
      );
      const start = at + ENTRY_BYTES;
      const name = decoder.decode(this.#bytes.subarray(start, start + (nameBytes ?? 0))).replaceAll("\\", "/");
      // If several entries have the same name, the first one is used.
      if (!entries.has(name)) {
        entries.set(name, {
          isEncrypted: (this.#view.getUint16(at + 8, true) & ENCRYPTED) !== 0,
          method: this.#view.getUint16(at + 10, true),
          compressedBytes: this.#view.getUint32(at + 20, true),
          offset: this.#view.getUint32(at + 42, true),
        });
      }
      at = start + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
    }
    return entries;
  }

  /** Returns the offset of the end record, or null if it's missing. Only a comment can follow it. */
  #findEnd(): number | null {
    const last = this.#bytes.byteLength - END_BYTES;
    for (let at = last; at >= Math.max(0, last - MAX_COMMENT_BYTES); at--) {
      if (this.#view.getUint32(at, true) === END_SIGNATURE) return at;
    }
    return null;
  }

  /**
   * Finds the entries of a file without its list of entries, which is at the end. The size of an entry may be missing,
   * too, so its data extends to the next entry.
   */
  #findEntries(): Map<string, Entry> {
    this.isDamaged = true;
    const entries = new Map<string, Entry>();
    const starts: number[] = [];
    const first = LOCAL_SIGNATURE & 0xff;
    for (let at = this.#bytes.indexOf(first); at >= 0; at = this.#bytes.indexOf(first, at + 1)) {
      if (at + LOCAL_BYTES > this.#bytes.byteLength || starts.length > this.#limits.entries) break;
      if (this.#view.getUint32(at, true) === LOCAL_SIGNATURE) starts.push(at);
    }
    const decoder = new TextDecoder();
    for (const [index, offset] of starts.entries()) {
      const header = offset + LOCAL_BYTES + this.#view.getUint16(offset + 28, true);
      const nameBytes = this.#view.getUint16(offset + 26, true);
      const start = header + nameBytes;
      const end = starts[index + 1] ?? this.#bytes.byteLength;
      if (start > end) continue;
      const name = decoder.decode(this.#bytes.subarray(offset + LOCAL_BYTES, offset + LOCAL_BYTES + nameBytes));
      const compressedBytes = Math.min(this.#view.getUint32(offset + 18, true) || end - start, end - start);
      const isEncrypted = (this.#view.getUint16(offset + 6, true) & ENCRYPTED) !== 0;
      entries.set(name, { isEncrypted, method: this.#view.getUint16(offset + 8, true), compressedBytes, offset });
    }
    if (entries.size === 0) throw unreadable("it is incomplete");
    return entries;
  }

  #dataOf({ offset, compressedBytes }: Entry): Uint8Array {
    if (this.#view.getUint32(offset, true) !== LOCAL_SIGNATURE) throw unreadable("a part is missing");
    const nameBytes = this.#view.getUint16(offset + 26, true);
    const extraBytes = this.#view.getUint16(offset + 28, true);
    const start = offset + LOCAL_BYTES + nameBytes + extraBytes;
    if (start + compressedBytes > this.#bytes.byteLength) throw unreadable("it is incomplete");
    return this.#bytes.subarray(start, start + compressedBytes);
  }

  /** Converts the RangeError for an offset outside of the file to an AppError. */
  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw cause instanceof AppError ? cause : unreadable("its list of parts is broken", cause);
    }
  }
}

/** The message for a document that needs a password. */
export const ENCRYPTED_MESSAGE = "The document is encrypted. Remove its password, and send the request again.";

/** Returns the error for a broken document. `why` is the last part of the message. */
export function unreadable(why: string, cause?: unknown): AppError {
  return new AppError("unsupported_content", `The document can't be read, because ${why}.`, { cause });
}
