import { describe, expect, it } from "vitest";

import type { CellEdit } from "../../src/drafts/edit-draft.ts";
import type { LiveDraft } from "../../src/drafts/live-draft.ts";
import { openDraftStore } from "./helpers/open-test-draft.ts";

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

describe("a draft with random edits", () => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
    it(`plans what a file with the same cells plans, and undoes every edit (seed ${seed})`, async () => {
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
          if (cells !== undefined) cells[column] = value;
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
      expect(issuesOf(checked)).toMatchObject(
        issuesOf(await again.rows([...(await again.order())])),
      );

      while ((await live.details()).canUndo) ({ version } = await live.undo({ version }));
      expect(await live.rows([...(await live.order())])).toEqual(before);
    });
  }
});

/** Issues by row; rows that an edit has made no products are warned of in a draft only. */
const issuesOf = (
  rows: readonly { readonly row: number; readonly issues: readonly { readonly code: string }[] }[],
): Readonly<Record<number, readonly string[]>> =>
  Object.fromEntries(
    rows
      .map(({ row, issues }) => [row, issues.map(({ code }) => code)] as const)
      .filter(([, codes]) => !codes.includes("W_ROW_LEFT_OUT")),
  );
