import type { PageScripts } from "./shared/script-types";

/**
 * Reports images that couldn't be loaded as loaded, because some pages replace or remove an image that fails. Runs before
 * the page's own scripts in renders that skip images. It covers images of the document and images that a script creates
 * with `new Image()`.
 */
export const hideSkippedImages: PageScripts["hideSkippedImages"] = () => {
  if (typeof document === "undefined") return;
  const NativeImage = Image;
  const NativeEvent = Event;
  const { addEventListener, dispatchEvent } = EventTarget.prototype;
  const { stopImmediatePropagation } = NativeEvent.prototype;
  const { apply, construct } = Reflect;
  const onError = (event: Event) => {
    const { target } = event;
    if (!event.isTrusted || !(target instanceof NativeImage)) return;
    apply(stopImmediatePropagation, event, []);
    apply(dispatchEvent, target, [new NativeEvent("load")]);
  };
  // A listener in the capture phase of the window runs before the page's own listeners.
  apply(addEventListener, globalThis, ["error", onError, true]);
  globalThis.Image = new Proxy(NativeImage, {
    construct(target, parameters, newTarget) {
      const image: EventTarget = construct(target, parameters, newTarget);
      apply(addEventListener, image, ["error", onError]);
      return image as object;
    },
  });
};
