export interface City {
  /** English names, the most common one first. */
  names: readonly string[];
  /** The country's ISO 3166-1 alpha-2 code. */
  country: string;
  /** The canonical name in Google's list of geotargets. Null if Google's search can use only the country. */
  google: string | null;
  /** The number of the city in Yandex's list of regions. Null if Yandex's search can use only the country. */
  yandex: string | null;
}

/**
 * Each line has the country, Yandex's region, the names and Google's canonical name. If several cities share a name,
 * the table has only the best known one. Sources: https://developers.google.com/google-ads/api/data/geotargets and
 * https://yandex.cloud/en/docs/search-api/reference/regions.
 */
const TABLE = `
AE - Abu Dhabi = Abu Dhabi,Abu Dhabi,United Arab Emirates
AE - Dubai = Dubai,Dubai,United Arab Emirates
AR - Buenos Aires = Buenos Aires,Buenos Aires,Argentina
AR - Cordoba = Cordoba,Cordoba Province,Argentina
AR - Rosario = Rosario,Santa Fe Province,Argentina
AT - Vienna; Wien = Vienna,Vienna,Vienna,Austria
AU - Adelaide = Adelaide,South Australia,Australia
AU - Brisbane = Brisbane,Queensland,Australia
AU - Canberra = Canberra,Australian Capital Territory,Australia
AU - Melbourne = Melbourne,Victoria,Australia
AU - Sydney = Sydney,New South Wales,Australia
BE - Brussels; Bruxelles; Brussel = Brussels,Brussels,Belgium
BR - Rio de Janeiro = Rio de Janeiro,State of Rio de Janeiro,Brazil
BR - Sao Paulo = Sao Paulo,State of Sao Paulo,Brazil
CA - Montreal = Montreal,Montreal,Quebec,Canada
CA - Toronto = Toronto,Toronto,Ontario,Canada
CA - Vancouver = Vancouver,British Columbia,Canada
CH - Zurich; Zuerich = Zurich,Zurich,Switzerland
CN - Beijing; Peking = Beijing,Beijing,China
CN - Shanghai = Shanghai,Shanghai,China
CZ - Prague; Praha = Prague,Prague,Czechia
DE - Berlin = Berlin,Berlin,Germany
DE - Frankfurt; Frankfurt am Main = Frankfurt am Main,Hessen,Germany
DE - Hamburg = Hamburg,Hamburg,Germany
DE - Munich; München; Muenchen = Munich,Bavaria,Germany
DK - Copenhagen; København = Copenhagen,Capital Region of Denmark,Denmark
EG - Cairo = Cairo,Cairo Governorate,Egypt
ES - Barcelona = Barcelona,Barcelona,Catalonia,Spain
ES - Madrid = Madrid,Community of Madrid,Spain
FI - Helsinki = Helsinki,Helsinki,Uusimaa,Finland
FR - Lyon = Lyon,Auvergne-Rhone-Alpes,France
FR - Marseille = Marseille,Provence-Alpes-Cote d'Azur,France
FR - Paris = Paris,Paris,Ile-de-France,France
GB - Birmingham = Birmingham,West Midlands,England,United Kingdom
GB - London = London,England,United Kingdom
GB - Manchester = Manchester,England,United Kingdom
GR - Athens = Athens,Athens,Attica,Greece
HK - Hong Kong = Hong Kong,Hong Kong
IE - Dublin = Dublin,County Dublin,Ireland
IN - Bengaluru; Bangalore = Bengaluru,Karnataka,India
IN - Delhi; New Delhi = Delhi,Delhi,India
IN - Mumbai; Bombay = Mumbai,Maharashtra,India
IT - Milan; Milano = Milan,Milan,Lombardy,Italy
IT - Rome; Roma = Rome,Rome,Lazio,Italy
JP - Osaka = Osaka,Osaka,Japan
JP - Tokyo = Tokyo,Tokyo,Japan
KR - Seoul = Seoul,Seoul,South Korea
KZ 162 Almaty; Alma-Ata = -
MX - Mexico City; Ciudad de Mexico = Mexico City,Mexico City,Mexico
NL - Amsterdam = Amsterdam,North Holland,Netherlands
NO - Bergen = Bergen,Vestland,Norway
NO - Oslo = Oslo,Oslo,Norway
NO - Stavanger = Stavanger,Rogaland,Norway
NO - Trondheim = Trondheim,Trondelag,Norway
NZ - Auckland = Auckland,Auckland,Auckland,New Zealand
NZ - Christchurch = Christchurch,Canterbury Region,New Zealand
NZ - Wellington = Wellington,Wellington Region,New Zealand
PK - Islamabad = Islamabad,Islamabad Capital Territory,Pakistan
PK - Karachi = Karachi,Sindh,Pakistan
PK - Lahore = Lahore,Punjab,Pakistan
PL - Warsaw; Warszawa = Warsaw,Warsaw,Masovian Voivodeship,Poland
PT - Lisbon; Lisboa = Lisbon,Lisbon,Lisbon,Portugal
RU 213 Moscow; Moskva = Moscow,Moscow,Russia
RU 2 Saint Petersburg; St Petersburg; St. Petersburg = -
RU 54 Yekaterinburg; Ekaterinburg = -
RU 65 Novosibirsk = -
RU 43 Kazan = -
RU 47 Nizhny Novgorod = -
RU 56 Chelyabinsk = -
RU 51 Samara = -
RU 66 Omsk = -
RU 39 Rostov-on-Don; Rostov = -
RU 172 Ufa = -
RU 62 Krasnoyarsk = -
RU 193 Voronezh = -
RU 50 Perm = -
RU 38 Volgograd = -
RU 35 Krasnodar = -
RU 239 Sochi = -
RU 22 Kaliningrad = -
RU 63 Irkutsk = -
RU 75 Vladivostok = -
RU 76 Khabarovsk = -
RU 67 Tomsk = -
RU 15 Tula = -
RU 16 Yaroslavl = -
SE - Stockholm = Stockholm,Stockholm County,Sweden
SG - Singapore = Singapore,Singapore
TH - Bangkok = Bangkok,Bangkok,Thailand
TR - Adana = Adana,Adana,Turkiye
TR 11503 Ankara = Ankara,Ankara,Turkiye
TR - Antalya = Antalya,Antalya,Turkiye
TR - Balikesir = Balikesir,Balikesir,Turkiye
TR - Bursa = Bursa,Bursa,Turkiye
TR - Canakkale = Canakkale,Canakkale,Turkiye
TR - Diyarbakir = Diyarbakir,Diyarbakir,Turkiye
TR - Erzurum = Erzurum,Erzurum,Turkiye
TR - Eskisehir = Eskisehir,Eskisehir,Turkiye
TR - Gaziantep = Gaziantep,Gaziantep,Turkiye
TR 11508 Istanbul = Istanbul,Istanbul,Turkiye
TR - Izmir = Izmir,Izmir,Turkiye
TR - Kahramanmaras = Kahramanmaras,Kahramanmaras,Turkiye
TR - Kayseri = Kayseri,Kayseri,Turkiye
TR - Konya = Konya,Konya,Turkiye
TR - Malatya = Malatya,Malatya,Turkiye
TR - Manisa = Manisa,Manisa,Turkiye
TR - Mersin = Mersin,Mersin,Turkiye
TR - Mugla = Mugla,Mugla,Turkiye
TR - Samsun = Samsun,Samsun,Turkiye
TR - Sivas = Sivas,Sivas,Turkiye
TR - Trabzon = Trabzon,Trabzon,Turkiye
TR - Van = Van,Van,Turkiye
UA - Dnipro = Dnipro,Dnipropetrovsk Oblast,Ukraine
UA - Kharkiv = Kharkiv,Kharkiv Oblast,Ukraine
UA - Kyiv; Kiev = Kyiv,Kyiv city,Ukraine
UA - Lviv = Lviv,Lviv Oblast,Ukraine
UA - Odesa; Odessa = Odesa,Odesa Oblast,Ukraine
US - Anchorage = Anchorage,Alaska,United States
US - Atlanta = Atlanta,Georgia,United States
US - Austin = Austin,Texas,United States
US - Boston = Boston,Massachusetts,United States
US - Chicago = Chicago,Illinois,United States
US - Dallas = Dallas,Texas,United States
US - Denver = Denver,Colorado,United States
US - Detroit = Detroit,Michigan,United States
US - Houston = Houston,Texas,United States
US - Las Vegas = Las Vegas,Nevada,United States
US - Los Angeles = Los Angeles,California,United States
US - Miami = Miami,Florida,United States
US - Minneapolis = Minneapolis,Minnesota,United States
US - New York; New York City; NYC = New York,New York,United States
US - Philadelphia = Philadelphia,Pennsylvania,United States
US - Phoenix = Phoenix,Arizona,United States
US - Portland = Portland,Oregon,United States
US - San Diego = San Diego,California,United States
US - San Francisco = San Francisco,California,United States
US - Seattle = Seattle,Washington,United States
US - Washington; Washington DC; Washington D.C. = Washington,District of Columbia,United States
ZA - Johannesburg = Johannesburg,Gauteng,South Africa
`;

export const CITIES: readonly City[] = TABLE.trim().split("\n").map(toCity);

function toCity(line: string): City {
  const [left = "", google = ""] = line.split(" = ");
  const [country = "", yandex = "", ...names] = left.split(" ");
  return {
    names: names.join(" ").split("; "),
    country,
    google: google === "-" ? null : google,
    yandex: yandex === "-" ? null : yandex,
  };
}
