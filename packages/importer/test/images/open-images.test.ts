import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  createTestConnection,
  startMarketplaceServer,
  type TestConnection,
} from "@catalog/connection/testing";
import type { ImageOptions } from "@catalog/images";
import type { RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { planFile } from "../../src/plan/plan-file.ts";

interface Planner extends TestConnection {
  readonly plan: (text: string, images?: ImageOptions) => Promise<RunRecord>;
  /** Cells and codes of a run's issues. */
  readonly found: (run: RunRecord) => Promise<string[]>;
}

async function createPlanner(): Promise<Planner> {
  const market = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl: market.baseUrl });
  return {
    ...test,
    plan: (text, images) =>
      planFile(test.connection, {
        path: test.write("stok.csv", text),
        command: "plan",
        lang: "tr",
        mode: "upsert",
        reportDir: join(test.folder, "sonuc"),
        images,
      }),
    found: async ({ id }) => {
      const rows = await test.connection.journal.readRows(id, { limit: 9 });
      return rows.flatMap(({ issues }) => issues.map(({ cell, code }) => `${cell} ${code}`));
    },
  };
}

const SHEET = "Ürün Kodu;Stok;Görsel 1\nKOD-1;7;bardak.jpg\nKOD-2;9;\n";

describe("the images of a plan", () => {
  it("get an error that names the flag when they are files and no folder is given", async () => {
    const { plan, found } = await createPlanner();

    const run = await plan(SHEET);

    expect(await found(run)).toEqual(["C2 E_IMAGE_FILE"]);
    expect(run.warnings).toEqual([]);
  });

  it("are searched in the folder; rows without images are planned as usual", async () => {
    const { plan, found, folder } = await createPlanner();
    mkdirSync(join(folder, "resimler"));
    writeFileSync(join(folder, "resimler", "bardak.jpg"), "no picture");

    const run = await plan(SHEET, { source: join(folder, "resimler") });

    expect(await found(run)).toEqual(["C2 E_IMG_TYPE"]);
    expect(run.facts?.planned).toMatchObject({ invalid: 1, unchanged: 1 });
    expect(run.warnings.map(({ message }) => message.tr)).toEqual([
      "Görsel dosyaları “resimler” içinde arandı.",
      `Görseller: 1, bakılacak 1. ${join(folder, "sonuc", "images.html")}`,
    ]);
  });

  it("come from a zip beside the sheet with its name, which the plan states", async () => {
    const { plan, found, folder } = await createPlanner();
    // An empty zip.
    writeFileSync(join(folder, "stok.zip"), Buffer.from(`PK\u0005\u0006${"\0".repeat(18)}`));

    const run = await plan(SHEET);

    expect(await found(run)).toEqual(["C2 E_IMG_MISSING"]);
    expect(run.warnings[0]?.message.tr).toBe("Görsel dosyaları “stok.zip” içinde arandı.");
  });

  it.each([
    ["nowhere", "E_IMAGES_SOURCE"],
    ["stok.csv", "E_IMAGES_ZIP"],
  ])("named as %s are refused before anything is stored", async (source, code) => {
    const { plan, folder, connection } = await createPlanner();

    const outcome = plan(SHEET, { source: join(folder, source) });

    await expect(outcome).rejects.toMatchObject({ code });
    expect(await connection.runs.list(9)).toEqual([]);
  });
});
