import { describe, expect, it } from "vitest";

import { openTestStore, writeConfig } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { PAGE_POLL, press, visitPage } from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

describe.skipIf(!hasBrowser)("the report", { timeout: 120_000 }, () => {
  it("has each reason once after a decision, and asks about giving up without Vazgeç", async () => {
    const store = await openTestStore({ products: 8 });
    await writeConfig(store, { priceUnit: "minor" });
    const lines = store.sandbox
      .products()
      .map(({ product_code: code, price }, index) =>
        [code, (price / (index === 0 ? 99 : 500)).toFixed(2).replace(".", ",")].join(";"),
      );
    const file = writeText(store.folder, "fiyat.csv", `Ürün Kodu;Fiyat\n${lines.join("\n")}\n`);
    const { run } = JSON.parse((await store.run("plan", file, "--json")).out);
    await store.run("apply", run, "--yes");
    const { page, web } = await visitPage(store);
    await page.getByRole("heading", { name: "Ürün dosyanızı yükleyin" }).waitFor();
    await page.goto(`${web.origin}/r/${run}/report`);
    const reasons = page.locator(".reasons .chip");
    await reasons.first().waitFor();
    const before = await reasons.allInnerTexts();

    await page.getByRole("checkbox", { name: "4. satırı seç" }).check();
    await press(page, "1 satırdan vazgeç");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Bekleyen satırlardan vazgeçilsin mi?" }).waitFor();
    const asked = await dialog.locator(".confirm-lines").innerText();
    const buttons = await dialog.getByRole("button").allInnerTexts();
    await dialog.getByRole("button", { name: "1 satırdan vazgeç" }).click();
    await page.getByText("6 satır kararınızı bekliyor.").waitFor();
    await expect.poll(() => reasons.allInnerTexts(), PAGE_POLL).not.toEqual(before);

    const { product_code: code, price } = store.sandbox.products()[2] ?? {};
    expect(asked).toMatch(new RegExp(`^${code} .*\\nFiyat: \\S+ (?:TL )?→ \\S+`, "u"));
    expect(asked).toContain(new Intl.NumberFormat("tr").format((price ?? 0) / 100));
    expect(buttons).toEqual(["Kapat", "1 satırdan vazgeç"]);
    expect(before.map((text) => text.replaceAll("\n", " "))).toEqual(["Fiyat çok düşüyor 7"]);
    expect(await reasons.count()).toBe(1);
  });
});
