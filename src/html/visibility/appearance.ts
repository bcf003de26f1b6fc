import type { Element } from "domhandler";
import { COMPUTED } from "../parse/computed-visibility";
import type { StyledPage } from "../parse/document";
import { PageStyles } from "./page-styles";
import { hasMotion, inheritVisibility, isHidden, isTransparent, isVisible, type Visibility } from "./style-visibility";

/** The appearance of an element on the page. */
export interface Appearance {
  /** True if the element isn't shown, with all its contents. */
  isHidden: boolean;
  /** True if the element is transparent, with all its contents. */
  isTransparent: boolean;
  /** True if the element's style moves or animates it. */
  hasMotion: boolean;
  /** The visibility of the element's own text. */
  text: Visibility;
}

/** Returns a function that reads the appearance of an element from attributes and the page's own style sheets. */
export function readStyles(page: StyledPage): (element: Element, outer: Visibility) => Appearance {
  const styles = new PageStyles(page);
  return (element, outer) => {
    const style = styles.of(element, { isOuterVisible: isVisible(outer) });
    if (style.size === 0) return toAppearance(outer, { isHidden: isHiddenByMarkup(element) });
    return {
      isHidden: isHiddenByMarkup(element) || isHidden(style),
      isTransparent: isTransparent(style),
      hasMotion: hasMotion(style),
      text: inheritVisibility(outer, style),
    };
  };
}

/** Returns a function that reads the appearance of an element from the styles that the browser computed. */
export function readComputed(
  computed: ReadonlyMap<Element, number>,
): (element: Element, outer: Visibility) => Appearance {
  return (element, outer) => {
    const bits = computed.get(element);
    if (bits === undefined) return toAppearance(outer, { isHidden: isTemplate(element) });
    const has = (bit: number) => (bits & bit) !== 0;
    return {
      isHidden: has(COMPUTED.gone) || isTemplate(element),
      isTransparent: has(COMPUTED.transparent),
      hasMotion: has(COMPUTED.motion),
      text: {
        isHidden: has(COMPUTED.hidden),
        isTiny: has(COMPUTED.tiny),
        isIndented: has(COMPUTED.indented),
        hasNoContrast: has(COMPUTED.noContrast),
      },
    };
  };
}

function toAppearance(text: Visibility, { isHidden }: { isHidden: boolean }): Appearance {
  return { isHidden, isTransparent: false, hasMotion: false, text };
}

function isHiddenByMarkup(element: Element): boolean {
  const { name, attribs } = element;
  if (attribs.hidden !== undefined || attribs.popover !== undefined) return true;
  return name === "dialog" ? attribs.open === undefined : isTemplate(element);
}

function isTemplate({ name, attribs }: Element): boolean {
  return name === "template" && attribs.shadowrootmode === undefined;
}
