import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import { templateCommand } from "../../src/commands/template/index.ts";
import { formatMade } from "../../src/commands/template/run.ts";
import type { CommandContext } from "../../src/context.ts";
import { createCommandHarness } from "../helpers/command-harness.ts";

/** The context of a person who has never logged in. */
const withoutStore = (context: CommandContext): CommandContext => ({
  ...context,
  openConnection: () => Promise.reject(new UsageError({ tr: "ayar yok", en: "no settings" })),
});

describe("catalog template", () => {
  it("writes the general workbook without a store, and states what it lacks", async () => {
    const { context, terminal, folder } = createCommandHarness({ lang: "tr" });

    const exit = await templateCommand.run(withoutStore(context), {});

    expect(exit).toBe(0);
    expect(existsSync(join(folder, "urun-sablonu.xlsx"))).toBe(true);
    expect(terminal.written.out).toContain("Garanti Tipi (4)");
    expect(terminal.written.err).toContain("catalog login");
  });

  it("needs a store for the lists of a category", async () => {
    const { context } = createCommandHarness();

    const running = templateCommand.run(withoutStore(context), { category: ["Ev"] });

    await expect(running).rejects.toThrow("no settings");
  });

  it("replaces a file only with --overwrite", async () => {
    const { context, write } = createCommandHarness();
    const path = write("dolu.xlsx", "somebody's work");

    const running = templateCommand.run(withoutStore(context), { out: path });

    await expect(running).rejects.toThrow("--overwrite");
    expect(readFileSync(path, "utf8")).toBe("somebody's work");
    await templateCommand.run(withoutStore(context), { out: path, overwrite: true });
    expect(readFileSync(path).subarray(0, 2).toString()).toBe("PK");
  });

  it("is a workbook, and takes no other ending", async () => {
    const { context, folder } = createCommandHarness();

    const running = templateCommand.run(context, { kind: "stock-price", out: "x.csv" });

    await expect(running).rejects.toThrow("--out x.xlsx");
    expect(existsSync(join(folder, "x.csv"))).toBe(false);
  });

  it("refuses a category for the stock and price workbook, which has no such lists", async () => {
    const { context, folder } = createCommandHarness();

    const running = templateCommand.run(context, { kind: "stock-price", category: ["Ev"] });

    await expect(running).rejects.toThrow("leave --category out");
    await expect(running).rejects.toBeInstanceOf(UsageError);
    expect(existsSync(join(folder, "stock-price.xlsx"))).toBe(false);
  });

  it("writes the stock and price workbook without a store", async () => {
    const { context, terminal, folder } = createCommandHarness({ lang: "tr", json: true });

    await templateCommand.run(context, { kind: "stock-price" });

    expect(existsSync(join(folder, "home"))).toBe(false);
    expect(JSON.parse(terminal.written.out)).toMatchObject({
      command: "template",
      path: join(folder, "stok-fiyat.xlsx"),
      lists: [{ column: "İndirim Tipi", count: 3 }],
      exit: 0,
    });
  });
});

it("says that brands are too many for a list of models, whatever the number of categories", () => {
  const made = { path: "a.xlsx", lists: [{ column: "Marka *", count: 201 }], lacksModels: true };

  const text = formatMade(made, "tr", {});

  expect(text).toContain("Marka (201)");
  expect(text).toContain("Çok fazla marka olduğu için model listesi eklenmedi");
  expect(text).not.toContain("kategoride");
});
