/** What `catalog db` says. */

import type { Lang } from "@catalog/i18n";

export interface DatabaseTexts {
  readonly migrated: (done: {
    readonly database: string;
    /** Version before; 0 where there were no tables. */
    readonly from: number;
    readonly to: number;
  }) => string;
  readonly copied: (done: {
    readonly database: string;
    readonly rows: Readonly<Record<string, number>>;
    /** Where the file is kept. */
    readonly kept: string;
  }) => string;
  /** Says where the file is kept. */
  readonly discarded: (kept: string) => string;
  readonly restored: (done: {
    readonly database: string;
    /** Number of runs that are compared with the store before they send. */
    readonly runs: number;
  }) => string;
  readonly sound: (database: string) => string;
  readonly faulty: (database: string, faults: readonly string[]) => string;
}

const toList = (faults: readonly string[]): string =>
  faults.map((fault) => `  ✗ ${fault}`).join("\n");

export const DATABASE_TEXTS: Readonly<Record<Lang, DatabaseTexts>> = {
  tr: {
    migrated({ database, from, to }) {
      if (from === to) return `Tablolar zaten bu sürümde (${to}): ${database}`;
      return from === 0
        ? `Tablolar oluşturuldu (sürüm ${to}): ${database}`
        : `Tablolar ${from} sürümünden ${to} sürümüne getirildi: ${database}`;
    },
    copied: ({ database, rows, kept }) =>
      `${rows["run"] ?? 0} çalıştırma, ${rows["op"] ?? 0} gönderi ve geri kalan her şey taşındı: ${database}\nEski dosya duruyor, artık kullanılmaz: ${kept}\nBundan sonra CATALOG_DATABASE_URL ayarlı olsun; yarım kalan bir iş sürdürülebilir: catalog resume <çalıştırma>`,
    discarded: (kept) =>
      `1.0 öncesi veritabanı kenara kondu: ${kept}\nBundan sonraki komut boş bir tanesini açar. Daha önce eklenmiş olabilecek ürünler, ekleme yapılmadan önce mağazada aranır. Kurallar, taslaklar ve zamanlamalar yeniden verilmelidir.`,
    restored: ({ database, runs }) =>
      `Bu veritabanı geri yüklenmiş bir yedek sayılıyor (${runs} çalıştırma): ${database}\nGöndermekte olan işlemler duracak. Yedekten sonra gönderilmiş olabilecekler, ekleme yapılmadan önce mağazada aranır. Sürdürmek için: catalog resume <çalıştırma>`,
    sound: (database) => `Kurallar yerinde, ayarlar güvenli: ${database}`,
    faulty: (database, faults) =>
      `Bu veritabanıyla göndermeyin: ${database}\n${toList(faults)}\nEksik kurallar yedekten geri yüklenirken kaybolmuş olabilir; yedeği eksiksiz geri yükleyin. fsync ve full_page_writes ayarlarını sunucuda açın.`,
  },
  en: {
    migrated({ database, from, to }) {
      if (from === to) return `The tables are of this version already (${to}): ${database}`;
      return from === 0
        ? `The tables were made (version ${to}): ${database}`
        : `The tables were brought from version ${from} to ${to}: ${database}`;
    },
    copied: ({ database, rows, kept }) =>
      `${rows["run"] ?? 0} runs, ${rows["op"] ?? 0} requests and all the rest were moved: ${database}\nThe old file is kept and not used any more: ${kept}\nKeep CATALOG_DATABASE_URL set from now on; unfinished work can go on: catalog resume <run>`,
    discarded: (kept) =>
      `The database from before 1.0 was put aside: ${kept}\nThe next command makes an empty one. Products that may have been added before are looked up in the store before anything is added. Rules, drafts and schedules have to be given again.`,
    restored: ({ database, runs }) =>
      `This database counts as a restored backup now (${runs} runs): ${database}\nProcesses that are sending will stop. What may have been sent since the backup is looked up in the store before anything is added. To go on: catalog resume <run>`,
    sound: (database) => `The rules are in place and the settings are safe: ${database}`,
    faulty: (database, faults) =>
      `Do not send with this database: ${database}\n${toList(faults)}\nMissing rules may have been lost when a backup was restored; restore it completely. Switch fsync and full_page_writes on at the server.`,
  },
};
