/** Exports read back: no file of records changes a product, and hostile texts stay as they are. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { listExportColumns } from "@catalog/exporter/columns";
import { FIELDS, mapColumns } from "@catalog/mapping";
import { openSheet, unescapeFormula } from "@catalog/sheets";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { createHostileTexts, toCellText, toCsvText } from "../../helpers/hostile-texts.ts";
import {
  columnOf,
  findFormulas,
  parseCsv,
  readFirstSheet,
} from "../../helpers/independent-readers.ts";
import { openChangedMarket, toPage } from "../../helpers/markets/changed-market.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";

const SHEETS = {
  comments: ["Yorumlar", "Comments"],
  orders: ["Siparişler", "Orders"],
  packages: ["Siparişler", "Orders"],
  questions: ["Sorular", "Questions"],
  payments: ["Ödemeler", "Payments"],
  search: ["Bulunan ürünler", "Found products"],
  templates: ["Teslimat şablonları", "Shipping templates"],
  companies: ["Kargo firmaları", "Shipping companies"],
  addresses: ["Teslimat adresleri", "Shipping addresses"],
  cities: ["Şehirler", "Cities"],
  "shipping-prices": ["Kargo ücretleri", "Shipping prices"],
} as const;

type Kind = keyof typeof SHEETS;

const KINDS = [
  "comments",
  "orders",
  "packages",
  "questions",
  "payments",
  "search",
  "templates",
  "companies",
  "addresses",
  "cities",
  "shipping-prices",
] as const satisfies readonly Kind[];

/** A file of templates names no product, so that the template in it goes to none. */
const isHarmless = (field: string, kind: Kind): boolean =>
  HARMLESS.has(field) || (kind === "templates" && field === "shipping_template");

/** Words of the command that writes such a file, besides the kind. */
const WORDS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  packages: ["orders", "--per", "package"],
  search: ["search", "--type", "b2c", "--key", "a"],
  "shipping-prices": ["shipping-prices", "--packages", "packages.csv"],
};

const WRITINGS = ["tr", "en", "key"] as const;

/** The headers that the export writes: in a language, or the keys of its JSON lines. */
const headersOf = (kind: Kind, writing: (typeof WRITINGS)[number]): readonly string[] =>
  listExportColumns(kind, writing === "en" ? "en" : "tr").map(({ key, label }) =>
    writing === "key" ? key : label,
  );

const map = (header: readonly string[], sheet = "Sheet1"): ReturnType<typeof mapColumns> =>
  mapColumns({ sheet, headerRow: 1, header });

/**
 * Fields that name a product, the currency, which is sent with a price only, and the action, which
 * says what to do with the other fields.
 */
const HARMLESS: ReadonlySet<string> = new Set(["product_code", "product_id", "currency", "action"]);

describe("an export of records, read as a list of products", () => {
  for (const kind of KINDS) {
    for (const writing of WRITINGS) {
      it(`is refused by name: ${kind} (${writing})`, () => {
        const { issues, questions } = map(headersOf(kind, writing));

        expect(issues.map(({ code }) => code)).toEqual(["E_FILE_EXPORT"]);
        expect(questions).toEqual([]);
      });
    }

    it(`sends nothing that it holds, whatever is left of its columns: ${kind}`, () => {
      const files = fc.constantFrom(...WRITINGS).chain((writing) =>
        fc.record({
          headers: fc.shuffledSubarray([...headersOf(kind, writing)], { minLength: 1 }),
          sheet: fc.constantFrom("Sheet1", ...SHEETS[kind]),
          toHeader: fc.func(fc.constantFrom("as it is", "upper", "renamed")),
        }),
      );
      fc.assert(
        fc.property(files, ({ headers: left, sheet, toHeader }) => {
          const headers = left.map((header, index) => {
            const how = toHeader(header);
            if (how === "renamed") return `Column ${index}`;
            return how === "upper" ? header.toLocaleUpperCase("tr") : header;
          });

          const { issues, questions, columns: mapped } = map(headers, sheet);
          if (issues.some(({ code }) => code === "E_FILE_EXPORT")) return;
          const fields = mapped.flatMap(({ target }) =>
            target.kind === "field" ? [target.field] : [],
          );

          expect(questions).toEqual([]);
          expect(fields.filter((field) => !isHarmless(field, kind))).toEqual([]);
        }),
      );
    });
  }

  it.each([
    ["orders", "catalog orders --help"],
    ["packages", "catalog orders --help"],
    ["questions", "catalog answer --help"],
    ["templates", "catalog shipping templates import --help"],
  ] as const)("is told which command takes it: %s", (kind, command) => {
    for (const writing of WRITINGS) {
      const [issue] = map(headersOf(kind, writing)).issues;
      expect(issue?.suggestion?.tr).toContain(command);
      expect(issue?.suggestion?.en).toContain(command);
    }
  });

  it("shows no field of a product in a name that the marketplace gives a field or a company", () => {
    const names = FIELDS.flatMap(({ key, header, aliases }) =>
      [key, header.tr, header.en].concat(aliases.map(({ text }) => text)),
    );
    const found = names.flatMap((name) =>
      [
        "Mağaza Adresi: ",
        "Store Address: ",
        "address.",
        "price.",
        "Kargo Teklifi: ",
        "Shipping Offer: ",
      ].flatMap((start) => {
        const { columns, questions } = map([`${start}${name}`]);
        const isField = columns.some(({ target }) => target.kind === "field");
        return isField || questions.length > 0 ? [start + name] : [];
      }),
    );

    expect(names.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  });

  it("is a list of products once a person has said so of the columns that show it", () => {
    const header = ["Ürün Kodu", "Stok", "Soru", "Yanıt"];
    const overrides = new Map([["Soru", "-"]]);

    expect(map(header).issues).toMatchObject([{ code: "E_FILE_EXPORT", column: "Soru" }]);
    expect(mapColumns({ sheet: "S", headerRow: 1, header, overrides }).issues).toEqual([]);
  });
});

describe("a file that catalog export has written", () => {
  for (const lang of ["tr", "en"] as const) {
    it(`changes no product, whatever its kind and format (${lang})`, async () => {
      const shop = await openTestStore({ products: 30 });
      const refused: string[] = [];
      const expected: string[] = [];
      const check = async (...args: readonly string[]): Promise<void> => {
        const { code, err } = await shop.run(...args);
        if (code === 3 && err.includes("Bu dosya ürün listesi değil")) refused.push(args.join(" "));
        expected.push(args.join(" "));
      };
      for (const kind of KINDS) {
        for (const format of ["xlsx", "csv", "jsonl"]) {
          await shop.run(
            "export",
            ...(WORDS[kind] ?? [kind]),
            "--out",
            `${kind}.${format}`,
            "--lang",
            lang,
          );
        }
        await check("import", `${kind}.xlsx`, "--yes");
        await check("plan", `${kind}.csv`);
        await check("sync", `${kind}.csv`);
        await check("sync", `${kind}.jsonl`);
      }

      expect(refused).toEqual(expected);
      expect(shop.sandbox.stats()).toMatchObject({ updates: 0, adds: 0 });
    });
  }
});

const MINUTE_MS = 60_000;
const BEGAN_MS = Date.UTC(2026, 0, 1);

/** Each text as a comment with a time of its own, in order. */
const toComments = (texts: readonly string[]): readonly Readonly<Record<string, unknown>>[] =>
  texts.map((message, index) => ({
    id: `${index}`.padStart(24, "0"),
    status: "approved",
    full_name: "Ayşe Yılmaz",
    satisfaction: "happy",
    message,
    rate: 5,
    comment_type: "order",
    created_at: new Date(BEGAN_MS + index * MINUTE_MS).toISOString(),
  }));

const HEADER = "Yorum";

async function readOwn(path: string): Promise<readonly string[]> {
  await using sheet = await openSheet({ path, limits: { cellChars: 1_000_000 } });
  const index = sheet.header.cells.indexOf(HEADER);
  return (await Array.fromAsync(sheet.rows())).map(({ cells }) => String(cells[index] ?? ""));
}

/** Programs write one line break of a cell in several ways, which are read as one. */
const withLineFeeds = (text: string): string => text.replaceAll(/\r+\n/gu, "\n");

it("exports hostile texts unchanged to CSV and XLSX, none of them as a formula", async () => {
  const shop = await openTestStore();
  const texts = createHostileTexts(600);
  await using market = await openChangedMarket(shop.sandbox, {
    "/store-comments/": toPage(toComments(texts)),
  });
  const at = { env: { ...shop.env, CATALOG_BASE_URL: market.baseUrl }, cwd: shop.folder };
  const args = ["export", "comments", "--store-wide", "--json", "--out"];

  const csv = await callCatalog([...args, "y.csv"], at);
  const xlsx = await callCatalog([...args, "y.xlsx"], at);

  const [asCsv, asXlsx] = [join(shop.folder, "y.csv"), join(shop.folder, "y.xlsx")];
  const cells = columnOf(parseCsv(readFileSync(asCsv, "utf8"), ";"), HEADER);
  expect(cells.filter((cell) => /^[\s\u200b\ufeff]*[=+\-@＝\t\r|%]/u.test(cell))).toEqual([]);
  expect(cells.map(unescapeFormula)).toEqual(texts.map(toCsvText));
  expect(await readOwn(asCsv)).toEqual(texts.map(toCsvText));
  expect(columnOf(await readFirstSheet(asXlsx), HEADER)).toEqual(texts.map(toCellText));
  expect(await readOwn(asXlsx)).toEqual(texts.map((text) => withLineFeeds(toCellText(text))));
  expect(findFormulas(asXlsx)).toEqual([]);
  // A text that an Excel cell cannot hold is reported.
  expect(JSON.parse(csv.out)).toMatchObject({ counts: { rows: 600 }, warnings: [] });
  expect(JSON.parse(xlsx.out).warnings).toEqual([
    expect.stringMatching(/^7 metin .* --format csv/u),
  ]);
});
