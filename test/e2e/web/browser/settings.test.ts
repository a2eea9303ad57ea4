import { describe, expect, it } from "vitest";

import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { visitPage } from "../../../helpers/web/page-steps.ts";

const hasBrowser = (await findBrowser()) !== undefined;

describe.skipIf(!hasBrowser)("the settings", { timeout: 120_000 }, () => {
  it("say what a person can do about another store, and show a command only when asked", async () => {
    const store = await openTestStore();
    const { page } = await visitPage(store);
    await page.getByRole("link", { name: "Ayarlar" }).click();
    const card = page.locator(".card", { hasText: "Başka bir mağazaya bağlan" });
    await card.waitFor();
    const before = await card.innerText();

    await card.getByText("Terminalden", { exact: true }).click();

    expect(before).toContain("programı bilgisayarınıza kuran kişiye başvurun");
    expect(before).not.toContain("catalog login");
    expect(await card.innerText()).toContain("catalog login");
  });
});
