/** Questions of buyers: answered one after the other and many alike, kept, previewed and sent. */

import { readFileSync } from "node:fs";

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { openTestStore, type TestStore } from "../../../helpers/markets/test-store.ts";
import { openBrowserPage } from "../../../helpers/web/browser.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { addAxe, createLook } from "../../../helpers/web/look.ts";
import { openWeb } from "../../../helpers/web/open-web.ts";
import {
  approve,
  expectText,
  linkTo,
  PAGE_POLL,
  press,
  typeRowCount,
  type VisitOptions,
  visitPage,
} from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

interface QuestionsPage {
  readonly page: Page;
  readonly store: TestStore;
}

async function openQuestions(
  options: VisitOptions = {},
  count: number = 60,
): Promise<QuestionsPage> {
  const store = await openTestStore({ products: 5, questions: { count, answeredPercent: 0 } });
  const { page } = await visitPage(store, { path: "/questions", height: 800, ...options });
  await page.locator(".list-grid .question-message").nth(1).waitFor();
  return { page, store };
}

const field = (page: Page) => page.getByLabel("Yanıtınız");

const expectReady = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.locator(".chosen-count").innerText(), PAGE_POLL).toContain(text);

/** What the marketplace shows as the answers of its questions. */
async function readAnswers({ run, folder }: TestStore): Promise<string> {
  const { code } = await run("export", "questions", "--answered", "--out", `${folder}/out.csv`);
  expect(code).toBe(0);
  return readFileSync(`${folder}/out.csv`, "utf8");
}

describe.skipIf(!hasBrowser)("questions", () => {
  it("are answered by keys alone: fifty of them with one key each besides their words", async () => {
    const { page, store } = await openQuestions();
    await field(page).click();
    const answers = Array.from({ length: 50 }, (_, at) => `Yanıt ${at + 1}.`);

    for (const answer of answers) {
      await page.keyboard.insertText(answer);
      await page.keyboard.press("Control+Enter");
    }
    await expectReady(page, "50 yanıt hazır");
    await press(page, "Önizle");
    await page.getByRole("heading", { name: "50 soru yanıtlanacak" }).waitFor();
    await press(page, "Göndermeye geç");
    await press(page, "Göndermeyi onayla…");
    const asked = await page.getByRole("dialog").innerText();
    await typeRowCount(page);
    await press(page, "Şimdi gönder");
    await press(page, "Raporu aç");
    await page.getByRole("heading", { name: "50 soru yanıtlandı" }).waitFor();

    expect(asked).toContain("geri alınamaz");
    const shown = await readAnswers(store);
    expect(answers.filter((answer) => !shown.includes(answer))).toEqual([]);
    await page.getByRole("link", { name: "Sorular" }).click();
    await page.getByRole("button", { name: "Yanıt bekleyen 10" }).waitFor();
    await expectReady(page, "Hazır yanıt yok");
  });

  it("keep what is typed through a reload while the server does not answer", async () => {
    const { page } = await openQuestions({ isServerKilled: true });
    await page.route("**/api/questions/answers", (route) =>
      route.request().method() === "PUT" ? route.abort() : route.continue(),
    );
    await field(page).fill("Merhaba, lacivert de var.");
    await page.getByText("Bu tarayıcıda saklandı").waitFor();
    await page.reload();
    await page.locator(".list-grid .question-message").nth(1).waitFor();
    expect(await field(page).inputValue()).toBe("Merhaba, lacivert de var.");
    await page.unroute("**/api/questions/answers");

    await field(page).press("End");
    await page.keyboard.type(" Evet.");
    await page.getByText("Kaydedildi").waitFor();
    // Another language shows other words, and the same answer.
    await page.locator(".top .languages button[lang=en]").click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(await page.getByLabel("Your answer").inputValue()).toMatch(/Evet\.$/u);
    await page.locator(".top .languages button[lang=tr]").click();
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage))
        if (key.startsWith("catalog-answer")) localStorage.removeItem(key);
    });
    await page.reload();

    await expect
      .poll(() => field(page).inputValue(), PAGE_POLL)
      .toBe("Merhaba, lacivert de var. Evet.");
  });

  it("take saved replies by a key, and one reply for all that are ticked", async () => {
    const { page } = await openQuestions();
    await press(page, "Hazır yanıt ekle…");
    await page.getByLabel("Yeni hazır yanıtın adı").fill("Kargo");
    await page.getByLabel("Metni").fill("Merhaba {ad}, {urun} yarın kargoda.");
    await press(page, "Ekle");
    await page.getByRole("button", { name: "Düzenle: Kargo" }).waitFor();
    await page.keyboard.press("Escape");

    await field(page).click();
    await page.keyboard.press("Alt+Digit1");
    expect(await field(page).inputValue()).toMatch(/^Merhaba \p{L}+,.* yarın kargoda\.$/u);
    await page.locator('[aria-rowindex="3"] .list-tick').click();
    await page.locator('[aria-rowindex="6"] .list-tick').click({ modifiers: ["Shift"] });
    await expectReady(page, "4 soru seçili");
    await press(page, "Hepsine aynı yanıt…");
    await page.getByRole("dialog").getByRole("button", { name: "Hazır yanıtı ekle" }).click();
    await press(page, "4 soruya yaz");

    await expectReady(page, "5 yanıt hazır");
    await press(page, "Yazdıklarım");
    await page.waitForURL(/written=1/u);
    await expect.poll(() => page.locator(".question-written").count(), PAGE_POLL).toBe(5);
    const written = await page.locator(".question-written").allInnerTexts();
    expect(written.filter((text) => !/^Merhaba \p{L}+,.*kargoda\.$/u.test(text))).toEqual([]);
  });

  it("are searched without regard to İ and ı, and kept in the address", async () => {
    const { page } = await openQuestions();

    await page.getByRole("searchbox").fill("IADE SÜRESİ");
    await page.waitForURL(/text=/u);
    await expect
      .poll(
        async () => new Set(await page.locator(".list-grid .question-message").allInnerTexts()),
        PAGE_POLL,
      )
      .toEqual(new Set(["İade süresi kaç gün?"]));
    await page.reload();
    await page.locator(".list-grid .question-message").first().waitFor();

    await expectText(page.locator(".list-grid .question-message").first(), "İade süresi kaç gün?");
  });

  it("that somebody else has answered meanwhile wait with both answers", async () => {
    const { page, store } = await openQuestions();
    const [asked = ""] = await page.locator(".answer-question span").allInnerTexts();
    await field(page).fill("Benim yanıtım");
    await field(page).press("Control+Enter");
    await field(page).fill("Öteki");
    await page.getByText("Kaydedildi").waitFor();
    const rows = await page.evaluate<{ id: string; message: string }[]>(
      "fetch('/api/questions/rows?n=1,2,3,4,5,6,7,8,9,10').then((answer) => answer.json())",
    );
    const ids = rows.filter(({ message }) => message === asked).map(({ id }) => id);
    const [newest = ""] = ids;
    store.sandbox.act({ question: newest, message: "Başkasının yanıtı" });

    await press(page, "Önizle");
    await page.getByText("1 satır onayınızı bekliyor").first().waitFor();

    await page.locator(".held del", { hasText: "Başkasının yanıtı" }).waitFor();
    await page.locator(".held ins", { hasText: "Benim yanıtım" }).waitFor();
    await approve(page);
    await press(page, "Raporu aç");
    await page.getByRole("heading", { name: "1 soru yanıtlandı" }).waitFor();
    await page.getByRole("link", { name: "Sorular" }).click();
    await page.getByText("artık yanıt beklemiyor", { exact: false }).waitFor();
    await press(page, "Yazdıklarımı sil");
    await expectReady(page, "Hazır yanıt yok");
  });

  it("fit a narrow window, where a question takes it all", async () => {
    const { page } = await openQuestions({ width: 390 });

    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    expect(await page.locator(".answer-panel").count()).toBe(0);
    await page.locator(".list-card").first().click();
    await field(page).fill("Evet");
    await press(page, "Sonraki soru");
    await expect.poll(() => field(page).inputValue(), PAGE_POLL).toBe("");
    await page.keyboard.press("Escape");
    await expectReady(page, "1 yanıt hazır");
    expect(await page.locator(".answer-panel").count()).toBe(0);
  });

  it("break no rule of accessibility", async () => {
    const store = await openTestStore({ products: 5 });
    const { page } = await openBrowserPage();
    await addAxe(page);
    await page.goto(linkTo((await openWeb(store)).url, "/questions"));
    const { screen, dialog, found } = createLook(page);
    await page.locator(".list-grid .question-message").nth(1).waitFor();
    await screen("list");
    await dialog("replies", ["Hazır yanıt ekle…", "Add a saved reply…"]);
    await page.locator(".list-tick").nth(1).click();
    await dialog("same", ["Hepsine aynı yanıt…", "Same answer for all…"]);

    expect(found).toEqual([]);
  });
});
