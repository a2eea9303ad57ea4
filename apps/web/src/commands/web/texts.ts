/** What `catalog web` says. */

import type { Lang, Localized } from "@catalog/i18n";

export interface WebTexts {
  readonly building: string;
  readonly link: (url: string) => string;
  readonly hint: string;
  /** The same for a local marketplace, which ends with the page. */
  readonly demoHint: string;
  readonly bug: string;
  readonly noBrowser: string;
}

export const WEB_TEXTS: Readonly<Record<Lang, WebTexts>> = {
  tr: {
    building: "Sayfa hazırlanıyor; bu yalnızca ilk açılışta birkaç saniye sürer.",
    link: (url) =>
      `Sayfa açık. Bu bağlantı bir kez ve 5 dakika içinde kullanılabilir:\n\n  ${url}\n`,
    hint: "Kapatmak için Ctrl-C; başlamış gönderimler yine de tamamlanır.",
    demoHint:
      "Kapatmak için Ctrl-C; yerel mağaza da kapanır, yarım kalan gönderim sonra sürdürülür.",
    bug: "Sayfada beklenmeyen bir hata oluştu; bu bizim hatamız. Lütfen aşağıdaki metinle bildirin.",
    noBrowser: "Tarayıcı açılamadı; bağlantıyı kendiniz açın.",
  },
  en: {
    building: "The page is being built; this takes some seconds the first time only.",
    link: (url) => `The page is open. This link works once, within 5 minutes:\n\n  ${url}\n`,
    hint: "Ctrl-C closes it; what is being sent is still finished.",
    demoHint:
      "Ctrl-C closes it with the local store; what was being sent can be gone on with later.",
    bug: "Something unexpected happened on the page; this is a bug. Please report it with the text below.",
    noBrowser: "The browser could not be opened; open the link yourself.",
  },
};

const MAX_PORT = 65_535;

export const BAD_PORT: Localized = {
  tr: `--port için 0 ile ${MAX_PORT} arasında bir tam sayı verin ya da --port yazmayın.`,
  en: `Give --port a whole number from 0 to ${MAX_PORT}, or leave it out.`,
};

/** The port cannot be listened on. */
export const takenPort = (port: number): Localized => ({
  tr: `${port} numaralı port kullanılamıyor; başka bir --port verin ya da --port yazmayın, boş bir port seçilir.`,
  en: `Port ${port} cannot be used; give another --port, or leave it out and a free one is picked.`,
});

/** Reads the port; `undefined` for a number that is none. */
export const isPort = (port: number): boolean =>
  Number.isInteger(port) && port >= 0 && port <= MAX_PORT;
