/** The words of the page. */

interface PageTexts {
  readonly title: string;
  readonly skip: string;
  readonly facts: string;
  readonly file: string;
  readonly run: string;
  readonly begun: string;
  readonly calls: string;
  readonly callsOf: (total: number, writes: number) => string;
  readonly totals: string;
  readonly allRows: string;
  readonly reasons: string;
  readonly noReasons: string;
  readonly issue: string;
  readonly count: string;
  readonly example: string;
  readonly inRows: string;
  readonly prices: string;
  readonly pricesOf: (total: number, unseen: number) => string;
  readonly plot: string;
  readonly plotHelp: string;
  readonly oldPrice: string;
  readonly newPrice: string;
  readonly change: string;
  readonly rows: string;
  readonly search: string;
  readonly all: string;
  readonly row: string;
  readonly code: string;
  readonly result: string;
  readonly explanation: string;
  readonly productId: string;
  readonly pages: string;
  readonly previous: string;
  readonly next: string;
  readonly noScript: string;
  readonly footer: string;
  /** Filled in by the page's script: `{found}`, `{total}`. */
  readonly found: string;
  /** `{page}`, `{pages}`. */
  readonly pageOf: string;
  readonly suggestion: string;
}

export const PAGE_TEXTS: Readonly<Record<"tr" | "en", PageTexts>> = {
  tr: {
    title: "İçe aktarma raporu",
    skip: "Satırlara geç",
    facts: "Çalıştırma",
    file: "Dosya",
    run: "Numara",
    begun: "Başlangıç",
    calls: "İstekler",
    callsOf: (total, writes) => `${total} istek, ${writes} tanesi yazma`,
    totals: "Toplamlar",
    allRows: "Bütün satırlar",
    reasons: "Nedenler",
    noReasons: "Hiçbir satırda hata ya da uyarı yok.",
    issue: "Kod",
    count: "Satır sayısı",
    example: "İlk satırdaki açıklama",
    inRows: "Satırlar",
    prices: "Fiyat değişiklikleri",
    pricesOf: (total, unseen) =>
      `${total} ürünün fiyatı eskisine göre değişiyor.${unseen === 0 ? "" : ` ${unseen} ürünün eski fiyatı bilinmiyor.`} En büyük değişiklikler aşağıda.`,
    plot: "Eski ve yeni fiyatlar",
    plotHelp: "Her nokta bir ürün. Çizginin üstündekiler pahalanıyor, altındakiler ucuzluyor.",
    oldPrice: "Eski fiyat",
    newPrice: "Yeni fiyat",
    change: "Değişiklik",
    rows: "Satırlar",
    search: "Satırlarda ara",
    all: "Hepsi",
    row: "Satır",
    code: "Ürün kodu",
    result: "Sonuç",
    explanation: "Açıklama",
    productId: "Ürün ID",
    pages: "Sayfalar",
    previous: "Önceki",
    next: "Sonraki",
    noScript: "Satırları görmek için JavaScript gerekir; hepsi result.xlsx dosyasında da var.",
    footer: "Bu sayfa hiçbir yere bağlanmaz; bütün satırlar içindedir.",
    found: "{total} satırdan {found} tanesi",
    pageOf: "Sayfa {page} / {pages}",
    suggestion: "Öneri: ",
  },
  en: {
    title: "Import report",
    skip: "Go to the rows",
    facts: "Run",
    file: "File",
    run: "Number",
    begun: "Begun",
    calls: "Calls",
    callsOf: (total, writes) => `${total} calls, ${writes} of them writes`,
    totals: "Totals",
    allRows: "All rows",
    reasons: "Reasons",
    noReasons: "No row has an error or a warning.",
    issue: "Code",
    count: "Rows",
    example: "What the first of them says",
    inRows: "In rows",
    prices: "Price changes",
    pricesOf: (total, unseen) =>
      `${total} products get another price.${unseen === 0 ? "" : ` The old price of ${unseen} is not known.`} The biggest changes are listed.`,
    plot: "Old and new prices",
    plotHelp: "Each dot is a product. Those above the line get dearer, those below it cheaper.",
    oldPrice: "Old price",
    newPrice: "New price",
    change: "Change",
    rows: "Rows",
    search: "Search the rows",
    all: "All",
    row: "Row",
    code: "Product code",
    result: "Result",
    explanation: "Explanation",
    productId: "Product ID",
    pages: "Pages",
    previous: "Previous",
    next: "Next",
    noScript: "The rows need JavaScript; all of them are in result.xlsx too.",
    footer: "This page connects to nothing; all rows are inside it.",
    found: "{found} of {total} rows",
    pageOf: "Page {page} of {pages}",
    suggestion: "Suggestion: ",
  },
};
