import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { UsageError } from "@catalog/console";
import { type PictureOptions } from "@catalog/images";
import { describe, expect, it } from "vitest";

import { importCommand } from "../../../src/commands/import/index.ts";
import { retryCommand } from "../../../src/commands/retry/index.ts";
import { createWorkplace, type Workplace } from "../../helpers/command-harness.ts";
import { startMarket } from "../../helpers/marketplace-server.ts";

const SHEET = "Kod no;Adet\nKOD-1;7\n";

/** The smallest PNG, whose size is reported only with other problems. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const UPLOAD = "console.log('https://cdn.example/new.jpg')";
const PICTURES: PictureOptions = {
  mode: "warn",
  upload: { kind: "command", command: [process.execPath, "-e", UPLOAD], folder: tmpdir(), env: {} },
};

/** The id of the newest run. */
async function newestRun({ open }: Workplace): Promise<string> {
  await using toolkit = await open();
  return (await toolkit.runLog.list(1))[0]?.id ?? "";
}

describe("catalog retry", () => {
  it("plans the refused row again in a new run, with the same mapping of columns", async () => {
    const { baseUrl, updates } = await startMarket({ refusals: 1 });
    const place = createWorkplace({ baseUrl, answer: true, lang: "tr" });
    const file = place.write("stok.csv", SHEET);
    const map = ["Kod no=product_code", "Adet=stock"];
    const exit = await importCommand.run(place.context, { file, map, "max-errors": "5" });
    expect(exit).toBe(5);
    const run = await newestRun(place);
    place.write("stok.csv", "another;file\n1;2\n");

    const again = await retryCommand.run(place.context, { run });

    expect(again).toBe(0);
    expect(updates).toEqual([
      { product_id: "p-1", stock_count: 7 },
      { product_id: "p-1", stock_count: 7 },
    ]);
    await using toolkit = await place.open();
    const runs = await toolkit.runLog.list(9);
    const newest = runs.find(({ command }) => command === "retry");
    expect(newest).toMatchObject({ settings: { maxErrors: "5" }, progress: { retryOf: run } });
    expect(await toolkit.journal.readRows(newest?.id ?? "", { limit: 9 })).toMatchObject([
      { row: 2, cells: ["KOD-1", "7"], state: "done" },
    ]);
  });

  it("sends the images of a refused row again although their folder is missing, with a note", async () => {
    const { baseUrl, updates } = await startMarket({ refusals: 1 });
    const place = createWorkplace({ baseUrl, answer: true, lang: "tr" });
    const context = { ...place.context, pictures: PICTURES };
    const folder = join(place.folder, "resimler");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.png"), PIXEL);
    const file = place.write("a.csv", "Ürün Kodu;Stok;Görsel 1\nKOD-1;7;a.png\n");
    expect(await importCommand.run(context, { file, "images-dir": folder })).toBe(5);
    rmSync(folder, { recursive: true });

    const exit = await retryCommand.run(context, { run: await newestRun(place) });

    expect(exit).toBe(0);
    const sent = { product_id: "p-1", stock_count: 7, images: ["https://cdn.example/new.jpg"] };
    expect(updates).toEqual([sent, sent]);
    expect(place.terminal.written.out).toContain("“resimler” artık yerinde yok");
  });

  it("has nothing to do when no row was refused", async () => {
    const { baseUrl, updates } = await startMarket();
    const place = createWorkplace({ baseUrl, answer: true });
    await importCommand.run(place.context, {
      file: place.write("a.csv", "Ürün Kodu;Stok\nKOD-1;7\n"),
    });
    const run = await newestRun(place);

    expect(await retryCommand.run(place.context, { run })).toBe(0);

    expect(place.terminal.written.err).toContain("no rejected rows");
    expect(updates).toHaveLength(1);
    expect(await newestRun(place)).toBe(run);
  });

  it("requires --yes when no question can be asked", async () => {
    const { context } = createWorkplace();

    await expect(retryCommand.run(context, { run: "r-1" })).rejects.toThrow(UsageError);
  });
});
