import { existsSync } from "node:fs";
import { join } from "node:path";

import { InputError } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { importCommand } from "../../src/commands/import/index.ts";
import { createCommandHarness } from "../helpers/command-harness.ts";
import { startMarketplaceServer } from "../helpers/marketplace-server.ts";

const SHEET = "Ürün Kodu;Stok\nKOD-1;7\n";

describe("catalog import on a terminal", () => {
  it("asks before it sends, and sends when the answer is yes", async () => {
    const { baseUrl, updates } = await startMarketplaceServer();
    const { context, terminal, write } = createCommandHarness({
      baseUrl,
      answer: true,
      lang: "tr",
    });

    const exit = await importCommand.run(context, { file: write("stok.csv", SHEET) });

    expect(exit).toBe(0);
    expect(terminal.questions).toEqual(["1 ürün güncellenecek. Devam edilsin mi?"]);
    expect(updates).toEqual([{ product_id: "p-1", stock_count: 7 }]);
    expect(terminal.written.out).toContain("Sonuç       1 güncellendi\n");
  });

  it("does not overwrite what was changed elsewhere while the question waited", async () => {
    const { baseUrl, updates, setStock } = await startMarketplaceServer();
    const whileAsked = (): void => setStock(4);
    const harness = createCommandHarness({ baseUrl, answer: true, lang: "tr", whileAsked });

    const exit = await importCommand.run(harness.context, {
      file: harness.write("stok.csv", SHEET),
    });

    expect([exit, updates]).toEqual([5, []]);
    expect(harness.terminal.written.out).toContain("Stok: planda 5, şimdi 4, gönderilecek 7");
  });

  it("sends nothing when the answer is no, and names the next step", async () => {
    const { baseUrl, updates } = await startMarketplaceServer();
    const { context, terminal, write } = createCommandHarness({ baseUrl, answer: false });

    const exit = await importCommand.run(context, { file: write("stok.csv", SHEET) });

    expect(exit).toBe(0);
    expect(updates).toEqual([]);
    expect(terminal.written.err).toMatch(/Nothing was sent\. .*catalog apply r-261121-1230-/u);
  });

  it("prints one document when the answer is no", async () => {
    const { baseUrl } = await startMarketplaceServer();
    const harness = createCommandHarness({ baseUrl, answer: false, json: true });

    await importCommand.run(harness.context, { file: harness.write("stok.csv", SHEET) });

    expect(JSON.parse(harness.terminal.written.out)).toMatchObject({
      command: "import",
      state: "planned",
      exit: 0,
      counts: { rows: 1, pending: 1, updated: 0 },
    });
  });

  it("asks for the field of a column with an ambiguous header, and stores the answer", async () => {
    const { baseUrl, updates } = await startMarketplaceServer();
    const choices = ["Stok"];
    const harness = createCommandHarness({ baseUrl, answer: true, lang: "tr", choices });
    const file = harness.write("liste.csv", "Ürün Kodu;Adet;Miktar\nKOD-1;7;\n");

    const exit = await importCommand.run(harness.context, { file });
    const again = await importCommand.run(harness.context, { file });

    expect([exit, again]).toEqual([0, 0]);
    expect(harness.terminal.questions).toEqual([
      "“Adet” sütunu (B: 7) “Stok” olabilir, ama bu başlık başka bir şeyi de anlatabilir. " +
        "Hangisi olsun? Stok | Kullanılmasın | Vazgeç; dosya kullanılmasın",
      "1 ürün güncellenecek. Devam edilsin mi?",
    ]);
    expect(updates[0]).toEqual({ product_id: "p-1", stock_count: 7 });
    expect(harness.terminal.written.out).toContain("“Adet” → Stok");
  });

  it("refuses the file when the question about a column is cancelled", async () => {
    const { baseUrl, updates } = await startMarketplaceServer();
    const { context, terminal, write } = createCommandHarness({ baseUrl, answer: true });
    const file = write("liste.csv", "Ürün Kodu;Stok;Fiyat;Sale price\nKOD-1;7;20,00;10,00\n");

    const importing = importCommand.run(context, { file });

    await expect(importing).rejects.toMatchObject({ code: "E_FILE_COLUMNS" });
    expect(terminal.questions).toEqual([
      "The column “Sale price” (D: 10,00) is a price too; “Price” would be taken from “Fiyat” " +
        "(C: 20,00). What is it? Price | Discounted Price | Leave it out | Stop; do not use the file",
    ]);
    expect(updates).toEqual([]);
  });

  it("asks nothing when there is nothing to send", async () => {
    const { baseUrl } = await startMarketplaceServer();
    const { context, terminal, write } = createCommandHarness({ baseUrl, answer: false });

    const exit = await importCommand.run(context, {
      file: write("stok.csv", "Ürün Kodu;Stok\nKOD-1;5\n"),
    });

    expect(exit).toBe(0);
    expect(terminal.questions).toEqual([]);
    expect(terminal.written.out).toContain("1 unchanged");
  });
});

describe("catalog import with invalid arguments", () => {
  it.each([
    ["without --yes where no question can be asked", {}, "--yes"],
    ["with an invalid limit", { yes: true, "max-errors": "abc" }, "--max-errors"],
    ["with no calls at a time", { yes: true, concurrency: 0 }, "--concurrency"],
  ])("is refused %s", async (_name, flags, output) => {
    const { context, folder, write } = createCommandHarness();
    const file = write("stok.csv", SHEET);

    const running = importCommand.run(context, { file, ...flags });

    await expect(running).rejects.toThrow(InputError);
    await expect(running).rejects.toThrow(output);
    expect(existsSync(join(folder, "home"))).toBe(false);
  });
});
