import { existsSync } from "node:fs";
import { join } from "node:path";

import { UsageError } from "@catalog/console";
import { InputError } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { rulesCommand } from "../../src/commands/rules/index.ts";
import { type CommandHarnessOptions, createCommandHarness } from "../helpers/command-harness.ts";

function createHarness(options: CommandHarnessOptions = {}) {
  const harness = createCommandHarness({ lang: "tr", ...options });
  const rules = async (...words: readonly string[]): Promise<number> => {
    const [action, what, value, meaning] = words;
    return rulesCommand.run(harness.context, { action, what, value, meaning });
  };
  return { ...harness, rules };
}

/** The first two lines of the message of a refused command. */
async function readRefusal(flags: Readonly<Record<string, string>>): Promise<string> {
  const refused: unknown = await rulesCommand.run(createHarness().context, flags).catch(String);
  const lines = String(refused)
    .replace(/^UsageError: /u, "")
    .split("\n");
  return lines.slice(0, 2).join(" | ");
}

const refuseStore = async (): Promise<never> => {
  throw new InputError({ tr: "ayar yok", en: "no settings" });
};

describe("catalog rules", () => {
  it("lists added rules by field", async () => {
    const { rules, terminal } = createHarness();

    await rules("add", "Marka", "KARACA HOM", "Karaca Home");
    await rules("add", "Özellik: Renk", "Kahve", "Açık Kahve");
    terminal.written.out = "";
    const exit = await rules();

    expect(exit).toBe(0);
    expect(terminal.written.out).toBe(
      "Marka          KARACA HOM → Karaca Home\nÖzellik: Renk  Kahve → Açık Kahve\n",
    );
  });

  it("gives advice when there are no rules", async () => {
    const { rules, terminal } = createHarness();

    await rules("list");

    expect(terminal.written.out).toContain("catalog rules add Marka");
  });

  it("says which meaning a rule replaces, and that the meaning is not looked up yet", async () => {
    const { rules, terminal } = createHarness();

    await rules("add", "Marka", "Bosh", "Bosch");
    terminal.written.out = "";
    await rules("add", "teslimat şablonu", "Hizli", "Hızlı Kargo");
    await rules("add", "brand", "BOSH", "Boş");

    expect(terminal.written.out.replaceAll(/Karşılıklar .*\n/gu, "?\n")).toBe(
      "1 kural kaydedildi.\n?\n1 kural kaydedildi.\n  “BOSH”, önceki karşılığı: Bosch\n?\n",
    );
  });

  it("says of a default that is a name of the store that it is not looked up yet", async () => {
    const { rules, terminal } = createHarness();

    await rules("default", "Teslimat Şablonu", "Yokşablon");
    const name = terminal.written.out;
    terminal.written.out = "";
    await rules("default", "Garanti Tipi", "Garantisiz");

    expect(name).toContain("Sıradaki planda mağazanın listelerinde aranır");
    expect(terminal.written.out).not.toContain("aranır");
  });

  it("accepts an id instead of a meaning", async () => {
    const { context, open } = createHarness();

    const flags = { action: "add", what: "brand", value: "X", id: "b-1" };
    await rulesCommand.run(context, flags);

    await using connection = await open();
    expect(await connection.memory.rules.list()).toMatchObject([
      { target: "b-1", targetId: "b-1" },
    ]);
  });

  it("removes a rule, and reports a missing one", async () => {
    const { rules, terminal } = createHarness();
    await rules("add", "brand", "KARACA", "Karaca Home");

    const exits = [
      await rules("remove", "brand", "karaca"),
      await rules("remove", "brand", "karaca"),
    ];

    expect(exits).toEqual([0, 2]);
    expect(terminal.written.out).toContain("“karaca” için kayıtlı kural yok.");
  });

  it("undoes the last change, says what was changed since, and reports when there is none", async () => {
    const { rules, terminal, open } = createHarness();
    await rules("add", "brand", "KARACA", "Karaca Home");
    await rules("add", "brand", "KARACA", "Karaca");
    terminal.written.out = "";

    const exits = [await rules("undo"), await rules("undo"), await rules("undo")];

    await using connection = await open();
    expect(exits).toEqual([0, 0, 2]);
    expect(terminal.written.out.replaceAll(/^.* tarihli/gmu, "… tarihli")).toBe(
      "… tarihli değişiklik geri alındı (1 kural).\n… tarihli değişiklik geri alındı (1 kural).\nGeri alınacak bir kural değişikliği yok.\n",
    );
    expect(await connection.memory.rules.list()).toEqual([]);
  });

  it("exports and imports rules as a file", async () => {
    const [from, to] = [createHarness(), createHarness()];
    const path = join(from.folder, "kurallar.xlsx");
    await from.rules("add", "brand", "KARACA", "Karaca Home");

    await from.rules("export", path);
    await to.rules("import", path);

    expect(existsSync(path)).toBe(true);
    expect(to.terminal.written.out).toContain("1 kural kaydedildi.\n");
  });

  it("exports, imports and removes a profile", async () => {
    const { rules, context, write, terminal, folder } = createHarness();
    const profile = { kind: "catalog-profile", version: 1, name: "erp", columns: { Kod: "title" } };

    await rules("import", write("erp.json", JSON.stringify(profile)));
    await rules("list");
    const path = join(folder, "yeni.json");
    await rulesCommand.run(context, { action: "export", what: path, profile: "erp" });
    await rulesCommand.run(context, { action: "remove", profile: "erp" });

    expect(terminal.written.out).toContain("  erp  1 sütun, 0 sabit değer\n");
    expect(existsSync(path)).toBe(true);
    await expect(rulesCommand.run(context, { action: "remove", profile: "erp" })).rejects.toThrow(
      InputError,
    );
  });

  it("prints one document with --json", async () => {
    const { rules, terminal } = createHarness({ json: true });

    await rules("add", "brand", "KARACA", "Karaca Home");

    expect(JSON.parse(terminal.written.out)).toMatchObject({
      command: "rules",
      action: "add",
      rules: [{ field: "brand", value: "KARACA", target: "Karaca Home" }],
      exit: 0,
    });
  });

  it.each([
    ["another action", ["say"]],
    ["no field", ["add"]],
    ["no value", ["add", "brand"]],
    ["no meaning", ["add", "brand", "X"]],
    ["no file", ["import"]],
  ] as const)("refuses %s", async (_name, words) => {
    await expect(createHarness().rules(...words)).rejects.toThrow(UsageError);
  });

  it("asks for a missing word as the help calls it, with an example of the action", async () => {
    const cases = [
      { action: "add" },
      { action: "add", what: "Brand" },
      { action: "add", what: "Brand", value: "X" },
      { action: "default" },
      { action: "default", what: "Brand" },
      { action: "remove" },
      { action: "remove", what: "Brand" },
      { action: "forget" },
      { action: "export" },
      { action: "export", profile: "erp" },
      { action: "import" },
    ];

    const asked = await Promise.all(cases.map(readRefusal));

    expect(asked).toMatchInlineSnapshot(`
      [
        "Which field? | Example: catalog rules add Brand "KARACA HOM" "Karaca Home"",
        "Which value of “Brand”? Give it as it stands in the file. | Example: catalog rules add Brand "KARACA HOM" "Karaca Home"",
        "What does “X” mean? Add its name in the store. | Example: catalog rules add Brand "KARACA HOM" "Karaca Home"",
        "Which field? | Example: catalog rules default "Shipping Template" "Standart Teslimat"",
        "What is to stand as “Brand” in new products without one? Add the value. | Example: catalog rules default "Shipping Template" "Standart Teslimat"",
        "Which field? | Example: catalog rules remove Brand "KARACA HOM"",
        "Which value of “Brand”? Give it as it stands in the file. | Example: catalog rules remove Brand "KARACA HOM"",
        "What is to be forgotten? Give a field, an id of the list of “catalog rules”, or all. | Example: catalog rules forget "Shipping Template"",
        "Which file? | Example: catalog rules export rules.xlsx",
        "Which file? | Example: catalog rules export profile.json --profile erp",
        "Which file? | Example: catalog rules import rules.xlsx",
      ]
    `);
  });

  it("asks for a missing word in Turkish, before a store is needed", async () => {
    const { context } = createHarness();

    const running = rulesCommand.run(
      { ...context, openConnection: refuseStore },
      { action: "forget" },
    );

    await expect(running).rejects.toMatchObject({
      localized: {
        tr: [
          "Ne unutulsun? Bir alan, “catalog rules” listesindeki bir kısaltma ya da all yazın.",
          'Örnek: catalog rules forget "Teslimat Şablonu"',
          "Bütün seçenekler için: catalog rules --help",
        ].join("\n"),
      },
    });
  });
});
