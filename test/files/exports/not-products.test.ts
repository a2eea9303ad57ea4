import { listExportColumns } from "@catalog/exporter/columns";
import { mapColumns } from "@catalog/mapping";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";

const SHEETS = {
  comments: ["Yorumlar", "Comments"],
  orders: ["Siparişler", "Orders"],
  questions: ["Sorular", "Questions"],
  payments: ["Ödemeler", "Payments"],
} as const;

type Kind = keyof typeof SHEETS;

const KINDS = ["comments", "orders", "questions", "payments"] as const satisfies readonly Kind[];

const WRITINGS = ["tr", "en", "key"] as const;

/** The headers that the export writes: in a language, or the keys of its JSON lines. */
const headersOf = (kind: Kind, writing: (typeof WRITINGS)[number]): readonly string[] =>
  listExportColumns(kind, writing === "en" ? "en" : "tr").map(({ key, label }) =>
    writing === "key" ? key : label,
  );

const map = (header: readonly string[], sheet = "Sheet1"): ReturnType<typeof mapColumns> =>
  mapColumns({ sheet, headerRow: 1, header });

/** Fields that name a product, and the currency, which is sent with a price only. */
const HARMLESS: ReadonlySet<string> = new Set(["product_code", "product_id", "currency"]);

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
          expect(fields.filter((field) => !HARMLESS.has(field))).toEqual([]);
        }),
      );
    });
  }

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
          await shop.run("export", kind, "--out", `${kind}.${format}`, "--lang", lang);
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
