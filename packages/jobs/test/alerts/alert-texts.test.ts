import { describe, expect, it } from "vitest";

import type { AlertFacts } from "../../src/alerts/alert-state.ts";
import { fromTime, toAlertDocument, toAlertText } from "../../src/alerts/alert-texts.ts";
import { toFeedTitle } from "../../src/alerts/find-trouble.ts";

/** 02.15 and 01.45 in Türkiye. */
const SINCE_MS = Date.UTC(2026, 10, 27, 23, 15);
const GOOD_MS = SINCE_MS - 30 * 60_000;
const NOW_MS = SINCE_MS + 60_000;

const FEED: Omit<AlertFacts, "cause"> = {
  baseUrl: "https://shop.example",
  storeId: "1234",
  schedule: "f-1",
  feed: "stok.csv",
  fields: ["product_code", "stock"],
  timeZone: "Europe/Istanbul",
  sinceMs: SINCE_MS,
  succeededAtMs: GOOD_MS,
};

const CASES: readonly (readonly [AlertFacts, tr: string, en: string])[] = [
  [
    { ...FEED, cause: "failed", code: "E_DOWNLOAD_LOGIN" },
    "Stok beslemesi (stok.csv) 02.15'ten beri çalışmıyor: beslemenin sunucusu girişi kabul etmedi (401). Son başarılı eşitleme 01.45. Yapılacak: catalog feed login ADRES",
    "The stock feed (stok.csv) has not worked since 02:15: the server of the feed refused the login (401). Last good sync: 01:45. To do: catalog feed login ADDRESS",
  ],
  [
    { ...FEED, cause: "failed", code: "E_FEED_EMPTY", reason: "Besleme boş. ", fields: ["price"] },
    "Fiyat beslemesi (stok.csv) 02.15'ten beri çalışmıyor: Besleme boş. Son başarılı eşitleme 01.45. Yapılacak: catalog schedule list",
    "The price feed (stok.csv) has not worked since 02:15: Besleme boş. Last good sync: 01:45. To do: catalog schedule list",
  ],
  [
    { ...FEED, cause: "stale", sinceMs: GOOD_MS - 86_400_000, succeededAtMs: undefined },
    "Stok beslemesi (stok.csv) 27.11 01.45'ten beri eşitlenmedi: zamanı gelen eşitleme yapılmadı, onu başlatan program kapalı olabilir. Henüz başarılı bir eşitleme olmadı. Yapılacak: catalog worker ya da catalog sync … --every çalışıyor mu bakın (catalog schedule list)",
    "The stock feed (stok.csv) has not been synced since 11-27 01:45: its syncs were not run when they were due, and the program that starts them may be closed. No sync has been good yet. To do: see whether catalog worker or catalog sync … --every is running (catalog schedule list)",
  ],
  [
    { ...FEED, cause: "recovered", fields: ["stock_count", "list_price"] },
    "Stok ve fiyat beslemesi (stok.csv) yeniden çalışıyor; 02.15'ten beri çalışmıyordu. Yapılacak bir şey yok.",
    "The stock and price feed (stok.csv) works again; it had not since 02:15. There is nothing to do.",
  ],
  [
    { ...FEED, cause: "held", rows: 2, owner: "Ayşe" },
    "Stok beslemesi (stok.csv): 2 satır gönderilmedi, kararınızı bekliyor. Sorumlusu: Ayşe. Yapılacak: catalog release --waiting",
    "The stock feed (stok.csv): 2 rows were not sent and wait for your decision. Owner: Ayşe. To do: catalog release --waiting",
  ],
  [
    { ...FEED, cause: "owner", owner: "Ayşe" },
    "Stok beslemesi (stok.csv): sorumlusu yok; Ayşe artık bu mağazada onay veremiyor, eşitlemeler sürüyor. Yapılacak: sayfada, Eşitleme bölümünde yeni sorumlusunu seçin",
    "The stock feed (stok.csv) has no owner: Ayşe may not approve in this store any more; its syncs go on. To do: choose a new owner on the page, under Sync",
  ],
  [
    { ...FEED, cause: "held", rows: 1, fields: undefined },
    "Besleme (stok.csv): 1 satır gönderilmedi, kararınızı bekliyor. Yapılacak: catalog release --waiting",
    "The feed (stok.csv): 1 row was not sent and waits for your decision. To do: catalog release --waiting",
  ],
  [
    {
      baseUrl: "https://shop.example",
      storeId: "1234",
      cause: "clock",
      sinceMs: SINCE_MS,
      aheadMs: -95_400,
      host: "kasa",
    },
    "kasa adlı bilgisayarın saati pazaryerinin saatinden 95 sn geri; oturumların süresi yanlış hesaplanır. Yapılacak: bilgisayarın saatini internetten eşitleyin, sonra catalog doctor",
    "The clock of kasa is 95 s behind the marketplace's; logins are thought to last too long or too short. To do: let the machine set its clock from the network, then catalog doctor",
  ],
  [
    {
      baseUrl: "https://shop.example",
      storeId: "1234",
      cause: "failed",
      sinceMs: SINCE_MS,
      run: "r-1",
      code: "E_BREAKER",
    },
    "r-1 gönderimi saat 02.15 sularında durdu: yanıtlar üst üste kayboldu ve gönderim kendini durdurdu. Yapılacak: catalog runs r-1",
    "Sending r-1 stopped at about 02:15: answers were lost several times in a row, and it stopped itself. To do: catalog runs r-1",
  ],
];

describe("toAlertText", () => {
  for (const [facts, tr, en] of CASES) {
    it(`says what a person has to know: ${facts.cause} ${facts.code ?? ""}`, () => {
      const told = (["tr", "en"] as const).map(
        (lang) => toAlertText(facts, { lang, nowMs: NOW_MS }).text,
      );

      expect(told).toEqual([`${tr}\nMağaza: 1234`, `${en}\nStore: 1234`]);
    });
  }
});

describe("fromTime", () => {
  // As the number that is read last sounds: iki'den, beş'ten, dokuz'dan, kırk'tan.
  it.each([
    ["02.15", "'ten"],
    ["02.40", "'tan"],
    ["02.00", "'den"],
    ["06.00", "'dan"],
    ["00.00", "'dan"],
    ["10.10", "'dan"],
    ["23.59", "'dan"],
    ["28.11 07.20", "'den"],
    ["12.33", "'ten"],
    ["12.50", "'den"],
  ])("gives %s its ending %s", (time, ending) => {
    expect(fromTime(time)).toBe(`${time}${ending}`);
  });
});

describe("toFeedTitle", () => {
  it.each([
    ["/srv/erp/stok.csv", "stok.csv"],
    ["/srv/erp/", "erp"],
    [String.raw`C:\erp\stok.csv`, "stok.csv"],
    ["https://user:pass@erp.example/a/stok.xml?key=gizli", "erp.example, stok.xml"],
    ["https://erp.example/feed/8f4e2d1c9b7a6f5e4d3c2b1a", "erp.example"],
    ["https://erp.example/8f4e2d1c9b7a6f5e4d3c2b1a.xml", "erp.example"],
    ["https://erp.example:8443/%C3%BCr%C3%BCnler.csv.gz", "erp.example:8443, ürünler.csv.gz"],
    ["https://erp.example/", "erp.example"],
  ])("calls %s %s", (feed, title) => {
    expect(toFeedTitle(feed)).toBe(title);
  });
});

describe("toAlertDocument", () => {
  const options = { nowMs: NOW_MS, baseUrl: "https://shop.example", storeId: "1234" };
  const text = { title: "", text: "words" };

  it("has all of its keys, whatever it is about", () => {
    const facts = { ...FEED, cause: "failed", code: "AUTH_ERROR" } as const;

    expect(toAlertDocument(text, { ...options, id: "a", facts })).toEqual({
      id: "a",
      cause: "failed",
      at: "2026-11-27T23:16:00.000Z",
      since: "2026-11-27T23:15:00.000Z",
      last_success: "2026-11-27T22:45:00.000Z",
      store: { base_url: "https://shop.example", store_id: "1234", name: null },
      schedule: "f-1",
      feed: "stok.csv",
      owner: null,
      run: null,
      code: "AUTH_ERROR",
      rows: null,
      host: null,
      clock_ahead_seconds: null,
      text: "words",
    });
    expect(Object.keys(toAlertDocument(text, options))).toEqual(
      Object.keys(toAlertDocument(text, { ...options, facts })),
    );
    expect(toAlertDocument(text, options)).toMatchObject({ cause: "test", since: null });
  });
});
