/** Exported orders and questions, filled in at random: exactly what was filled in is asked for. */

import { join } from "node:path";

import * as fc from "fast-check";
import { expect, it } from "vitest";

import { fillIn } from "../../helpers/fill-in.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { columnOf, readTable } from "../../helpers/read-table.ts";

const AWAITING = 1;
const PACKAGES = 8;
const QUESTIONS = 12;

/** What a person writes into a cell of one of the actions; the words are read in any case. */
const WORDS = {
  accept: ["Onayla", "onayla", " Onayla ", "accept"],
  postpone: ["Ertele", "ertele", "postpone"],
} as const;

type Decision = keyof typeof WORDS;

const decision = fc.option(
  fc.record({
    what: fc.constantFrom<Decision>("accept", "postpone"),
    word: fc.nat(),
    /** Rows of the package that say so, by their bits; the first one always does. */
    rows: fc.nat({ max: 7 }),
    reason: fc.constantFrom("Stok bekleniyor", "=1+1", "'tırnak", "çok\nsatırlı"),
  }),
  { nil: undefined },
);

/** The ids of the rows that a plan is to send. */
async function plannedIds(
  shop: TestStore,
  id: string,
  ...command: readonly string[]
): Promise<readonly string[]> {
  const { counts, files } = await shop.json(...command, "--plan", "--lang", "tr");
  const table = await readTable(files.result.replace(".xlsx", ".csv"));
  const results = columnOf(table, "Sonuç");
  const ids = columnOf(table, id).filter((_, n) => results[n] === "Gönderilmedi");
  expect(counts.pending).toBe(ids.length);
  return ids.map(String).toSorted((a, b) => a.localeCompare(b));
}

const sorted = (ids: readonly string[]): readonly string[] =>
  ids.toSorted((a, b) => a.localeCompare(b));

it.each([
  ["item", "xlsx"],
  ["item", "csv"],
  ["package", "xlsx"],
  ["package", "csv"],
])(
  "orders by %s in %s ask for exactly what was filled in, and change no product",
  async (per, ext) => {
    const shop = await openTestStore({
      products: 10,
      orders: { packages: PACKAGES, statuses: [AWAITING] },
    });
    const from = join(shop.folder, `siparisler.${ext}`);
    const to = join(shop.folder, `dolu.${ext}`);
    await shop.run("export", "orders", "--per", per, "--out", from, "--lang", "tr");
    const ids = [...new Set(columnOf(await readTable(from), "Paket ID").map(String))];

    await fc.assert(
      fc.asyncProperty(
        fc.array(decision, { minLength: ids.length, maxLength: ids.length }),
        async (decisions) => {
          const seen = new Map<string, number>();
          await fillIn({
            from,
            to,
            fill(cells) {
              const id = String(cells["Paket ID"]);
              const row = seen.get(id) ?? 0;
              seen.set(id, row + 1);
              const asked = decisions[ids.indexOf(id)];
              const isSaid = row === 0 || (Number(asked?.rows) & (1 << row)) !== 0;
              if (asked === undefined || !isSaid) return {};
              const words = WORDS[asked.what];
              return {
                İşlem: words[asked.word % words.length] ?? null,
                Gerekçe: asked.what === "postpone" ? asked.reason : null,
              };
            },
          });

          const imported = await shop.run("import", to, "--yes", "--lang", "tr");
          for (const what of ["accept", "postpone"] as const) {
            const wanted = ids.filter((_, n) => decisions[n]?.what === what);
            if (decisions.every((one) => one === undefined)) {
              // Nothing is asked for in the whole column.
              const { code } = await shop.run("orders", what, to, "--yes");
              expect(code).toBe(3);
            } else {
              expect(await plannedIds(shop, "Paket ID", "orders", what, to)).toEqual(
                sorted(wanted),
              );
            }
          }
          expect([imported.code, shop.sandbox.inspect().effects]).toEqual([3, {}]);
        },
      ),
      { numRuns: 3, endOnFailure: true },
    );
    expect(shop.sandbox.stats()).toMatchObject({ updates: 0, adds: 0 });
  },
  60_000,
);

it.each(["xlsx", "csv"])(
  "questions in %s ask for exactly the answers that were filled in, and change no product",
  async (ext) => {
    const shop = await openTestStore({
      products: 10,
      questions: { count: QUESTIONS, answeredPercent: 0 },
    });
    const from = join(shop.folder, `sorular.${ext}`);
    const to = join(shop.folder, `dolu.${ext}`);
    await shop.run("export", "questions", "--out", from, "--lang", "tr");
    const ids = columnOf(await readTable(from), "Soru ID").map(String);
    const answer = fc.option(
      fc.constantFrom("Evet", "=1+1", "-5 değil", "'tırnak", "iki\n\nsatır", "😀", "  "),
      { nil: undefined },
    );

    await fc.assert(
      fc.asyncProperty(
        fc.array(answer, { minLength: ids.length, maxLength: ids.length }),
        async (answers) => {
          await fillIn({ from, to, fill: (_, n) => ({ Yanıt: answers[n] ?? null }) });

          const imported = await shop.run("import", to, "--yes", "--lang", "tr");

          const wanted = ids.filter((_, n) => (answers[n] ?? "").trim() !== "");
          expect(await plannedIds(shop, "Soru ID", "answer", to)).toEqual(sorted(wanted));
          expect([imported.code, shop.sandbox.inspect().effects]).toEqual([3, {}]);
        },
      ),
      { numRuns: 3, endOnFailure: true },
    );
    expect(shop.sandbox.stats()).toMatchObject({ updates: 0, adds: 0 });
  },
  60_000,
);
