/** A variable of wrangler.toml as a number above 0; the default when it is empty or none. */
export function toPositiveNumber(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return text !== undefined && text.trim() !== "" && Number.isFinite(value) && value > 0 ? value : fallback;
}
