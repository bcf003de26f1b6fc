import { promisify } from "node:util";
import { crc32, deflateRaw } from "node:zlib";

// The records of a zip file are specified in APPNOTE.TXT, sections 4.3 and 4.4.

const LOCAL_SIGNATURE = 0x04034b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const LOCAL_BYTES = 30;
const ENTRY_BYTES = 46;
const END_BYTES = 22;
/** The version of the format that introduced Deflate (2.0). */
const VERSION = 20;
/** The flag for names in UTF-8. */
const UTF8_FLAG = 0x800;
const DEFLATED = 8;
/** The maximum number of files, and the maximum number of bytes, of a zip file without the extension Zip64. */
export const MAX_ZIP_FILES = 65_535;
export const MAX_ZIP_BYTES = 4_294_967_295;

const deflate: (content: Uint8Array) => Promise<Uint8Array> = promisify(deflateRaw);

interface Entry {
  name: Uint8Array;
  crc: number;
  compressedBytes: number;
  bytes: number;
  offset: number;
}

/**
 * Writes a zip file in parts, so that it can be streamed. Keeps only the names and sizes of earlier files in memory.
 * `now` (Unix ms) is the time of all files, in UTC.
 */
export class ZipWriter {
  readonly #time: { date: number; time: number };
  readonly #entries: Entry[] = [];
  #offset = 0;
  #directoryBytes = 0;

  constructor(now: number) {
    this.#time = toDosTime(new Date(now));
  }

  /** Returns true if a file with this many bytes, and another small file, fit into the zip file. */
  hasRoomFor(bytes: number): boolean {
    const reserve = 16 * 1024 * 1024;
    const size = this.#offset + this.#directoryBytes + bytes + reserve;
    return this.#entries.length < MAX_ZIP_FILES - 1 && size <= MAX_ZIP_BYTES;
  }

  /** Adds a file. Returns the bytes of the zip file for it. The name must be unique, and uses `/` between folders. */
  async add(name: string, content: Uint8Array): Promise<Uint8Array> {
    const encoded = new TextEncoder().encode(name);
    const data = await deflate(content);
    const entry = {
      name: encoded,
      crc: crc32(content),
      compressedBytes: data.byteLength,
      bytes: content.byteLength,
      offset: this.#offset,
    };
    const part = new Uint8Array(LOCAL_BYTES + encoded.byteLength + data.byteLength);
    const view = new DataView(part.buffer);
    view.setUint32(0, LOCAL_SIGNATURE, true);
    this.#writeCommon(view, 4, entry);
    part.set(encoded, LOCAL_BYTES);
    part.set(data, LOCAL_BYTES + encoded.byteLength);
    this.#entries.push(entry);
    this.#offset += part.byteLength;
    this.#directoryBytes += ENTRY_BYTES + encoded.byteLength;
    return part;
  }

  /** Returns the last part of the zip file: the list of its files. */
  end(): Uint8Array {
    const part = new Uint8Array(this.#directoryBytes + END_BYTES);
    const view = new DataView(part.buffer);
    let at = 0;
    for (const entry of this.#entries) {
      view.setUint32(at, ENTRY_SIGNATURE, true);
      view.setUint16(at + 4, VERSION, true);
      this.#writeCommon(view, at + 6, entry);
      view.setUint32(at + 42, entry.offset, true);
      part.set(entry.name, at + ENTRY_BYTES);
      at += ENTRY_BYTES + entry.name.byteLength;
    }
    view.setUint32(at, END_SIGNATURE, true);
    view.setUint16(at + 8, this.#entries.length, true);
    view.setUint16(at + 10, this.#entries.length, true);
    view.setUint32(at + 12, this.#directoryBytes, true);
    view.setUint32(at + 16, this.#offset, true);
    return part;
  }

  /** Writes the fields that the local record of a file and its entry in the central list have in common. */
  #writeCommon(view: DataView, at: number, { name, crc, compressedBytes, bytes }: Entry): void {
    view.setUint16(at, VERSION, true);
    view.setUint16(at + 2, UTF8_FLAG, true);
    view.setUint16(at + 4, DEFLATED, true);
    view.setUint16(at + 6, this.#time.time, true);
    view.setUint16(at + 8, this.#time.date, true);
    view.setUint32(at + 10, crc, true);
    view.setUint32(at + 14, compressedBytes, true);
    view.setUint32(at + 18, bytes, true);
    view.setUint16(at + 22, name.byteLength, true);
  }
}

/** Returns the date and the time in the MS-DOS format, which has a resolution of two seconds and starts in 1980. */
function toDosTime(at: Date): { date: number; time: number } {
  const year = Math.max(1980, at.getUTCFullYear());
  return {
    date: ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}
