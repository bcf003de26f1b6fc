import { greatest, numbersOf, type SchemaObject, smallest } from "../../../json-schema/keywords";
import { numberFor } from "./names";
import type { Place } from "./sampling";

const MAX_DECIMALS = 100;

interface Bounds {
  low: number;
  high: number;
  isIn(value: number): boolean;
}

/** Numbers that may do, the best first. */
export function* sampleNumbers(parts: readonly SchemaObject[], place: Place, integer: boolean): Generator<number> {
  const { low, high, isIn } = toBounds(parts);
  const steps = numbersOf(parts, "multipleOf").filter((step) => step > 0);
  const wanted = numberFor(place.name, place.index);
  const unit = steps[0] ?? (integer ? 1 : 0.5);
  const near = Number.isFinite(low) ? low : Number.isFinite(high) ? high : 0;
  const middle = Number.isFinite(low) && Number.isFinite(high) ? low + (high - low) / 2 : near;
  const places = [wanted, low + (place.index + 1) * unit, high - (place.index + 1) * unit, middle, low, high, near, 0];

  const seen = new Set<number>();
  for (const value of places.flatMap((number) => toSteps(number, steps, integer))) {
    if (!Number.isFinite(value) || !isIn(value) || seen.has(value)) continue;
    seen.add(value);
    yield value;
  }
  yield integer ? Math.round(wanted) : wanted;
}

/** The number itself, or the whole ones and multiples around it. */
function toSteps(value: number, steps: readonly number[], integer: boolean): readonly number[] {
  const all = integer ? [...steps, 1] : steps;
  if (steps.length === 0) return integer ? [Math.floor(value), Math.ceil(value)] : [value];
  // A multiple of the product is one of each; the smallest common one would be nicer, and isn't needed.
  const product = all.reduce((left, right) => left * right, 1);
  const candidates = new Set([...all, product].filter((step) => step > 0 && Number.isFinite(step)));
  return [...candidates].flatMap((step) => [
    toMultiple(Math.floor(value / step), step),
    toMultiple(Math.ceil(value / step), step),
    toMultiple(integer ? Math.ceil(value) : 1, step),
  ]);
}

/** Without the error that binary fractions bring: 3 times 0.1 is 0.3. */
function toMultiple(count: number, step: number): number {
  const [digits = "", exponent = "0"] = String(step).split("e");
  const decimals = (digits.split(".")[1]?.length ?? 0) - Number(exponent);
  const multiple = count * step;
  return decimals > 0 && decimals <= MAX_DECIMALS ? Number(multiple.toFixed(decimals)) : multiple;
}

/** In draft 4 the exclusive bounds are flags of the others. */
function toBounds(parts: readonly SchemaObject[]): Bounds {
  const above = greatest(parts, "exclusiveMinimum") ?? -Infinity;
  const below = smallest(parts, "exclusiveMaximum") ?? Infinity;
  const min = greatest(parts, "minimum") ?? -Infinity;
  const max = smallest(parts, "maximum") ?? Infinity;
  const isMinOut = parts.some((part) => part.exclusiveMinimum === true);
  const isMaxOut = parts.some((part) => part.exclusiveMaximum === true);
  return {
    low: Math.max(above, min),
    high: Math.min(below, max),
    isIn: (value) =>
      value > above &&
      value < below &&
      (isMinOut ? value > min : value >= min) &&
      (isMaxOut ? value < max : value <= max),
  };
}
