import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createTestConnection } from "@catalog/connection/testing";
import { InputError } from "@catalog/i18n";
import { ruleCommand } from "@catalog/report";
import { describe, expect, it } from "vitest";

import {
  exportProfile,
  importProfile,
  isProfileFile,
  removeProfile,
} from "../../src/columns/column-profiles.ts";
import {
  addRules,
  exportRules,
  importRules,
  loadActiveRules,
  removeRule,
} from "../../src/names/value-rules.ts";

const RULES = [
  { field: "Marka", value: "KARACA HOM", target: "Karaca Home" },
  { field: "category", value: "=Fincan;", target: "Ev > Fincan", targetId: "0a1" },
  { field: "Özellik: Renk", value: "Kahve", target: "Açık Kahve" },
];

describe("rules", () => {
  it.each(["kurallar.xlsx", "kurallar.csv", "kurallar.json"])(
    "stay the same when exported to and imported from %s",
    async (name) => {
      const [one, other] = [await createTestConnection(), await createTestConnection()];
      await addRules(one.connection.memory, RULES);
      const path = join(one.folder, name);

      expect(await exportRules(one.connection.memory, { path, lang: "tr" })).toBe(3);
      await importRules(other.connection.memory, { path });

      expect(await other.connection.memory.rules.list()).toEqual(
        await one.connection.memory.rules.list(),
      );
      expect((await one.connection.memory.rules.list()).map(({ field }) => field)).toEqual([
        "brand",
        "category",
        "property:Renk",
      ]);
    },
  );

  it("are found in any case, and the id overrides the name", async () => {
    const { connection } = await createTestConnection();
    await addRules(connection.memory, RULES);
    const rules = await loadActiveRules(connection.memory.rules);

    expect([
      rules.find("brand", "karaca  hom"),
      rules.find("category", "=Fincan;"),
      rules.find("property:renk", "KAHVE"),
      rules.find("brand_model", "karaca hom"),
      rules.find("brand", "Karaca"),
    ]).toEqual([["Karaca Home"], ["0a1"], ["Açık Kahve"], undefined, undefined]);
    expect(rules.used.size).toBe(3);
  });

  it("do not apply to a text that differs in a sign and has a rule of its own", async () => {
    const { connection } = await createTestConnection();
    await addRules(connection.memory, [
      { field: "Model", value: "Galaxy S10", target: "S10" },
      { field: "Model", value: "Galaxy S10+", target: "S10 Plus" },
    ]);

    const rules = await loadActiveRules(connection.memory.rules);

    expect(
      ["galaxy s10", "GALAXY S10 +", "Galaxy S10++"].map((text) => rules.find("brand_model", text)),
    ).toEqual([["S10"], ["S10 Plus"], undefined]);
  });

  it("are removed by field and value", async () => {
    const { connection } = await createTestConnection();
    await addRules(connection.memory, RULES);
    const rule = { field: "brand", value: "karaca hom" };

    expect([
      await removeRule(connection.memory, rule),
      await removeRule(connection.memory, rule),
    ]).toEqual([true, false]);
  });

  it.each([
    ["a field without rules", { field: "Fiyat", value: "a", target: "b" }],
    ["no value", { field: "brand", value: " ", target: "b" }],
    ["no meaning", { field: "brand", value: "a", target: "" }],
    ["a meaning that is left open", { field: "brand", value: "a", target: "…" }],
  ])("are refused for %s, all together", async (_name, wrong) => {
    const { connection } = await createTestConnection();

    await expect(addRules(connection.memory, [...RULES, wrong])).rejects.toThrow(InputError);

    expect(await connection.memory.rules.list()).toEqual([]);
  });

  it.each([
    ["no JSON", "kurallar.json", "{"],
    ["another JSON", "kurallar.json", '{"rules": []}'],
    ["a rule that is none", "k.json", '{"kind":"catalog-rules","rules":[{"field":1}]}'],
    ["other columns", "kurallar.csv", "A;B;C\n1;2;3\n"],
  ])("are not read from %s", async (_name, file, text) => {
    const { connection, write } = await createTestConnection();

    await expect(importRules(connection.memory, { path: write(file, text) })).rejects.toThrow(
      InputError,
    );
  });

  it.each([
    [
      "k.json",
      (targets: readonly string[]) =>
        JSON.stringify({
          kind: "catalog-rules",
          rules: targets.map((target) => ({ field: "shipping_template", value: "KARACA", target })),
        }),
      "Rule 2 (shipping_template: KARACA): The same name has another meaning further up: “Karaca”.",
    ],
    [
      "k.csv",
      (targets: readonly string[]) =>
        [
          "Field;Value in File;Meaning",
          ...targets.map((to) => `shipping_template;karaca;${to}`),
        ].join("\n"),
      "C3 “Karaca Home”: The same name has another meaning further up: “Karaca”.",
    ],
  ])(
    "are refused where a text is to mean two things, and are one where it is one: %s",
    async (name, toText, words) => {
      const { connection, write } = await createTestConnection();
      const { memory } = connection;

      const refused = importRules(memory, { path: write(name, toText(["Karaca", "Karaca Home"])) });
      await expect(refused).rejects.toMatchObject({
        code: "E_NAMES_SHEET",
        localized: { en: expect.stringContaining(words) },
      });
      expect(await memory.rules.list()).toEqual([]);
      const { rules } = await importRules(memory, {
        path: write(name, toText(["Karaca", "karaca"])),
      });

      expect(rules.map(({ target }) => target)).toEqual(["Karaca"]);
    },
  );

  it("are read in the encoding that a person names", async () => {
    const { connection, folder } = await createTestConnection();
    const path = join(folder, "kurallar.csv");
    const bytes = [0x8d, 0x9f, 0x8d, 0x6b]; // "ışık" in code page 857
    const rest = Buffer.from(";Brand\n", "latin1");
    writeFileSync(
      path,
      Buffer.concat([
        Buffer.from("Field;Value in File;Meaning\nbrand;", "latin1"),
        Buffer.from(bytes),
        rest,
      ]),
    );

    const {
      rules: [rule],
    } = await importRules(connection.memory, { path, encoding: "cp857" });

    expect(rule).toMatchObject({ value: "ışık", target: "Brand" });
    await expect(importRules(connection.memory, { path, encoding: "yok-1" })).rejects.toThrow(
      "yok-1",
    );
  });

  it("have a command that a shell reads unchanged", () => {
    const name = { choices: ['A$a "b" `c`'], field: "property:Renk Tonu" };

    expect(ruleCommand({ ...name, value: 'a$a "b" `c`' })).toBe(
      `catalog rules add "property:Renk Tonu" 'a$a "b" \`c\`' 'A$a "b" \`c\`'`,
    );
    expect(ruleCommand({ ...name, field: "brand", value: "x", choices: [] })).toBe(
      'catalog rules add brand "x" "…"',
    );
  });
});

describe("a rule with a placeholder for its meaning", () => {
  it.each(["…", " … ", "..."])("is refused: %s", async (target) => {
    const { connection } = await createTestConnection();

    await expect(
      addRules(connection.memory, [{ field: "brand", value: "KARACA", target }]),
    ).rejects.toThrow(InputError);
    expect(await connection.memory.rules.list()).toEqual([]);
  });
});

describe("profiles in files", () => {
  it("stay the same when exported and imported", async () => {
    const [one, other] = [await createTestConnection(), await createTestConnection()];
    const profile = {
      name: "erp",
      headerKey: "h",
      headers: ["Kod", "Ücret"],
      columns: { Ücret: "price" },
      constants: { stock: "5" },
      decimal: "comma",
      learntFrom: "a.csv",
    } as const;
    await one.connection.memory.profiles.save(profile);
    const path = join(one.folder, "erp.json");

    await exportProfile(one.connection.memory, { name: "erp", path });

    expect(await isProfileFile(path)).toBe(true);
    const imported = await importProfile(other.connection.memory, path);
    expect({ ...imported, headerKey: "h", learntFrom: "a.csv" }).toEqual(profile);
    expect(await other.connection.memory.profiles.list()).toEqual([imported]);
  });

  it("are refused when invalid, unknown or missing", async () => {
    const { connection, folder, write } = await createTestConnection();
    const path = join(folder, "erp.json");
    writeFileSync(path, JSON.stringify({ kind: "catalog-profile", name: "", columns: {} }));

    await expect(importProfile(connection.memory, path)).rejects.toThrow(InputError);
    await expect(importProfile(connection.memory, `${path}.yok`)).rejects.toThrow(InputError);
    await expect(exportProfile(connection.memory, { name: "yok", path })).rejects.toThrow(
      InputError,
    );
    await expect(removeProfile(connection.memory, "yok")).rejects.toThrow(InputError);
    expect(await isProfileFile(write("k.csv", "a;b"))).toBe(false);
    expect(readFileSync(path, "utf8")).toContain('"name":""');
  });
});
