import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";

import { describe, expect, it } from "vitest";

import { openTestStore, writeConfig } from "../../../helpers/markets/test-store.ts";
import { writeText } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import {
  goToPreview,
  goToRows,
  press,
  typeRowCount,
  uploadFile,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

describe.skipIf(!hasBrowser)("the numbers of a run", { timeout: 120_000 }, () => {
  it("are those of the store in every step, whatever was ticked and unticked", async () => {
    const store = await openTestStore({ products: 4 });
    await writeConfig(store, { priceUnit: "minor" });
    const lines = store.sandbox.products().map(({ product_code: code, price }, index) => {
      const lira = (index === 0 ? price / 1000 : (price * 11) / 1000).toFixed(2);
      return `${code};${lira.replace(".", ",")}`;
    });
    const file = writeText(store.folder, "fiyat.csv", `Ürün Kodu;Fiyat\n${lines.join("\n")}\n`);
    const { page } = await visitPage(store);
    await uploadFile(page, file);
    await goToRows(page);
    await goToPreview(page);

    await page.getByRole("checkbox", { name: "4. satırı gönder" }).uncheck();
    await page.getByRole("checkbox", { name: "5. satırı gönder" }).uncheck();
    await page.getByRole("checkbox", { name: "Bu gruptaki 1 satırı" }).click();
    await page.getByText("2 satır gönderilecek").waitFor();
    const preview = await page.locator(".go").innerText();
    await press(page, "Göndermeye geç");
    const step = await page.locator("main .confirm-lines").innerText();
    await press(page, "Göndermeyi onayla…");
    const dialog = await page.getByRole("dialog").locator(".confirm-lines").innerText();
    const badge = await page.locator(".store .badge").innerText();
    const question = await page.getByRole("dialog").innerText();
    await typeRowCount(page);
    await press(page, "Şimdi gönder");
    await page.getByText("Gönderim tamamlandı").waitFor();
    const progress = await page.locator("main").innerText();
    await press(page, "Raporu aç");
    await page.getByRole("heading", { name: "Gönderimin raporu" }).waitFor();
    const report = await page.locator(".totals").innerText();
    const facts = page.locator(".run-facts");
    const maker = await facts.innerText();
    const hash = await facts.locator("code").getAttribute("title");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await press(page, "SHA-256 değerini kopyala");
    await facts.getByText("Kopyalandı").waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: /^Özet, programlar için JSON/u }).click();
    const json: unknown = JSON.parse(readFileSync(await (await download).path(), "utf8"));

    expect(preview).toContain("2 satır gönderilecek");
    expect(step.split("\n")).toEqual([
      "1 ürün güncellenecek",
      "1 bekletilen satır sizin onayınızla gidecek",
      "İşaretini kaldırdığınız 2 satır gönderilmeyecek",
    ]);
    expect(dialog).toBe(step);
    expect(progress).toContain("2 / 2 satır");
    expect(report.replaceAll("\n", " ")).toMatch(/Güncellendi 2 .*Vazgeçildi 2/u);
    expect(store.sandbox.stats().updates).toBe(2);
    // The store of the test is a program on this computer.
    expect(badge).toBe("Yerel / deneme adresi");
    expect(question).toContain("Yerel / deneme adresindeki");
    expect(question).not.toContain("canlı");
    const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
    expect(maker).toContain(`Hazırlayan: Sayfa · ${userInfo().username}`);
    expect(maker).toContain(`${sha256.slice(0, 12)}…`);
    expect([hash, copied]).toEqual([sha256, sha256]);
    expect(json).toMatchObject({ command: "apply", exit: 0, counts: { updated: 2, cancelled: 2 } });
  });
});
