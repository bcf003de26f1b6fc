import { describe, expect, it } from "vitest";
import { toScaledTotal, toSnippet } from "../../../src/search/results/texts";

const TEXT = "The cranes lift forty tonnes.";

describe("a snippet loses its date", () => {
  it.each(
    (
      "3 secs ago|3 seconds ago|3 mins ago|3 minutes ago|3 hours ago|3 hrs ago|3 days ago|3 weeks ago|3 months ago|" +
      "3 years ago|vor 3 Sekunden|vor 3 Stunden|vor 3 Tagen|vor 3 Wochen|vor 3 Monaten|vor 3 Jahren|" +
      "il y a 3 secondes|il y a 3 heures|il y a 3 jours|il y a 3 semaines|il y a 3 mois|il y a 3 ans|il y a 1 année|" +
      "hace 3 segundos|hace 3 minutos|hace 3 horas|hace 3 días|há 3 dias|hace 3 semanas|há 1 mês|hace 3 meses|" +
      "hace 3 años|há 3 anos|3 ore fa|1 ora fa|3 giorni fa|1 giorno fa|3 settimane fa|1 settimana fa|3 mesi fa|" +
      "1 mese fa|3 anni fa|1 anno fa|3 minuti fa|3 saniye önce|3 dakika önce|3 saat önce|3 gün önce|3 hafta önce|" +
      "3 ay önce|3 yıl önce|3 секунды назад|3 минуты назад|3 часа назад|1 день назад|2 дня назад|5 дней назад|" +
      "3 недели назад|3 месяца назад|1 год назад|5 лет назад|3 хвилини тому|3 години тому|3 дні тому|3 тижні тому|" +
      "3 місяці тому|1 рік тому|5 років тому|3 godz. temu|3 dni temu|1 dzień temu|1 tydzień temu|3 tygodnie temu|" +
      "3 miesiące temu|5 lat temu|1 rok temu|3 uur geleden|3 dagen geleden|3 weken geleden|3 maanden geleden|" +
      "3 jaar geleden|1 dag sedan|3 dagar sedan|3 timmar sedan|3 dager siden|3 timer siden"
    ).split("|"),
  )("%s", (date) => {
    expect(toSnippet(`${date} — ${TEXT}`).description).toBe(TEXT);
  });

  it.each("秒 分 分钟 分鐘 小时 小時 時間 天 日 周 週 週間 个月 個月 か月 ヶ月 年".split(" "))("3%s前", (unit) => {
    expect(toSnippet(`3${unit}前 — ${TEXT}`).description).toBe(TEXT);
    expect(toSnippet(`3 ${unit}前 — ${TEXT}`).description).toBe(TEXT);
  });

  it.each("초 분 시간 일 주 개월 년".split(" "))("3%s 전", (unit) => {
    expect(toSnippet(`3${unit} 전 — ${TEXT}`).description).toBe(TEXT);
  });

  it.each(
    (
      "yesterday today gestern heute hier aujourd'hui aujourd’hui ayer hoy ontem hoje ieri oggi dün bugün вчера " +
      "сегодня вчора сьогодні 昨天 今天 昨日 今日 어제 오늘 Yesterday Вчера"
    ).split(" "),
  )("%s", (date) => {
    expect(toSnippet(`${date} — ${TEXT}`).description).toBe(TEXT);
  });

  it.each([
    "October 31 2011",
    "31 de octubre de 2011",
    "31 di ottobre del 1999",
    "31 окт. 2011 г",
    "31 жовтня 2011 р.",
    "2011/10/31",
    "10-31-2011",
    "2011년 10월 31일",
    "2011년 10월 31",
  ])("%s", (date) => {
    for (const separator of [" — ", " – ", " · ", "·", " - "])
      expect(toSnippet(`${date}${separator}${TEXT}`).description, separator).toBe(TEXT);
  });
});

describe("a snippet keeps", () => {
  it.each([
    "3 cranes ago",
    "3000 days ago",
    "in the long run of 3 days ago",
    "todays",
    "Oct 31, 1811",
    "Oct 311, 2011",
    "31-10-2011-5",
  ])("%s", (start) => {
    expect(toSnippet(`${start} — ${TEXT}`).description).toBe(`${start} — ${TEXT}`);
  });

  it("a date without spaces around a hyphen", () => {
    expect(toSnippet(`Oct 31, 2011-${TEXT}`).description).toBe(`Oct 31, 2011-${TEXT}`);
  });
});

describe("a total has the scale", () => {
  it.each([
    ..."млрд billion milyar bln миллиардов мільярдів mlrd".split(" ").map((word) => [word, 1e9] as const),
    ..."млн million milyon mln миллионов мільйонів".split(" ").map((word) => [word, 1e6] as const),
    ..."тыс thousand bin тис мың ming".split(" ").map((word) => [word, 1e3] as const),
  ])("%s", (word, scale) => {
    expect(toScaledTotal(`2,5 ${word} results`)).toBe(2.5 * scale);
    expect(toScaledTotal(`2.5 ${word.toUpperCase()} results`)).toBe(2.5 * scale);
  });

  it("of no other word", () => {
    expect(toScaledTotal("25 binalar")).toBe(25);
    expect(toScaledTotal("9999999 млрд результатов")).toBeNull();
  });
});
