// The patterns of overlays: dialogs and consent boxes. The extraction uses them, and so does the page script that
// removes overlays before a screenshot. This file has no imports, so that it can be part of the page script.

/** The ids and class names of consent boxes. */
export const CONSENT =
  /(?:cookie|consent)[-_]?(?:bar|banner|box|consent|container|dialog|hint|info|law|layer|message|modal|notice|overlay|popup|wrapper)|gdpr|onetrust|cmpbox|cookiebot|usercentrics|didomi/i;

/** The words for the subjects of consent boxes, in the languages of vocabulary.ts. */
export const SUBJECT =
  /cookies?|consent|privacy|partners|legitimate interest|personal data|einwillig|zustimm|datenschutz|berechtigtes interesse|çerez|kişisel veri|куки|согласи|персональн|confidentialité|consentement|traceurs|privacidad|consentimiento/iu;
export const COOKIE = /cookie|çerez|куки|traceurs/iu;
/** The labels of the buttons in consent boxes. */
export const BUTTON =
  /^(?:i )?(?:accept|agree|allow|reject|decline|deny|got it|ok(?:ay)?$|alle (?:akzeptieren|ablehnen|cookies)|akzeptieren|zustimmen|ablehnen|einverstanden|tout (?:accepter|refuser)|accepter|refuser|j'accepte|aceptar|rechazar|kabul|reddet|tümünü|принять|принимаю|согласен|отклонить)/iu;
export const MAX_BUTTON_WORDS = 6;
/** The maximum number of words in a consent box. A longer text is an article about privacy. */
export const MAX_BOX_WORDS = 800;
/** The minimum share of the words in a consent box that are in lines about cookies or privacy. */
export const MIN_SHARE = 0.4;

interface OverlayMarkup {
  name: string;
  /** The attribute `role`. */
  role: string;
  /** True if `aria-modal` is true. */
  isModal: boolean;
  /** The id and the class names. */
  names: string;
}

export function isOverlayMarkup({ name, role, isModal, names }: OverlayMarkup): boolean {
  return name === "dialog" || /^(?:alert)?dialog$/i.test(role) || isModal || CONSENT.test(names);
}
