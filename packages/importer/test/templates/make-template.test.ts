import { join } from "node:path";

import { createTestConnection, startMarketplaceServer } from "@catalog/connection/testing";
import { InputError } from "@catalog/i18n";
import { mapColumns } from "@catalog/mapping";
import { openSheet } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { toTemplateVersionNotes } from "../../src/file/describe-file.ts";
import { makeTemplate, readChoiceLists } from "../../src/templates/make-template.ts";
import { createProductWorkbook } from "../../src/templates/product-workbook.ts";

/** A store whose lists are cached, so that only the shipping templates are fetched. */
async function createStore() {
  const { baseUrl } = await startMarketplaceServer();
  const test = await createTestConnection({ baseUrl });
  const { names } = test.connection.memory;
  const key = (list: string): string => `${baseUrl} ${list}`;
  await names.write(key("categories"), [
    { id: "c-0", name: "Ev", category_path: "Ev" },
    { id: "c-1", name: "Fincan", category_path: "Ev > Fincan" },
    { id: "c-00a1f3", name: "Kılıf", category_path: "Ev > Kılıf" },
    { id: "c-00b2e4", name: "Kılıf", category_path: "Ev > Kılıf" },
  ]);
  await names.write(key("brands c-1"), [
    { id: "b-00a1f3", name: "Bosch" },
    { id: "b-00b2e4", name: "Bosch" },
    { id: "b-3", name: "Arzum" },
  ]);
  await names.write(key("models c-1 b-00a1f3"), [{ id: "m-1", name: "Klasik" }]);
  await names.write(key("models c-1 b-00b2e4"), [{ id: "m-2", name: "Klasik" }]);
  await names.write(key("models c-1 b-3"), [
    { id: "m-003333", name: "Okka" },
    { id: "m-004444", name: "Okka" },
  ]);
  for (const other of ["c-00a1f3", "c-00b2e4"]) {
    await names.write(key(`brands ${other}`), [{ id: "b-3", name: "Arzum" }]);
    await names.write(key(`models ${other} b-3`), [{ id: "m-003333", name: "Okka" }]);
    await names.write(key(`properties ${other}`), []);
  }
  await names.write(key("properties c-1"), [
    { id: "p-1", name: "Renk", property_options: [{ id: "o-1", display_name: "Mavi" }] },
  ]);
  return test;
}

const labels = (choices: readonly { readonly label: string }[]): readonly string[] =>
  choices.map(({ label }) => label);

/** The notes on a workbook with these lines, for the store `s-1`. */
const notesOn = (lines: Readonly<Record<string, string>>): readonly string[] => {
  const stamp = new Map(Object.entries({ version: "1", store: "s-1", ...lines }));
  return toTemplateVersionNotes(stamp, "s-1").map(({ en }) => en);
};

describe("the lists of a workbook", () => {
  it("have distinct labels, with the end of the id where a name is not unique", async () => {
    const { connection } = await createStore();

    const lists = await readChoiceLists(connection, { categories: ["Ev > Fincan"] });

    expect(labels(lists.brand)).toEqual(["Arzum", "Bosch [a1f3]", "Bosch [b2e4]"]);
    const models = lists.brand_model.map(({ label }, at) => [lists.model_brand[at]?.label, label]);
    expect(models).toEqual([
      ["Arzum", "Okka [3333]"],
      ["Arzum", "Okka [4444]"],
      ["Bosch [a1f3]", "Klasik"],
      ["Bosch [b2e4]", "Klasik"],
    ]);
    expect(labels(lists.category)).toEqual(["Ev > Fincan"]);
    expect(labels(lists.shipping_template)).toEqual(["Standart"]);
    expect(lists.properties).toEqual([{ name: "Renk", options: [{ label: "Mavi", id: "o-1" }] }]);
  });

  it("are the leaf categories and the templates when no category is given", async () => {
    const { connection } = await createStore();

    const { category, brand } = await readChoiceLists(connection, {});

    expect(category.map(({ label }) => label)).toEqual([
      "Ev > Fincan",
      "Kılıf [a1f3]",
      "Kılıf [b2e4]",
    ]);
    expect(brand).toEqual([]);
  });

  it("are those of all leaves below a parent category, and of several categories together", async () => {
    const { connection } = await createStore();

    const below = await readChoiceLists(connection, { categories: ["Ev", "c-1"] });

    expect(labels(below.category)).toEqual(["Ev > Fincan", "Kılıf [a1f3]", "Kılıf [b2e4]"]);
    expect(below.properties).toEqual([{ name: "Renk", options: [{ label: "Mavi", id: "o-1" }] }]);
  });

  it("pair the brands with each of several categories, so that a row offers only those of its own", async () => {
    const { connection } = await createStore();

    const lists = await readChoiceLists(connection, { categories: ["c-1", "c-00a1f3"] });

    const pairs = lists.category_brand.map(({ label }, at) => [
      lists.brand_category[at]?.label,
      label,
    ]);
    expect(pairs).toEqual([
      ["Ev > Fincan", "Arzum"],
      ["Ev > Fincan", "Bosch [a1f3]"],
      ["Ev > Fincan", "Bosch [b2e4]"],
      ["Kılıf [a1f3]", "Arzum"],
    ]);
    expect(labels(lists.brand)).toEqual(["Arzum", "Bosch [a1f3]", "Bosch [b2e4]"]);
    const { columns } = createProductWorkbook({ path: "a.xlsx", lang: "tr", market: lists });
    expect(columns.find(({ key }) => key === "brand")?.list).toMatchObject({
      name: "list_brand",
      group: { column: "category", list: "list_brand_category", values: "list_category_brand" },
    });
  });

  it("need no pairs of brands in a workbook of one category", async () => {
    const { connection } = await createStore();

    const { category_brand, brand_category } = await readChoiceLists(connection, {
      categories: ["c-1"],
    });

    expect([category_brand, brand_category]).toEqual([[], []]);
  });

  it("are refused for an unknown category, with the command that finds one", async () => {
    const { connection } = await createStore();

    const reading = readChoiceLists(connection, { categories: ["Yok"] });

    await expect(reading).rejects.toThrow(InputError);
    await expect(reading).rejects.toThrow("catalog lookup categories");
  });
});

describe("makeTemplate", () => {
  it("writes a workbook that maps every column and carries its stamp", async () => {
    const { connection, folder } = await createStore();
    const path = join(folder, "fincan.xlsx");

    const made = await makeTemplate({
      path,
      lang: "tr",
      kind: "products",
      categories: ["c-1"],
      connection,
    });

    expect(made.lists).toContainEqual({ column: "Marka *", count: 3 });
    expect(made.lists).toContainEqual({ column: "Özellik: Renk", count: 1 });
    await using sheet = await openSheet({ path });
    const [below] = await Array.fromAsync(sheet.rows());
    const { cells: header } = sheet.header;
    const mapping = mapColumns({ sheet: "", headerRow: 1, header, below: below?.cells });
    expect(mapping).toMatchObject({ issues: [], warnings: [], missingRequired: [] });
    expect(mapping.columns.at(-1)?.target).toEqual({ kind: "property", name: "Renk" });
    expect(sheet.meta?.get("store")).toBe("s-1");
    expect(sheet.meta?.get("made_at")).toBe("2026-11-21T09:30:00.000Z");
    expect(toTemplateVersionNotes(sheet.meta, "s-1")).toEqual([]);
  });

  it("needs no store for the general workbook", async () => {
    const { folder } = await createTestConnection();
    const path = join(folder, "genel.xlsx");

    const made = await makeTemplate({ path, lang: "en", kind: "products" });

    expect(made.lists.map(({ column }) => column)).not.toContain("Brand *");
    await using sheet = await openSheet({ path });
    expect(sheet.meta?.get("version")).toBe("1");
    expect(sheet.meta?.get("store")).toBeUndefined();
  });
});

describe("the stamp of a workbook", () => {
  it("reveals another store and another version", () => {
    expect(notesOn({})).toEqual([]);
    expect(notesOn({ store: "s-2" })).toEqual([expect.stringContaining("another store (s-2)")]);
    expect(notesOn({ version: "0" })).toEqual([expect.stringContaining("an older version")]);
    expect(notesOn({ version: "9" })).toEqual([expect.stringContaining("a newer version")]);
  });

  it("is undefined in a file that is not our template", async () => {
    const { write } = await createTestConnection();

    await using sheet = await openSheet({ path: write("a.csv", "Kod;Stok\n1;2\n") });
    expect(sheet.meta).toBeUndefined();
    expect(toTemplateVersionNotes(undefined, "s-1")).toEqual([]);
  });
});
