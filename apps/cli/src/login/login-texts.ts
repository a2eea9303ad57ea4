/** Texts of `catalog login`. */

import type { Lang } from "@catalog/i18n";

import type { SettingName } from "../settings/settings.ts";

export interface LoginTexts {
  readonly questions: Readonly<Record<SettingName, string>>;
  readonly address: string;
  readonly key: string;
  readonly store: string;
  readonly secret: string;
  readonly inKeyring: string;
  /** The file of a login whose secret is elsewhere. */
  readonly file: string;
  /** The login of another store that was there before. */
  readonly replaced: (store: string, address: string) => string;
  /** The login of the user, which a home without its own uses. */
  readonly ofUser: (store: string, path: string) => string;
  /** What was refused, and how to go on; the reason as the marketplace gave it. */
  readonly refused: Readonly<Record<"address" | "login" | "store", (reason: string) => string>>;
  readonly empty: string;
  readonly done: string;
  readonly next: string;
  readonly none: string;
  readonly forgotten: string;
  readonly givenUp: string;
  readonly needsTerminal: string;
  readonly secretFromTerminal: string;
  readonly noSecret: string;
  readonly missing: (flag: string) => string;
  readonly noKeyring: string;
  readonly noStoreId: string;
}

export const LOGIN_TEXTS: Readonly<Record<Lang, LoginTexts>> = {
  tr: {
    questions: {
      CATALOG_BASE_URL: "Pazaryerinin adresi",
      CATALOG_CLIENT_KEY: "Uygulama anahtarı (client_key)",
      CATALOG_CLIENT_SECRET: "Gizli anahtar (client_secret)",
      CATALOG_STORE_ID: "Mağaza kimliği",
    },
    address: "Adres",
    key: "Anahtar",
    store: "Mağaza",
    secret: "Gizli anahtar",
    inKeyring: "sistem anahtarlığında",
    file: "Dosya",
    replaced: (store, address) =>
      `Burada saklanan önceki oturumun yerine geçti: mağaza ${store} (${address}).`,
    ofUser: (store, path) =>
      `Bu klasörün (CATALOG_HOME) kendi oturumu yok; kullanıcınızın oturumunu kullanır: mağaza ${store} (${path}). Onu silmek için CATALOG_HOME olmadan: catalog login --forget`,
    refused: {
      address: (reason) =>
        `Bu adresle olmadı: ${reason}\nÖteki yanıtlarınız duruyor; adresi düzeltin.`,
      login: () =>
        "Pazaryeri bu uygulama anahtarını ya da gizli anahtarı kabul etmedi. Öteki yanıtlarınız duruyor; ikisini yeniden girin (anahtar doğruysa Enter'a basın).",
      store: () =>
        "Bu anahtarın bu mağazaya izni yok. Öteki yanıtlarınız duruyor; mağaza kimliğini düzeltin.",
    },
    empty: "Boş bırakılamaz; vazgeçmek için Ctrl-C.",
    done: "Tamam: bağlantı denendi, bilgiler saklandı.",
    next: "Şimdi dosyanızı deneyin, hiçbir şey gönderilmez: catalog plan DOSYA",
    none: 'Saklanan oturum yok. Saklamak için: "catalog login".',
    forgotten: "Saklanan oturum silindi.",
    givenUp: "Vazgeçildi; hiçbir şey saklanmadı.",
    needsTerminal:
      "Soru sorulabilecek bir terminal yok. Gizli anahtarı --secret-stdin ile standart girdiden verin.",
    secretFromTerminal:
      "--secret-stdin bir dosyadan ya da başka bir komuttan okur; terminalde yazılanı gösterirdi. Terminalde bu seçeneği kullanmayın.",
    noSecret: "Gizli anahtar boş; hiçbir şey saklanmadı.",
    missing: (flag) => `Eksik değer: --${flag}.`,
    noKeyring:
      "Uyarı: sistem anahtarlığı kullanılamıyor; gizli anahtar yalnızca sizin okuyabildiğiniz, aşağıda adı geçen dosyada.",
    noStoreId:
      "Bu bir mağaza kimliğine benzemiyor. Kimlik kısadır; yalnızca harf, rakam ve çizgiden oluşur. Yanlışlıkla gizli anahtarı yapıştırdıysanız silin.",
  },
  en: {
    questions: {
      CATALOG_BASE_URL: "Address of the marketplace",
      CATALOG_CLIENT_KEY: "Key of the application (client_key)",
      CATALOG_CLIENT_SECRET: "Secret (client_secret)",
      CATALOG_STORE_ID: "Id of the store",
    },
    address: "Address",
    key: "Key",
    store: "Store",
    secret: "Secret",
    inKeyring: "in the system's keyring",
    file: "File",
    replaced: (store, address) =>
      `This replaces the login that was kept here before: store ${store} (${address}).`,
    ofUser: (store, path) =>
      `This folder (CATALOG_HOME) has no login of its own; it uses that of your user: store ${store} (${path}). To forget that one, without CATALOG_HOME: catalog login --forget`,
    refused: {
      address: (reason) =>
        `That did not work with this address: ${reason}\nYour other answers are kept; correct the address.`,
      login: () =>
        "The marketplace refused this key or this secret. Your other answers are kept; type both again (press Enter if the key is right).",
      store: () =>
        "This key has no permission for this store. Your other answers are kept; correct the store id.",
    },
    empty: "An answer is needed; Ctrl-C gives up.",
    done: "Done: the connection works, and the login is kept.",
    next: "Now try your file, nothing is sent: catalog plan FILE",
    none: 'No login is kept. To keep one: "catalog login".',
    forgotten: "The login is forgotten.",
    givenUp: "Given up; nothing was kept.",
    needsTerminal:
      "There is no terminal to ask on. Give the secret on standard input with --secret-stdin.",
    secretFromTerminal:
      "--secret-stdin reads from a file or another command; a terminal would show what is typed. Leave it out on a terminal.",
    noSecret: "The secret is empty; nothing was kept.",
    missing: (flag) => `A value is missing: --${flag}.`,
    noKeyring:
      "Warning: the system's keyring cannot be used; the secret is in the file named below, which only you can read.",
    noStoreId:
      "This does not look like the id of a store. An id is short and has letters, digits and dashes only. If you pasted the secret by mistake, delete it.",
  },
};

const SHOWN_LETTERS = 4;

/** Shows enough of a key to tell it from another. */
export function maskKey(key: string): string {
  return key.length > 2 * SHOWN_LETTERS ? `${key.slice(0, SHOWN_LETTERS)}…` : "…";
}
