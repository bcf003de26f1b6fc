/** A run of text with its position. Sizes and positions are in points. `y` is the baseline, and it increases upward. */
export interface TextRun {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  isBold?: boolean;
  /** True if the text is written from right to left. */
  isRtl?: boolean;
  /** The URL of the link around the text. */
  url?: string;
  /** The id of the marked content around the text, or `Artifact` for text such as running heads. */
  mark?: string;
}

/** An element of the structure tree, or a reference to marked content, as pdf.js returns them. */
export interface Tag {
  role?: string;
  alt?: string;
  id?: string;
  children?: Tag[];
}

/** A horizontal or vertical line. `at` is its position on the other axis. */
export interface Ruling {
  at: number;
  from: number;
  to: number;
}

export interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

/** The content of a page. It's rotated so that most of its text runs from left to right. */
export interface PageContent {
  runs: TextRun[];
  horizontals: Ruling[];
  verticals: Ruling[];
  /** Small filled shapes, such as drawn bullets. */
  shapes: Box[];
  /** The structure tree of the page. */
  tags?: Tag | null;
}

/** The text items and painted paths of a page, as the generated copy of pdf.js returns them. */
export type PageItem =
  | { str: string; transform: number[]; width: number; height: number; fontName: string; dir: string }
  | { type: "path"; points: number[]; isFilled: boolean }
  | { type: "beginMarkedContent" | "beginMarkedContentProps" | "endMarkedContent"; id?: string | null; tag?: string };

/** A page as pdf.js returns it. */
export interface RawPage {
  items: PageItem[];
  fonts: Map<string, FontStyle>;
  annotations: PageAnnotation[];
  tags: Tag | null;
}

/** The properties of a font that affect the layout. */
export interface FontStyle {
  name: string;
  vertical: boolean;
}

/** A link or a form field at a place of the page. */
export interface PageAnnotation {
  id: string;
  box: Box;
  url?: string;
  /** The value of a form field. */
  value?: string;
  /** The name of a form field. */
  name?: string;
}

/** A filled rectangle of at most this width is a ruling, in points. */
const MAX_RULING_WIDTH = 3;
/** A filled shape of at most this size can be a bullet. */
const MAX_BULLET_SIZE = 9;
/** A shorter line belongs to a letter or a symbol. */
const MIN_RULING_LENGTH = 4;
/** Lines of the same direction within this distance are one line, because borders are often drawn twice. */
const SAME_LINE = 2;
/** A page with more rulings is a drawing. */
const MAX_RULINGS = 20_000;

const MAX_RECENT_FILLS = 16;

const BOLD = /bold|black|heavy|demi|semibold|[-,]bd\b/i;
const SYMBOLS = /wingdings|symbol|dingbats/i;

/** Converts the items of a page to runs and rulings, in a coordinate system in which most of the text is upright. */
export function toPageContent({ items, fonts, annotations, tags }: RawPage): PageContent {
  const rotate = rotationOf(items, fonts);
  const content: PageContent = { runs: [], horizontals: [], verticals: [], shapes: [], tags };
  const fills: Box[] = [];
  const marks: (string | undefined)[] = [];
  for (const item of items) {
    if ("str" in item) {
      const run = item.str.trim() === "" ? null : toRun(item, fonts.get(item.fontName), rotate);
      if (run === null) continue;
      const mark = marks.at(-1);
      if (mark !== undefined) run.mark = mark;
      content.runs.push(run);
    } else if (item.type === "path") addPath(content, { ...item, fills }, rotate);
    else if (item.type === "endMarkedContent") marks.pop();
    else marks.push(item.id ?? (item.tag === "Artifact" ? item.tag : marks.at(-1)));
  }
  content.horizontals = mergeRulings(content.horizontals);
  content.verticals = mergeRulings(content.verticals);
  const placed = annotations.map((annotation) => ({ ...annotation, box: rotateBox(annotation.box, rotate) }));
  content.runs = addLinks(content.runs, placed);
  addFields(content.runs, placed);
  return content;
}

/** The cosine and the sine of the angle by which a page is rotated. */
type Rotation = readonly [cos: number, sin: number];

function rotationOf(items: readonly PageItem[], fonts: ReadonlyMap<string, FontStyle>): Rotation {
  const chars = new Map<string, { rotation: Rotation; count: number }>();
  for (const item of items) {
    if (!("str" in item)) continue;
    const rotation = directionOf(item, fonts.get(item.fontName));
    const entry = chars.get(String(rotation)) ?? { rotation, count: 0 };
    entry.count += item.str.length;
    chars.set(String(rotation), entry);
  }
  const most = [...chars.values()].reduce((a, b) => (b.count > a.count ? b : a), { rotation: [1, 0], count: 0 });
  return most.rotation;
}

/** Returns the direction in which the text advances, rounded to a right angle. */
function directionOf({ transform: [a = 1, b = 0] }: { transform: number[] }, font: FontStyle | undefined): Rotation {
  const [x, y] = font?.vertical ? [b, -a] : [a, b];
  return Math.abs(x) >= Math.abs(y) ? [x < 0 ? -1 : 1, 0] : [0, y < 0 ? -1 : 1];
}

function rotatePoint(x: number, y: number, [cos, sin]: Rotation): [x: number, y: number] {
  return [x * cos + y * sin, y * cos - x * sin];
}

function rotateBox({ left, bottom, right, top }: Box, rotate: Rotation): Box {
  return toBox([...rotatePoint(left, bottom, rotate), ...rotatePoint(right, top, rotate)]);
}

function toBox(points: readonly number[]): Box {
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x = 0, y = 0] = [points[i], points[i + 1]];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.bottom = Math.min(box.bottom, y);
    box.top = Math.max(box.top, y);
  }
  return box;
}

function toRun(
  item: { str: string; transform: number[]; width: number; height: number; dir: string },
  font: FontStyle | undefined,
  rotate: Rotation,
): TextRun | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = item.transform;
  const isVertical = font?.vertical === true;
  const size = isVertical ? Math.hypot(a, b) : item.height || Math.hypot(c, d);
  const length = isVertical ? item.height : item.width;
  const [alongX, alongY] = directionOf(item, font);
  const [x, y] = rotatePoint(e, f, rotate);
  const [dx, dy] = rotatePoint(alongX * length, alongY * length, rotate);
  if (![x, y, length, size].every(Number.isFinite) || size <= 0) return null;
  const text = font && SYMBOLS.test(font.name) && item.str.trim().length === 1 ? toSymbol(item.str.trim()) : item.str;
  const run: TextRun = { text, x, y, width: length, size };
  if (isVertical) {
    // The position of vertical text is the middle of its line. Its punctuation has other characters.
    run.y -= size / 3;
    run.text = text.replace(/[\ufe10-\ufe19\ufe30-\ufe4f]/g, (char) => char.normalize("NFKC"));
  }
  // The text has another direction than most of the page. Its box is used as that of an upright run.
  if (Math.abs(dx) < Math.abs(dy)) Object.assign(run, { x: x - size, y: Math.min(y, y + dy), width: size });
  else if (dx < 0) run.x -= length;
  if (font && BOLD.test(font.name)) run.isBold = true;
  if (item.dir === "rtl") run.isRtl = true;
  return run;
}

/** Symbol fonts have their bullets at the codes of letters, or in the private use area. */
function toSymbol(symbol: string): string {
  return /^[\p{Co}\p{L}\p{N}§¨·]$/u.test(symbol) ? "•" : symbol;
}

interface PaintedPath {
  points: number[];
  isFilled: boolean;
  /** The last filled areas of the page. */
  fills: Box[];
}

function addPath(content: PageContent, { points, isFilled, fills }: PaintedPath, rotate: Rotation): void {
  const { shapes } = content;
  const place = (i: number) => rotatePoint(points[i] ?? 0, points[i + 1] ?? 0, rotate);
  const placed: number[] = [];
  for (let i = 0; i < points.length; i += 2) placed.push(...place(i));
  const { left, bottom, right, top } = toBox(placed);
  const [width, height] = [right - left, top - bottom];
  if (isFilled && Math.max(width, height) <= MAX_BULLET_SIZE) {
    if (Math.min(width, height) > 1) shapes.push({ left, bottom, right, top });
    else addLine(content, left, (bottom + top) / 2, right, (bottom + top) / 2);
    return;
  }
  if (isFilled && points.length <= 20 && Math.min(width, height) <= MAX_RULING_WIDTH) {
    const [x, y] = [(left + right) / 2, (bottom + top) / 2];
    if (width > height) addLine(content, left, y, right, y);
    else addLine(content, x, bottom, x, top);
    return;
  }
  if (isFilled) {
    // Word processors also fill the background of each line of text in a cell that has a background.
    const isInCell = fills.some(
      (fill) =>
        fill.left < left &&
        fill.right > right &&
        fill.bottom <= bottom &&
        fill.top >= top &&
        fill.right - fill.left < width + 30,
    );
    if (isInCell) return;
    if (fills.push({ left, bottom, right, top }) > MAX_RECENT_FILLS) fills.shift();
  }
  for (let i = 0; i + 3 < placed.length; i += 4) {
    addLine(content, placed[i] ?? 0, placed[i + 1] ?? 0, placed[i + 2] ?? 0, placed[i + 3] ?? 0);
  }
}

function addLine({ horizontals, verticals }: PageContent, x1: number, y1: number, x2: number, y2: number): void {
  if (horizontals.length + verticals.length >= MAX_RULINGS) return;
  const [width, height] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
  if (height <= 1 && width >= MIN_RULING_LENGTH) {
    horizontals.push({ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) });
  } else if (width <= 1 && height >= MIN_RULING_LENGTH) {
    verticals.push({ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) });
  }
}

/** Joins rulings that continue or repeat each other. Sorts them by position. */
function mergeRulings(rulings: Ruling[]): Ruling[] {
  const merged: Ruling[] = [];
  let group: Ruling[] = [];
  const close = () => {
    let last: Ruling | undefined;
    for (const ruling of group.sort((a, b) => a.from - b.from)) {
      if (last && ruling.from <= last.to + SAME_LINE) {
        last.to = Math.max(last.to, ruling.to);
        continue;
      }
      last = { ...ruling, at: group[0]?.at ?? ruling.at };
      merged.push(last);
    }
    group = [];
  };
  for (const ruling of rulings.sort((a, b) => a.at - b.at)) {
    if (ruling.at > (group[0]?.at ?? ruling.at) + SAME_LINE) close();
    group.push(ruling);
  }
  close();
  return merged;
}

/** Sets the URL of the runs in links. Splits a run at the spaces nearest to the ends of a link. */
function addLinks(runs: TextRun[], annotations: readonly PageAnnotation[]): TextRun[] {
  const links = annotations.filter(({ url }) => url !== undefined).sort((a, b) => a.box.bottom - b.box.bottom);
  if (links.length === 0) return runs;
  const tallest = links.reduce((most, { box }) => Math.max(most, box.top - box.bottom), 0);
  return runs.flatMap((run) => {
    const middle = run.y + run.size / 3;
    let low = lowerBound(links, ({ box }) => box.bottom >= middle - tallest);
    const parts: TextRun[] = [];
    let rest = run;
    const covering: PageAnnotation[] = [];
    // A page can have many links at the same place. A run is compared with a few of them.
    for (let compared = 0; compared < 100; low++, compared++) {
      const link = links[low];
      if (link === undefined || link.box.bottom > middle) break;
      if (link.box.top >= middle && link.box.right > run.x && link.box.left < run.x + run.width) covering.push(link);
    }
    for (const { box, url } of covering.sort((a, b) => a.box.left - b.box.left)) {
      if (rest.isRtl) {
        rest.url ??= url ?? "";
        continue;
      }
      const [before, after] = splitRun(rest, box.left);
      if (after === null) continue;
      const [inside, behind] = splitRun(after, box.right);
      if (inside === null) continue;
      if (before) parts.push(before);
      inside.url = url ?? "";
      if (behind === null) return [...parts, inside];
      parts.push(inside);
      rest = behind;
    }
    return [...parts, rest];
  });
}

/** Splits a run at the end of the word nearest to `x`. Returns null for a part without text. */
export function splitRun(run: TextRun, x: number): [before: TextRun | null, after: TextRun | null] {
  const { text, width } = run;
  const chars = ((x - run.x) / width) * text.length;
  const ends = [0, ...[...text.matchAll(/\s+/g)].map(({ index }) => index), text.length];
  const at = ends.reduce((best, end) => (Math.abs(end - chars) < Math.abs(best - chars) ? end : best), 0);
  if (at === 0) return [null, run];
  if (at === text.length) return [run, null];
  const before = { ...run, text: text.slice(0, at), width: (width * at) / text.length };
  const words = text.slice(at).trimStart();
  const start = text.length - words.length;
  const after = {
    ...run,
    text: words,
    x: run.x + (width * start) / text.length,
    width: width * (1 - start / text.length),
  };
  return [before, after];
}

/** Returns the index of the first element for which `isAtOrAfter` is true. */
export function lowerBound<T>(sorted: readonly T[], isAtOrAfter: (element: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const element = sorted[middle];
    if (element !== undefined && isAtOrAfter(element)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Adds the values of form fields as text. A value without text on its line gets the name of the field. */
function addFields(runs: TextRun[], annotations: readonly PageAnnotation[]): void {
  const fields = annotations.filter(({ value }) => value !== undefined);
  if (fields.length === 0) return;
  const baselines = runs.map(({ y }) => y).sort((a, b) => a - b);
  for (const { id, box, value = "", name } of fields) {
    const size = Math.min(box.top - box.bottom, 10);
    const isLabeled = (baselines[lowerBound(baselines, (y) => y >= box.bottom - size)] ?? Infinity) <= box.top;
    for (const [line, words] of value.split(/\r\n?|\n/).entries()) {
      const text = line === 0 && !isLabeled && name ? `${name}: ${words}` : words;
      const y = (value.includes("\n") ? box.top - size : (box.bottom + box.top) / 2 - size / 3) - line * size * 1.2;
      if (text.trim() !== "")
        runs.push({
          text,
          x: box.left,
          y,
          width: Math.min(box.right - box.left, size * text.length * 0.5),
          size,
          mark: id,
        });
    }
  }
}
