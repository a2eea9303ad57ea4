import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  createTestConnection,
  startMarketplaceServer,
  type StoredRow,
  storeRun,
  type TestConnection,
} from "@catalog/connection/testing";
import { type ProductImage, productId } from "@catalog/contract";
import type { ImageOptions } from "@catalog/images";
import type { ImageSettings, RowRecord, RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { planRetry } from "../../src/plan/plan-retry.ts";

const HEADER = ["Ürün Kodu", "Stok", "Görsel 1", "Görsel 2"];
const UPLOADED = "https://cdn.example/1.jpg";

/** A refused update of images; the store lists another image of the product. */
const refused = (files: readonly string[], images: readonly string[] | undefined): StoredRow => ({
  cells: ["KOD-2", 77, ...files],
  payload: {
    product_id: productId.parse("p-2"),
    stock_count: 77,
    ...(images && { images: [...images] }),
  },
  outcome: { to: "rejected", cause: "answer" },
});

interface Place extends TestConnection {
  readonly again: (rows: readonly StoredRow[], images?: ImageOptions) => Promise<RunRecord>;
  readonly rowsOf: (run: RunRecord) => Promise<readonly RowRecord[]>;
}

async function openFixture(): Promise<Place> {
  const { baseUrl } = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl });
  const { connection, folder } = test;
  return {
    ...test,
    async again(rows, images) {
      const run = await storeRun(connection, { header: HEADER, rows });
      const reportDir = join(folder, "{run}");
      return await planRetry(connection, { run, command: "retry", lang: "tr", reportDir, images });
    },
    rowsOf: async ({ id }) => await connection.journal.readRows(id, { limit: 9 }),
  };
}

const imagesOf = ({ payload }: RowRecord): readonly ProductImage[] | undefined =>
  payload !== null && "images" in payload ? payload.images : undefined;

const cellsOf = ({ issues }: RowRecord): string[] =>
  issues.map(({ cell, code }) => `${cell} ${code}`);

const imageSettingsOf = ({ progress }: RunRecord): ImageSettings | undefined =>
  progress.reading?.pictures;

describe("the images of retried rows", () => {
  it("are those that were sent when their folder is missing, with a note in the plan", async () => {
    const { again, rowsOf, folder } = await openFixture();
    const source = join(folder, "resimler.zip");

    const run = await again([refused(["a.jpg"], [UPLOADED])], {
      mode: "strict",
      source,
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row?.state).toBe("ready");
    expect(row && imagesOf(row)).toEqual([UPLOADED]);
    expect(run.warnings.map(({ code }) => code)).toEqual(["W_IMAGES_GONE"]);
    expect(run.warnings[0]?.message.tr).toContain("resimler.zip");
    expect(run.warnings[0]?.message.tr).toContain("kalan satır: 1.");
    expect(imageSettingsOf(run)).toEqual({ mode: "strict", source });
  });

  it("stay unchanged when the update did not change them and their folder is missing", async () => {
    const { again, rowsOf, folder } = await openFixture();

    const run = await again([refused(["a.jpg"], undefined)], {
      source: join(folder, "resimler"),
      maySourceBeGone: true,
      mode: "strict",
    });

    const [row] = await rowsOf(run);
    expect(row?.payload).toEqual({ product_id: "p-2", stock_count: 77 });
    expect(row?.issues).toEqual([]);
  });

  it("are reported as missing at their cell when the number of images sent differs", async () => {
    const { again, rowsOf, folder } = await openFixture();

    const run = await again([refused(["a.jpg", "b.jpg"], [UPLOADED])], {
      source: join(folder, "resimler"),
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row && cellsOf(row)).toEqual(["C2 E_IMG_MISSING", "D2 E_IMG_MISSING"]);
    expect(row?.state).toBe("invalid");
  });

  it("are checked again when their folder still exists", async () => {
    const { again, rowsOf, folder } = await openFixture();
    mkdirSync(join(folder, "resimler"));
    writeFileSync(join(folder, "resimler", "a.jpg"), "no picture");

    const run = await again([refused(["a.jpg"], [UPLOADED])], {
      source: join(folder, "resimler"),
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row && cellsOf(row)).toEqual(["C2 E_IMG_TYPE"]);
  });

  it("that are URLs are checked again, with or without a folder", async () => {
    const { again, rowsOf, folder } = await openFixture();

    const run = await again([refused(["https://127.0.0.1/a.jpg"], [UPLOADED])], {
      mode: "strict",
      source: join(folder, "resimler"),
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row && cellsOf(row)).toEqual(["C2 E_URL_PRIVATE"]);
  });

  it("are refused with a named folder that does not exist, and no run is stored", async () => {
    const { again, folder, connection } = await openFixture();

    const outcome = again([refused(["a.jpg"], [UPLOADED])], { source: join(folder, "nowhere") });

    await expect(outcome).rejects.toMatchObject({ code: "E_IMAGES_SOURCE" });
    expect(await connection.runs.list(9)).toHaveLength(1);
  });

  it("are not checked without image options", async () => {
    const { again, rowsOf } = await openFixture();

    const run = await again([refused(["https://127.0.0.1/a.jpg"], undefined)]);

    const [row] = await rowsOf(run);
    expect(row && [row.state, imagesOf(row)]).toEqual(["ready", ["https://127.0.0.1/a.jpg"]]);
    expect(imageSettingsOf(run)).toEqual({ mode: "off" });
  });
});

describe("retried rows", () => {
  it("keep the cell traits that the reader found", async () => {
    const { again, rowsOf } = await openFixture();
    const read = { traits: { 1: "formula" }, formats: { 1: '0" adet"' } } as const;

    const run = await again([{ ...refused([], undefined), ...read }]);

    expect(await rowsOf(run)).toMatchObject([{ cells: ["KOD-2", 77], ...read }]);
  });
});
