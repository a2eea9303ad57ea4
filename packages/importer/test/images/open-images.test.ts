import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";

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

function toChunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A grey square whose rows differ, as a PNG. */
function drawPng(edge: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  // 8 bits for each pixel.
  header[8] = 8;
  const lines = Array.from({ length: edge }, (_, y) =>
    Buffer.alloc(edge + 1, y % 256).fill(0, 0, 1),
  );
  return Buffer.concat([
    Buffer.from("\u0089PNG\r\n\u001a\n", "latin1"),
    toChunk("IHDR", header),
    toChunk("IDAT", deflateSync(Buffer.concat(lines))),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
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
      `1 görselden 1 tanesinde sorun var. Görselleri şu sayfada görebilirsiniz: ${join(folder, "sonuc", "images.html")}`,
    ]);
  });

  it("stand on the page with the product, and as a problem where none can be uploaded", async () => {
    const { plan, found, folder } = await createPlanner();
    mkdirSync(join(folder, "resimler"));
    writeFileSync(join(folder, "resimler", "bardak.jpg"), drawPng(400));

    const run = await plan(SHEET, { source: join(folder, "resimler") });

    expect(await found(run)).toEqual(["C2 E_IMG_NO_UPLOAD"]);
    expect(run.warnings.at(-1)?.message.tr).toMatch(/^1 görselden 1 tanesinde sorun var\./u);
    const page = readFileSync(join(folder, "sonuc", "images.html"), "utf8");
    expect(page).toContain("<strong>KOD-1</strong>");
    expect(page).toContain("görsel yükleme ayarlanmamış");
    expect(page).not.toContain("Sorunsuz");
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
