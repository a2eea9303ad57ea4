import { join } from "node:path";

import { createSandboxCatalog } from "@catalog/sandbox";
import { openSheet, writeXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRow, type ProductRow, writeWorkbook } from "../../helpers/product-sheet.ts";

const catalog = createSandboxCatalog();
const leaves = catalog.categories.filter(({ id }) => catalog.isLeaf(id)).slice(0, 56);

/** Categories of an English shop, with what each means. */
const MEANINGS = new Map(
  leaves.map((leaf, at) => [`Shop > Department ${at % 4} > Line ${at}`, leaf.category_path]),
);

/** Rows in the shop's categories; brands of two of them are spelt in the shop's own way. */
function shopRows(count: number): readonly ProductRow[] {
  const names = [...MEANINGS.keys()];
  return Array.from({ length: count }, (_, at) => {
    const leaf = leaves[at % leaves.length];
    const brand = leaf === undefined ? "" : (catalog.brands(leaf.id)[0]?.name ?? "");
    const isOwn = at % leaves.length < 2;
    return goodRow(at + 1, {
      "Kategori *": names[at % names.length] ?? "",
      "Marka *": isOwn ? `${brand} Worldwide ${at % leaves.length}` : brand,
    });
  });
}

/** Fills the meanings into a sheet of names, as a person would in Excel; returns its values. */
async function fillIn(
  path: string,
  meaning: (value: string) => string,
): Promise<readonly string[]> {
  await using sheet = await openSheet({ path, sheet: "1" });
  const columns = sheet.header.cells.map((cell) => ({ header: String(cell) }));
  const rows = (await Array.fromAsync(sheet.rows())).map(({ cells }) =>
    cells.with(2, meaning(String(cells[1]))),
  );
  await writeXlsx({ path, sheets: [{ name: "Adlar", columns, rows }] });
  return rows.map((cells) => String(cells[1]));
}

const brandOf = (value: string): string => value.replace(/ Worldwide \d$/u, "");

describe("a shop of 300 rows with 56 categories of its own", () => {
  it("is mapped in two passes, and its sheet in another store as well", async () => {
    // The other home has no token of its own yet.
    const shop = await openTestStore({ breaks: { "early-token": "two homes" } });
    const file = await writeWorkbook(shop.folder, "shop.xlsx", shopRows(300));
    const [first, second] = [join(shop.folder, "names.xlsx"), join(shop.folder, "names-2.xlsx")];

    const before = await shop.json("plan", file);
    const out = await shop.json("map", file, "--out", first);
    const categories = await fillIn(first, (value) => MEANINGS.get(value) ?? "");
    const pass = await shop.json("map", file, "--in", first, "--out", second);
    const brands = await fillIn(second, brandOf);
    const last = await shop.json("map", file, "--in", second);
    const after = await shop.json("plan", file);

    expect(before).toMatchObject({ counts: { rows: 300, invalid: 300 } });
    expect(out).toMatchObject({ exit: 5, open: 56, saved: { rules: [] } });
    expect(categories.toSorted()).toEqual([...MEANINGS.keys()].toSorted());
    expect(pass).toMatchObject({ exit: 5, open: 2, saved: { left: 0, opened: 2 } });
    expect(brands.map(brandOf)).not.toEqual(brands);
    expect(last).toMatchObject({ exit: 0, open: 0, names: [], saved: { left: 0, others: 0 } });
    expect(after).toMatchObject({ planned: { add: 300, invalid: 0 }, open_names: [] });

    const elsewhere = shop.at({ CATALOG_HOME: join(shop.folder, "other-home") });
    const rules = await elsewhere.json("rules", "import", first);
    await elsewhere.json("rules", "import", second);
    const shared = await elsewhere.json("plan", file);
    expect(rules).toMatchObject({ exit: 0, open: 0 });
    expect(shared).toMatchObject({ planned: { add: 300, invalid: 0 } });
  });

  it("answers many names below a category and by one reason, and undoes the last change", async () => {
    const shop = await openTestStore();
    const rows = shopRows(56).map((row, at) => {
      const category = at < 3 ? `Home > Table > ${leaves[at]?.name ?? ""}` : row["Kategori *"];
      return Object.assign({}, row, { "Kategori *": category ?? "" });
    });
    const file = await writeWorkbook(shop.folder, "shop.xlsx", rows);
    const top = String(leaves[0]?.category_path).split(" > ").slice(0, -1).join(" > ");
    const below = ["--below", `Home > Table=${top}`];

    const alone = await shop.run("map", file, ...below);
    const leaf = ["--below", `Shop > Department 0=${top} > Kaşık`];
    const mapped = await shop.run("map", file, ...below, ...leaf, "--yes");
    const { rules } = await shop.json("rules");
    const undone = await shop.json("rules", "undo");
    const list = await shop.run("map", file);
    const plan = await shop.run("plan", file);

    expect([alone.code, alone.err]).toEqual([2, expect.stringContaining("--yes")]);
    expect(mapped.err).toContain("Shop > Department 0 → ");
    expect(mapped.out).toContain("catalog rules undo");
    expect(rules).toMatchObject({ length: 16 });
    expect(undone).toMatchObject({ exit: 0, restored: { length: 16 }, left: [] });
    expect(list.code).toBe(5);
    expect(list.out.split("\n").filter((line) => /^(?:Kategori|Marka) /u.test(line))).toHaveLength(
      20,
    );
    expect(list.out).toContain("… ve ");
    expect(list.err).toContain("--out adlar.xlsx");
    expect(plan.err.replaceAll(/\s+/gu, " ")).toMatch(/map \S+ --out adlar\.xlsx/u);
  });
});

/** Leaves that share no brand, each with a brand of its own. */
const ownBrands = (count: number): readonly { readonly path: string; readonly brand: string }[] => {
  const seen = new Set<string>();
  const found = catalog.categories
    .filter(({ id }) => catalog.isLeaf(id))
    .flatMap(({ id, category_path: path }) => {
      const brands = catalog.brands(id).map(({ name }) => name);
      if (brands.some((name) => seen.has(name))) return [];
      for (const name of brands) seen.add(name);
      return [{ path, brand: brands[0] ?? "" }];
    });
  return found.slice(0, count);
};

describe("one brand of a file in categories whose brands differ", () => {
  it.each([
    ["in order", (list: readonly string[]) => list],
    ["from behind", (list: readonly string[]) => list.toReversed()],
    ["twice", (list: readonly string[]) => list.flatMap((brand) => [brand, brand])],
  ])("is answered for each, %s, and no answer takes rows of another away", async (_, order) => {
    const shop = await openTestStore();
    const lists = ownBrands(3);
    const rows = lists.map(({ path }, at) =>
      goodRow(at + 1, { "Kategori *": path, "Marka *": "Qqwerty" }),
    );
    const file = await writeWorkbook(shop.folder, "shop.xlsx", rows);
    const answers = order(lists.map(({ brand }) => brand));
    const open = z.object({ names: z.array(z.object({ rows: z.number() })) });

    const counts: number[] = [];
    for (const [at, brand] of answers.entries()) {
      const path = join(shop.folder, `names-${at}.xlsx`);
      const { names } = open.parse(await shop.json("map", file, "--out", path));
      counts.push(names.reduce((sum, { rows: more }) => sum + more, 0));
      if (names.length === 0) break;
      await fillIn(path, () => brand);
      await shop.json("map", file, "--in", path);
    }
    const after = await shop.json("plan", file);
    await shop.json("rules", "undo");
    const undone = await shop.json("plan", file);

    expect(lists).toHaveLength(3);
    expect(counts).toEqual(counts.toSorted((one, other) => other - one));
    expect(counts[0]).toBe(3);
    expect(after).toMatchObject({ planned: { add: 3, invalid: 0 }, open_names: [] });
    expect(undone).toMatchObject({ planned: { add: 2, invalid: 1 } });
  });
});
