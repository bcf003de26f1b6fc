/** The time zone of a country's capital, and its approximate location in degrees. */
export interface Zone {
  timezone: string;
  latitude: number;
  longitude: number;
}

/**
 * Each entry has a country's code, its IANA time zone, and the latitude and longitude of its capital. Source: zone.tab
 * of the tz database (public domain). Usually, an entry is the first city of the country in zone.tab. Another city
 * replaces it if the country has several zones and the first city isn't the capital, or if it is far from the capital.
 */
const TABLE = `
AD Europe/Andorra 42.5 1.5; AE Asia/Dubai 24.5 54.4; AF Asia/Kabul 34.5 69.2; AG America/Antigua 17.1 -61.8
AI America/Anguilla 18.2 -63.1; AL Europe/Tirane 41.3 19.8; AM Asia/Yerevan 40.2 44.5
AO Africa/Luanda -8.8 13.2; AQ Antarctica/McMurdo -77.8 166.7; AR America/Argentina/Buenos_Aires -34.6 -58.4
AS Pacific/Pago_Pago -14.3 -170.7; AT Europe/Vienna 48.2 16.3; AU Australia/Sydney -35.3 149.1
AW America/Aruba 12.5 -70; AX Europe/Mariehamn 60.1 19.9; AZ Asia/Baku 40.4 49.9; BA Europe/Sarajevo 43.9 18.4
BB America/Barbados 13.1 -59.6; BD Asia/Dhaka 23.7 90.4; BE Europe/Brussels 50.8 4.3
BF Africa/Ouagadougou 12.4 -1.5; BG Europe/Sofia 42.7 23.3; BH Asia/Bahrain 26.4 50.6
BI Africa/Bujumbura -3.4 29.4; BJ Africa/Porto-Novo 6.5 2.6; BL America/St_Barthelemy 17.9 -62.9
BM Atlantic/Bermuda 32.3 -64.8; BN Asia/Brunei 4.9 114.9; BO America/La_Paz -19 -65.3
BQ America/Kralendijk 12.2 -68.3; BR America/Sao_Paulo -15.8 -47.9; BS America/Nassau 25.1 -77.3
BT Asia/Thimphu 27.5 89.7; BW Africa/Gaborone -24.6 25.9; BY Europe/Minsk 53.9 27.6
BZ America/Belize 17.3 -88.8; CA America/Toronto 45.4 -75.7; CC Indian/Cocos -12.2 96.9
CD Africa/Kinshasa -4.3 15.3; CF Africa/Bangui 4.4 18.6; CG Africa/Brazzaville -4.3 15.3
CH Europe/Zurich 46.9 7.4; CI Africa/Abidjan 6.8 -5.3; CK Pacific/Rarotonga -21.2 -159.8
CL America/Santiago -33.4 -70.7; CM Africa/Douala 3.9 11.5; CN Asia/Shanghai 39.9 116.4
CO America/Bogota 4.6 -74.1; CR America/Costa_Rica 9.9 -84.1; CU America/Havana 23.1 -82.4
CV Atlantic/Cape_Verde 14.9 -23.5; CW America/Curacao 12.2 -69; CX Indian/Christmas -10.4 105.7
CY Asia/Nicosia 35.2 33.4; CZ Europe/Prague 50.1 14.4; DE Europe/Berlin 52.5 13.4; DJ Africa/Djibouti 11.6 43.1
DK Europe/Copenhagen 55.7 12.6; DM America/Dominica 15.3 -61.4; DO America/Santo_Domingo 18.5 -69.9
DZ Africa/Algiers 36.8 3; EC America/Guayaquil -0.2 -78.5; EE Europe/Tallinn 59.4 24.8
EG Africa/Cairo 30.1 31.2; EH Africa/El_Aaiun 27.1 -13.2; ER Africa/Asmara 15.3 38.9; ES Europe/Madrid 40.4 -3.7
ET Africa/Addis_Ababa 9 38.7; FI Europe/Helsinki 60.2 25; FJ Pacific/Fiji -18.1 178.4
FK Atlantic/Stanley -51.7 -57.9; FM Pacific/Pohnpei 6.9 158.2; FO Atlantic/Faroe 62 -6.8
FR Europe/Paris 48.9 2.3; GA Africa/Libreville 0.4 9.4; GB Europe/London 51.5 -0.1
GD America/Grenada 12.1 -61.8; GE Asia/Tbilisi 41.7 44.8; GF America/Cayenne 4.9 -52.3
GG Europe/Guernsey 49.5 -2.5; GH Africa/Accra 5.5 -0.2; GI Europe/Gibraltar 36.1 -5.3
GL America/Nuuk 64.2 -51.7; GM Africa/Banjul 13.5 -16.6; GN Africa/Conakry 9.5 -13.7
GP America/Guadeloupe 16.2 -61.5; GQ Africa/Malabo 3.8 8.8; GR Europe/Athens 38 23.7
GS Atlantic/South_Georgia -54.3 -36.5; GT America/Guatemala 14.6 -90.5; GU Pacific/Guam 13.5 144.8
GW Africa/Bissau 11.8 -15.6; GY America/Guyana 6.8 -58.2; HK Asia/Hong_Kong 22.3 114.2
HN America/Tegucigalpa 14.1 -87.2; HR Europe/Zagreb 45.8 16; HT America/Port-au-Prince 18.5 -72.3
HU Europe/Budapest 47.5 19.1; ID Asia/Jakarta -6.2 106.8; IE Europe/Dublin 53.3 -6.2
IL Asia/Jerusalem 31.8 35.2; IM Europe/Isle_of_Man 54.1 -4.5; IN Asia/Kolkata 28.6 77.2
IO Indian/Chagos -7.3 72.4; IQ Asia/Baghdad 33.4 44.4; IR Asia/Tehran 35.7 51.4
IS Atlantic/Reykjavik 64.2 -21.9; IT Europe/Rome 41.9 12.5; JE Europe/Jersey 49.2 -2.1
JM America/Jamaica 18 -76.8; JO Asia/Amman 31.9 35.9; JP Asia/Tokyo 35.6 139.7; KE Africa/Nairobi -1.3 36.8
KG Asia/Bishkek 42.9 74.6; KH Asia/Phnom_Penh 11.6 104.9; KI Pacific/Tarawa 1.4 173; KM Indian/Comoro -11.7 43.3
KN America/St_Kitts 17.3 -62.7; KP Asia/Pyongyang 39 125.8; KR Asia/Seoul 37.5 127; KW Asia/Kuwait 29.3 48
KY America/Cayman 19.3 -81.4; KZ Asia/Almaty 51.2 71.4; LA Asia/Vientiane 18 102.6; LB Asia/Beirut 33.9 35.5
LC America/St_Lucia 14 -61; LI Europe/Vaduz 47.1 9.5; LK Asia/Colombo 6.9 79.9; LR Africa/Monrovia 6.3 -10.8
LS Africa/Maseru -29.5 27.5; LT Europe/Vilnius 54.7 25.3; LU Europe/Luxembourg 49.6 6.2; LV Europe/Riga 57 24.1
LY Africa/Tripoli 32.9 13.2; MA Africa/Casablanca 34 -6.8; MC Europe/Monaco 43.7 7.4; MD Europe/Chisinau 47 28.8
ME Europe/Podgorica 42.4 19.3; MF America/Marigot 18.1 -63.1; MG Indian/Antananarivo -18.9 47.5
MH Pacific/Majuro 7.1 171.4; MK Europe/Skopje 42 21.4; ML Africa/Bamako 12.7 -8; MM Asia/Yangon 19.8 96.1
MN Asia/Ulaanbaatar 47.9 106.9; MO Asia/Macau 22.2 113.5; MP Pacific/Saipan 15.2 145.8
MQ America/Martinique 14.6 -61.1; MR Africa/Nouakchott 18.1 -15.9; MS America/Montserrat 16.7 -62.2
MT Europe/Malta 35.9 14.5; MU Indian/Mauritius -20.2 57.5; MV Indian/Maldives 4.2 73.5
MW Africa/Blantyre -15.8 35; MX America/Mexico_City 19.4 -99.1; MY Asia/Kuala_Lumpur 3.1 101.7
MZ Africa/Maputo -26 32.6; NA Africa/Windhoek -22.6 17.1; NC Pacific/Noumea -22.3 166.4
NE Africa/Niamey 13.5 2.1; NF Pacific/Norfolk -29.1 168; NG Africa/Lagos 9.1 7.5; NI America/Managua 12.2 -86.3
NL Europe/Amsterdam 52.4 4.9; NO Europe/Oslo 59.9 10.8; NP Asia/Kathmandu 27.7 85.3; NR Pacific/Nauru -0.5 166.9
NU Pacific/Niue -19 -169.9; NZ Pacific/Auckland -41.3 174.8; OM Asia/Muscat 23.6 58.6; PA America/Panama 9 -79.5
PE America/Lima -12.1 -77; PF Pacific/Tahiti -17.5 -149.6; PG Pacific/Port_Moresby -9.4 147.2
PH Asia/Manila 14.6 121; PK Asia/Karachi 33.7 73.1; PL Europe/Warsaw 52.2 21; PM America/Miquelon 47 -56.3
PN Pacific/Pitcairn -25.1 -130.1; PR America/Puerto_Rico 18.5 -66.1; PS Asia/Hebron 31.9 35.2
PT Europe/Lisbon 38.7 -9.1; PW Pacific/Palau 7.3 134.5; PY America/Asuncion -25.3 -57.7; QA Asia/Qatar 25.3 51.5
RE Indian/Reunion -20.9 55.5; RO Europe/Bucharest 44.4 26.1; RS Europe/Belgrade 44.8 20.5
RU Europe/Moscow 55.8 37.6; RW Africa/Kigali -1.9 30.1; SA Asia/Riyadh 24.6 46.7
SB Pacific/Guadalcanal -9.5 160.2; SC Indian/Mahe -4.7 55.5; SD Africa/Khartoum 15.6 32.5
SE Europe/Stockholm 59.3 18.1; SG Asia/Singapore 1.3 103.8; SH Atlantic/St_Helena -15.9 -5.7
SI Europe/Ljubljana 46 14.5; SJ Arctic/Longyearbyen 78 16; SK Europe/Bratislava 48.1 17.1
SL Africa/Freetown 8.5 -13.2; SM Europe/San_Marino 43.9 12.5; SN Africa/Dakar 14.7 -17.4
SO Africa/Mogadishu 2.1 45.4; SR America/Paramaribo 5.8 -55.2; SS Africa/Juba 4.8 31.6
ST Africa/Sao_Tome 0.3 6.7; SV America/El_Salvador 13.7 -89.2; SX America/Lower_Princes 18.1 -63
SY Asia/Damascus 33.5 36.3; SZ Africa/Mbabane -26.3 31.1; TC America/Grand_Turk 21.5 -71.1
TD Africa/Ndjamena 12.1 15.1; TF Indian/Kerguelen -49.4 70.2; TG Africa/Lome 6.1 1.2; TH Asia/Bangkok 13.8 100.5
TJ Asia/Dushanbe 38.6 68.8; TK Pacific/Fakaofo -9.4 -171.2; TL Asia/Dili -8.6 125.6; TM Asia/Ashgabat 38 58.4
TN Africa/Tunis 36.8 10.2; TO Pacific/Tongatapu -21.1 -175.2; TR Europe/Istanbul 39.9 32.9
TT America/Port_of_Spain 10.7 -61.5; TV Pacific/Funafuti -8.5 179.2; TW Asia/Taipei 25.1 121.5
TZ Africa/Dar_es_Salaam -6.2 35.7; UA Europe/Kyiv 50.5 30.5; UG Africa/Kampala 0.3 32.4
UM Pacific/Wake 19.3 166.6; US America/New_York 38.9 -77; UY America/Montevideo -34.9 -56.2
UZ Asia/Tashkent 41.3 69.2; VA Europe/Vatican 41.9 12.4; VC America/St_Vincent 13.2 -61.2
VE America/Caracas 10.5 -66.9; VG America/Tortola 18.4 -64.6; VI America/St_Thomas 18.4 -64.9
VN Asia/Ho_Chi_Minh 21 105.8; VU Pacific/Efate -17.7 168.4; WF Pacific/Wallis -13.3 -176.2
WS Pacific/Apia -13.8 -171.7; XK Europe/Belgrade 42.7 21.2; YE Asia/Aden 15.4 44.2; YT Indian/Mayotte -12.8 45.2
ZA Africa/Johannesburg -25.7 28.2; ZM Africa/Lusaka -15.4 28.3; ZW Africa/Harare -17.8 31.1
`;

/**
 * The time zones and locations by the country's ISO 3166-1 alpha-2 code. Some places without inhabitants are missing.
 */
export const ZONES: ReadonlyMap<string, Zone> = new Map(
  TABLE.trim()
    .split(/; |\n/)
    .map((entry) => {
      const [code = "", timezone = "", latitude, longitude] = entry.split(" ");
      return [code, { timezone, latitude: Number(latitude), longitude: Number(longitude) }] as const;
    }),
);
