import { VIEWPORT } from "../model/page-limits";
import { emulate } from "./device";
import { impersonate } from "./impersonate";
import type { RenderRequest } from "./protocol";
import { toDeniedPatterns } from "./render-policy";
import type { RunningBrowser } from "./running-browser";
import { startSession } from "./session";
import { skipResources } from "./skipped-resources";
import type { Tab } from "./tab";

/** Applies the options of a request to its tab, before the page is opened. `isPainted` is true if images are needed. */
export async function prepareTab(
  running: RunningBrowser,
  tab: Tab,
  request: RenderRequest,
  { isPainted }: { isPainted: boolean },
): Promise<void> {
  const { url, visit, device, session, load, actions, denied } = request;
  if (denied) await running.browser.interceptAlso(tab, toDeniedPatterns(denied.targets));
  if (load?.blockAds) tab.blocked.blockAds(url);
  if (tab.skipsByUrl && !isPainted) skipResources(tab);
  if (visit !== null) await impersonate(tab, visit, url);
  else if (device) await emulate(running.browser, tab, device, url);
  else if (isPainted) await tab.layOut(VIEWPORT);
  if (session) await startSession(running, tab, session, url);
  if (actions) await tab.send("Emulation.setFocusEmulationEnabled", { enabled: true });
}
