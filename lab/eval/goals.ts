interface Goal {
  goal: number;
  /** The best value so far, rounded in its favor. A worse value is a regression. */
  floor: number;
  /** If true, a lower value is better. */
  isCost?: true;
}

/** The goal and the floor of each figure. */
export const GOALS = {
  // The weights are learned on both halves of WCXB. The floors of this half are near its figures on unknown sites.
  "wcxb all": { goal: 0.885, floor: 0.892 },
  "wcxb article": { goal: 0.945, floor: 0.954 },
  "wcxb documentation": { goal: 0.945, floor: 0.939 },
  "wcxb service": { goal: 0.84, floor: 0.866 },
  "wcxb forum": { goal: 0.82, floor: 0.819 },
  "wcxb collection": { goal: 0.73, floor: 0.742 },
  "wcxb listing": { goal: 0.73, floor: 0.813 },
  "wcxb product": { goal: 0.66, floor: 0.728 },
  // The share of the pages with less than half of Readability's recall.
  "wcxb lost pages": { goal: 0.01, floor: 0.005, isCost: true },
  "recipes ingredients": { goal: 0.92, floor: 0.949 },
  "recipes without ingredients": { goal: 0.05, floor: 0.027, isCost: true },
  "recipes steps": { goal: 0.95, floor: 0.986 },
  "articles F1": { goal: 0.985, floor: 0.984 },
  "snippets F1": { goal: 0.936, floor: 0.939 },
  "convert text F1": { goal: 0.99, floor: 0.999 },
  "convert lowest class score": { goal: 0.98, floor: 0.967 },
  "structure text F1": { goal: 0.995, floor: 0.985 },
  "structure lowest class score": { goal: 0.98, floor: 0.916 },
  // Two forums of wcxb were saved without their text.
  "empty or failed pages": { goal: 2, floor: 2, isCost: true },
  "empty by mistake": { goal: 0, floor: 0, isCost: true },
  "false block pages": { goal: 0, floor: 0, isCost: true },
  // This floor is higher than the values of most runs (0.39 to 0.50), because CPU time varies between runs.
  "CPU time / peer's": { goal: 0.4, floor: 0.55, isCost: true },
  // The share of the questions whose answer is in one of five passages.
  "passages tuning": { goal: 0.85, floor: 0.932 },
  "passages unseen": { goal: 0.85, floor: 0.864 },
} as const satisfies Record<string, Goal>;
export type Figure = keyof typeof GOALS;
export type Figures = ReadonlyMap<Figure, number>;

const NAME_CHARS = 30;
const COLUMN_CHARS = 13;

/**
 * Prints the figures next to their goals, their floors and the figures of the peers. Returns the names of the figures
 * that are worse than their floors.
 */
export function printFigures(figures: Figures, peers: ReadonlyMap<string, Figures>): Figure[] {
  const regressions: Figure[] = [];
  console.log(`\n${row("", ["goal", "floor", "actual", ...peers.keys()])}`);
  for (const [name, value] of figures) {
    const { goal, floor, isCost }: Goal = GOALS[name];
    const isWorseThan = (least: number) => (isCost ? value > least : value < least);
    const note = isWorseThan(floor) ? "  worse than the floor" : isWorseThan(goal) ? "  goal not met" : "";
    if (isWorseThan(floor)) regressions.push(name);
    console.log(row(name, [goal, floor, value, ...Array.from(peers.values(), (peer) => peer.get(name) ?? "-")]) + note);
  }
  return regressions;
}

function row(name: string, cells: readonly (string | number)[]): string {
  const texts = cells.map((cell) => (typeof cell === "number" ? cell.toFixed(4) : cell).padStart(COLUMN_CHARS));
  return name.padEnd(NAME_CHARS) + texts.join("");
}
