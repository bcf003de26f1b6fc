/** The origin of the service in tests. */
export const ORIGIN = "https://api.extraction.example";
