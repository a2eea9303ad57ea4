/** What `catalog web` says. */

import type { Lang, Localized } from "@catalog/i18n";

import type { RemovedIcon } from "./start-icon.ts";

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
  /** A person has ended the program on the page. */
  readonly closed: string;
  /** The paths of an icon that was made. */
  readonly installed: (paths: readonly string[]) => string;
  /** The icon starts without these variables of the terminal. */
  readonly iconWithout: (names: readonly string[]) => string;
  readonly uninstalled: (icon: RemovedIcon) => string;
}

const listPaths = (paths: readonly string[]): string => paths.map((path) => `  ${path}`).join("\n");

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
    closed: "Sayfadan kapatıldı.",
    installed: (paths) => `Simge hazır; tıklayınca sayfa açılır:\n\n${listPaths(paths)}\n`,
    iconWithout: (names) =>
      `Simge bu terminalin değişkenlerini görmez: ${names.join(", ")}. Bağlantı bilgilerini catalog login ile kaydedin ya da ayar dosyasına yazın.`,
    uninstalled: ({ removed, changed }) => {
      if (removed.length + changed.length === 0) return "Kaldırılacak simge yok.";
      const kept =
        changed.length === 0
          ? ""
          : `Sonradan değiştirilenlere dokunulmadı; isterseniz kendiniz silin:\n\n${listPaths(changed)}\n`;
      return removed.length === 0 ? kept : `Kaldırıldı:\n\n${listPaths(removed)}\n${kept}`;
    },
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
    closed: "Closed on the page.",
    installed: (paths) => `The icon is ready; it opens the page:\n\n${listPaths(paths)}\n`,
    iconWithout: (names) =>
      `The icon does not see the variables of this terminal: ${names.join(", ")}. Store the credentials with catalog login, or use the configuration file.`,
    uninstalled: ({ removed, changed }) => {
      if (removed.length + changed.length === 0) return "There is no icon to remove.";
      const kept =
        changed.length === 0
          ? ""
          : `Changed since, and left alone; delete them yourself if you like:\n\n${listPaths(changed)}\n`;
      return removed.length === 0 ? kept : `Removed:\n\n${listPaths(removed)}\n${kept}`;
    },
  },
};

/** An icon would lead to a folder that npx clears. */
export const noLastingPlace: Localized = {
  tr: "npx programı kalıcı bir yere koymaz; simge bir süre sonra çalışmaz olurdu. Önce kurun: npm install --global catalog-toolkit. Sonra: catalog web --install",
  en: "npx keeps the program in no lasting place, so the icon would stop working. Install it first: npm install --global catalog-toolkit. Then: catalog web --install",
};

/** The system makes no shortcut. */
export const noShortcut: Localized = {
  tr: "Windows kısayolu oluşturmadı: PowerShell çalışmadı ya da izin vermedi. Sayfayı catalog web --open ile açabilirsiniz.",
  en: "Windows made no shortcut: PowerShell did not run, or refused. You can open the page with catalog web --open.",
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
