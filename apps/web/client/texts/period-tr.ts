/** Turkish words of changes that begin and end at set times. */

/** How the time "00.00" is read decides the vowel of its ending: "00.00'da", "14.05'te". */
const UNITS = ["da", "de", "de", "te", "te", "te", "da", "de", "de", "da"] as const;
const TENS = ["da", "da", "de", "da", "ta", "de"] as const;

/** A time of the day with its ending: "7 Aralık 2026 Pazartesi 00.00'da". */
export const atTimeTr = (text: string): string => {
  const [, hour = "0", minute = "0"] = /(\d{2})[.:](\d{2})$/u.exec(text) ?? [];
  const spoken = Number(minute) === 0 ? Number(hour) : Number(minute);
  const ending = spoken % 10 === 0 ? TENS[spoken / 10] : UNITS[spoken % 10];
  return `${text}'${ending ?? "da"}`;
};

export const periodTr = {
  title: "Süre",
  add: "Süre koy…",
  fold: "Ne zaman başlasın, ne zaman bitsin",
  change: "Süreyi değiştir",
  remove: "Süreyi kaldır",
  save: "Kaydet",
  starts: "Başlangıç",
  startChoices: { no: "Gönderince", yes: "Şu zamanda" },
  ends: "Bitiş",
  endChoices: { no: "Kendiliğinden bitmesin", yes: "Şu zamanda geri alınsın" },
  startTime: "Başlangıç zamanı",
  endTime: "Bitiş zamanı",
  zone: (zone: string): string => (zone === "Europe/Istanbul" ? "Türkiye saati" : `${zone} saati`),
  problems: {
    empty: "Gün, ay, yıl ve saatin hepsini yazın.",
    past: "Bu zaman geçti. İleri bir zaman yazın.",
    order: "Bitiş başlangıçtan sonra olmalı.",
    skipped: "Bu saat yok: o gün saatler ileri alınıyor. Başka bir saat yazın.",
    twice: "Bu saat iki kez geçiyor: o gün saatler geri alınıyor. Başka bir saat yazın.",
  },
  what: {
    all: "değişiklikler",
    discount: "indirim",
    price: "fiyatlar",
    stock: "stoklar",
  },
  willStart: (time: string, zone: string) => `${atTimeTr(time)} (${zone}) gönderilir.`,
  willEnd: (time: string, zone: string, what: string) =>
    `${atTimeTr(time)} (${zone}) ${what} geri alınır; o zamana kadar yeniden değiştirilen ürünlere dokunulmaz.`,
  endLine: (time: string, zone: string, what: string) =>
    `${atTimeTr(time)} (${zone}) ${what} geri alınır.`,
  mustRun:
    "O sırada bu program ya da bir worker çalışıyor olmalı; değilse çalıştığında, gecikerek yapılır.",
  addsStay: "Eklenen ürünler geri alınamaz.",
  approve: "Zamanıyla onayla",
  approved: "Onaylandı",
  states: {
    proposed: "Onay bekliyor",
    scheduled: "Başlamayı bekliyor",
    open: "Bitişi bekliyor",
    late: "Gecikti",
    ending: "Geri alınıyor",
    ended: "Süresi bitti, geri alındı",
    left: "Bir kısmı geri alınmadı",
    idle: "Süresi bitti",
    failed: "Geri alma durdu",
    started: "Zamanında başladı",
  },
  startsOn: (time: string) => `Başlangıç: ${time}`,
  endsOn: (time: string) => `Bitiş: ${time}`,
  changeStart: "Başlangıcı değiştir",
  changeEnd: "Bitişi değiştir",
  cancel: {
    start: {
      go: "Başlangıcı iptal et",
      title: "Başlangıç iptal edilsin mi?",
      text: "Kendiliğinden gönderilmez; istediğinizde siz gönderirsiniz.",
    },
    end: {
      go: "Bitişi iptal et",
      title: "Bitiş iptal edilsin mi?",
      text: "Değişiklikler kendiliğinden geri alınmaz; mağazada kalır.",
    },
  },
  undoNow: "Şimdi geri al",
  endRun: "Geri alan gönderim",
  productEnds: (time: string, zone: string, what: string) =>
    `${atTimeTr(time)} (${zone}) ${what} geri alınacak.`,
};

export type PeriodTexts = typeof periodTr;
