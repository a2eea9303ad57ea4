import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import {
  type ChangedAnswer,
  openChangedMarket,
  toPage,
} from "../../helpers/markets/changed-market.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { columnOf, readTable } from "../../helpers/read-table.ts";

const toNumber = (cell: unknown): number => Number(String(cell));

const toMinor = (cell: unknown): number => Math.round(Number(String(cell).replace(",", ".")) * 100);

const FORMATS = ["csv", "xlsx"] as const;
const LANGS = ["tr", "en"] as const;

/** Runs the program against the store's sandbox with some answers changed. */
async function withAnswers(
  shop: TestStore,
  answers: Readonly<Record<string, ChangedAnswer>>,
  ...commands: readonly (readonly string[])[]
): Promise<{ readonly outs: readonly string[]; readonly calls: readonly string[] }> {
  await using market = await openChangedMarket(shop.sandbox, answers);
  const outs: string[] = [];
  for (const words of commands) {
    const env = { ...shop.env, CATALOG_BASE_URL: market.baseUrl };
    const { code, out, err } = await callCatalog(words, { env, cwd: shop.folder });
    expect([words.join(" "), code, err]).toEqual([words.join(" "), 0, expect.any(String)]);
    outs.push(out);
  }
  return { outs, calls: market.calls };
}

describe("catalog shipping", () => {
  it("lists companies, addresses and templates on the terminal and as a document", async () => {
    const shop = await openTestStore({ products: 5 });

    const companies = await shop.run("shipping", "companies", "--contracted");
    const addresses = await shop.json("shipping", "addresses");
    const templates = await shop.run("shipping", "templates", "--lang", "en");
    const found = await shop.run("lookup", "companies", "anadolu");
    const address = await shop.json("lookup", "addresses", "Merkez Depo");

    expect(companies.out.split("\n")[0]).toMatch(
      /^Kargo Firması +Pazaryeriyle Anlaşmalı +Kargo Firması ID$/u,
    );
    expect(companies.out).not.toContain("Toros");
    expect(addresses).toMatchObject({ command: "shipping", list: "addresses", exit: 0 });
    expect(addresses.rows[0]).toMatchObject({
      address_name: "Merkez Depo",
      "address.city": "İstanbul",
    });
    expect(templates.out).toMatch(/^Template Name .* Template ID\n/u);
    expect(found.out).toContain("Anadolu Ekspres");
    expect(address.results).toMatchObject([{ match: "exact", id: addresses.rows[0].address_id }]);
  });

  it("shows the prices of the packages of a file, says how many calls they take, and marks the cheapest", async () => {
    const shop = await openTestStore({ products: 5 });
    await shop.run("export", "orders", "--days", "3", "--per", "package", "--out", "p.xlsx");
    const ids = columnOf(await readTable(join(shop.folder, "p.xlsx")), "Paket ID");

    const shown = await shop.run("shipping", "prices", "p.xlsx", "--price-unit", "minor");
    const file = await shop.run(
      "shipping",
      "prices",
      "p.xlsx",
      "--out",
      "prices.csv",
      "--lang",
      "en",
    );
    const wrong = await shop.json("shipping", "prices", "--package", `nothing,${String(ids[0])}`);

    const table = await readTable(join(shop.folder, "prices.csv"));
    expect(columnOf(table, "Package ID")).toEqual(ids);
    expect(shown.err).toContain(`${ids.length} istek`);
    expect(file.err).toContain(`${ids.length} more calls`);
    const lines = shown.out.trimEnd().split("\n");
    expect(lines).toHaveLength(ids.length + 1);
    expect(lines.slice(1).filter((line) => !/\d,\d\d \*/u.test(line))).toEqual([]);
    const offers = table.header.filter((header) => header.startsWith("Shipping Offer: "));
    expect(offers).toHaveLength(4);
    table.rows.forEach((_, at) => {
      const prices = offers.map((header) => toNumber(columnOf(table, header)[at]));
      expect(toNumber(columnOf(table, "Cheapest Shipping Price")[at])).toBe(Math.min(...prices));
    });
    expect(wrong).toMatchObject({ exit: 5, counts: { rows: 2 } });
    expect(wrong.rows[0]).toMatchObject({ package_id: "nothing", cheapest_price: null });
    expect(wrong.rows[0].problem).toContain("Paket");
    expect(wrong.rows[1].problem).toBeNull();
    expect(wrong.warnings).toEqual([expect.stringMatching(/^1 paket /u)]);
  });

  it("refuses what it cannot list, and names the way", async () => {
    const shop = await openTestStore({ products: 1 });
    const cases = [
      [["shipping", "prices"], "--package"],
      [["shipping", "templates", "export"], "templates export"],
      [["shipping", "companies", "x"], "--help"],
      [["shipping", "companies", "--package", "x"], "--package"],
      [["export", "search", "--out", "s.csv"], "--type b2c --key"],
      [["export", "shipping-prices", "--out", "s.csv"], "--package"],
      [["export", "templates", "--since", "last", "--out", "s.csv"], "--since"],
    ] as const;
    for (const [words, told] of cases) {
      const { code, err } = await shop.run(...words);
      expect([words, code, err]).toEqual([words, 2, expect.stringContaining(told)]);
    }
  });
});

const ID = (digit: string): string => digit.repeat(24);

describe("catalog export of shipping templates", () => {
  for (const lang of LANGS) {
    it(`writes the same names and ids to every format (${lang})`, async () => {
      const shop = await openTestStore({ products: 5 });
      const header = (tr: string, en: string): string => ({ tr, en })[lang];
      for (const format of FORMATS) {
        await shop.run("shipping", "templates", "export", `t.${format}`, "--lang", lang);
      }
      await shop.run("export", "templates", "--out", "t.jsonl", "--lang", lang);

      const lines = readFileSync(join(shop.folder, "t.jsonl"), "utf8").trimEnd().split("\n");
      const records = lines.map((line) => JSON.parse(line));
      const columns = [
        ["shipping_template_id", header("Şablon ID", "Template ID")],
        ["template_name", header("Şablon Adı", "Template Name")],
        ["sender_address", header("Gönderim Adresi", "Sender Address")],
        ["sender_address_id", header("Gönderim Adresi ID", "Sender Address ID")],
        ["shipping_companies", header("Kargo Firmaları", "Shipping Companies")],
        ["shipping_company_ids", header("Kargo Firması ID", "Shipping Company IDs")],
        ["suitable_cities", header("Gönderilen Şehirler", "Suitable Cities")],
      ] as const;
      for (const format of FORMATS) {
        const table = await readTable(join(shop.folder, `t.${format}`));
        for (const [key, name] of columns) {
          const expected = records.map((record) => record[key] ?? null);
          expect([format, key, columnOf(table, name)]).toEqual([format, key, expected]);
        }
      }
    });
  }

  it("resolves ids by the marketplace's lists, only where a template has no names", async () => {
    const [one, other] = [
      await openTestStore({ products: 1 }),
      await openTestStore({ products: 1 }),
    ];
    const named = { id: ID("a"), name: "Firma" };
    const template = { id: ID("1"), template_name: "Adlı", shipping_companies: [named] };
    const bare = {
      id: ID("2"),
      template_name: "Adsız",
      sender_address: ID("b"),
      return_address: ID("c"),
      shipping_companies: [ID("a"), ID("d")],
      return_companies: [ID("a")],
      suitable_cities: ["34", "Ankara"],
      conditional_shipping: true,
      min_price: 15_000,
    };
    const lists = {
      "/companies/all": () => [named],
      "/shipping-template/address/": () => ({ addresses: [{ _id: ID("b"), name: "Depo" }] }),
    };
    const command = ["export", "templates", "--out"] as const;

    const few = await withAnswers(
      one,
      { ...lists, "/shipping-template/store/": toPage([template]) },
      [...command, "named.jsonl"],
    );
    const all = await withAnswers(
      other,
      { ...lists, "/shipping-template/store/": toPage([template, bare]) },
      [...command, "bare.jsonl"],
    );

    expect(few.calls.filter((path) => /companies|address/u.test(path))).toEqual([]);
    expect(all.calls.filter((path) => /companies|address/u.test(path))).toHaveLength(2);
    const lines = readFileSync(join(other.folder, "bare.jsonl"), "utf8").trimEnd().split("\n");
    expect(JSON.parse(lines[1] ?? "{}")).toMatchObject({
      sender_address: "Depo",
      sender_address_id: ID("b"),
      return_address: ID("c"),
      shipping_companies: `Firma; ${ID("d")}`,
      shipping_company_ids: `${ID("a")}; ${ID("d")}`,
      suitable_cities: "İstanbul; Ankara",
      suitable_city_ids: "34",
      conditional_shipping: true,
      min_price: 15_000,
    });
  });
});

describe("catalog shipping addresses", () => {
  const deep = { a: { b: { c: { d: { e: "deep" } } } } };
  const cases: readonly (readonly [
    string,
    unknown,
    readonly Readonly<Record<string, unknown>>[],
  ])[] = [
    ["nothing", null, []],
    ["an empty list", [], []],
    ["ids alone", [ID("a")], [{ address_id: ID("a"), address_name: ID("a") }]],
    [
      "a list in a field",
      { total: 1, result: [{ id: 7, title: "Depo", city: { name: "İzmir", codes: [1, 2] } }] },
      [
        {
          address_id: "7",
          address_name: "Depo",
          "address.city.name": "İzmir",
          "address.city.codes": "1; 2",
        },
      ],
    ],
    ["one address", { id: "x", name: "Tek" }, [{ address_id: "x", address_name: "Tek" }]],
    ["what is nested too deep", [deep], [{ "address.a.b.c.d": '{"e":"deep"}' }]],
    [
      "names of fields that mean something elsewhere",
      [JSON.parse('{"__proto__":"p","constructor":"c","=1+1":"=1+1","price":5,"a\\nb":true}')],
      [
        {
          "address.constructor": "c",
          "address.=1+1": "=1+1",
          "address.price": 5,
          "address.a b": true,
        },
      ],
    ],
  ];
  it.each(cases)("shows %s", async (_name, answer, expected) => {
    const shop = await openTestStore({ products: 1 });

    const { outs } = await withAnswers(
      shop,
      { "/shipping-template/address/": () => answer },
      ["shipping", "addresses", "--json"],
      ["shipping", "addresses"],
      ["shipping", "addresses", "--out", "a.xlsx"],
    );

    const { rows } = JSON.parse(outs[0] ?? "{}");
    expect(rows).toHaveLength(expected.length);
    expected.forEach((record, at) => expect(rows[at]).toMatchObject(record));
  });

  it("keeps an answer of many fields within bounds", async () => {
    const shop = await openTestStore({ products: 1 });
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field${at}`, "x"]));

    const { outs } = await withAnswers(
      shop,
      { "/shipping-template/address/": () => [wide, { ["y".repeat(5_000)]: "z".repeat(50_000) }] },
      ["shipping", "addresses", "--json"],
    );

    const keys = Object.keys(JSON.parse(outs[0] ?? "{}").rows[0]);
    expect(keys.length).toBeLessThan(70);
    expect(Math.max(...keys.map(({ length }) => length))).toBeLessThan(80);
  });
});

describe("catalog export of a search", () => {
  it("writes every page of what is found, with amounts as the marketplace gives them", async () => {
    const shop = await openTestStore({ products: 5 });
    const search = ["export", "search", "--type", "b2c", "--key", "a"] as const;

    const raw = await shop.json(...search, "--out", "s.jsonl");
    const major = await shop.run(...search, "--out", "s.csv", "--price-unit", "minor");

    const lines = readFileSync(join(shop.folder, "s.jsonl"), "utf8").trimEnd().split("\n");
    const records = lines.map((line) => JSON.parse(line));
    expect(raw.counts.rows).toBe(records.length);
    expect(records.length).toBeGreaterThan(50);
    expect(new Set(records.map(({ found_id: id }) => id)).size).toBe(records.length);
    expect(records[0]).toMatchObject({ amount_unit: "unknown" });
    const prices = columnOf(await readTable(join(shop.folder, "s.csv")), "Bulunan Fiyat");
    expect(prices.map(toMinor)).toEqual(records.map(({ found_price: price }) => price));
    expect(major.err).not.toContain("--price-unit");
  });
});
