import type { JobExtras } from "../../model/job";
import { MAX_EVIDENCE_CHARS } from "../../model/limits";
import type { Verification } from "./evidence";

/** Characters of JSON around a pointer and its quote. */
const AROUND_TEXT = 32;

/** What `meta` says of it: as much as a job's row takes. */
export function toEvidenceMeta({ evidence, unverified }: Verification): JobExtras {
  let left = MAX_EVIDENCE_CHARS;
  const fits = (text: string) => {
    left -= text.length + AROUND_TEXT;
    return left > 0;
  };
  const kept = Object.entries(evidence).filter(([pointer, { quote }]) => fits(pointer + quote));
  const named = unverified.filter(fits);
  const isCut = kept.length < Object.keys(evidence).length || named.length < unverified.length;
  return { evidence: Object.fromEntries(kept), unverified: named, ...(isCut && { evidence_truncated: true }) };
}
