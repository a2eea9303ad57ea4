import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { UsageError } from "@catalog/console";
import type { ImageOptions } from "@catalog/images";
import { describe, expect, it } from "vitest";

import { importCommand } from "../../src/commands/import/index.ts";
import { retryCommand } from "../../src/commands/retry/index.ts";
import { type CommandHarness, createCommandHarness } from "../helpers/command-harness.ts";
import { startMarketplaceServer } from "../helpers/marketplace-server.ts";

const SHEET = "Kod no;Adet\nKOD-1;7\n";

/** The smallest PNG, whose size is reported only with other problems. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const UPLOAD = "console.log('https://cdn.example/new.jpg')";
const IMAGES: ImageOptions = {
  mode: "warn",
  upload: { kind: "command", command: [process.execPath, "-e", UPLOAD], folder: tmpdir(), env: {} },
};

/** The id of the newest run. */
async function newestRun({ open }: CommandHarness): Promise<string> {
  await using connection = await open();
  return (await connection.runs.list(1))[0]?.id ?? "";
}

describe("catalog retry", () => {
  it("plans the refused row again in a new run, with the same mapping of columns", async () => {
    const { baseUrl, updates } = await startMarketplaceServer({ refusals: 1 });
    const harness = createCommandHarness({ baseUrl, answer: true, lang: "tr" });
    const file = harness.write("stok.csv", SHEET);
    const map = ["Kod no=product_code", "Adet=stock"];
    const exit = await importCommand.run(harness.context, { file, map, "max-errors": "5" });
    expect(exit).toBe(5);
    const run = await newestRun(harness);
    harness.write("stok.csv", "another;file\n1;2\n");

    const again = await retryCommand.run(harness.context, { run });

    expect(again).toBe(0);
    expect(updates).toEqual([
      { product_id: "p-1", stock_count: 7 },
      { product_id: "p-1", stock_count: 7 },
    ]);
    await using connection = await harness.open();
    const runs = await connection.runs.list(9);
    const newest = runs.find(({ command }) => command === "retry");
    expect(newest).toMatchObject({ settings: { maxErrors: "5" }, progress: { retryOf: run } });
    expect(await connection.journal.readRows(newest?.id ?? "", { limit: 9 })).toMatchObject([
      { row: 2, cells: ["KOD-1", "7"], state: "done" },
    ]);
  });

  it("sends the images of a refused row again although their folder is missing, with a note", async () => {
    const { baseUrl, updates } = await startMarketplaceServer({ refusals: 1 });
    const harness = createCommandHarness({ baseUrl, answer: true, lang: "tr" });
    const context = { ...harness.context, images: IMAGES };
    const folder = join(harness.folder, "resimler");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.png"), PIXEL);
    const file = harness.write("a.csv", "Ürün Kodu;Stok;Görsel 1\nKOD-1;7;a.png\n");
    expect(await importCommand.run(context, { file, "images-dir": folder })).toBe(5);
    rmSync(folder, { recursive: true });

    const exit = await retryCommand.run(context, { run: await newestRun(harness) });

    expect(exit).toBe(0);
    const sent = { product_id: "p-1", stock_count: 7, images: ["https://cdn.example/new.jpg"] };
    expect(updates).toEqual([sent, sent]);
    expect(harness.terminal.written.out).toContain("“resimler” artık yerinde yok");
  });

  it("has nothing to do when no row was refused", async () => {
    const { baseUrl, updates } = await startMarketplaceServer();
    const harness = createCommandHarness({ baseUrl, answer: true });
    await importCommand.run(harness.context, {
      file: harness.write("a.csv", "Ürün Kodu;Stok\nKOD-1;7\n"),
    });
    const run = await newestRun(harness);

    expect(await retryCommand.run(harness.context, { run })).toBe(0);

    expect(harness.terminal.written.err).toContain("no rejected rows");
    expect(updates).toHaveLength(1);
    expect(await newestRun(harness)).toBe(run);
  });

  it("requires --yes when no question can be asked", async () => {
    const { baseUrl } = await startMarketplaceServer({ refusals: 1 });
    const harness = createCommandHarness({ baseUrl });
    const file = harness.write("a.csv", "Ürün Kodu;Stok\nKOD-1;7\n");
    await importCommand.run(harness.context, { file, yes: true, "max-errors": "5" });
    const run = await newestRun(harness);

    await expect(retryCommand.run(harness.context, { run })).rejects.toThrow(UsageError);
  });
});
