/** Texts of `catalog users`. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import type { Role } from "@catalog/team";

/** What is wrong with the command line. */
export const USES = {
  action: { tr: "Böyle bir işlem yok.", en: "There is no such action." },
  adminOnly: {
    tr: "--admin bütün mağazaların yöneticisi yapar; --role ve --store ile birlikte verilmez.",
    en: "--admin makes an administrator of all stores; it does not go with --role or --store.",
  },
  audit: {
    tr: "Denetim kaydının yazılacağı dosyayı verin: catalog users audit --out audit.jsonl",
    en: "Name the file that the record is written to: catalog users audit --out audit.jsonl",
  },
  auditFile: (file: string): Localized => ({
    tr: `Bu dosya yazılamıyor ya da zaten var: ${file}`,
    en: `This file cannot be written, or is there already: ${file}`,
  }),
  noRole: {
    tr: "Rolü de verin: --admin ya da --role viewer|editor|approver|administrator; rol değiştirmek için: catalog users role KİŞİ ROL",
    en: "Give a role, too: --admin or --role viewer|editor|approver|administrator; to change one: catalog users role PERSON ROLE",
  },
  noLogin: (action: string): Localized => ({
    tr: `Kişiyi de yazın: catalog users ${action} KİŞİ`,
    en: `Name the person, too: catalog users ${action} PERSON`,
  }),
  unknownPerson: (login: string): Localized => ({
    tr: `Böyle bir kişi yok: ${login}. Kişiler: catalog users list`,
    en: `There is no such person: ${login}. For the people: catalog users list`,
  }),
  unknownStore: (name: string): Localized => ({
    tr: `Sunucuda böyle bir mağaza yok: ${name}. Mağazalar: catalog stores list`,
    en: `The server has no such store: ${name}. For the stores: catalog stores list`,
  }),
  unknownRole: (role: string): Localized => ({
    tr: `Böyle bir rol yok: ${role}. Roller: viewer, editor, approver, administrator; almak için none.`,
    en: `There is no such role: ${role}. There are viewer, editor, approver, administrator; none takes it away.`,
  }),
  noSession: (id: string): Localized => ({
    tr: `Kişinin bu numarada açık oturumu yok: ${id}`,
    en: `The person has no open session of this number: ${id}`,
  }),
  needsTerminal: {
    tr: "Soru sorulabilecek bir terminal yok. Parolayı --password-stdin ile standart girdiden verin ya da davet edin.",
    en: "There is no terminal to ask on. Give the password on standard input with --password-stdin, or invite the person.",
  },
  passwordFromTerminal: {
    tr: "--password-stdin bir dosyadan ya da başka bir komuttan okur; terminalde yazılanı gösterirdi. Terminalde --ask kullanın.",
    en: "--password-stdin reads from a file or another command; a terminal would show what is typed. Use --ask on a terminal.",
  },
  different: {
    tr: "İki parola aynı değil; hiçbir şey değişmedi.",
    en: "The two passwords differ; nothing was changed.",
  },
} as const;

export const ROLE_NAMES: Readonly<Record<Lang, Readonly<Record<Role, string>>>> = {
  tr: {
    viewer: "izleyici",
    editor: "düzenleyen",
    approver: "onaylayan",
    administrator: "yönetici",
  },
  en: {
    viewer: "viewer",
    editor: "editor",
    approver: "approver",
    administrator: "administrator",
  },
};

interface ExportedRecord {
  readonly file: string;
  readonly entries: number;
  readonly hash: string;
}

interface UsersTexts {
  /** The record was written to a file. */
  readonly exported: (record: ExportedRecord) => string;
  readonly done: Readonly<Record<"add" | "password" | "role" | "remove" | "restore", string>>;
  readonly invitation: string;
  /** Under a link that begins with no address, as none was given. */
  readonly withoutUrl: string;
  readonly nobody: string;
  readonly allStores: string;
  readonly noRoles: string;
  readonly removed: string;
  readonly ended: (count: number) => string;
  readonly noSessions: (login: string) => string;
  readonly seen: (at: string) => string;
  readonly password: string;
  readonly passwordAgain: string;
  readonly givenUp: string;
}

export const USERS_TEXTS: Readonly<Record<Lang, UsersTexts>> = {
  tr: {
    exported: ({ file, entries, hash }) =>
      `${formatNumber(entries, "tr")} satırlık denetim kaydı yazıldı: ${file}\nSon satırın özeti: ${hash}\nDenetlemek için: catalog db check --audit ${file}`,
    done: {
      add: "Kişi eklendi:",
      password: "Tamam:",
      role: "Rol değişti:",
      remove: "Kişi artık giremez; açık oturumları, anahtarları ve davetleri kapandı:",
      restore: "Kişi yeniden girebilir:",
    },
    invitation:
      "Davet bağlantısı; bir kez ve 72 saat içinde kullanılır. Başka yerde saklanmaz, kişiye güvenli bir yoldan iletin:",
    withoutUrl:
      "Başına sunucunun adresini ekleyin, örneğin https://katalog.example.com; --url ile verirseniz bağlantı tam yazılır.",
    nobody:
      "Henüz kimse yok. İlk yöneticiyi eklemek için: catalog users add KİŞİ --admin --url https://…",
    allStores: "bütün mağazalar",
    noRoles: "rolü yok",
    removed: "girişi kapalı",
    ended: (count) => `${count} oturum kapatıldı.`,
    noSessions: (login) => `Açık oturum yok: ${login}`,
    seen: (at) => `son: ${at}`,
    password: "Yeni parola (en az 12 karakter)",
    passwordAgain: "Yeni parola, bir kez daha",
    givenUp: "Vazgeçildi; hiçbir şey değişmedi.",
  },
  en: {
    exported: ({ file, entries, hash }) =>
      `A record of ${formatNumber(entries, "en")} entries was written: ${file}\nHash of the last one: ${hash}\nTo check it: catalog db check --audit ${file}`,
    done: {
      add: "The person was added:",
      password: "Done:",
      role: "The role was changed:",
      remove: "The person cannot sign in any more; sessions, keys and invitations have ended:",
      restore: "The person can sign in again:",
    },
    invitation:
      "Link of the invitation; it can be used once, within 72 hours. It is kept nowhere else; give it to the person in a safe way:",
    withoutUrl:
      "Put the address of the server before it, such as https://catalog.example.com; with --url the whole link is printed.",
    nobody:
      "There is nobody yet. To add the first administrator: catalog users add PERSON --admin --url https://…",
    allStores: "all stores",
    noRoles: "no role",
    removed: "removed",
    ended: (count) => `${count} sessions were ended.`,
    noSessions: (login) => `No session is open: ${login}`,
    seen: (at) => `last: ${at}`,
    password: "New password (at least 12 characters)",
    passwordAgain: "New password, once more",
    givenUp: "Given up; nothing was changed.",
  },
};
