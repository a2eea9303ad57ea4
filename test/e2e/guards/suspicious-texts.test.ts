import { join } from "node:path";

import { writeXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { markHeld } from "../../helpers/mark-held.ts";
import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeCsv } from "../../helpers/product-sheet.ts";

const USED = ["000102", "000101", "0087", "0012", "000103", "KML-007", "KML-012", "KML-008"];
const TYPED = ["102", "101", "87", "12", "0000103", "KML 007", "KML_012", "KML-OO8"];

/** Good rows with these codes; their titles depend on their places. */
const rowsOf = (codes: readonly string[]): readonly ProductRow[] =>
  codes.map((code, n) => goodRow(n + 1, { "Ürün Kodu *": code }));

const codesIn = (store: TestStore): readonly string[] =>
  store.sandbox
    .products()
    .map((product) => product.product_code)
    .toSorted();

interface Held {
  readonly issues: readonly {
    readonly cell: string;
    readonly code: string;
    readonly message: { readonly tr: string };
  }[];
}

async function openUsedStore(codes: readonly string[] = USED): Promise<TestStore> {
  const store = await openTestStore();
  const file = writeCsv(store.folder, "ilk.csv", rowsOf(codes));
  expect((await store.run("import", file, "--yes", "--json")).code).toBe(0);
  return store;
}

describe("an add whose code is nearly one of the store", () => {
  it("is held without a terminal, with the code and the title of the store", async () => {
    const store = await openUsedStore();
    const file = writeCsv(store.folder, "ikinci.csv", rowsOf(TYPED));

    const document = await store.json("plan", file);
    const { code } = await store.run("import", file, "--yes", "--json");

    const { issues }: Held = document;
    expect(issues.map((issue) => issue.code)).toEqual(TYPED.map(() => "E_CODE_SUSPECT"));
    expect(issues[0]?.message.tr).toMatch(
      /mağazada “000102” var \(\w+\) \(başlık da aynı\).*Excel baştaki sıfırları silmiş olabilir\./u,
    );
    expect(issues[5]?.message.tr).toMatch(/mağazada “KML-007” var \(\w+\) \(başlık da aynı\)/u);
    expect(code).not.toBe(0);
    expect(codesIn(store)).toEqual(USED.toSorted());
  });

  it("is sent once a person has released it", async () => {
    const store = await openUsedStore(["000102", "KML-007"]);
    const file = writeCsv(store.folder, "ikinci.csv", rowsOf(["102", "KML 007"]));
    const document = await store.json("import", file, "--yes");
    const { run, files }: { run: string; files: { held: string } } = document;
    const marked = await markHeld(files.held, { "102": "Evet", "KML 007": "Hayır" });

    await store.run("release", run, "--yes", "--approved", marked);
    await store.run("resume", run, "--yes");

    expect(codesIn(store)).toEqual(["000102", "102", "KML-007"]);
  });

  it("is sent once a person has allowed such codes", async () => {
    const store = await openUsedStore(["000102"]);
    const file = writeCsv(store.folder, "ikinci.csv", rowsOf(["102"]));

    await store.run("import", file, "--yes", "--allow", "code-suspect");

    expect(codesIn(store)).toEqual(["000102", "102"]);
  });
});

describe("codes of one file that differ in separators or zeros", () => {
  const family = ["1-1", "1-11", "11-1", "01", "1", "KML-7", "KML7"];

  it("are all added where their titles differ, and updated by the same file", async () => {
    const store = await openTestStore();
    const file = writeCsv(store.folder, "aile.csv", rowsOf(family));

    const first = await store.json("import", file, "--yes");
    const second = await store.json("import", file, "--yes");

    expect([first.exit, second.exit]).toEqual([0, 0]);
    expect(codesIn(store)).toEqual(family.toSorted());
  });

  it("are held from the second on where their titles are equal", async () => {
    const store = await openTestStore();
    const rows = ["0102", "102"].map((code) => goodRow(1, { "Ürün Kodu *": code }));
    const file = writeCsv(store.folder, "iki.csv", rows);

    await store.run("import", file, "--yes", "--json");

    expect(codesIn(store)).toEqual(["0102"]);
  });
});

describe("a new code that Excel has made of another one", () => {
  const damaged = ["01.Mar", "2.Oca", "Mar-01", "03.Şub", "5-Jan", "1.2E5"];

  it("is held with its reason, while other rows and updates are sent", async () => {
    const store = await openTestStore();
    const first = writeCsv(store.folder, "ilk.csv", rowsOf(["01.Mar"]));
    await store.run("import", first, "--yes", "--allow", "code-suspect");
    expect(codesIn(store)).toEqual(["01.Mar"]);
    const rows = [...damaged, "13-14"].map((code, n) =>
      goodRow(n + 1, { "Ürün Kodu *": code, "Stok *": 3 }),
    );
    const file = writeCsv(store.folder, "ikinci.csv", rows);

    const document = await store.json("plan", file);
    await store.run("import", file, "--yes", "--json");

    const { issues }: Held = document;
    const suspects = issues.filter(({ code }) => code === "E_CODE_SUSPECT");
    expect(suspects.map(({ cell }) => cell.slice(1))).toEqual(["3", "4", "5", "6", "7"]);
    expect(suspects[0]?.message.tr).toContain("“2.Oca” kodu bir tarihe benziyor");
    expect(codesIn(store)).toEqual(["01.Mar", "13-14"]);
    expect(store.sandbox.products().map((product) => product.stock_count)).toEqual([3, 3]);
  });

  it("is added once a person has released or allowed it", async () => {
    const store = await openTestStore();
    const file = writeCsv(store.folder, "ilk.csv", rowsOf(["01.Mar", "5-Jan"]));
    const document = await store.json("import", file, "--yes");
    const { run, files }: { run: string; files: { held: string } } = document;
    const marked = await markHeld(files.held, { "01.Mar": "Evet", "5-Jan": "Hayır" });

    await store.run("release", run, "--yes", "--approved", marked);
    await store.run("resume", run, "--yes");
    expect(codesIn(store)).toEqual(["01.Mar"]);
    await store.run("import", file, "--yes", "--allow", "code-suspect");

    expect(codesIn(store)).toEqual(["01.Mar", "5-Jan"]);
  });
});

/** A text whose UTF-8 another program has read as windows-1252. */
const garble = (text: string): string =>
  new TextDecoder("windows-1252").decode(new TextEncoder().encode(text));

async function writeTitles(
  { folder }: TestStore,
  titles: readonly (readonly [code: string | undefined, title: string])[],
): Promise<string> {
  const path = join(folder, "ürünler.xlsx");
  const columns = [{ header: "Ürün Kodu" }, { header: "Başlık" }];
  const rows = titles.map(([code = "", title]) => [code, title]);
  await writeXlsx({ path, sheets: [{ name: "Ürünler", columns, rows }] });
  return path;
}

describe("texts with garbled letters", () => {
  it("are held with the text they probably were, unless they are allowed", async () => {
    const shop = await openTestStore({ products: 2 });
    const [first, second] = shop.sandbox.products();
    const file = await writeTitles(shop, [
      [first?.product_code, garble("Çelik Kaşık Seti")],
      [second?.product_code, "Ahşap Kaşık"],
    ]);
    const titles = (): readonly string[] => shop.sandbox.products().map(({ title }) => title);

    const held = await shop.json("import", file, "--yes");
    const after = titles();
    const allowed = await shop.json("import", file, "--yes", "--allow", "garbled-text");

    const document = held;
    expect(document.counts).toMatchObject({ held: 1, updated: 1 });
    expect(document.issues[0]).toMatchObject({ code: "E_GUARD_GARBLED_TEXT", cell: "B2" });
    expect(document.issues[0].message.tr).toContain("aslı “Çelik Kaşık Seti” olabilir");
    expect(after).toEqual([first?.title, "Ahşap Kaşık"]);
    expect([allowed.exit, titles()[0]]).toEqual([0, garble("Çelik Kaşık Seti")]);
  });

  it("are not held where the store already shows them", async () => {
    const shop = await openTestStore({ products: 1 });
    const [first] = shop.sandbox.products();
    const file = await writeTitles(shop, [[first?.product_code, garble("Çelik Kaşık Seti")]]);
    await shop.run("import", file, "--yes", "--allow", "garbled-text");

    const again = await shop.json("import", file, "--yes");

    expect(again.counts).toMatchObject({ rows: 1, unchanged: 1 });
  });
});
