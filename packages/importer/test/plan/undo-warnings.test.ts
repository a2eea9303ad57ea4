import { createTestConnection, type StoredRow, storeRun } from "@catalog/connection/testing";
import type { LeftFields } from "@catalog/runs";
import { expect, it } from "vitest";

import type { PlannedUndo } from "../../src/plan/plan-undo.ts";
import { warnOfUndo } from "../../src/plan/undo-warnings.ts";

const NOTHING = {
  restore: 0,
  partly: 0,
  empty: 0,
  already: 0,
  "already-empty": 0,
  added: 0,
  kept: 0,
  "not-undoable": 0,
};

async function warn(
  states: readonly NonNullable<StoredRow["state"]>[],
  undo: PlannedUndo = { ...NOTHING, restore: 1 },
  left: LeftFields = { hidden: [], kept: [] },
) {
  const { connection } = await createTestConnection();
  const rows = states.map((state, at): StoredRow => ({ cells: [`K-${at}`], state }));
  const run = await storeRun(connection, { header: ["Ürün Kodu"], rows });
  return { id: run.id, warnings: await warnOfUndo(connection, run, { undo, left }) };
}

it("says how many rows of the run wait, and how to close them", async () => {
  const { id, warnings } = await warn(["held", "held", "unchanged"]);

  const [, held] = warnings;
  expect(held?.code).toBe("W_UNDO_HELD");
  expect(held?.message.tr).toMatch(
    /2 satır hâlâ karar bekliyor.* catalog release r-\S+ --cancel$/u,
  );
  expect(held?.message.en).toContain(`2 rows of ${id} still wait`);
});

it("counts one row as one in English", async () => {
  const { id, warnings } = await warn(["held"]);

  expect(warnings[1]?.message.en).toContain(`1 row of ${id} still waits`);
});

it("says nothing of held rows where none waits", async () => {
  const { warnings } = await warn(["unchanged"]);

  expect(warnings.map(({ code }) => code)).toEqual(["W_UNDO"]);
});

it("says of added products that they stay, or that their stock becomes 0", async () => {
  const { warnings } = await warn(["unchanged"], {
    ...NOTHING,
    restore: 2,
    empty: 58,
    "already-empty": 3,
    added: 1_200,
  });

  expect(warnings[0]?.message.tr).toMatch(
    /^“[^“”]+” geri alınıyor: 2 ürün eski hâline dönecek, eklenen 58 ürünün stoğu 0 yapılacak \(ürün silinemez\), eklenen 1\.200 ürün mağazada kalacak \(ürün silinemez\), eklenen 3 ürünün stoğu zaten 0\.$/u,
  );
  expect(warnings[0]?.message.en).toContain("58 added, whose stock becomes 0");
});

it("counts the products of which some fields stay apart, and names those fields", async () => {
  const undo = { ...NOTHING, restore: 2, partly: 1 };

  const hidden = await warn(["unchanged"], undo, {
    hidden: ["category_id", "brand_model"],
    kept: [],
  });
  const both = await warn(["unchanged"], undo, { hidden: ["category_id"], kept: ["price"] });

  expect(hidden.warnings[0]?.message.tr).toMatch(
    /: 2 ürün eski hâline dönecek, 1 ürün kısmen eski hâline dönecek \(Kategori, Model geri alınamaz\)\.$/u,
  );
  expect(hidden.warnings[0]?.message.en).toMatch(
    /: 2 to restore, 1 to restore in part \(Category, Model cannot be undone\)\.$/u,
  );
  expect(both.warnings[0]?.message.tr).toContain(
    "(Kategori geri alınamaz; Fiyat o zamandan beri değişmiş, olduğu gibi kalacak)",
  );
});
