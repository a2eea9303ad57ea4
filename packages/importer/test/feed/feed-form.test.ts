import {
  createTestConnection,
  startMarketplaceServer,
  type TestConnection,
} from "@catalog/connection/testing";
import { describe, expect, it } from "vitest";

import { syncFeed, type SyncFeedOptions, type SyncResult } from "../../src/feed/sync-feed.ts";

async function open(): Promise<
  (
    text: string,
    given?: Partial<SyncFeedOptions> & { readonly file?: string },
  ) => Promise<SyncResult>
> {
  const test: TestConnection = await createTestConnection({
    baseUrl: (await startMarketplaceServer()).baseUrl,
    priceUnit: "minor",
  });
  return async (text, { file = "besleme.csv", ...given } = {}) => {
    const stop = new AbortController();
    return await syncFeed(test.connection, {
      feed: test.write(file, text),
      lang: "tr",
      reading: {},
      allowed: [],
      reconcileMs: 0,
      reportDir: test.folder,
      stop: stop.signal,
      onEvent: ({ event }) => (event === "planned" ? stop.abort() : undefined),
      ...given,
    });
  };
}

const STOCKS = ["4", "9", "12", "3", "7", "21", "5", "8", "6", "2"];
const PRICES = [
  "10,50",
  "20,25",
  "7,90",
  "99,90",
  "35,00",
  "12,75",
  "49,50",
  "18,20",
  "61,40",
  "24,60",
];

/** A feed of ten products as XML. */
const toXml = (element: string): string =>
  `<katalog>${STOCKS.map((stock, at) => `<${element}><kod>KOD-${at + 1}</kod><stok>${stock}</stok></${element}>`).join("")}</katalog>`;

interface Table {
  readonly header?: string;
  readonly stocks?: readonly string[];
  readonly prices?: readonly string[];
  readonly more?: readonly string[];
}

/** A feed of ten products. */
const write = ({
  header = "Ürün Kodu;Stok;Fiyat",
  stocks = STOCKS,
  prices = PRICES,
  more,
}: Table = {}): string =>
  [
    header,
    ...STOCKS.map((_, at) =>
      [`KOD-${at + 1}`, stocks[at], prices[at], ...(more === undefined ? [] : [more[at]])].join(
        ";",
      ),
    ),
    "",
  ].join("\r\n");

const pointed = PRICES.map((price) => price.replace(",", "."));
const cents = PRICES.map((price) => price.replace(",", ""));
const withSign = (sign: string): readonly string[] => PRICES.map((price) => `${price} ${sign}`);
const lira = Array.from(STOCKS, () => "TRY");
const YES_NO = ["Var", "Yok", "Var", "Var", "Yok", "Var", "Var", "Var", "Yok", "Var"];

describe("a feed whose form changes", () => {
  const cases: readonly (readonly [
    what: string,
    before: Table,
    after: Table,
    told: readonly string[],
  ])[] = [
    [
      "the column of a field is another one",
      {},
      { header: "Ürün Kodu;Stok;Satış Fiyatı" },
      [
        "Fiyat: “Fiyat” (“10,50”) sütunundan geliyordu, şimdi “Satış Fiyatı” (“10,50”) sütunundan geliyor.",
      ],
    ],
    [
      "the column of the codes is another one",
      {},
      { header: "Stok Kodu;Stok;Fiyat" },
      [
        "Ürün Kodu: “Ürün Kodu” (“KOD-1”) sütunundan geliyordu, şimdi “Stok Kodu” (“KOD-1”) sütunundan geliyor.",
      ],
    ],
    ["numbers become texts", {}, { stocks: YES_NO }, ["Stok: sayı (“4”) iken metin (“Var”) oldu."]],
    [
      "the decimal sign changes",
      {},
      { prices: pointed },
      ["Fiyat: ondalık virgül (“10,50”) iken ondalık nokta (“10.50”) oldu."],
    ],
    [
      "a currency comes",
      {},
      { prices: withSign("USD") },
      ["Fiyat: para birimi yazmaz (“10,50”) iken USD (“10,50 USD”) oldu."],
    ],
    [
      "the currency changes to one that the marketplace does not take",
      { prices: withSign("TL") },
      { prices: withSign("CHF") },
      ["Fiyat: sayı (“10,50 TL”) iken metin (“10,50 CHF”) oldu."],
    ],
    [
      "a currency goes, and the amounts would be lira",
      { prices: withSign("EUR") },
      {},
      ["Fiyat: EUR (“10,50 EUR”) iken para birimi yazmaz (“10,50”) oldu."],
    ],
    [
      "the currency goes that is meant anyway, as nothing says any more which one it is",
      { prices: withSign("TRY") },
      {},
      ["Fiyat: TL (“10,50 TRY”) iken para birimi yazmaz (“10,50”) oldu."],
    ],
    [
      "the column of currencies has another word",
      { header: "Ürün Kodu;Stok;Fiyat;Para Birimi", more: lira },
      { header: "Ürün Kodu;Stok;Fiyat;Para Birimi", more: lira.with(3, "EUR") },
      ["Para Birimi: yalnız “TL” yazardı, şimdi “EUR” da yazıyor."],
    ],
    [
      "prices are 100 times as much",
      {},
      { prices: cents },
      ["Fiyat: ortadaki değer 24,6 iken 2.460 oldu, yani 100 kat değişti."],
    ],
    [
      "several things change at once",
      { header: "Ürün Kodu;Stok;Fiyat;Para Birimi", more: lira },
      { header: "Ürün Kodu;Stok Adedi;Fiyat", prices: pointed },
      [
        "Para Birimi: “Para Birimi” sütunundan geliyordu (“TRY”), şimdi yok ya da bomboş.",
        "Stok: “Stok” (“4”) sütunundan geliyordu, şimdi “Stok Adedi” (“4”) sütunundan geliyor.",
        "Fiyat: ondalık virgül (“10,50”) iken ondalık nokta (“10.50”) oldu.",
      ],
    ],
  ];
  it.each(cases)("is refused with what was and what is: %s", async (_, before, after, told) => {
    const sync = await open();
    await sync(write(before), { allowed: ["moved-values"] });

    await expect(sync(write(after))).rejects.toMatchObject({
      code: "E_FEED_CHANGED",
      issues: told.map((tr) => ({ code: "E_FEED_CHANGED", message: { tr } })),
    });
    const { counts } = await sync(write(after), { acceptsChange: true });
    expect(counts.rows).toBe(10);
    expect((await sync(write(after))).counts.rows).toBe(10);
  });

  it.each<readonly [what: string, before: Table, after: Table]>([
    ["other values", {}, { stocks: STOCKS.toReversed(), prices: PRICES.toReversed() }],
    ["the currency that is meant anyway", {}, { prices: withSign("TL") }],
    [
      "another word for the same currency",
      { header: "Ürün Kodu;Stok;Fiyat;Para Birimi", more: lira },
      { header: "Ürün Kodu;Stok;Fiyat;Para Birimi", more: lira.map(() => "TL") },
    ],
    ["other spaces and letters in a header", {}, { header: "ÜRÜN KODU; stok ;FİYAT" }],
    ["numbers without decimals", {}, { prices: PRICES.map((price) => price.split(",")[0] ?? "") }],
    ["a column that is not used", {}, { header: "Ürün Kodu;Stok;Fiyat;Renk", more: lira }],
  ])("is taken with %s", async (_, before, after) => {
    const sync = await open();
    await sync(write(before), { allowed: ["moved-values"] });

    expect((await sync(write(after))).counts.rows).toBe(10);
  });

  it("is expected to stay as it is once it was accepted", async () => {
    const sync = await open();
    await sync(write());
    await sync(write({ prices: pointed }), { acceptsChange: true });

    await expect(sync(write())).rejects.toMatchObject({ code: "E_FEED_CHANGED" });
  });

  it("is refused where its records have another name, although their values have the same", async () => {
    const sync = await open();
    const given = { reading: { columns: new Map([["kod", "product_code"]]) } };
    await sync(toXml("item"), { ...given, file: "besleme.xml" });

    await expect(sync(toXml("urun"), { ...given, file: "besleme.xml" })).rejects.toMatchObject({
      code: "E_FEED_CHANGED",
      issues: [{ message: { tr: "Kayıt: “katalog/item” iken “katalog/urun” oldu." } }],
    });
  });

  it("is taken where a person has named the new column", async () => {
    const sync = await open();
    await sync(write());
    const columns = new Map([["Bayi", "price"]]);

    const { counts } = await sync(write({ header: "Ürün Kodu;Stok;Bayi" }), {
      reading: { columns },
    });

    expect(counts.rows).toBe(10);
  });
});
