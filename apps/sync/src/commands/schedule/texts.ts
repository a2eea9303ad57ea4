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
          tr: "Hangi besleme? Örneğin: catalog schedule add stok.csv",
          en: "Which feed? For example: catalog schedule add stock.csv",
        }
      : {
          tr: `Hangi zamanlama? Kimliğinin başını ya da beslemesinin adını yazın: catalog schedule ${action} stok.csv. Hepsi: catalog schedule list`,
          en: `Which schedule? Give the beginning of its id, or the name of its feed: catalog schedule ${action} stock.csv. All of them: catalog schedule list`,
        },
  defaultTimes: {
    tr: "--cron verilmediği için 30 dakikada bir; her zaman birkaç dakika sonra başlayabilir, ki bütün mağazalar aynı anda başlamasın.",
    en: "Every 30 minutes, as no --cron was given; it may start some minutes after each time, so that not all stores start at once.",
  },
  needsYes: {
    tr: "Onay soracak bir terminal yok. Sormadan göndermeye başlamak için --yes ekleyin.",
    en: "There is no terminal to ask on. Add --yes to let it send without asking.",
  },
} as const;
