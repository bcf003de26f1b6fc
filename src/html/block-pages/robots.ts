import { toRegExp } from "../../lib/to-reg-exp";
import table from "./phrases.json";

/**
 * Sentences that demand proof that the reader is human, in the most common languages. Block pages of unknown vendors
 * contain such sentences.
 */
const DEMANDS = Object.values(table.demands).flatMap((patterns) => patterns.map(toRegExp));

/** Phrases that both block pages and ordinary pages contain. */
const MENTIONS = table.mentions.map(toRegExp);

/**
 * Returns true if the text demands proof that the reader is human. `lines` must have one line for each block of the
 * page.
 */
export const demandsProof = (lines: string): boolean => DEMANDS.some((demand) => demand.test(lines));
export const mentionsRobots = (lines: string): boolean => MENTIONS.some((mention) => mention.test(lines));
