import type { Regex } from "../../../json-schema/regex/parse";

const MAX_STEPS = 5_000;

export interface RegexSampleOptions {
  /** How many more rounds than needed each repetition takes. */
  extra: number;
  /** Which of the possible texts: others for other numbers, as far as the pattern leaves a choice. */
  index: number;
  maxChars: number;
}

/** A text that is likely to match (looking ahead is passed over); null when it would be too long. */
export function sampleRegex(regex: Regex, { extra, index, maxChars }: RegexSampleOptions): string | null {
  let text = "";
  let steps = MAX_STEPS;
  let written = index;

  function write(part: Regex): boolean {
    if (--steps < 0 || text.length > maxChars) return false;
    switch (part.kind) {
      case "sign": {
        const picks = part.sign.picks();
        const pick = picks[written++ % Math.max(picks.length, 1)];
        text += pick ?? "";
        return pick !== undefined;
      }
      case "sequence":
        return part.items.every(write);
      case "either": {
        const option = part.options[index % part.options.length];
        return option !== undefined && write(option);
      }
      case "repeat": {
        // A few words of some letters look better than as many words as letters.
        const more = part.item.kind === "sign" || extra > 8 ? extra : Math.floor(extra / 3);
        const rounds = Math.min(part.max, part.min + more);
        for (let round = 0; round < rounds; round++) {
          if (!write(part.item)) return false;
        }
        return true;
      }
      default:
        return true;
    }
  }

  return write(regex) && text.length <= maxChars ? text : null;
}
