/** The words of files for several stores, in Turkish. */

const numbers = new Intl.NumberFormat("tr-TR");
const n = (count: number): string => numbers.format(count);

export const sharedTr = {
  upload: {
    legend: "Mağazalar",
    hint: "Dosya bir kez yüklenir; her mağaza kendi taslağını ve önizlemesini alır.",
    chosen: (count: number) => `Dosya ${n(count)} mağaza için yüklenecek.`,
    current: "bu mağaza",
    refusedTitle: "Bazı mağazalar dosyayı alamadı",
    noneTaken: "Dosya yalnız bu mağazada.",
    toShared: "Mağazaları yan yana gör",
    toDraft: "Bu mağazada sürdür",
  },
  list: "Birden çok mağaza için yüklenenler",
  title: "Mağazalar yan yana",
  by: (name: string, ago: string) => `${name} yükledi, ${ago}`,
  back: "Yükle",
  allStores: "Bütün mağazalar",
  /** The bar above a draft or a run that others belong to. */
  partOf: (count: number) => `Bu dosya ${n(count)} mağaza için yüklendi.`,
  stores: "Mağazalar",
  store: "Mağaza",
  state: "Durum",
  columns: {
    add: "Eklenecek",
    update: "Güncellenecek",
    unchanged: "Değişmeyen",
    held: "Onay bekleyen",
    failed: "Gönderilemez",
    calls: "İstek",
  },
  callsTake: (calls: number, duration: string | null) =>
    duration === null ? n(calls) : `${n(calls)}, yaklaşık ${duration}`,
  total: (calls: number, duration: string | null) =>
    duration === null
      ? `Toplam ${n(calls)} istek.`
      : `Toplam ${n(calls)} istek; en uzun süren mağaza yaklaşık ${duration}.`,
  steps: {
    working: "Çalışıyor",
    file: "Dosyanın nasıl okunacağı soruluyor",
    columns: "Sütunlar soruluyor",
    ready: "Önizlemesi hazırlanmadı",
    stale: "Önizlemesi eskidi",
    away: "Mağazaya şu an ulaşılamıyor",
    planned: "Onaya hazır",
    held: "Onay bekleyen satırlar var",
    nothing: "Gönderilecek bir şey yok",
    queued: "Sırada",
    sending: "Gönderiliyor",
    stopped: "Yarım kaldı",
    finished: "Gönderildi",
  },
  errors: (rows: number) => `${n(rows)} hatalı satır`,
  names: (count: number) => `${n(count)} ad soruluyor`,
  go: {
    file: "Yanıtla",
    columns: "Yanıtla",
    fix: "Düzelt",
    preview: "Önizleme",
    send: "İzle",
    report: "Rapor",
  },
  plan: "Önizlemeyi hazırla",
  planOf: (store: string) => `${store} için önizlemeyi hazırla`,
  planAll: (count: number) =>
    count === 1 ? "1 mağazanın önizlemesini hazırla" : `${n(count)} mağazanın önizlemesini hazırla`,
  notPlanned:
    "Satırlar, bir mağazanın önizlemesi hazırlanınca burada yan yana görünür. Mağazalarda hiçbir şey değişmez.",
  comparing: "Mağazaların satırları karşılaştırılıyor…",
  sheets:
    "Mağazalar bu dosyanın başka başka sayfalarını okuyor; satır numaraları aynı satırı göstermeyebilir.",
  views: "Satırları süz",
  view: {
    differs: "Yalnız farklı olanlar",
    held: "Onay bekleyen",
    failed: "Gönderilemez",
    all: "Hepsi",
  },
  rows: "Satırlar",
  row: "Satır",
  code: "Kod",
  product: "Ürün",
  noRows: "Bu süzgece uyan satır yok.",
  same: "Bütün mağazalarda aynı şey olacak.",
  kinds: {
    add: "Eklenecek",
    update: "Güncellenecek",
    unchanged: "Değişmeyecek",
    held: "Onay bekliyor",
    failed: "Gönderilemez",
    cancelled: "Vazgeçildi",
  },
  missing: "Bu mağazada yok",
  more: (count: number) => `+${n(count)} alan`,
  rowTitle: (name: string) => `${name}. satır`,
  correct: "Düzelt",
  approve: "Göndermeyi onayla…",
  approveNothing: "Onaylayabileceğiniz bir önizleme yok.",
  confirmTitle: "Bu mağazalara gönderilsin mi?",
  confirmStore: (updates: number, adds: number, stock: number) =>
    [
      ...(updates === 0 ? [] : [`${n(updates)} ürün güncellenecek`]),
      ...(adds === 0 ? [] : [`${n(adds)} yeni ürün eklenecek`]),
      ...(stock === 0 ? [] : [`${n(stock)} satırın yalnız stoğu gidecek`]),
    ].join(", "),
  confirmHeld: (rows: number) =>
    `onay bekleyen ${n(rows)} satır gitmez; mağazasında karar verirsiniz`,
  confirmText:
    "Her mağazanın önizlemesi kendi kurallarıyla ayrı ayrı onaylanır; biri onaylanamazsa ötekiler yine gider. Müşterileriniz değişiklikleri hemen görür.",
  confirmType: (count: string) =>
    `Onaylamak için seçili mağazalara gidecek toplam satır sayısını yazın: ${count}`,
  confirm: "Şimdi gönder",
  refusals: {
    role: "Bu mağazada onaylama yetkiniz yok.",
    "four-eyes": "Bunu siz hazırladınız; bu mağazada başka birinin onaylaması gerekiyor.",
    period: "Başlangıç ya da bitiş zamanı var; mağazasında onaylayın.",
    nothing: "Gönderilecek satır yok.",
    stale: "Önizleme eskidi ya da hazır değil.",
    done: "Daha önce onaylandı.",
    none: "Önizlemesi hazırlanmadı.",
  },
  results: "Onayın sonucu",
  sent: "Gönderim başladı.",
  notSent: "Bazı satırlara karar verilemedi; hiçbir şey gönderilmedi. Mağazasında bakın.",
};

export type SharedTexts = typeof sharedTr;
