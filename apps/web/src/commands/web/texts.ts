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
  /** A server of several people is ready; `place` is where it listens. */
  readonly serving: (url: string, place: string) => string;
  /** Somebody could not sign in by the identity provider. */
  readonly openId: (reason: string) => string;
  /** Files of a certificate were replaced. */
  readonly newCertificate: (path: string) => string;
  /** What they were replaced by cannot be used. */
  readonly oldCertificate: (reason: string) => string;
  /** A server without people. */
  readonly nobody: (url: string) => string;
  /** Of a server with its own certificate that only this machine reaches. */
  readonly onlyHere: string;
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
    serving: (url, place) => `Ekip sayfası açık: ${url} (dinlenen yer: ${place})`,
    openId: (reason) => `Kimlik sağlayıcıyla giriş olmadı: ${reason}`,
    newCertificate: (path) => `Sertifika yenilendi: ${path}`,
    oldCertificate: (reason) => `${reason} Şimdilik eski sertifika kullanılıyor.`,
    nobody: (url) =>
      `Henüz kimse yok. İlk yöneticiyi bu bilgisayarda ekleyin: catalog users add EPOSTA --admin --url ${url}`,
    onlyHere:
      "Sayfaya şimdilik yalnız bu bilgisayardan girilir. Başka bilgisayarlardan da girilsin diye: --host 0.0.0.0",
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
    serving: (url, place) => `The team's page is open: ${url} (listening on ${place})`,
    openId: (reason) => `Signing in by the identity provider failed: ${reason}`,
    newCertificate: (path) => `The certificate was renewed: ${path}`,
    oldCertificate: (reason) => `${reason} The old certificate stays in use for now.`,
    nobody: (url) =>
      `There is nobody yet. Add the first administrator on this machine: catalog users add EMAIL --admin --url ${url}`,
    onlyHere:
      "For now only this machine reaches the page. To let other machines reach it: --host 0.0.0.0",
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

/** Why a server of several people is not started. */
export const SERVER_PROBLEMS = {
  noUrl: {
    tr: "Kişilerin kullanacağı adresi verin: --url https://katalog.example.com",
    en: "Give the address that people will use: --url https://katalog.example.com",
  },
  badUrl: (url: string): Localized => ({
    tr: `--url ${url} olmaz: adres https:// ile başlamalı ve yol içermemeli (örneğin https://katalog.example.com).`,
    en: `--url ${url} cannot be used: it must start with https:// and have no path, such as https://katalog.example.com.`,
  }),
  noTls: {
    tr: "Parolalar şifresiz bir bağlantıdan geçmemeli. Sertifikayı --tls-cert ve --tls-key ile verin ya da sertifika öndeki bir ters proxy'deyse --behind-proxy yazın; ikisinden biri.",
    en: "Passwords must not cross a connection that is not encrypted. Give the certificate as --tls-cert and --tls-key, or --behind-proxy if a reverse proxy in front has it; one of the two.",
  },
  badCertificate: (cert: string, key: string): Localized => ({
    tr: `Sertifika kullanılamıyor (${cert}, ${key}): iki dosya da okunabilir PEM dosyaları olmalı ve birbirine ait olmalı.`,
    en: `The certificate cannot be used (${cert}, ${key}): both must be PEM files that can be read, and belong together.`,
  }),
  badHost: (host: string): Localized => ({
    tr: `--host ${host} bir IP adresi değil. Bütün ağlar için 0.0.0.0, yalnız bu bilgisayar için 127.0.0.1 yazın.`,
    en: `--host ${host} is no IP address. Use 0.0.0.0 for all networks, 127.0.0.1 for this machine only.`,
  }),
  seesAllStores: {
    tr: "Bu PostgreSQL kullanıcısı (superuser ya da BYPASSRLS) bütün mağazaların satırlarını görür; sunucu mağazaları onun için ayırmaz. CATALOG_DATABASE_URL'de yetkisi bu kadar geniş olmayan bir kullanıcı verin; nasıl açılacağı docs/operate.md dosyasında.",
    en: "This PostgreSQL user (a superuser, or one with BYPASSRLS) sees the rows of all stores: the server does not hold stores apart for it. Name a user without such rights in CATALOG_DATABASE_URL; docs/operate.md shows how to create one.",
  },
  isRunning: {
    tr: "Ekip sayfası bu bilgisayarda zaten açık; önce onu Ctrl-C ile kapatın.",
    en: "The team's page is already open on this machine; close it with Ctrl-C first.",
  },
  ofOnePerson: (flag: string): Localized => ({
    tr: `${flag}, --server ile birlikte kullanılamaz; tek kişilik sayfa içindir.`,
    en: `${flag} cannot be used with --server; it is for the page of one person.`,
  }),
  withoutServer: (flag: string): Localized => ({
    tr: `${flag} yalnızca --server ile kullanılır.`,
    en: `${flag} is used with --server only.`,
  }),
} as const;
