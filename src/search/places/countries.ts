export interface Country {
  /** The ISO 3166-1 alpha-2 code. */
  code: string;
  /** BCP 47 tags, the most used language first. A tag has a region or script only if the engines need it. */
  languages: readonly [string, ...string[]];
  /** English names. */
  names: readonly string[];
}

/**
 * Each line has a code, languages and names. The languages are the country's likely languages in CLDR, and the
 * languages for which search engines have a market.
 */
const TABLE = `
AD ca Andorra
AE ar,en United Arab Emirates; UAE; Emirates
AF fa Afghanistan
AG en Antigua and Barbuda
AI en Anguilla
AL sq Albania
AM hy,ru Armenia
AO pt-PT Angola
AR es Argentina
AS en American Samoa
AT de Austria
AU en Australia
AW nl Aruba
AX sv Åland Islands
AZ az,ru Azerbaijan
BA bs,hr,sr Bosnia and Herzegovina; Bosnia
BB en Barbados
BD bn,en Bangladesh
BE nl,fr,de Belgium
BF fr Burkina Faso
BG bg Bulgaria
BH ar,en Bahrain
BI fr Burundi
BJ fr Benin
BL fr Saint Barthélemy
BM en Bermuda
BN ms,en Brunei; Brunei Darussalam
BO es Bolivia
BQ nl Caribbean Netherlands
BR pt-BR Brazil
BS en Bahamas; The Bahamas
BT en Bhutan
BW en Botswana
BY ru,be Belarus
BZ en Belize
CA en,fr Canada
CC ms Cocos Islands
CD fr Democratic Republic of the Congo; DR Congo; Congo-Kinshasa
CF fr Central African Republic
CG fr Republic of the Congo; Congo; Congo-Brazzaville
CH de,fr,it Switzerland
CI fr Côte d'Ivoire; Ivory Coast
CK en Cook Islands
CL es Chile
CM fr,en Cameroon
CN zh-CN China; People's Republic of China; PRC
CO es Colombia
CR es Costa Rica
CU es Cuba
CV pt-PT Cape Verde; Cabo Verde
CW nl Curaçao
CX en Christmas Island
CY el,tr,en Cyprus
CZ cs Czechia; Czech Republic
DE de Germany
DJ fr Djibouti
DK da Denmark
DM en Dominica
DO es Dominican Republic
DZ ar,fr Algeria
EC es Ecuador
EE et,ru Estonia
EG ar,en Egypt
EH ar Western Sahara
ER ti Eritrea
ES es,ca,gl,eu Spain
ET am,en Ethiopia
FI fi,sv Finland
FJ en Fiji
FK en Falkland Islands
FM en Micronesia; Federated States of Micronesia
FO fo Faroe Islands
FR fr France
GA fr Gabon
GB en United Kingdom; UK; Great Britain; Britain; England; Scotland; Wales; Northern Ireland
GD en Grenada
GE ka,ru Georgia
GF fr French Guiana
GG en Guernsey
GH en Ghana
GI en Gibraltar
GL da Greenland
GM en Gambia; The Gambia
GN fr Guinea
GP fr Guadeloupe
GQ es Equatorial Guinea
GR el Greece
GT es Guatemala
GU en Guam
GW pt-PT Guinea-Bissau
GY en Guyana
HK zh-HK,en Hong Kong
HN es Honduras
HR hr Croatia
HT ht Haiti
HU hu Hungary
ID id Indonesia
IE en Ireland; Republic of Ireland
IL he,en,ar,ru Israel
IM en Isle of Man
IN en,hi,ta,te,bn,mr,gu India
IO en British Indian Ocean Territory
IQ ar Iraq
IR fa Iran
IS is Iceland
IT it Italy
JE en Jersey
JM en Jamaica
JO ar Jordan
JP ja Japan
KE en,sw Kenya
KG ru,ky Kyrgyzstan
KH km Cambodia
KI en Kiribati
KM ar Comoros
KN en Saint Kitts and Nevis
KP ko North Korea; DPRK
KR ko South Korea; Korea; Republic of Korea
KW ar,en Kuwait
KY en Cayman Islands
KZ ru,kk Kazakhstan
LA lo Laos; Lao
LB ar Lebanon
LC en Saint Lucia
LI de Liechtenstein
LK en,si,ta Sri Lanka
LR en Liberia
LS en Lesotho
LT lt Lithuania
LU fr,de Luxembourg
LV lv,ru Latvia
LY ar Libya
MA fr,ar Morocco
MC fr Monaco
MD ro,ru Moldova
ME sr Montenegro
MF fr Saint Martin
MG mg Madagascar
MH en Marshall Islands
MK mk,sq North Macedonia; Macedonia
ML fr Mali
MM my Myanmar; Burma
MN mn Mongolia
MO zh-MO Macao; Macau
MP en Northern Mariana Islands
MQ fr Martinique
MR ar Mauritania
MS en Montserrat
MT en,mt Malta
MU en,fr Mauritius
MV dv Maldives
MW en Malawi
MX es Mexico
MY en,ms,zh Malaysia
MZ pt-PT Mozambique
NA en Namibia
NC fr New Caledonia
NE fr Niger
NF en Norfolk Island
NG en Nigeria
NI es Nicaragua
NL nl Netherlands; Holland; The Netherlands
NO no Norway
NP ne Nepal
NR en Nauru
NU en Niue
NZ en New Zealand
OM ar Oman
PA es Panama
PE es Peru
PF fr French Polynesia
PG en Papua New Guinea
PH en,fil Philippines; The Philippines
PK en,ur Pakistan
PL pl Poland
PM fr Saint Pierre and Miquelon
PN en Pitcairn Islands
PR es,en Puerto Rico
PS ar Palestine
PT pt-PT Portugal
PW en Palau
PY es Paraguay
QA ar,en Qatar
RE fr Réunion
RO ro Romania
RS sr Serbia
RU ru Russia; Russian Federation
RW en,fr Rwanda
SA ar,en Saudi Arabia
SB en Solomon Islands
SC en,fr Seychelles
SD ar Sudan
SE sv Sweden
SG en,zh Singapore
SH en Saint Helena
SI sl Slovenia
SJ no Svalbard and Jan Mayen
SK sk Slovakia
SL en Sierra Leone
SM it San Marino
SN fr Senegal
SO so Somalia
SR nl Suriname
SS ar South Sudan
ST pt-PT São Tomé and Príncipe
SV es El Salvador
SX en Sint Maarten
SY ar Syria; Syrian Arab Republic
SZ en Eswatini; Swaziland
TC en Turks and Caicos Islands
TD ar Chad
TF fr French Southern Territories
TG fr Togo
TH th Thailand
TJ tg,ru Tajikistan
TK en Tokelau
TL pt-PT Timor-Leste; East Timor
TM tk,ru Turkmenistan
TN ar,fr Tunisia
TO en Tonga
TR tr Türkiye; Turkey
TT en Trinidad and Tobago
TV en Tuvalu
TW zh-TW Taiwan
TZ sw,en Tanzania
UA uk,ru Ukraine
UG en Uganda
UM en U.S. Outlying Islands
US en,es United States; USA; United States of America; America; U.S.; U.S.A.
UY es Uruguay
UZ uz,ru Uzbekistan
VA it Vatican City; Vatican; Holy See
VC en Saint Vincent and Grenadines
VE es Venezuela
VG en British Virgin Islands
VI en U.S. Virgin Islands
VN vi Vietnam; Viet Nam
VU en,fr Vanuatu
WF fr Wallis and Futuna
WS en Samoa
XK sq,sr Kosovo
YE ar Yemen
YT fr Mayotte
ZA en,af South Africa
ZM en Zambia
ZW en Zimbabwe
`;

export const COUNTRIES: readonly Country[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [code = "", languages = "", ...names] = line.split(" ");
    const [first = "en", ...others] = languages.split(",");
    return { code, languages: [first, ...others], names: names.join(" ").split("; ") };
  });

/** The ISO 3166-1 alpha-3 codes, each followed by the alpha-2 code. */
const ALPHA_3 = `
ANDAD AREAE AFGAF ATGAG AIAAI ALBAL ARMAM AGOAO ARGAR ASMAS AUTAT AUSAU ABWAW ALAAX AZEAZ BIHBA BRBBB BGDBD
BELBE BFABF BGRBG BHRBH BDIBI BENBJ BLMBL BMUBM BRNBN BOLBO BESBQ BRABR BHSBS BTNBT BWABW BLRBY BLZBZ CANCA
CCKCC CODCD CAFCF COGCG CHECH CIVCI COKCK CHLCL CMRCM CHNCN COLCO CRICR CUBCU CPVCV CUWCW CXRCX CYPCY CZECZ
DEUDE DJIDJ DNKDK DMADM DOMDO DZADZ ECUEC ESTEE EGYEG ESHEH ERIER ESPES ETHET FINFI FJIFJ FLKFK FSMFM FROFO
FRAFR GABGA GBRGB GRDGD GEOGE GUFGF GGYGG GHAGH GIBGI GRLGL GMBGM GINGN GLPGP GNQGQ GRCGR GTMGT GUMGU GNBGW
GUYGY HKGHK HNDHN HRVHR HTIHT HUNHU IDNID IRLIE ISRIL IMNIM INDIN IOTIO IRQIQ IRNIR ISLIS ITAIT JEYJE JAMJM
JORJO JPNJP KENKE KGZKG KHMKH KIRKI COMKM KNAKN PRKKP KORKR KWTKW CYMKY KAZKZ LAOLA LBNLB LCALC LIELI LKALK
LBRLR LSOLS LTULT LUXLU LVALV LBYLY MARMA MCOMC MDAMD MNEME MAFMF MDGMG MHLMH MKDMK MLIML MMRMM MNGMN MACMO
MNPMP MTQMQ MRTMR MSRMS MLTMT MUSMU MDVMV MWIMW MEXMX MYSMY MOZMZ NAMNA NCLNC NERNE NFKNF NGANG NICNI NLDNL
NORNO NPLNP NRUNR NIUNU NZLNZ OMNOM PANPA PERPE PYFPF PNGPG PHLPH PAKPK POLPL SPMPM PCNPN PRIPR PSEPS PRTPT
PLWPW PRYPY QATQA REURE ROURO SRBRS RUSRU RWARW SAUSA SLBSB SYCSC SDNSD SWESE SGPSG SHNSH SVNSI SJMSJ SVKSK
SLESL SMRSM SENSN SOMSO SURSR SSDSS STPST SLVSV SXMSX SYRSY SWZSZ TCATC TCDTD ATFTF TGOTG THATH TJKTJ TKLTK
TLSTL TKMTM TUNTN TONTO TURTR TTOTT TUVTV TWNTW TZATZ UKRUA UGAUG UMIUM USAUS URYUY UZBUZ VATVA VCTVC VENVE
VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS XKXXK YEMYE MYTYT ZAFZA ZMBZM ZWEZW
`;

/** The alpha-2 codes by alpha-3 code. */
export const COUNTRY_OF_ALPHA_3: ReadonlyMap<string, string> = new Map(
  ALPHA_3.trim()
    .split(/\s/)
    .map((entry) => [entry.slice(0, 3), entry.slice(3)]),
);
