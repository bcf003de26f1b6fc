/** Labels of buttons that accept or refuse. */
export const BUTTON: readonly RegExp[] = [
  /^(?:yes,? )?(?:i )?(?:accept|agree|allow|consent|reject|decline|continue without|got it|accept all|agree to all|manage (?:options|preferences|settings|cookies))\b.{0,40}$/,
  /^(?:alle[ns]? )?(?:cookies )?(?:akzeptieren|zustimmen|annehmen|ablehnen|einwilligen)\b.{0,40}$|^(?:ich )?(?:akzeptiere|stimme zu|bin einverstanden)|^(?:alle|allen) (?:akzeptieren|ablehnen|zustimmen|cookies)|einwilligen und weiter|akzeptieren und weiter|zustimmen und weiter|einverstanden/,
  /^(?:tout )?(?:accepter|refuser|j'accepte|continuer sans accepter|je refuse|tout accepter|tout refuser|gérer)\b.{0,40}$/,
  /^(?:aceptar|rechazar|acepto|aceitar|rejeitar|recusar|aceito|concordo|accetta|accetto|rifiuta|continua senza accettare|accepteren|akkoord|weigeren|alles (?:accepteren|afwijzen|weigeren)|ja, ik accepteer|ik ga akkoord)\b.{0,40}$/,
  /^(?:kabul|tümünü (?:kabul|reddet)|reddet|onaylıyorum|принять|принимаю|соглас|отклонить|akceptuj|zgadzam|odrzuć|przejdź do serwisu|zaakceptuj).{0,40}$/,
  /^.{0,6}(?:同意|許可|承諾|受け入れ|接受|允许|允許|동의|허용|수락).{0,16}$|^(?:godkänn|acceptera|tillad|godta|hyväksy|přijmout|souhlasím|elfogad|acceptă|αποδοχή|приемам|прийняти|погоджу).{0,40}$|^(?:ok|okay|understood|i understand|weiter mit werbung|mit werbung|kostenlos mit|consentir|continuer avec)(?!\p{L}).{0,40}$|^(?:(?:すべて)?(?:同意|許可|拒否|承諾)(?:する|して続行|します)?|(?:全部|我)?(?:同意|接受|拒绝|拒絕)(?:并继续|所有.{0,8}|全部)?|(?:모두 )?(?:동의|허용|거부|수락)(?:하기|합니다|함)?)$/u,
  /^(?:hantera|neka|avvis|afvis|hylkää|odmítn|přijm|elutasít|αποδέχομαι|απόρριψη|pay to reject|pay|subscribe|reject and|rechazar y|refuser et|s'abonner|abonnieren|zum angebot|rifiuta e|zaakceptuj|przejdź)(?!\p{L}).{0,40}$|^(?:accept|aceptar|accepter|akzeptieren|accetta|aceitar|accepteren) .{0,30}$/u,
  /^(?:(?:cookie-?|privacy-?)?(?:voorkeuren|instellingen|einstellungen|ustawienia|preferences|settings)(?:-? ?(?:beheren|aanpassen|verwalten|anpassen|zaawansowane))?|instellen|personnaliser|paramétrer.{0,20}|gérer.{0,20}|configurar.{0,20}|personalizza|gestisci.{0,20}|gerir.{0,20}|customi[sz]e|more options|weitere optionen|настро\p{L}+.{0,20})$/u,
];

/** Labels of buttons that close a note or open settings, without giving consent. */
export const NOTICE_BUTTON =
  /^(?:ok|okay|got it|understood|i understand|verstanden|einstellungen|(?:change |cookie[- ]?)?settings|preferences|customi[sz]e)\W*$/i;
