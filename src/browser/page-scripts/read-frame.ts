import type { PageScripts } from "./shared/script-types";
import { createSnapshot } from "./take-snapshot";

/** Returns the contents of the document's body, for a frame that the page around it can't read. */
export const readFrame: PageScripts["readFrame"] = () => createSnapshot().readFrame();
