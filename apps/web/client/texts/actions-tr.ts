/** The words of runs that are about questions, packages or shipping templates, in Turkish. */

import type { RunActions } from "../../src/api/index.ts";
import type { RunTexts } from "./run-tr.ts";

const numbers = new Intl.NumberFormat("tr-TR");
const n = (count: number): string => numbers.format(count);

/** Words in place of those that speak of products. */
export interface ActionTexts {
  readonly preview: Partial<RunTexts["preview"]>;
  readonly send: Partial<RunTexts["send"]>;
  readonly counts: Partial<RunTexts["counts"]>;
  readonly report: Partial<RunTexts["report"]>;
  /** In the history, in place of “file”. */
  readonly list: string;
}

interface Words {
  readonly list: string;
  /** What the rows are about. */
  readonly subject: string;
  readonly title: string;
  /** Behind a number: what will be done, and what was done. */
  readonly will: string;
  readonly done: string;
  readonly view: string;
  readonly counted: string;
  readonly more: string;
  readonly making: string;
  readonly nothing: string;
  /** What cannot be taken back. */
  readonly noUndo: string;
}

const toTexts = (words: Words): ActionTexts => ({
  preview: {
    title: words.title,
    titleDone: words.counted,
    making: words.making,
    will: (rows) => `${n(rows)} ${words.will}`,
    unchangedRows: (rows) => `${n(rows)} satırda yapılacak bir şey yok`,
    view: {
      add: words.view,
      update: words.view,
      unchanged: "Yapılacak bir şey yok",
      held: "Onay bekleyen",
      failed: "Gönderilemez",
    },
    updated: words.counted,
    search: "Ara",
    product: words.subject,
    more: words.more,
    heldIntro: "Nedeni yanında yazıyor. Yalnız işaretledikleriniz gider.",
    all: (count) => `${words.view}: ${n(count)} satırın hepsi`,
    sheetOrder: "listedeki sırayla",
    toSheetOrder: "Liste sırasına dön",
  },
  send: {
    confirmUpdates: (count) => `${n(count)} ${words.will}`,
    confirmUndo: words.noUndo,
    confirmLiveHint: "",
    confirmLocalHint: "Adres bu bilgisayara ait; arkasında gerçek bir mağaza olabilir.",
  },
  counts: { updated: words.counted, unchanged: "Yapılacak bir şey yoktu" },
  report: {
    done: (rows) => `${n(rows)} ${words.done}`,
    nothingDone: words.nothing,
    view: {
      all: "Hepsi",
      done: words.counted,
      failed: "Başarısız",
      held: "Bekleyen",
      unchanged: "Yapılacak bir şey yoktu",
    },
  },
  list: words.list,
});

export const actionsTr: Readonly<Record<RunActions, ActionTexts>> = {
  answers: toTexts({
    list: "Yanıtlar",
    subject: "Soru",
    title: "Hangi yanıtlar gidecek?",
    will: "soru yanıtlanacak",
    done: "soru yanıtlandı",
    view: "Yanıtlanacak",
    counted: "Yanıtlandı",
    more: "Yanıt",
    making: "Sorular mağazadan yeniden okunuyor…",
    nothing: "Hiçbir soru yanıtlanmadı",
    noUndo: "Alıcılar yanıtları hemen görür; gönderilen yanıt geri alınamaz.",
  }),
  packages: toTexts({
    list: "Siparişler",
    subject: "Sipariş",
    title: "Paketlere ne yapılacak?",
    will: "pakete işlem yapılacak",
    done: "pakete işlem yapıldı",
    view: "Yapılacak",
    counted: "Yapıldı",
    more: "Durum",
    making: "Paketler mağazadan yeniden okunuyor…",
    nothing: "Hiçbir pakete işlem yapılmadı",
    noUndo: "Onay, erteleme ve iade kararı geri alınamaz.",
  }),
  codes: toTexts({
    list: "Kargo kodları",
    subject: "Sipariş",
    title: "Hangi paketlere kargo kodu alınacak?",
    will: "paket için kargo kodu alınacak",
    done: "paket için kargo kodu alındı",
    view: "Kodu alınacak",
    counted: "Kodu alındı",
    more: "Kargo",
    making: "Paketler mağazadan yeniden okunuyor…",
    nothing: "Hiçbir pakete kod alınmadı",
    noUndo: "Alınan kargo kodu geri verilemez.",
  }),
  templates: toTexts({
    list: "Şablonlar",
    subject: "Şablon",
    title: "Hangi şablonlar değişecek?",
    will: "teslimat şablonu kaydedilecek",
    done: "teslimat şablonu kaydedildi",
    view: "Kaydedilecek",
    counted: "Kaydedildi",
    more: "Değişen",
    making: "Şablonlar mağazadan yeniden okunuyor…",
    nothing: "Hiçbir şablon değişmedi",
    noUndo: "Yeni şablon silinemez; değişiklikler yeni bir dosyayla geri yazılabilir.",
  }),
};
