/** Creates runs and rows. Imports nothing of the test runner, because scripts use it too. */

import type { Journal, NewRun, RowKey } from "@catalog/runs";
import { planToSend, type RowToSend, toProductId } from "@catalog/runs/testing";

export {
  appendRow,
  appendRowIn,
  moveRow,
  planToSend,
  readState,
  type RowToSend,
  toDecision,
  toPayload,
  toProductId,
  toSeenProduct as seen,
} from "@catalog/runs/testing";

/** Plans a row, sends it, and records it as done with this product. */
export async function sendDone(
  journal: Journal,
  row: RowToSend,
  id: string = row.productId ?? `p-${row.runId}-${row.row}`,
): Promise<RowKey> {
  const key = await planToSend(journal, row);
  if (journal.beginSending(key) !== "begun") throw new Error(`row ${row.row} could not be sent`);
  const outcome = { to: "done", cause: "answer", productId: toProductId(id) } as const;
  await journal.recordOutcome({ ...key, from: "sending" }, outcome);
  return key;
}

export const STORE = { baseUrl: "https://marketplace.test", storeId: "store-1" };
export const OTHER_STORE: typeof STORE = { ...STORE, storeId: "store-2" };

export function newRun(id: string): NewRun {
  return {
    id,
    command: "import",
    file: {
      path: "/sheets/products.xlsx",
      name: "products.xlsx",
      sha256: "00ff",
      kind: "xlsx",
      sheet: "Ürünler",
      headerRow: 1,
      header: ["Kod", "Fiyat"],
    },
    mode: "upsert",
    lang: "tr",
    reportDir: "/results/run",
    warnings: [
      {
        code: "W_COLUMN_UNKNOWN",
        message: { tr: "Sütun tanınmadı: Renk", en: "Unknown column: Renk" },
      },
    ],
  };
}
