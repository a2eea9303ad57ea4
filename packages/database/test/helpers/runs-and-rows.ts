/** Creates runs and rows. Imports nothing of the test runner, because scripts use it too. */

import type { NewRun } from "@catalog/runs";

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
