import type { Style } from "./declarations";

/** Pixels of one of each unit, about: for telling nothing from something, and here from far away. */
const UNITS = new Map([
  ["px", 1],
  ["pt", 1.33],
  ["em", 16],
  ["rem", 16],
  ["ex", 8],
  ["ch", 8],
  ["vw", 12.8],
  ["vh", 8],
  ["cm", 38],
  ["mm", 3.8],
  ["in", 96],
]);
const LENGTH = /^(-?\d*\.?\d+)([a-z]*)$/;

/** Null for what is no length, or a share of something else. */
export function pixels(value: string): number | null {
  const [, number, unit = ""] = LENGTH.exec(value) ?? [];
  if (number === undefined) return null;
  const size = unit === "" ? 1 : UNITS.get(unit);
  return size === undefined ? null : Number(number) * size;
}

/** At most one pixel. */
export function isNarrow(value: string | undefined): boolean {
  if (value === undefined) return false;
  const length = pixels(value.replace(/^(-?[\d.]+)%$/, "$1px"));
  return length !== null && length <= 1;
}

export function isZeroPadding(style: Style): boolean {
  return ["padding-top", "padding-bottom"].every((side) => Number.parseFloat(style.get(side) ?? "0") === 0);
}
