/** A variable without white space around it; null when it is empty or not set. */
export function toText(text: string | undefined): string | null {
  return text?.trim() || null;
}

/** The origin of a variable that holds an http or https URL. Null when it is empty or isn't such a URL. */
export function toHttpOrigin(text: string | undefined): string | null {
  const url = URL.parse(text?.trim() ?? "");
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}

/** A variable of wrangler.toml as a number above 0; the default when it is empty or none. */
export function toPositiveNumber(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return text !== undefined && text.trim() !== "" && Number.isFinite(value) && value > 0 ? value : fallback;
}

/** A variable as a whole number from 0 up; the default when it is empty or none. */
export function toWholeNumber(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : fallback;
}

/** Whether a variable says yes: on, true, 1 or yes. */
export function isOn(variable: string | undefined): boolean {
  return /^(?:on|true|1|yes)$/i.test(variable?.trim() ?? "");
}
