import { createTestConnection, storeRun } from "@catalog/connection/testing";
import { expect, it } from "vitest";

import { nameRunsIn } from "../../../src/server/runs/run-summary.ts";

const FILE = "r-261121-0930-4f2a";
const UNDO = "r-261122-0930-0a0a";

it("names runs by file and time in every text of a document, and leaves unknown ones", async () => {
  const { connection } = await createTestConnection();
  await storeRun(connection, { id: FILE, header: ["Ürün Kodu"], rows: [] });
  await storeRun(connection, { id: UNDO, header: ["Ürün Kodu"], rows: [] });
  await connection.runs.update(UNDO, { progress: { undoOf: FILE } });
  const texts = {
    warnings: [`${FILE} çalıştırmasında 9 satır hâlâ karar bekliyor.`],
    problem: { message: `“${UNDO}” çalıştırmasının planı yarım kalmış.` },
    rows: 9,
    other: `r-261122-0930-ffff çalıştırmasında`,
  };

  const named = await nameRunsIn(connection, texts, "tr");
  const english = await nameRunsIn(connection, [`9 rows of ${FILE} still wait.`], "en");

  expect(named).toEqual({
    warnings: ["“urunler.xlsx” (21 Kas 2026 12:30) gönderiminde 9 satır hâlâ karar bekliyor."],
    problem: {
      message: "“urunler.xlsx” için geri alma (21 Kas 2026 12:30) gönderiminin planı yarım kalmış.",
    },
    rows: 9,
    other: "r-261122-0930-ffff çalıştırmasında",
  });
  expect(english).toEqual(["9 rows of “urunler.xlsx” (21 Nov 2026, 12:30) still wait."]);
});
