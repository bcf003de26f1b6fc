/** Formats a number with its noun: `1 job`, `2,000 jobs`. */
export function toCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${Math.abs(count) === 1 ? one : many}`;
}
