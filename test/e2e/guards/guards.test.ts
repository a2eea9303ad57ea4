import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import Papa from "papaparse";
import { describe, expect, it } from "vitest";

import type { Json } from "../../helpers/call-catalog.ts";
import { markHeld } from "../../helpers/mark-held.ts";
import { openTestStore, type TestStore, writeConfig } from "../../helpers/markets/test-store.ts";
import { writeText } from "../../helpers/product-sheet.ts";
import { readTable } from "../../helpers/read-table.ts";

/**
 * A store with products at 100,00 and a stock of 5, the fifth with a discount to 90,00, whose price
 * unit is set.
 */
async function openFilled(count: number): Promise<Filled> {
  const shop = await openTestStore({ products: count });
  await writeConfig(shop, { priceUnit: "minor" });
  const codes = shop.sandbox.products().map(({ product_code }) => product_code);
  const lines = codes.map((code, index) => {
    const discount = index === 4 ? "İndirimli Fiyat;90,00" : ";";
    return `${code};100,00;5;${discount}`;
  });
  const header = "Ürün Kodu;Fiyat;Stok;İndirim Tipi;İndirim Değeri";
  const file = writeText(shop.folder, "ilk.csv", [header, ...lines]);
  const allow = "price-drop,price-rise,price-scale,discount-price,moved-values";
  const { code, err } = await shop.run("import", file, "--yes", "--allow", allow);
  expect([code, err]).toEqual([0, expect.anything()]);
  const before = shop.sandbox.stats().updates;
  return {
    shop,
    codeOf: (n) => codes[n - 1] ?? "",
    updates: () => shop.sandbox.stats().updates - before,
  };
}

interface Filled {
  readonly shop: TestStore;
  readonly codeOf: (number: number) => string;
  /** Updates sent since. */
  readonly updates: () => number;
}

/** Imports the file of held rows again, with a word in some of its rows. */
async function approve(shop: TestStore, { run, files }: Json, words: Record<string, string>) {
  const marked = await markHeld(files.held, words);
  return await shop.json("release", run, "--yes", "--approved", marked);
}

describe("guards", () => {
  it("hold suspicious values at their cells, send the other rows, and accept an approval", async () => {
    const { shop, codeOf, updates } = await openFilled(20);
    const prices = ["49,99", "300,01", "10000,00", "1,00", "85,00", "79,00"];
    const lines = prices.map((price, index) => `${codeOf(index + 1)};${price}`);
    const dear = writeText(shop.folder, "fiyat.csv", ["Ürün Kodu;Fiyat", ...lines]);
    const stocks = Array.from({ length: 20 }, (_, index) => (index < 7 ? 0 : 500));
    const empty = stocks.map((stock, index) => `${codeOf(index + 1)};${stock}`);
    const stock = writeText(shop.folder, "stok.csv", ["Ürün Kodu;Stok", ...empty]);
    const limits = { priceUnit: "minor", guards: { priceDropPercent: 20 } };
    await writeConfig(shop, limits);

    const held = await shop.json("import", dear, "--yes");
    const before = updates();
    const emptied = await shop.json("import", stock, "--yes");
    const after = updates();
    const some = Object.fromEntries([1, 3, 5].map((number) => [codeOf(number), "Evet"]));
    const released = await approve(shop, held, some);
    const pricesNow = shop.sandbox.products().map(({ price }) => price);
    const zeros = stocks.flatMap((is, index) => (is === 0 ? [[codeOf(index + 1), "Evet"]] : []));
    const zeroed = await approve(shop, emptied, Object.fromEntries(zeros));
    const stocksNow = shop.sandbox.products().map((product) => product.stock_count);
    const all = "price-drop,price-rise,price-scale,discount-price";
    const allowed = await shop.json("import", dear, "--yes", "--allow", all);

    expect([held.exit, before, held.counts]).toMatchObject([3, 0, { rows: 6, held: 6 }]);
    expect(held.issues.map(({ cell, code }: Json) => `${cell} ${code}`)).toEqual([
      "B2 E_GUARD_PRICE_DROP",
      "B3 E_GUARD_PRICE_RISE",
      "B4 E_GUARD_PRICE_SCALE",
      "B5 E_GUARD_PRICE_SCALE",
      "B6 E_GUARD_DISCOUNT",
      "B7 E_GUARD_PRICE_DROP",
    ]);
    expect(emptied).toMatchObject({ exit: 5, counts: { updated: 13, held: 7 } });
    expect(after).toBe(13);
    // The marketplace itself refuses a price below the discounted one.
    expect(released).toMatchObject({
      counts: { updated: 2, rejected: 1, held: 3 },
    });
    expect(pricesNow.slice(0, 6)).toEqual([4_999, 10_000, 1_000_000, 10_000, 10_000, 10_000]);
    expect(zeroed).toMatchObject({ exit: 0, counts: { updated: 20, held: 0 } });
    expect(stocksNow).toEqual(stocks);
    const rest = { updated: 3, unchanged: 2, rejected: 1, held: 0 };
    expect(allowed).toMatchObject({ exit: 5, counts: rest });
    expect(updates()).toBe(13 + 2 + 7 + 3);
  });

  it.each(["result.xlsx", "result.csv"])(
    "hold a row that a person has declined again, where %s of its run is imported",
    async (name) => {
      const { shop, codeOf, updates } = await openFilled(20);
      const stocks = Array.from({ length: 20 }, (_, index) => (index < 7 ? 0 : 500));
      const lines = stocks.map((stock, index) => `${codeOf(index + 1)};${stock}`);
      const file = writeText(shop.folder, "stok.csv", ["Ürün Kodu;Stok", ...lines]);
      const first = await shop.json("import", file, "--yes");
      const numbers = [1, 2, 3, 4, 5, 6, 7];
      const marks = numbers.map((number) => [codeOf(number), number < 4 ? "Hayır" : "Evet"]);
      await approve(shop, first, Object.fromEntries(marks));

      const again = await shop.json("import", join(first.files.dir, name), "--yes");

      expect(again.counts).toMatchObject({ updated: 0, unchanged: 17, held: 3 });
      expect(updates()).toBe(17);
    },
  );

  it("have sensible limits and known names", async () => {
    const shop = await openTestStore();
    const file = writeText(shop.folder, "fiyat.csv", ["Ürün Kodu;Fiyat", "KOD-1;89,00"]);

    const allow = await shop.run("plan", file, "--allow", "price-fall");
    writeText(shop.folder, "catalog.config.json", '{"guards":{"priceDrop":10}}');
    const limit = await shop.run("plan", file);

    expect([allow.code, limit.code]).toEqual([2, 2]);
  });
});

describe("the file of held rows", () => {
  const PRICES = ["10,00", "20,00", "30,00", "110,00"];

  async function holdThree(): Promise<Filled & { run: string; held: string }> {
    const filled = await openFilled(4);
    const { shop, codeOf } = filled;
    const lines = PRICES.map((price, index) => `${codeOf(index + 1)};${price}`);
    const file = writeText(shop.folder, "fiyat.csv", ["Ürün Kodu;Fiyat", ...lines]);
    const document = await shop.json("import", file, "--yes");
    expect(document.counts).toMatchObject({ updated: 1, held: 3 });
    return { ...filled, run: document.run, held: document.files.held };
  }

  it("lists reasons, prints each piece of advice once, and its commands work", async () => {
    const { shop, updates, run, held } = await holdThree();
    const path = held.replace(`${shop.folder}/`, "");

    const { out, err } = await shop.run("release", run);
    const before = updates();
    const right = /catalog (release \S+ --rows 2 --resend)\n/u.exec(err)?.[1] ?? "";
    const sent = await shop.json(...right.split(" "), "--yes");

    expect(out.match(/iken \d0,00 olacak/gu)).toHaveLength(3);
    expect(out.match(/--allow price-drop/gu)).toHaveLength(1);
    expect(err).toContain(`catalog release ${run} --rows 2 --cancel\n`);
    expect(err).toContain(`catalog release ${run} --approved ${path}\n`);
    expect(out).toContain(`--approved ${path}\n`);
    expect(err).not.toContain("--as-done");
    expect(sent).toMatchObject({ counts_now: { updated: 1 }, counts: { held: 2 } });
    expect(updates() - before).toBe(1);
  });

  it("changes nothing without a decision or without --yes when nobody can be asked", async () => {
    const { shop, codeOf, updates, run, held } = await holdThree();
    const marked = await markHeld(held, { [codeOf(2)]: "Evet" });
    const undecided = /--resend, vazgeçmek için --cancel/u;
    const unasked = /hiçbir satır değişmedi\. Sormadan uygulamak için --yes ekleyin/u;

    for (const [says, ...flags] of [
      [undecided, "--rows", "2"],
      [undecided, "--yes"],
      [undecided, "--yes", "--json"],
      [unasked, "--resend"],
      [unasked, "--cancel"],
      [unasked, "--approved", marked],
    ] as const) {
      const { code, err, out } = await shop.run("release", run, ...flags);

      expect([flags, code, updates()]).toEqual([flags, 2, 1]);
      expect(out + err).toMatch(says);
    }
  });

  it("is named by its path in the advice of the plan, of the run and of its rows", async () => {
    const { shop, run, held } = await holdThree();
    const command = `catalog release ${run} --approved ${held.replace(`${shop.folder}/`, "")} `;

    const shown = [await shop.run("runs", run), await shop.run("explain", run, "2")];
    const plan = await shop.run("plan", "fiyat.csv");
    rmSync(held);
    const gone = await shop.run("explain", run, "2");

    expect(shown.map(({ out }) => out.replaceAll(/\s+/gu, " ").includes(command))).toEqual([
      true,
      true,
    ]);
    expect(plan.out).toMatch(/--approved catalog-results\/r-\S+\/held\.xlsx\s/u);
    expect(gone.out.replaceAll(/\s+/gu, " ")).toContain(`release ${run} --approved held.xlsx`);
  });

  it("states why each row waits, and releases exactly the marked rows once", async () => {
    const { shop, codeOf, updates, run, held } = await holdThree();
    const release = (file: string) => shop.json("release", run, "--yes", "--approved", file);
    const unclear = await markHeld(held, { [codeOf(1)]: "belki" });

    const { header, rows } = await readTable(held);
    const word = await release(unclear);
    const other = await release(join(shop.folder, "fiyat.csv"));
    const before = updates();
    const approved = await markHeld(held, { [codeOf(1)]: "Evet", [codeOf(3)]: "E" });
    const first = await release(approved);
    const again = await release(approved);

    const first8 = "Onay|Ürün Kodu|Mağazadaki Ürün|Eski Değer|Yeni Değer|Değişim (%)|Koruma|Neden";
    const last4 = "Fiyat|Dosyadaki Satır|Bekleyen Satır|Satır Kaydı";
    expect(header).toEqual(`${first8}|${last4}`.split("|"));
    const { title } = shop.sandbox.products()[1] ?? {};
    const values = [100, 20, -80, "Fiyat çok düşüyor"];
    expect(rows[1]?.slice(0, 7)).toEqual([null, codeOf(2), title, ...values]);
    expect([word.exit, other.exit, before]).toEqual([5, 2, 1]);
    expect(word.err).toContain("belki");
    expect(other.error.message).toContain("held.xlsx");
    expect(first.counts).toMatchObject({ updated: 3, held: 1 });
    expect([first.exit, again.exit, updates()]).toEqual([5, 5, 3]);
    expect(again).toMatchObject({ released: [], refused: [{}, {}] });
    const shown = shop.sandbox.products().map(({ price }) => price);
    expect(shown).toEqual([1_000, 10_000, 3_000, 11_000]);
  });

  it("cancels the rows marked no, without sending them", async () => {
    const { shop, codeOf, updates, run, held } = await holdThree();
    const marked = await markHeld(held, { [codeOf(2)]: "Hayır", [codeOf(3)]: "Evet" });
    const release = () => shop.json("release", run, "--yes", "--approved", marked);

    const first = await release();
    const again = await release();

    expect(first.counts).toMatchObject({ updated: 2, cancelled: 1, held: 1 });
    expect(again).toMatchObject({ released: [], refused: [{}] });
    expect(updates()).toBe(2);
    const shown = shop.sandbox.products().map(({ price }) => price);
    expect(shown).toEqual([10_000, 10_000, 3_000, 11_000]);
  });

  it("imports without a warning, and holds an approved row that was changed elsewhere", async () => {
    const { shop, codeOf, updates, run, held } = await holdThree();
    const plan = await shop.json("plan", held);
    const [before] = shop.sandbox.products();
    const other = writeText(shop.folder, "elle.csv", [
      "Ürün Kodu;Fiyat;Başlık",
      `${codeOf(1)};120,00;`,
    ]);
    expect((await shop.run("import", other, "--yes")).code).toBe(0);
    const [after] = shop.sandbox.products();
    const approved = await markHeld(held, { [codeOf(1)]: "Evet" });

    const document = await shop.json("release", run, "--approved", approved, "--yes");
    const last = updates();
    await shop.run("release", run, "--rows", "2", "--resend", "--yes");

    expect(plan).toMatchObject({ counts: { rows: 3, held: 3 }, warnings: [] });
    // An empty cell changes nothing.
    expect(after).toEqual({ ...before, price: 12_000 });
    expect([document.exit, document.counts]).toMatchObject([5, { updated: 1, held: 3 }]);
    expect([last, updates(), shop.sandbox.products()[0]?.price]).toEqual([2, 3, 1_000]);
  });
});

describe("a file whose title column holds something else", () => {
  it("is held as a whole with three samples, and sent once it is allowed", async () => {
    const shop = await openTestStore({ products: 30 });
    const words = ["Beden", "Ölçü", "Renk"];
    const lines = shop.sandbox
      .products()
      .map(({ product_code: code }, index) => `${code};${words[index % 3]}\n`);
    const file = writeText(shop.folder, "basliklar.csv", `Ürün Kodu;Başlık\n${lines.join("")}`);

    const held = await shop.run("import", file, "--yes", "--lang", "tr");
    const unchanged = shop.sandbox.stats().updates;
    const allow = "same-text,short-text,other-text";
    const sent = await shop.json("import", file, "--yes", "--allow", allow);

    expect([held.code, unchanged]).toEqual([3, 0]);
    expect(held.out).toContain("Değişen alan: Başlık (30 satır)");
    expect(held.out).toMatch(/--allow same-text/u);
    expect([sent.exit, sent.counts.updated]).toEqual([0, 30]);
  });
});

/** The rows, with cells of others under some headers. */
const move = (rows: readonly Cells[], names: readonly string[], from: (at: number) => Cells) =>
  rows.map((row, at) =>
    Object.assign({}, row, ...names.map((name) => ({ [name]: from(at)[name] ?? "" }))),
  );

describe("an exported file of which some columns were moved", () => {
  const PRODUCTS = 60;
  const PRICE = "Fiyat *";
  const COLUMNS = [
    ["Başlık *"],
    ["Alt Başlık *"],
    ["Açıklama *"],
    ["Marka ID"],
    [PRICE],
    ["İndirim Tipi", "İndirim Değeri"],
    ["Stok *"],
    ["Garanti Tipi *", "Garanti Süresi *"],
    ["Teslimat Şablonu *"],
    ["Görsel 1 *"],
    ["Görsel 2"],
  ];

  /** From which row each row gets the cells. */
  const MOVES: readonly ((at: number) => number)[] = [
    (at) => at - 1,
    (at) => at + 1,
    (at) => at - 5,
    (at) => (at < 20 ? at : at - 1),
    (at) => PRODUCTS - 1 - at,
  ];

  it.each(COLUMNS.map((names, at) => [names, MOVES[at % MOVES.length] ?? Number] as const))(
    "sends nothing where the cells of %j have moved",
    async (names, from) => {
      const shop = await openTestStore({ products: PRODUCTS });
      const rows = await exportRows(shop);
      const moved = move(rows, names, (at) => rows[from(at)] ?? {});

      const { counts } = await shop.json(
        "plan",
        writeText(shop.folder, "a.csv", Papa.unparse(moved)),
      );

      expect([counts.pending, counts.held > 0]).toEqual([0, true]);
    },
  );

  it("sends nothing of prices that were sorted alone and edited since, or whose rows were deleted", async () => {
    const shop = await openTestStore({ products: 150 });
    const rows = await exportRows(shop);
    const sorted = rows.toSorted(({ [PRICE]: a = "" }, { [PRICE]: b = "" }) =>
      a.localeCompare(b, "tr", { numeric: true }),
    );
    const moved = move(rows, [PRICE], (at) => sorted[at] ?? {});
    const edited = moved.with(40, { ...moved[40], [PRICE]: moved[149]?.[PRICE] });

    for (const left of [edited, moved.filter((_, at) => at % 15 !== 3)]) {
      const { counts } = await shop.json(
        "plan",
        writeText(shop.folder, "a.csv", Papa.unparse(left)),
      );

      expect([counts.pending > 1, counts.held > 0]).toEqual([false, true]);
    }
  });

  it("is held where title and subtitle were swapped", async () => {
    const shop = await openTestStore({ products: PRODUCTS });
    const rows = await exportRows(shop);
    const before = readFields(shop);
    const swapped = rows.map((row) => {
      const { "Başlık *": title, "Alt Başlık *": subtitle } = row;
      return Object.assign({}, row, { "Başlık *": subtitle, "Alt Başlık *": title });
    });

    const file = writeText(shop.folder, "degismis.csv", Papa.unparse(swapped));
    const { counts, issues } = await shop.json("import", file, "--yes");

    expect(counts.held).toBe(PRODUCTS);
    expect(JSON.stringify(issues)).toContain("two columns may have been swapped");
    expect(readFields(shop)).toEqual(before);
  });

  it("is sent where a campaign gives a discount to some, and another template to a block", async () => {
    const shop = await openTestStore({ products: PRODUCTS });
    const rows = await exportRows(shop);
    const changed = rows.map((row, at) => {
      const discount = { "İndirim Tipi": "İndirim Oranı", "İndirim Değeri": "5" };
      const template = { "Teslimat Şablonu *": rows[0]?.["Teslimat Şablonu *"] };
      return Object.assign({}, row, at % 7 === 0 && discount, at < 20 && template);
    });

    const file = writeText(shop.folder, "kampanya.csv", Papa.unparse(changed));
    const { issues } = await shop.json("import", file, "--yes");

    expect(issues).not.toContainEqual(expect.objectContaining({ code: "E_GUARD_MOVED_VALUES" }));
  });
});

type Cells = Readonly<Record<string, string | undefined>>;

async function exportRows(shop: TestStore): Promise<readonly Cells[]> {
  const { err } = await shop.run("export", "products", "--out", "o.csv", "--price-unit", "minor");
  const text = readFileSync(join(shop.folder, "o.csv"), "utf8").replace(/^\uFEFF/u, "");
  const { data } = Papa.parse<Cells>(text, { header: true, skipEmptyLines: true });
  expect(data.length, err).toBeGreaterThan(0);
  return data;
}

const readFields = ({ sandbox }: TestStore): readonly unknown[] =>
  sandbox.products().map(({ title, sub_title }) => [title, sub_title]);
