import { join } from "node:path";

import {
  createTestConnection,
  startMarketplaceServer,
  type StoredRow,
  storeRun,
  type TestConnection,
} from "@catalog/connection/testing";
import { idSchemas } from "@catalog/contract";
import { PLATFORM_NAMES } from "@catalog/mapping";
import type { ReadingSettings, RunRecord } from "@catalog/runs";
import { describe, expect, it } from "vitest";

import { parsePlatform } from "../../src/columns/resolve-columns.ts";
import { describePlatform } from "../../src/file/describe-file.ts";
import { planFile, planRetry } from "../../src/plan/plan-file.ts";

const HEADER = ["Variant SKU", "Variant Inventory Qty", "Handle", "Image Src"];

interface Fixture extends TestConnection {
  readonly plan: (platform?: string) => Promise<RunRecord>;
}

async function openFixture(): Promise<Fixture> {
  const { baseUrl } = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl });
  return {
    ...test,
    plan: (platform) =>
      planFile(test.connection, {
        path: test.write("stok.csv", `${HEADER.join(";")}\nKOD-1;7;kod-1;\n`),
        command: "plan",
        lang: "tr",
        mode: "upsert",
        reportDir: join(test.folder, "{run}"),
        ...(platform === undefined ? {} : { platform }),
      }),
  };
}

const notesOf = (run: RunRecord): readonly string[] =>
  run.facts?.reading?.notes.map(({ tr }) => tr).filter((text) => text.startsWith("Platform")) ?? [];

describe("the platform of a file", () => {
  it("is recognised by the headers, told in one line and stored with the run", async () => {
    const { plan, connection } = await openFixture();

    const run = await plan();

    expect(notesOf(run)).toEqual([
      "Platform: Shopify (başlıklardan anlaşıldı). Değilse --platform none verin.",
    ]);
    expect(run.progress.reading?.platform).toBe("shopify");
    const [row] = await connection.journal.readRows(run.id, { limit: 1 });
    expect(row?.payload).toEqual({ product_id: "p-1", stock_count: 7 });
  });

  it("is told without a reason where a person named it", async () => {
    const { plan } = await openFixture();

    expect(notesOf(await plan("shopify"))).toEqual(["Platform: Shopify."]);
  });

  it("is not used where a person says that there is none", async () => {
    const { plan } = await openFixture();

    await expect(plan("none")).rejects.toMatchObject({ code: "E_FILE_COLUMNS" });
  });

  it("is told before a file is refused whose columns cannot be used", async () => {
    const { connection, folder, write } = await openFixture();
    const lines: string[] = [];

    const planned = planFile(connection, {
      path: write("stok.csv", "Handle;Image Src;Variant Price\nkod-1;;5\n"),
      command: "plan",
      lang: "tr",
      mode: "upsert",
      reportDir: folder,
      onReading: ({ tr }) => lines.push(tr),
    });

    await expect(planned).rejects.toMatchObject({ code: "E_FILE_COLUMNS" });
    expect(lines.at(-1)).toMatch(/^Dosya okunuşu.*\nPlatform: Shopify/u);
  });

  it("gives no line to a file of no platform", () => {
    expect(describePlatform(undefined)).toEqual([]);
  });
});

/** Retries one refused row of a run that was read in this way. */
async function retry(reading: ReadingSettings): Promise<RunRecord> {
  const { connection, folder } = await openFixture();
  const refused: StoredRow = {
    cells: ["KOD-1", 7, "kod-1", ""],
    payload: { product_id: idSchemas.product.parse("p-1"), stock_count: 7 },
    outcome: { to: "rejected", cause: "answer" },
  };
  const run = await storeRun(connection, { header: HEADER, rows: [refused] });
  const stored = { ...run, progress: { ...run.progress, reading } };
  const reportDir = join(folder, "{run}");
  return await planRetry(connection, { run: stored, command: "retry", lang: "tr", reportDir });
}

describe("a retry", () => {
  it("reads the rows with the platform of its run", async () => {
    const run = await retry({ platform: "shopify" });

    expect(run.facts?.planned).toMatchObject({ update: 1, invalid: 0 });
  });

  it("reads the rows of a run from before platforms were known without one", async () => {
    await expect(retry({})).rejects.toMatchObject({ code: "E_FILE_COLUMNS" });
  });
});

describe("the name of a platform that a person types", () => {
  it("is found in any case", () => {
    expect(parsePlatform("Shopify")).toBe("shopify");
    expect(parsePlatform("NONE")).toBe("none");
    expect(parsePlatform(undefined)).toBeUndefined();
  });

  it("is refused with the list of names where there is no such platform", () => {
    const list = PLATFORM_NAMES.join(", ");

    expect(() => parsePlatform("gittigidiyor")).toThrow(
      expect.objectContaining({
        code: "E_USAGE",
        localized: {
          tr: `“gittigidiyor” diye bir platform tanınmıyor; olanlar: ${list}.`,
          en: `No platform is known as “gittigidiyor”; there are: ${list}.`,
        },
      }),
    );
  });
});
