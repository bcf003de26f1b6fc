import { raw } from "hono/html";

/** The SVG paths of the icons, on a grid of 24 px. CSS draws them in the text color. */
const PATHS = {
  logo: '<path d="M4 5h16M4 12h10M4 19h6"/><circle cx="18" cy="16" r="3"/><path d="m20.2 18.2 2 2"/>',
  chart: '<path d="M4 20V10M10 20V4M16 20v-7M21 20H3"/>',
  play: '<path d="M7 4.5v15l12-7.5z"/>',
  list: '<path d="M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01"/>',
  key: '<circle cx="8" cy="15" r="4"/><path d="m11 12 9-9M16 7l3 3M18.5 4.500l2 2"/>',
  hook: '<path d="M9 17a4 4 0 1 1-3-6.500L10 4a4 4 0 1 1 5 5M12 13h4.500a4 4 0 1 1-3 6.500"/>',
  gauge: '<path d="M4 19a9 9 0 1 1 16 0M12 14l4-4"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4 21a8 8 0 0 1 16 0"/>',
  team: '<circle cx="9" cy="8" r="3.500"/><path d="M2 20a7 7 0 0 1 14 0M16 4.500a3.500 3.500 0 0 1 0 7M18 14a7 7 0 0 1 4 6"/>',
  shield: '<path d="M12 3 4 6v6c0 5 3.500 8 8 9 4.500-1 8-4 8-9V6z"/>',
  book: '<path d="M4 5a2 2 0 0 1 2-2h14v16H6a2 2 0 0 0-2 2zM4 19V5"/>',
  check: '<path d="m4 12 5 5L20 6"/>',
  warn: '<path d="M12 3 2 20h20zM12 10v4M12 17h.01"/>',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon, hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {raw(PATHS[name])}
    </svg>
  );
}
