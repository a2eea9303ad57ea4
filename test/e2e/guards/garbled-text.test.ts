import { join } from "node:path";

import { writeXlsx } from "@catalog/sheets";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../helpers/markets/test-store.ts";

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

describe("texts with garbled letters", { timeout: 60_000 }, () => {
  it("are held and told with what they may have been, unless that is allowed", async () => {
    const shop = await openTestStore({ products: 2 });
    const [first, second] = shop.sandbox.products();
    const file = await writeTitles(shop, [
      [first?.product_code, garble("Çelik Kaşık Seti")],
      [second?.product_code, "Ahşap Kaşık"],
    ]);
    const titles = (): readonly string[] => shop.sandbox.products().map(({ title }) => title);

    const held = await shop.run("import", file, "--yes", "--json");
    const after = titles();
    const allowed = await shop.run("import", file, "--yes", "--json", "--allow", "garbled-text");

    const document = JSON.parse(held.out);
    expect(document.counts).toMatchObject({ held: 1, updated: 1 });
    expect(document.issues[0]).toMatchObject({ code: "E_GUARD_GARBLED_TEXT", cell: "B2" });
    expect(document.issues[0].message.tr).toContain("aslı “Çelik Kaşık Seti” olabilir");
    expect(after).toEqual([first?.title, "Ahşap Kaşık"]);
    expect([allowed.code, titles()[0]]).toEqual([0, garble("Çelik Kaşık Seti")]);
  });

  it("are left alone where the store shows the same", async () => {
    const shop = await openTestStore({ products: 1 });
    const [first] = shop.sandbox.products();
    const file = await writeTitles(shop, [[first?.product_code, garble("Çelik Kaşık Seti")]]);
    await shop.run("import", file, "--yes", "--allow", "garbled-text");

    const again = await shop.run("import", file, "--yes", "--json");

    expect(JSON.parse(again.out).counts).toMatchObject({ rows: 1, unchanged: 1 });
  });
});
