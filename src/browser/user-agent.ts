/** The user agent of a current desktop Chrome, without the name of this service. */
const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

export function withServiceName(browserAgent: string, serviceAgent: string): string {
  return `${browserAgent.replace("Headless", "")} ${serviceAgent.replace(/^Mozilla\/\S+ /, "")}`;
}

/** Returns the user agent of Chrome on a phone with the same version. Keeps the name of this service. */
export function toMobileUserAgent(userAgent: string): string {
  // Chrome names every phone "Android 10; K".
  return userAgent
    .replace(/^([^(]*)\([^)]*\)/, "$1(Linux; Android 10; K)")
    .replace(/(?<!Mobile )Safari\//, "Mobile Safari/");
}

/** Returns the user agent for plain requests of a phone. It names this service. */
export function toPlainMobileUserAgent(serviceAgent: string): string {
  return toMobileUserAgent(withServiceName(DESKTOP, serviceAgent));
}
