/** The number of words in the sequences that are aligned first. */
export const SEQUENCE_WORDS = 4;
/** Sequences that the expected text has more often aren't used for the alignment. */
const MAX_OCCURRENCES = 20;
/** The largest gap between aligned words whose words are compared: page words times expected words. */
const MAX_GAP = 4_000_000;

/**
 * Returns 1 for each word of the page that is part of the expected text. Sequences of words that follow each other in
 * the same order in both texts are aligned first, then the words in the gaps between them. Sequences in another order
 * count as often as the expected text still has them.
 */
export function alignWords(page: readonly string[], wanted: readonly string[]): Uint8Array {
  const isCovered = new Uint8Array(page.length);
  const places = new Map<string, number[]>();
  for (let at = 0; at + SEQUENCE_WORDS <= wanted.length; at++) {
    const sequence = wanted.slice(at, at + SEQUENCE_WORDS).join(" ");
    const known = places.get(sequence);
    if (known) known.push(at);
    else places.set(sequence, [at]);
  }
  const sequences = page.map((_, at) => page.slice(at, at + SEQUENCE_WORDS).join(" "));
  const pairs: [number, number][] = [];
  for (const [at, sequence] of sequences.entries()) {
    const found = places.get(sequence);
    if (found && found.length <= MAX_OCCURRENCES) for (const place of found.toReversed()) pairs.push([at, place]);
  }
  const isUsed = new Uint8Array(wanted.length);
  let [lastPage, lastWanted] = [0, 0];
  const fillGap = (pageEnd: number, wantedEnd: number) => {
    const [rows, columns] = [pageEnd - lastPage, wantedEnd - lastWanted];
    if (rows <= 0 || columns <= 0 || rows * columns > MAX_GAP) return;
    const best = new Uint16Array((rows + 1) * (columns + 1));
    const at = (row: number, column: number) => row * (columns + 1) + column;
    for (let row = rows - 1; row >= 0; row--)
      for (let column = columns - 1; column >= 0; column--)
        best[at(row, column)] =
          page[lastPage + row] === wanted[lastWanted + column]
            ? (best[at(row + 1, column + 1)] ?? 0) + 1
            : Math.max(best[at(row + 1, column)] ?? 0, best[at(row, column + 1)] ?? 0);
    for (let row = 0, column = 0; row < rows && column < columns; ) {
      if (page[lastPage + row] === wanted[lastWanted + column]) {
        isCovered[lastPage + row++] = 1;
        isUsed[lastWanted + column++] = 1;
      } else if ((best[at(row + 1, column)] ?? 0) >= (best[at(row, column + 1)] ?? 0)) row++;
      else column++;
    }
  };
  for (const [at, place] of longestChain(pairs)) {
    fillGap(at, place);
    isCovered.fill(1, at, at + SEQUENCE_WORDS);
    isUsed.fill(1, place, place + SEQUENCE_WORDS);
    [lastPage, lastWanted] = [Math.max(lastPage, at + SEQUENCE_WORDS), Math.max(lastWanted, place + SEQUENCE_WORDS)];
  }
  fillGap(page.length, wanted.length);
  for (const [at, sequence] of sequences.entries()) {
    if (isCovered.subarray(at, at + SEQUENCE_WORDS).every(Boolean)) continue;
    const place = places.get(sequence)?.find((one) => isUsed[one + SEQUENCE_WORDS - 1] === 0);
    if (place === undefined) continue;
    isCovered.fill(1, at, at + SEQUENCE_WORDS);
    isUsed.fill(1, place, place + SEQUENCE_WORDS);
  }
  return isCovered;
}

/** Returns the longest chain of pairs whose numbers both increase. The pairs are sorted by the first number. */
function longestChain(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    // Of the copies of a text, the first one on the page counts. Later ones are usually quotes.
    if (pairs[tails[low] ?? -1]?.[1] === place) continue;
    before[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  }
  const chain: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair) chain.push(pair);
  }
  return chain.toReversed();
}
