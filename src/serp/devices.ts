import type { Device } from "./engine";

export interface Client {
  userAgent: string;
  viewport: { width: number; height: number };
  isMobile: boolean;
}

/** Current Chrome: its user agent is frozen but for the major version. */
const CHROME = "Chrome/153.0.0.0";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

export const CLIENTS: Readonly<Record<Device, Client>> = {
  desktop: {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} ${CHROME} Safari/537.36`,
    viewport: { width: 1280, height: 800 },
    isMobile: false,
  },
  mobile: {
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} ${CHROME} Mobile Safari/537.36`,
    viewport: { width: 412, height: 915 },
    isMobile: true,
  },
};
