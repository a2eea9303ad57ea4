import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  createWorkplace,
  startMarket,
  type StoredRow,
  storeRun,
  type Workplace,
} from "@catalog/connection/testing";
import { type ProductImage, productId } from "@catalog/contract";
import { type PictureOptions } from "@catalog/images";
import { type PictureSettings, type RowRecord, type RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { planAgain } from "../../src/plan/plan-retry.ts";

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
  settled: { to: "rejected", cause: "answer" },
});

interface Place extends Workplace {
  readonly again: (rows: readonly StoredRow[], pictures?: PictureOptions) => Promise<RunRecord>;
  readonly rowsOf: (run: RunRecord) => Promise<readonly RowRecord[]>;
}

async function openPlace(): Promise<Place> {
  const { baseUrl } = await startMarket();
  const place = await createWorkplace({ baseUrl });
  const { toolkit, folder } = place;
  return {
    ...place,
    async again(rows, pictures) {
      const run = await storeRun(toolkit, { header: HEADER, rows });
      const reportDir = join(folder, "{run}");
      return await planAgain(toolkit, { run, command: "retry", lang: "tr", reportDir, pictures });
    },
    rowsOf: async ({ id }) => await toolkit.journal.readRows(id, { limit: 9 }),
  };
}

const imagesOf = ({ payload }: RowRecord): readonly ProductImage[] | undefined =>
  payload !== null && "images" in payload ? payload.images : undefined;

const cellsOf = ({ issues }: RowRecord): string[] =>
  issues.map(({ cell, code }) => `${cell} ${code}`);

const picturesOf = ({ progress }: RunRecord): PictureSettings | undefined =>
  progress.reading?.pictures;

describe("the images of retried rows", () => {
  it("are those that were sent when their folder is missing, with a note in the plan", async () => {
    const { again, rowsOf, folder } = await openPlace();
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
    expect(picturesOf(run)).toEqual({ mode: "strict", source });
  });

  it("stay unchanged when the update did not change them and their folder is missing", async () => {
    const { again, rowsOf, folder } = await openPlace();

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
    const { again, rowsOf, folder } = await openPlace();

    const run = await again([refused(["a.jpg", "b.jpg"], [UPLOADED])], {
      source: join(folder, "resimler"),
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row && cellsOf(row)).toEqual(["C2 E_IMG_MISSING", "D2 E_IMG_MISSING"]);
    expect(row?.state).toBe("invalid");
  });

  it("are checked again when their folder still exists", async () => {
    const { again, rowsOf, folder } = await openPlace();
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
    const { again, rowsOf, folder } = await openPlace();

    const run = await again([refused(["https://127.0.0.1/a.jpg"], [UPLOADED])], {
      mode: "strict",
      source: join(folder, "resimler"),
      maySourceBeGone: true,
    });

    const [row] = await rowsOf(run);
    expect(row && cellsOf(row)).toEqual(["C2 E_URL_PRIVATE"]);
  });

  it("are refused with a named folder that does not exist, and no run is stored", async () => {
    const { again, folder, toolkit } = await openPlace();

    const outcome = again([refused(["a.jpg"], [UPLOADED])], { source: join(folder, "nowhere") });

    await expect(outcome).rejects.toMatchObject({ code: "E_IMAGES_SOURCE" });
    expect(await toolkit.runLog.list(9)).toHaveLength(1);
  });

  it("are not checked without image options", async () => {
    const { again, rowsOf } = await openPlace();

    const run = await again([refused(["https://127.0.0.1/a.jpg"], undefined)]);

    const [row] = await rowsOf(run);
    expect(row && [row.state, imagesOf(row)]).toEqual(["ready", ["https://127.0.0.1/a.jpg"]]);
    expect(picturesOf(run)).toEqual({ mode: "off" });
  });
});

describe("retried rows", () => {
  it("keep the cell traits that the reader found", async () => {
    const { again, rowsOf } = await openPlace();
    const read = { traits: { 1: "formula" }, formats: { 1: '0" adet"' } } as const;

    const run = await again([{ ...refused([], undefined), ...read }]);

    expect(await rowsOf(run)).toMatchObject([{ cells: ["KOD-2", 77], ...read }]);
  });
});
