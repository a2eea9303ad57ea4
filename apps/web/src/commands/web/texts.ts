/** What `catalog web` says. */

import type { Lang, Localized } from "@catalog/i18n";

interface WebTexts {
  readonly building: string;
  readonly link: (url: string) => string;
  /** The link to a page that another process serves. */
  readonly linkOfRunning: (url: string) => string;
  /** What to do where a page that is open has another port than the one that was asked for. */
  readonly otherPort: (port: number) => string;
  readonly runningHint: string;
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
    linkOfRunning: (url) =>
      `Sayfa zaten açık. Yeni bağlantı bir kez ve 5 dakika içinde kullanılabilir:\n\n  ${url}\n`,
    otherPort: (port) =>
      `Sayfa ${port} numaralı portta açık; başka bir portta açmak için önce onu kapatın.`,
    runningHint: "Kapatmak için sayfayı açan terminalde Ctrl-C.",
    hint: "Kapatmak için Ctrl-C; başlamış gönderimler yine de tamamlanır.",
    demoHint:
      "Kapatmak için Ctrl-C; yerel mağaza da kapanır, yarım kalan gönderim sonra sürdürülür.",
    bug: "Sayfada beklenmeyen bir hata oluştu; bu bizim hatamız. Lütfen aşağıdaki metinle bildirin.",
    noBrowser: "Tarayıcı açılamadı; bağlantıyı kendiniz açın.",
  },
  en: {
    building: "The page is being built; this takes some seconds the first time only.",
    link: (url) => `The page is open. This link works once, within 5 minutes:\n\n  ${url}\n`,
    linkOfRunning: (url) =>
      `The page is open already. The new link works once, within 5 minutes:\n\n  ${url}\n`,
    otherPort: (port) => `The page is open on port ${port}; to open it on another, close it first.`,
    runningHint: "Ctrl-C in the terminal that opened the page closes it.",
    hint: "Ctrl-C closes it; what is being sent is still finished.",
    demoHint:
      "Ctrl-C closes it with the local store; what was being sent can be gone on with later.",
    bug: "Something unexpected happened on the page; this is a bug. Please report it with the text below.",
    noBrowser: "The browser could not be opened; open the link yourself.",
  },
};

/** The port cannot be listened on. */
export const takenPort = (port: number): Localized => ({
  tr: `${port} numaralı port kullanılamıyor; başka bir --port verin ya da --port yazmayın, boş bir port seçilir.`,
  en: `Port ${port} cannot be used; give another --port, or leave it out and a free one is picked.`,
});

/** A process serves the page and does not answer. */
export const silentPage = (pid: number | undefined): Localized => ({
  tr: `Sayfa başka bir terminalde açık (işlem no ${pid ?? "?"}) ama yanıt vermiyor. Biraz sonra yeniden deneyin; düzelmezse o terminalde Ctrl-C ile kapatıp yeniden açın.`,
  en: `The page is open in another terminal (process ${pid ?? "?"}), but does not answer. Try again in a moment; if that does not help, close it there with Ctrl-C and open it again.`,
});

/** A page that is open works on the local store. */
export const sandboxInUse = (command: string | undefined): Localized => ({
  tr: `Yerel mağaza başka bir sayfada açık. O sayfanın yeni bir bağlantısı için terminalde: ${command ?? "catalog web --demo"}`,
  en: `The local store is open on another page. For a new link to that page run in a terminal: ${command ?? "catalog web --demo"}`,
});
