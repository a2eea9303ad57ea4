/** Signing in by an identity provider, in a real browser. */

import { expect, it } from "vitest";

import { startOpenIdProvider } from "../../../../apps/web/test/helpers/openid-provider.ts";
import { openTestStore } from "../../../helpers/markets/test-store.ts";
import { findBrowser } from "../../../helpers/web/find-browser.ts";
import { hasOpenSsl, openPerson, openTeam } from "../../../helpers/web/open-team.ts";
import { press } from "../../../helpers/web/page-steps.ts";

const canRun = (await findBrowser()) !== undefined && hasOpenSsl;

it.skipIf(!canRun)(
  "the button of a provider leads invited people in, and others back",
  async () => {
    const store = await openTestStore();
    const started = Promise.withResolvers<Awaited<ReturnType<typeof startOpenIdProvider>>>();
    const team = await openTeam(store, "mutfak", async (origin) => {
      const provider = await startOpenIdProvider(`${origin}/api/openid/back`);
      started.resolve(provider);
      return {
        CATALOG_OPENID_ISSUER: provider.issuer,
        CATALOG_OPENID_CLIENT_ID: provider.clientId,
        CATALOG_OPENID_SECRET: provider.clientSecret,
        CATALOG_OPENID_NAME: "Firma hesabı",
      };
    });
    const provider = await started.promise;
    await team.invite("ayse@firma.com", "Ayşe Yılmaz", "--admin");
    const { page } = await openPerson();

    provider.setPerson({ email: "yabanci@firma.com", isVerified: true });
    await page.goto(`${team.origin}/s/mutfak/history`);
    await page.getByRole("link", { name: "Firma hesabı ile gir" }).click();
    await page.getByText("bu adresle davet edilmiş biri yok").waitFor();

    provider.setPerson({ email: "ayse@firma.com", isVerified: true });
    await page.context().clearCookies();
    await page.getByRole("link", { name: "Firma hesabı ile gir" }).click();
    await page.getByRole("button", { name: "Ayşe Yılmaz, hesap menüsü" }).waitFor();
    // A change needs the key of the session, too.
    await page.goto(`${team.origin}/s/mutfak/people`);
    await press(page, "Kişi davet et");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Adı soyadı").fill("Ali Veli");
    await dialog.getByLabel("E-posta ya da kullanıcı adı").fill("ali@firma.com");
    await press(page, "Davet bağlantısı oluştur");

    expect(await dialog.getByLabel("Bağlantı", { exact: true }).inputValue()).toContain("/#i=");
  },
);
