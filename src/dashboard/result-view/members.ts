import { closeJson } from "./close-json";

/** A member of an object, as much of it as was asked for. */
export interface Member {
  name: string;
  value: unknown;
  isCut: boolean;
}

/** How many characters of a member are kept, when so many of those before it are. */
export type Room = (name: string, used: number) => number;

/**
 * Reads a JSON object as it comes, in pieces of any size, and keeps no more of each of its members than `room` says (in
 * characters): of a large result, the part that is shown is all that is ever held.
 */
export class MemberReader {
  readonly members: Member[] = [];
  readonly #room: Room;
  #used = 0;
  #depth = 0;
  #inString = false;
  #skipNext = false;
  /** Of the member that is being read: null while its name is. */
  #name: string | null = null;
  #kept = "";
  #left = MAX_NAME_CHARS;
  #isCut = false;

  constructor(room: Room) {
    this.#room = room;
  }

  push(json: string): void {
    let from = 0;
    let at = this.#skipNext ? 1 : 0;
    if (json.length > 0) this.#skipNext = false;
    const SIGNS = /["\\{}[\],:]/g;
    for (;;) {
      SIGNS.lastIndex = at;
      const found = SIGNS.exec(json);
      if (found === null) break;
      const { 0: sign, index } = found;
      at = index + 1;
      if (this.#inString) {
        if (sign === '"') this.#inString = false;
        else if (sign === "\\") at++;
      } else if (sign === '"') this.#inString = true;
      else if (sign === "{" || sign === "[") {
        this.#depth++;
        if (this.#depth === 1) from = at;
      } else if (sign === "}" || sign === "]") {
        this.#depth--;
        if (this.#depth === 0) {
          this.#keep(json.slice(from, index));
          this.#endMember();
          return;
        }
      } else if (this.#depth === 1 && (sign === "," || sign === ":")) {
        this.#keep(json.slice(from, index));
        if (sign === ",") this.#endMember();
        else this.#beginMember();
        from = at;
      }
    }
    this.#skipNext = at > json.length;
    this.#keep(json.slice(from));
  }

  #keep(json: string): void {
    if (this.#left >= json.length) this.#kept += json;
    else {
      this.#kept += json.slice(0, this.#left);
      this.#isCut = true;
    }
    this.#left = Math.max(0, this.#left - json.length);
  }

  #beginMember(): void {
    this.#name = toValue(this.#kept, this.#isCut) as string;
    this.#kept = "";
    this.#left = this.#room(this.#name, this.#used);
    this.#isCut = false;
  }

  #endMember(): void {
    if (this.#name !== null) {
      this.#used += this.#name.length + this.#kept.length;
      this.members.push({ name: this.#name, value: toValue(this.#kept, this.#isCut), isCut: this.#isCut });
    }
    this.#name = null;
    this.#kept = "";
    this.#left = MAX_NAME_CHARS;
    this.#isCut = false;
  }
}

const MAX_NAME_CHARS = 1_000;

/** Undefined when nothing was kept. */
function toValue(json: string, isCut: boolean): unknown {
  const whole = isCut ? closeJson(json) : json;
  return whole === null ? undefined : JSON.parse(whole);
}
