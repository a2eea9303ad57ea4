/** The page of a server in a real browser: invited, uploaded by one, approved by another, taken back. */

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { goodRows, writeCsv } from "../../../helpers/product-sheet.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook } from "../../../helpers/web/look.ts";
import {
  accept,
  expectPath,
  hasOpenSsl,
  openPerson,
  openTeam,
  signIn,
} from "../../../helpers/web/open-team.ts";
import {
  cellAt,
  expectText,
  goToPreview,
  goToRows,
  PAGE_POLL,
  press,
  typeInCell,
  typeRowCount,
  uploadFile,
} from "../../../helpers/web/page-steps.ts";

const canRun = (await findBrowser()) !== undefined && hasOpenSsl;

const PASSWORD = "mavi fincan dolu raf";
/** Column of the titles. */
const TITLE = 3;
const ADMIN = ["--admin"] as const;
const VIEWER = ["--role", "viewer", "--store", "mutfak"] as const;

/** Opens the menu of the person, and takes one of its items. */
async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: /hesap menüsü/u }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Invites a person on the page of the team, and returns the link that is shown once. */
async function invite(page: Page, name: string, login: string, role: string): Promise<string> {
  await press(page, "Kişi davet et");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Adı soyadı").fill(name);
  await dialog.getByLabel("E-posta ya da kullanıcı adı").fill(login);
  await dialog.getByLabel("Ne yapabilir").selectOption({ label: role });
  await press(page, "Davet bağlantısı oluştur");
  const link = await dialog.getByLabel("Bağlantı", { exact: true }).inputValue();
  await press(page, "Kapat");
  return link;
}

describe.skipIf(!canRun)("two people of a team", () => {
  it("are invited; one uploads and asks, the other approves and takes it back", async () => {
    const store = await openTestStore();
    const team = await openTeam(store, "mutfak");
    const { page: owner } = await openPerson();
    await accept(owner, await team.invite("ayse", "Ayşe Yılmaz", ...ADMIN), PASSWORD);
    await choose(owner, "Ekip");
    const ofAli = await invite(owner, "Ali Veli", "ali@firma.com", "Düzenleyen");
    const ofZeynep = await invite(owner, "Zeynep Kaya", "zeynep@firma.com", "Onaylayan");

    const rowOfAli = owner.getByRole("row").filter({ hasText: "ali@firma.com" });
    await rowOfAli.getByText("Davet bekliyor").waitFor();

    const { page: ali } = await openPerson();
    await accept(ali, ofAli, PASSWORD);
    await owner.reload();
    await rowOfAli.getByText("Katıldı").waitFor();
    await ali.getByRole("link", { name: "Yükle" }).click();
    await uploadFile(ali, writeCsv(store.folder, "yeni.csv", goodRows(3)));
    await goToRows(ali);
    await goToPreview(ali);
    await press(ali, "Onay istemeye geç");
    await ali.getByRole("heading", { name: "Onay gerekiyor" }).waitFor();
    await ali.getByText("Onaylayabilecekler: Ayşe Yılmaz, Zeynep Kaya.").waitFor();
    expect(await ali.getByRole("button", { name: "Göndermeyi onayla…" }).count()).toBe(0);
    await ali.getByLabel("Not (isteğe bağlı)").fill("Yeni sezon");
    await press(ali, "Onay iste");
    await ali.getByText(/^Ali Veli onay istedi/u).waitFor();
    await ali.getByRole("heading", { name: "Onay bekliyor" }).waitFor();

    const { page: zeynep } = await openPerson();
    await accept(zeynep, ofZeynep, PASSWORD);
    await zeynep.getByRole("link", { name: "Yükle" }).click();
    await zeynep
      .getByRole("listitem")
      .filter({ hasText: "yeni.csv" })
      .getByText("Ali Veli")
      .waitFor();
    await press(zeynep, "Sil: yeni.csv");
    await zeynep
      .getByRole("dialog")
      .getByText(/^Bu dosyayı Ali Veli yükledi/u)
      .waitFor();
    await press(zeynep, "Vazgeç");
    await zeynep.getByRole("link", { name: /^Geçmiş.*1 gönderim onayınızı bekliyor$/u }).click();
    await zeynep.getByRole("cell", { name: "Onay bekliyor" }).waitFor();
    await zeynep.getByRole("link", { name: "yeni.csv" }).click();
    await zeynep.getByText(/^Ali Veli onay istedi/u).waitFor();
    await press(zeynep, "Göndermeye geç");
    await press(zeynep, "Göndermeyi onayla…");
    await typeRowCount(zeynep);
    await press(zeynep, "Şimdi gönder");
    await press(zeynep, "Raporu aç");
    await expect.poll(() => store.sandbox.products().length, PAGE_POLL).toBe(3);

    await ali.getByRole("link", { name: "Geçmiş" }).click();
    const done = ali.getByRole("row").filter({ hasText: "yeni.csv" });
    await done.getByText("Onaylayan: Zeynep Kaya").waitFor();
    await ali.goto(zeynep.url());
    await ali.getByRole("heading", { level: 1 }).waitFor();
    expect(await ali.getByRole("button", { name: "Geri al" }).count()).toBe(0);
    await press(zeynep, "Geri al");
    await zeynep.getByRole("dialog").getByRole("checkbox").check();
    await press(zeynep, "Geri almayı hazırla");
    await zeynep.waitForURL("**/r/*/preview");

    await choose(owner, "Kayıtlar");
    await owner.getByRole("cell", { name: "Gönderimi onayladı" }).waitFor();
  });

  it("say who must approve where four eyes are wanted, also to an administrator", async () => {
    const store = await openTestStore();
    const team = await openTeam(store, "mutfak");
    const { page } = await openPerson();
    await accept(page, await team.invite("ayse", "Ayşe Yılmaz", ...ADMIN), PASSWORD);
    await page.goto(`${team.origin}/s/mutfak/settings`);
    await page.getByText("Hayır, hiçbir zaman").click();
    await page.locator("form", { hasText: "Hayır, hiçbir zaman" }).getByText("Kaydet").click();
    await page.getByText("Kaydedildi.").waitFor();

    await page.goto(`${team.origin}/s/mutfak/upload`);
    await uploadFile(page, writeCsv(store.folder, "yeni.csv", goodRows(2)));
    await goToRows(page);
    await goToPreview(page);
    await press(page, "Onay istemeye geç");

    await page.getByText("Bunu siz hazırladınız; bu mağazada her gönderimi başka biri").waitFor();
    await page.getByText(/^Şu an onaylayabilecek başka kimse yok/u).waitFor();
    expect(await page.getByRole("button", { name: "Göndermeyi onayla…" }).count()).toBe(0);
    expect(store.sandbox.products()).toEqual([]);
  });
});

describe.skipIf(!canRun)("signing in", () => {
  it("says wrong tries plainly, returns to the address, and ends with signing out", async () => {
    const team = await openTeam(await openTestStore(), "mutfak");
    const { page } = await openPerson();
    await accept(page, await team.invite("ayse", "Ayşe Yılmaz", ...ADMIN), PASSWORD);
    await choose(page, "Çıkış yap");
    await page.getByRole("heading", { name: "Giriş yapın" }).waitFor();
    await page.goto(`${team.origin}/s/mutfak/history`);

    await signIn(page, "ayse", "yanlış parola");
    await page.getByRole("alert").filter({ hasText: "yanlış" }).waitFor();
    await signIn(page, "ayse", PASSWORD);
    await page.getByRole("heading", { name: "Geçmiş" }).waitFor();
    await expectPath(page, "/s/mutfak/history");

    await choose(page, "Çıkış yap");
    for (let tries = 0; tries < 5; tries += 1) {
      await signIn(page, "ayse", `yanlış parola ${tries}`);
      await page.getByRole("alert").waitFor();
    }
    await signIn(page, "ayse", PASSWORD);
    await page.getByText(/itibarıyla yeniden deneyebilirsiniz/u).waitFor();
  });

  it("takes an invitation once, and shows a store only to those who have a role in it", async () => {
    const team = await openTeam(await openTestStore(), "mutfak");
    const link = await team.invite("can", "Can Gören", ...VIEWER);
    await team.json("users", "role", "can", "none", "--store", "mutfak");
    const { page } = await openPerson();
    // A link that is pasted into an open tab loads no document.
    await page.goto(team.origin);
    await page.getByRole("heading", { name: "Giriş yapın" }).waitFor();
    await page.goto(link);
    for (const label of ["Yeni parola", "Yeni parola, bir daha"]) {
      await page.getByLabel(label, { exact: true }).fill(PASSWORD);
    }
    await press(page, "Parolayı kaydet ve gir");
    await page.getByRole("heading", { name: "Henüz mağaza yok" }).waitFor();
    await page.goto(`${team.origin}/s/mutfak/products`);
    await page.getByRole("heading", { name: /^Böyle bir mağaza yok/u }).waitFor();

    const { page: other } = await openPerson();
    await other.goto(link);
    await other.getByRole("heading", { name: "Bu bağlantı artık geçmiyor" }).waitFor();
  });
});

describe.skipIf(!canRun)("a change that waits for a session", () => {
  it("is not saved in the name of another person who signs in at the same tab", async () => {
    const store = await openTestStore();
    const team = await openTeam(store, "mutfak");
    const { page: other } = await openPerson();
    await accept(other, await team.invite("veli", "Veli Can", ...ADMIN), PASSWORD);
    const { page } = await openPerson();
    await accept(page, await team.invite("ayse", "Ayşe Yılmaz", ...ADMIN), PASSWORD);
    await page.getByRole("link", { name: "Yükle" }).click();
    await uploadFile(page, writeCsv(store.folder, "yeni.csv", goodRows(2)));
    await goToRows(page);
    await page.context().clearCookies();
    await typeInCell(page, cellAt(page, 2, TITLE), "Başka başlık");
    await page.getByText("1 değişikliğiniz bu sekmede bekliyor").waitFor();

    // The browser asks whether to leave the page.
    page.on("dialog", (dialog) => void dialog.accept());
    await signIn(page, "veli", PASSWORD);
    await page.getByRole("button", { name: "Veli Can, hesap menüsü" }).waitFor();

    await expectText(cellAt(page, 2, TITLE), "Deneme ürünü 1");
  });
});

describe.skipIf(!canRun)("a viewer", () => {
  it("is offered nothing that needs more, and is told who may do it", async () => {
    const team = await openTeam(await openTestStore({ products: 3 }), "mutfak");
    await team.invite("ayse", "Ayşe Yılmaz", ...ADMIN);
    const link = await team.invite("can", "Can Gören", ...VIEWER);
    const { page, errors } = await openPerson();
    await accept(page, link, PASSWORD);

    for (const path of ["products", "questions", "exports", "feeds", "rules", "templates"]) {
      await page.goto(`${team.origin}/s/mutfak/${path}`);
      await page
        .getByText(/yetkisi olanlar yapar: Ayşe Yılmaz/u)
        .first()
        .waitFor();
      expect(await page.locator("main .button-primary").count()).toBe(0);
    }
    await page.goto(`${team.origin}/s/mutfak/people`);
    await page.getByText("Böyle bir sayfa yok.").waitFor();
    expect(errors).toEqual([]);
  });
});

describe.skipIf(!canRun)("the screens of a team", () => {
  it("break no rule of accessibility, and lead to another store by keys alone", async () => {
    const store = await openTestStore();
    const other = await openTestStore();
    const team = await openTeam(store, "mutfak");
    const { page } = await openPerson();
    await addAxe(page);
    const { screen, dialog, found, inBoth } = createLook(page);
    await accept(page, await team.invite("ayse", "Ayşe Yılmaz", ...ADMIN), PASSWORD);
    await press(page, "Mağaza değiştir, şimdi mutfak");
    await page.getByText("Mağaza ekle…").click();
    const { CATALOG_BASE_URL = "", CATALOG_STORE_ID = "" } = other.env;
    const { CATALOG_CLIENT_KEY = "", CATALOG_CLIENT_SECRET = "" } = other.env;
    for (const [label, value] of [
      ["Mağazanın kısa adı", "bahce"],
      ["Pazaryerinin adresi", CATALOG_BASE_URL],
      ["Mağaza numarası", CATALOG_STORE_ID],
      ["API anahtarı", CATALOG_CLIENT_KEY],
      ["API şifresi", CATALOG_CLIENT_SECRET],
    ] as const) {
      await page.getByLabel(label, { exact: true }).fill(value);
    }
    await press(page, "Dene ve ekle");
    await expectPath(page, "/s/bahce/products");

    for (const path of ["account", "people", "audit", "settings"]) {
      await page.goto(`${team.origin}/s/bahce/${path}`);
      await page.locator("main h1").waitFor();
      await screen(path);
    }
    await page.goto(`${team.origin}/s/bahce/people`);
    await dialog("inviting", ["Kişi davet et", "Invite a person"]);
    await inBoth("the menu of stores", async () => {
      await page.locator(".switch").press("Enter");
      await page.getByRole("menu").waitFor();
    });

    await page.locator(".switch").press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    // The other store is a document of its own, whose address is there before its page.
    await page.locator(".switch", { hasText: "mutfak" }).waitFor();
    await expectPath(page, "/s/mutfak/people");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("bahce");
    await page.getByRole("option", { name: /bahce/u }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".switch", { hasText: "bahce" }).waitFor();
    await expectPath(page, "/s/bahce/people");
    expect(found).toEqual([]);
  });

  it("break no rule before anybody has signed in", async () => {
    const team = await openTeam(await openTestStore(), "mutfak");
    const { page } = await openPerson();
    await addAxe(page);
    const { screen, found } = createLook(page);

    await page.goto(team.origin);
    await screen("sign-in");
    await page.goto(await team.invite("ayse", "Ayşe Yılmaz", ...ADMIN));
    await page.getByText("ayse").waitFor();
    await screen("invitation");

    expect(found).toEqual([]);
  });
});
