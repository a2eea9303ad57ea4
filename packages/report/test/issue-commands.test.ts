import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createIssue, createTestConnection, storeRun } from "@catalog/connection/testing";
import { type CountClass, toCounts } from "@catalog/runs";
import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { listCommand, nameCommands, ruleCommand } from "../src/issue-commands.ts";
import { writeResultFiles } from "../src/result-files.ts";
import { RESULT_TEXTS } from "../src/result-texts.ts";
import { factsOf, readingOf } from "./helpers/facts.ts";
import { notesOf } from "./helpers/read-workbook.ts";

describe("the command that resolves a name", () => {
  it("names the choice that differs by a slip", () => {
    const name = { field: "brand", value: "KARACA HOM", choices: ["Karaca", "Karaca Home"] };

    expect(ruleCommand(name)).toBe('catalog rules add brand "KARACA HOM" "Karaca Home"');
    expect(listCommand(name)).toBeUndefined();
  });

  it("names the field as the reader does", () => {
    const name = { field: "shipping_template", value: "Hizli", choices: [] };

    expect(ruleCommand(name, "tr")).toBe('catalog rules add "Teslimat Şablonu" "Hizli" "…"');
    expect(ruleCommand({ ...name, field: "brand" }, "en")).toContain("add Brand ");
    expect(ruleCommand({ ...name, field: "property:Renk" }, "tr")).toContain('"Özellik: Renk"');
  });

  it.each([
    ["category", "Towels", ["Banyo > Batarya"], "catalog lookup categories"],
    ["category@shopify", "Towels", [], "catalog lookup categories"],
    ["category", "Bot", ["Kadın > Bot", "Erkek > Bot"], "catalog lookup categories"],
    ["brand", "Karaca", ["Kayaka"], 'catalog lookup brands --category "…"'],
    ["property:Renk", "Ekru", ["Mavi"], 'catalog lookup properties --category "…"'],
  ])("names no choice that is not near: %s %s", (field, value, choices, list) => {
    const name = { field, value, choices };

    expect(ruleCommand(name)).toMatch(/"…"$/u);
    expect(listCommand(name)).toBe(list);
  });
});

const ADVICE = "Doğruysa: catalog release <çalıştırma> --approved held.xlsx";

it("commands of the files name the program, the run and the real path of held.xlsx", async () => {
  const { connection } = await createTestConnection();
  const reportDir = join(mkdtempSync(join(tmpdir(), "sonuç ")), "r-1");
  const issue = createIssue({ code: "E_GUARD_PRICE", suggestion: { tr: ADVICE, en: ADVICE } });
  const run = await storeRun(connection, {
    reportDir,
    header: ["Ürün Kodu", "Fiyat"],
    rows: [{ cells: ["K-1", 1], state: "held", issues: [issue] }],
  });

  const files = await writeResultFiles(connection, run, { program: "npx catalog-toolkit" });

  await using sheet = await openSheet({ path: files.result ?? "" });
  const [row] = await Array.fromAsync(sheet.rows());
  const command = `npx catalog-toolkit release ${run.id} --approved "${files.held}"`;
  expect(row?.cells[sheet.header.cells.indexOf("Öneri")]).toBe(`Doğruysa: ${command}`);
  expect(Object.values(notesOf(files.result ?? "")).join("\n")).toContain(`release ${run.id} --`);
});

it("the stored row, of which the plan is written, has the same commands", async () => {
  const { connection } = await createTestConnection();
  const issues = [createIssue({ message: { tr: ADVICE, en: ADVICE } })];
  const { id } = await storeRun(connection, {
    header: ["Ürün Kodu"],
    rows: [{ cells: ["K-1"], state: "held", issues }],
  });
  const [stored] = await connection.journal.readRows(id, { limit: 1 });
  if (stored === undefined) throw new Error("the row was not stored");

  const [row] = nameCommands([{ ...stored, stored, verification: undefined, paid: undefined }], {
    program: "npx catalog-toolkit",
    held: null,
  });

  expect(row?.stored.issues[0]?.message.tr).toContain(": npx catalog-toolkit release");
  expect(row?.stored.issues).toEqual(row?.issues);
});

it("the page names the program and the field in the words of the run's language", async () => {
  const { connection, folder } = await createTestConnection();
  const asked = { header: ["Ürün Kodu"], rows: [], reportDir: join(folder, "r-1") };
  const run = await storeRun(connection, asked);
  const openNames = [
    {
      field: "brand",
      column: "Marka",
      value: "Bosh",
      choices: ["Bosch"],
      rows: 2,
      titles: [],
      suggestions: [],
    },
  ];

  const named = { ...run, facts: factsOf({ reading: readingOf({}, { openNames }) }) };
  const { page } = await writeResultFiles(connection, named, { program: "npx catalog-toolkit" });

  const html = await readFile(page ?? "", "utf8");
  expect(html).toContain("npx catalog-toolkit rules add Marka ");
});

it("warnings and notes about the whole file name the program, too", async () => {
  const { connection, folder } = await createTestConnection();
  const asked = { header: ["Ürün Kodu"], rows: [], reportDir: join(folder, "r-1") };
  const stored = await storeRun(connection, asked);
  const message = { tr: "Bakın: catalog runs", en: "Look: catalog runs" };
  const run = { ...stored, warnings: [{ code: "W_TEST", message }] };

  const { page } = await writeResultFiles(connection, run, { program: "npx catalog-toolkit" });

  expect(await readFile(page ?? "", "utf8")).toContain("Bakın: npx catalog-toolkit runs");
});

const CLASSES = [...Object.keys(toCounts([])).filter((name) => name !== "rows"), "unsendable"];

describe("RESULT_TEXTS", () => {
  it.each(["tr", "en"] as const)("has a distinct text for every outcome of a row in %s", (lang) => {
    const { words } = RESULT_TEXTS[lang];

    expect(Object.keys(words).toSorted()).toEqual(CLASSES.toSorted());
    expect(new Set(Object.values(words)).size).toBe(CLASSES.length);
  });

  it("has no header twice", () => {
    for (const { columns } of Object.values(RESULT_TEXTS)) {
      const headers = Object.values(columns);

      expect(new Set(headers).size).toBe(headers.length);
    }
  });

  it("calls a lost answer uncertain, not failed", () => {
    const uncertain: CountClass = "unknown";

    expect([RESULT_TEXTS.tr.words[uncertain], RESULT_TEXTS.en.words[uncertain]]).toEqual([
      "Belirsiz",
      "Unknown",
    ]);
  });
});
