/** The names of the icons. assets/dashboard/style.css contains their shapes. */
export const ICON_NAMES = [
  "logo",
  "chart",
  "play",
  "list",
  "stack",
  "usage",
  "key",
  "hook",
  "gauge",
  "user",
  "team",
  "shield",
  "book",
  "check",
  "warn",
] as const;

export type IconName = (typeof ICON_NAMES)[number];

/** A decorative icon in the color of the text. It has no text, so screen readers ignore it. */
export function Icon({ name }: { name: IconName }) {
  return <i data-icon={name} />;
}
