/** Texts of the actions of `catalog schedule`, in both languages. */

import type { Localized } from "@catalog/i18n";

export const scheduleTexts = {
  done: {
    add: { tr: "Eklendi", en: "Added" },
    pause: { tr: "Duraklatıldı", en: "Paused" },
    resume: { tr: "Sürdürülüyor", en: "Going on" },
    remove: { tr: "Kaldırıldı", en: "Removed" },
  },
  noWord: {
    tr: "list bir zamanlama adı almaz: catalog schedule list",
    en: "list takes no name of a schedule: catalog schedule list",
  },
  noSchedule: (action: string): Localized =>
    action === "add"
      ? {
          tr: 'Hangi besleme? Örneğin: catalog schedule add stok.csv --cron "*/15 * * * *"',
          en: 'Which feed? For example: catalog schedule add stock.csv --cron "*/15 * * * *"',
        }
      : {
          tr: `Hangi zamanlama? Kimliğinin başını ya da beslemesinin adını yazın: catalog schedule ${action} stok.csv. Hepsi: catalog schedule list`,
          en: `Which schedule? Give the beginning of its id, or the name of its feed: catalog schedule ${action} stock.csv. All of them: catalog schedule list`,
        },
  noCron: {
    tr: 'Zamanını --cron ile verin, örneğin 15 dakikada bir: --cron "*/15 * * * *"',
    en: 'Give its times with --cron, for example every 15 minutes: --cron "*/15 * * * *"',
  },
  otherFlag: (name: string, action: string, owner: string): Localized => ({
    tr: `--${name} “schedule ${action}” ile verilmez; “schedule ${owner}” içindir.`,
    en: `--${name} does not go with “schedule ${action}”; it is for “schedule ${owner}”.`,
  }),
} as const;
