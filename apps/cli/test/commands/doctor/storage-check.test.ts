import type { Connection, HomeSizes, PrunePreview } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import { checkStorage } from "../../../src/commands/doctor/storage-check.ts";

const NO_KINDS = {
  runs: 0,
  rows: 0,
  cells: 0,
  events: 0,
  archive: 0,
  ledger: 0,
  listing: 0,
  names: 0,
  exports: 0,
  drafts: 0,
  other: 0,
};

const MB = 1024 * 1024;

const SIZES: HomeSizes = {
  homeBytes: 70 * MB,
  fileBytes: 60 * MB,
  freeBytes: MB,
  kinds: { ...NO_KINDS, archive: 40 * MB, rows: 18.5 * MB, names: 50_000 },
  tableRows: 10,
  archivedRows: 20,
};

const unused = (): never => {
  throw new Error("the doctor deletes nothing");
};

/** The storage of a home, as far as the check asks for it. */
function storageOf(
  sizes: Partial<HomeSizes> = {},
  due: PrunePreview = { runs: 0, rows: 0, bytes: 0 },
): Pick<Connection, "storage"> {
  return {
    storage: {
      keepMs: 1,
      sizes: async () => ({ ...SIZES, ...sizes }),
      previewPrune: async () => due,
      listWaiting: unused,
      pruneWhileIdle: unused,
      prune: unused,
      compact: unused,
    },
  };
}

describe("the check of the storage", () => {
  it("names the sizes, the largest first", async () => {
    const { state, found } = await checkStorage(storageOf());

    expect(state).toBe("ok");
    expect(found.tr).toBe(
      "klasör 70 MB; veritabanı 60 MB (arşiv 40 MB, satırlar 18,5 MB, boş 1 MB)",
    );
    expect(found.en).toBe("folder 70 MB; database 60 MB (archive 40 MB, rows 18.5 MB, free 1 MB)");
  });

  it("advises to prune where much can be deleted", async () => {
    const due = { runs: 9, rows: 1_000, bytes: 250 * MB };

    const { state, fix, found, sizes } = await checkStorage(storageOf({}, due));

    expect(state).toBe("warn");
    expect(found.tr).toContain("; saklama süresi dolmuş 1.000 satır, 250 MB");
    expect(found.en).toContain("; 1,000 rows past their retention, 250 MB");
    expect(fix?.tr).toBe("Yaklaşık 250 MB yer açmak için: catalog runs prune");
    expect(sizes).toMatchObject({ prunable_runs: 9, prunable_rows: 1_000, prunable: 250 * MB });
  });
});
