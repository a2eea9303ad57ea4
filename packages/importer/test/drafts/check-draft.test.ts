import { FIELDS, ISSUE_CODES } from "@catalog/mapping";
import { UNCHANGED_CODE } from "@catalog/report";
import { describe, expect, it } from "vitest";

import { saveDefaultValue } from "../../src/columns/column-profiles.ts";
import type { LiveDraft } from "../../src/drafts/drafts.ts";
import type { CellEdit } from "../../src/drafts/edit-draft.ts";
import { labelOf } from "../../src/drafts/stored-draft.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

const FILE = [
  "Handle;Title;Body (HTML);Option1 Value;Variant SKU;Variant Inventory Qty;Image Src",
  "kod;#YOK;Yün;S;KOD-1;7;https://o.example/1.jpg",
  "kod;;;M;KOD-2;8;https://o.example/2.jpg",
  "kod;;;;;;https://o.example/3.jpg",
  "tek;Atkı;İpek;Default Title;KOD-3;9;https://o.example/4.jpg",
  "",
].join("\n");

describe("a draft of products with variants", () => {
  it("plans what a file with the corrected cells plans", async () => {
    const { draft, plan, planText, decisions } = await openDraftStore();
    const live = await draft(FILE, "shop.csv");
    await live.edit({ version: 1 }, [
      { row: 2, column: 1, value: "Kazak" },
      { row: 3, column: 5, value: "sekiz" },
    ]);

    const [ours, file] = [
      await plan(live),
      await planText(FILE.replace("#YOK", "Kazak").replace(";8;", ";sekiz;")),
    ];

    expect(await decisions(ours)).toEqual(await decisions(file));
  });

  it("checks the variants again when a cell of their parent is corrected", async () => {
    const { draft } = await openDraftStore();
    const live = await draft(FILE, "shop.csv");
    const before = (await live.rows([2, 3])).map(({ issues }) => issues.map(({ code }) => code));

    const result = await live.edit({ version: 1 }, [{ row: 2, column: 1, value: "Kazak" }]);

    expect(before).toEqual([["E_CELL_ERROR"], ["E_CELL_ERROR"]]);
    expect(result.rows.map(({ row, issues }) => [row, issues])).toEqual([
      [2, []],
      [3, []],
    ]);
  });
});

const HEADER = ["Ürün Kodu", "Stok", "Fiyat", "Başlık", "Kategori", "Marka"] as const;
const TEXTS: readonly (readonly string[])[] = [
  ["KOD-1", "KOD-2", "KOD-3", "kod-1", "KOD 4", "0012", "12", "", "# not", "Toplam"],
  ["5", "9", "-1", "beş", "1.000", ""],
  ["12,50", "12.50", "0", "on lira", "1.234", "<SİL>", ""],
  ["Fincan", "Işıklı Tabak", "#YOK", ""],
  ["Ev > Fincan", "Fincan", "Fincn", "Yok", ""],
  ["Paşa", "Bilinmeyen", ""],
];

/** Numbers from 0 up to 1 of a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const toCsv = (rows: readonly (readonly string[])[]): string =>
  [HEADER, ...rows].map((cells) => `${cells.join(";")}\n`).join("");

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "a draft with random edits plans what a file with the same cells plans, and undoes every edit (seed %s)",
  async (seed) => {
    const random = createRandom(seed);
    const pick = (column: number): string => {
      const texts = TEXTS[column] ?? [];
      return texts[Math.floor(random() * texts.length)] ?? "";
    };
    const make = (): string[][] =>
      Array.from({ length: 9 }, () => HEADER.map((_, column) => pick(column)));
    const rows = [["KOD-9", "1", "1,25", "Kase", "Fincan", ""], ...make()];
    const store = await openDraftStore();
    // From now on the draft knows which codes the store has, as the one that is read last does.
    await store.planText("Ürün Kodu;Stok\nKOD-1;1\n");
    // The notation of numbers is decided by the first check, so it is given here.
    const open = async (text: string, name: string): Promise<LiveDraft> => {
      const opened = await store.draft(text, name);
      await opened.setReading({ version: 1 }, { decimal: "comma" });
      await opened.check();
      return opened;
    };
    const live = await open(toCsv(rows), "stok.csv");
    // Empty rows are no rows of the draft.
    const numbers = rows.flatMap((cells, at) => (cells.join("") === "" ? [] : [at + 2]));
    const edited = rows.map((cells) => cells.slice());
    const before = await live.rows([...(await live.order())]);
    let { version } = await live.details();
    for (let batch = 0; batch < 4; batch += 1) {
      const edits = Array.from({ length: 3 }, (): CellEdit => {
        const column = Math.floor(random() * HEADER.length);
        const row = numbers[Math.floor(random() * numbers.length)] ?? 2;
        return { row, column, value: pick(column) };
      });
      for (const { row, column, value } of edits) {
        const cells = edited[row - 2];
        if (cells !== undefined) cells[column] = String(value);
      }
      ({ version } = await live.edit({ version }, edits));
    }

    const [ours, file] = [
      await store.plan(live),
      await store.planText(toCsv(edited), { decimal: "comma" }),
    ];
    const again = await open(toCsv(edited), "yeniden.csv");
    const checked = await live.rows([...(await live.order())]);

    expect(await store.decisions(ours)).toEqual(await store.decisions(file));
    expect(issuesOf(checked)).toMatchObject(issuesOf(await again.rows([...(await again.order())])));

    while ((await live.details()).canUndo) ({ version } = await live.undo({ version }));
    expect(await live.rows([...(await live.order())])).toEqual(before);
  },
);

/** Issues by row; rows that an edit has made no products are warned of in a draft only. */
const issuesOf = (
  rows: readonly { readonly row: number; readonly issues: readonly { readonly code: string }[] }[],
): Readonly<Record<number, readonly string[]>> =>
  Object.fromEntries(
    rows
      .map(({ row, issues }) => [row, issues.map(({ code }) => code)] as const)
      .filter(([, codes]) => !codes.includes("W_ROW_LEFT_OUT")),
  );

const CODES = [
  ...ISSUE_CODES,
  UNCHANGED_CODE,
  "E_CODE_DUPLICATE",
  "E_COLUMN_COUNT",
  "E_ID_CODE_MISMATCH",
  "E_CODE_ABSENT",
  "W_ROW_LEFT_OUT",
  "W_UNPUBLISHED_ROWS",
];
const MAX_CHARS = 40;

const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, at) => texts.indexOf(text) !== at);

describe.each(["tr", "en"] as const)("labelOf in %s", (lang) => {
  it("has a label of its own for each kind of issue", () => {
    const unknown = ["E_NONE", "W_NONE"].map((code) => labelOf(code)[lang]);
    const labels = CODES.map((code) => labelOf(code)[lang]);

    expect(repeated([...unknown, ...labels])).toEqual([]);
  });

  it("has labels that fit on a button", () => {
    const long = CODES.map((code) => labelOf(code)[lang]).filter(
      (label) => label.length > MAX_CHARS,
    );

    expect(long).toEqual([]);
  });
});

const SHEET = "Ürün Kodu;Stok\nKOD-1;8\nYOK-1;9\n";

const ALL_BUT_TEMPLATE = FIELDS.filter(
  ({ key, requiredForAdd }) => requiredForAdd && key !== "shipping_template",
).map(({ header }) => header.tr);

const codesOf = async (draft: LiveDraft): Promise<readonly (readonly string[])[]> =>
  (await draft.rows([2, 3])).map(({ issues }) => issues.map(({ code }) => code));

describe("a code that the store does not show", () => {
  it("is said at its cell where the store was listed and the file can add no product", async () => {
    const { draft, planText } = await openDraftStore();
    await planText("Ürün Kodu;Stok\nKOD-1;7\nKOD-2;7\nKOD-3;7\n");

    const live = await draft(SHEET);

    expect(await codesOf(live)).toEqual([[], ["E_CODE_ABSENT"]]);
    expect((await live.rows([3]))[0]?.issues[0]).toMatchObject({ column: 0, severity: "error" });
  });

  it("is not said of a store that was never read", async () => {
    const { draft } = await openDraftStore();

    const live = await draft(SHEET);

    expect(await codesOf(live)).toEqual([[], []]);
  });

  it("goes away with a code that the store shows", async () => {
    const { draft, planText } = await openDraftStore();
    await planText("Ürün Kodu;Stok\nKOD-1;7\n");
    const live = await draft(SHEET);

    await live.edit({ version: 1 }, [{ row: 3, column: 0, value: "KOD-2" }]);

    expect(await codesOf(live)).toEqual([[], []]);
  });

  it("is not said where the store's defaults make it a new product", async () => {
    const { draft, planText, connection } = await openDraftStore();
    await planText("Ürün Kodu;Stok\nKOD-1;7\n");
    const text = `${ALL_BUT_TEMPLATE.join(";")}\nYOK-1${";".repeat(ALL_BUT_TEMPLATE.length - 1)}\n`;
    const { profiles } = connection.memory;

    const before = await draft(text, "once.csv");
    await saveDefaultValue(profiles, { field: "shipping_template", value: "Standart" });
    const after = await draft(text, "sonra.csv");

    const [one, other] = await Promise.all(
      [before, after].map(async (live) =>
        (await live.rows([2])).flatMap(({ issues }) => issues.map(({ code }) => code)),
      ),
    );
    expect(one).toEqual(["E_CODE_ABSENT"]);
    expect(other).toContain("E_REQUIRED");
    expect(other).not.toContain("E_CODE_ABSENT");
  });
});
