/** The names of another shop's file, mapped on the page: suggestions, in bulk, undone, by keys. */

import { createSandboxCatalog } from "@catalog/sandbox";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { PAGE_POLL, press, shareStore, visitRows } from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

const catalog = createSandboxCatalog();
const leaves = catalog.categories.filter(({ id }) => catalog.isLeaf(id));

/** Categories of another shop: like those of the store, but below departments of its own. */
const shopNames = (count: number): readonly string[] =>
  leaves
    .filter(({ name }, at) => leaves.findIndex((leaf) => leaf.name === name) === at)
    .slice(0, count)
    .map(
      ({ name, category_path: path }) => `Dükkân > ${path.split(" > ").at(-2) ?? ""} > ${name}lar`,
    );

/** A file of products in these categories, the first ones in more rows. */
const shopFile = (names: readonly string[]): string =>
  [
    "Ürün Kodu;Başlık;Kategori;Stok",
    ...names.flatMap((name, at) =>
      Array.from(
        { length: at < 5 ? 6 - at : 1 },
        (_, copy) =>
          `D-${at}-${copy};${name.split(" > ").at(-1) ?? ""} ${at}${"abcdef"[copy] ?? ""};${name};5`,
      ),
    ),
    "",
  ].join("\n");

const store = shareStore();

/** Waits until so many names are open. */
const expectOpen = (page: Page, count: number): Promise<void> =>
  page
    .getByRole("dialog")
    .getByRole("button", { name: `Açık ${count}`, exact: true })
    .waitFor();

const nameCells = (page: Page): Locator =>
  page.getByRole("dialog").locator('.rdg-row [aria-colindex="2"]');

const readRules = async (): Promise<number> => {
  const { rules }: { readonly rules: readonly unknown[] } = await store().json("rules", "list");
  return rules.length;
};

/** Gives the names below a category of the file the nearest ones below one of the store. */
async function answerBelow(page: Page, from: string, to: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await press(page, "Kategoriye göre…");
  await dialog.getByLabel("Dosyadaki kategori").selectOption(from);
  await dialog.getByRole("combobox", { name: "Mağazadaki kategori" }).fill(to);
  await dialog.getByRole("listbox").getByRole("option").first().click();
  await dialog.getByRole("checkbox", { name: /Yakın adları da al/u }).check();
  await press(page, "7 ada uygula");
}

describe.skipIf(!hasBrowser)("the workbench of names", () => {
  it("maps the 56 categories of another shop, one by one, several at once, by their reason", async () => {
    const file = writeText(store().folder, "dukkan.csv", shopFile(shopNames(56)));
    const { page } = await visitRows(store(), file);
    await press(page, "Tanınmayan 56 ad");
    const dialog = page.getByRole("dialog");

    await nameCells(page).first().click();
    await page.keyboard.press("1");
    await expectOpen(page, 55);
    await press(page, "Geri al");
    await expectOpen(page, 56);
    const undone = await readRules();
    await nameCells(page).first().click();
    for (const key of ["Space", "ArrowDown", "Space"]) await page.keyboard.press(key);
    await dialog.getByText("2 ad işaretli").waitFor();
    await dialog.getByLabel("İşaretli adların anlamını ara").fill("Kaşık");
    await dialog.getByRole("listbox").getByRole("option").first().click();
    await press(page, "2 ada uygula");
    await expectOpen(page, 54);
    await answerBelow(page, "Dükkân > Pişirme", "Pişirme");
    await expectOpen(page, 47);
    await press(page, "Nedene göre…");
    await page.keyboard.press("Escape");
    await nameCells(page).first().waitFor();
    await press(page, "Nedene göre…");
    await expect.poll(() => dialog.locator("tbody tr").count(), PAGE_POLL).toBe(5);
    await press(page, "47 adı kabul et");
    await dialog.getByText("Bütün adlar tanındı.").waitFor();
    await press(page, "Kapat");

    expect(undone).toBe(0);
    expect(await readRules()).toBe(56);
    expect(await store().json("plan", file)).toMatchObject({ open_names: [] });
  });

  it("says once that the marketplace cannot be searched, and searches no more once switched off", async () => {
    const shop = await openTestStore({ personality: { "product-search": "403" } });
    const file = writeText(shop.folder, "dukkan.csv", shopFile(shopNames(3)));
    const { page } = await visitRows(shop, file);
    const searches = (): number => shop.sandbox.stats().byEndpoint["product.search"] ?? 0;
    const dialog = page.getByRole("dialog");

    await press(page, "Tanınmayan 3 ad");
    await dialog.getByText("kullanılamadı").waitFor();
    const said = await dialog.getByText("kullanılamadı").count();
    const made = searches();
    await dialog.getByRole("checkbox", { name: /^Pazaryerinde ara/u }).uncheck();
    await press(page, "Kapat");
    await press(page, "Tanınmayan 3 ad");
    await dialog.locator(".suggestion").first().waitFor();

    expect([said, made]).toEqual([1, 1]);
    expect(await dialog.getByText("kullanılamadı").count()).toBe(0);
    expect(searches()).toBe(made);
  });
});
