/** The words of the step of correcting, in Turkish. */

const numbers = new Intl.NumberFormat("tr-TR");
const n = (count: number): string => numbers.format(count);

export const fixTr = {
  title: "Hataları düzeltin",
  checking: "Satırlar denetleniyor",
  ofTotal: (done: string, total: string) => `${done} / ${total}`,
  notReady: "Önce sütunların ne olduğunu seçin.",
  toColumns: "Sütunlar adımına dön",
  all: "Hepsi",
  errors: "Hatalı",
  warnings: "Uyarılı",
  edited: "Elle düzeltilen",
  excluded: "Çıkarılan",
  views: "Satırları süz",
  kinds: "Sorun türü",
  otherKinds: (count: number) => `${n(count)} sorun türü daha`,
  error: "Hata",
  warning: "Uyarı",
  search: "Tabloda ara",
  clear: "Süzgeci kaldır",
  next: "Sonraki hata",
  previous: "Önceki hata",
  undo: "Geri al",
  redo: "Yinele",
  findReplace: "Bul ve değiştir",
  exclude: "Satırı çıkar",
  include: "Satırı geri koy",
  excludeMany: (count: number) => `${n(count)} satırı çıkar`,
  includeMany: (count: number) => `${n(count)} satırı geri koy`,
  refresh: "Listeyi tazele",
  stale:
    "Düzelttikleriniz yerinde duruyor. Listeyi tazeleyince süzgece uymayanlar kalkar, satırlar yeniden sıralanır.",
  status: (errors: number, warnings: number, rows: number) => {
    const warned = warnings === 0 ? "" : `, ${n(warnings)} satırda uyarı var`;
    return errors === 0
      ? `Hata kalmadı: ${n(rows)} satır${warned}.`
      : `${n(errors)} satırda hata${warned === "" ? " var" : warned}.`;
  },
  statusOpen: (errors: number, warnings: number, rows: number) => {
    const warned = warnings === 0 ? "" : `, ${n(warnings)} satırda uyarı var`;
    return errors === 0
      ? `${n(rows)} satırın hücrelerinde hata yok${warned}; hangilerinin yeni ürün olduğuna önizleme bakar.`
      : `${n(errors)} satırda hata${warned === "" ? " var" : warned}; hangi satırların yeni ürün olduğuna önizleme bakar.`;
  },
  noneSound: "Önizleme için en az bir satırın hatasız olması gerekir.",
  noErrors: "Hata kalmadı, önizlemeye geçebilirsiniz.",
  leftErrors: (count: number) => `${n(count)} hatalı satır gönderilmez; ötekiler gider.`,
  leftErrorsOpen: (count: number) => `${n(count)} hatalı satır gönderilmez.`,
  downloadAll: "Tabloyu indir",
  downloadErrors: (count: number) => `${n(count)} hatalı satırı indir`,
  lackedForNew: (fields: string) =>
    `Mağazada olmayan kodlar yeni ürün olarak eklenemez, çünkü şu alanların değeri yok: ${fields}. Kodların mağazada olup olmadığına önizlemede yeniden bakılır.`,
  lackedOpen: (fields: string) =>
    `Mağazada olan ürünler güncellenir; olmayanlar eklenemez, çünkü şu alanların değeri yok: ${fields}.`,
  lackedInAdd: (fields: string) => `Ürün eklenemez, çünkü şu alanların değeri yok: ${fields}.`,
  giveLacked: "Eksik alanları tamamla",
  missingTitle: "Yeni ürünlerin eksik alanları",
  missingIntro:
    "Dosyada bu alanların sütunu yok. Ürünlere göre değişiyorsa sütun ekleyip hücrelerini doldurun; aynıysa Sütunlar adımında bir kez yazın.",
  addColumn: "Sütun ekle",
  addColumnFor: (field: string) => `${field} için sütun ekle`,
  columnAdded: "Sütun eklendi",
  columnAddedFor: (field: string) => `${field}: sütun eklendi`,
  giveValueFor: (field: string) => `${field} alanına Sütunlar adımında değer ver`,
  giveAll: "Bütün satırlara tek değer",
  giveNew: "Yeni ürünlere varsayılan",
  giveAny: "Tek değer ya da varsayılan",
  mode: "Ne yapılsın",
  modes: {
    upsert: "Yenileri ekle, olanları güncelle",
    update: "Yalnızca olanları güncelle",
    add: "Yalnızca yenileri ekle",
  },
  go: "Önizlemeye geç",
  rowNumber: "Satır",
  grid: "Dosyanın satırları",
  noRows: "Bu süzgece uyan satır yok.",
  loadingRows: "Satırlar getiriliyor…",
  panel: "Seçili hücre",
  panelEmpty: "Bir hücre seçin; sorunu ve çözümü burada görünür.",
  cellName: (row: string, column: string) => `${row}. satır · ${column}`,
  cellFine: "Bu hücrede sorun yok.",
  wholeRow: "bütün satır",
  fixInstead: (text: string) => `“${text}” yerine:`,
  fixEmpty: "Boş hücreye:",
  fixTo: (text: string, value: string) =>
    text === "" ? `Boş hücreye yaz: ${value}` : `“${text}” yerine: ${value}`,
  makeEmpty: "hücreyi boşalt",
  keepAsText: (text: string) => `${text} (doğrusu bu)`,
  readAs: (text: string, target: string) =>
    `“${text}” yazısı mağazaya “${target}” olarak gider; böyle hatırlanıyor.`,
  toRules: "Kurallar",
  excludedRow: "Bu satır çıkarıldı, gönderilmez.",
  changed: "Bu taslak başka bir sekmede değişti",
  changedText: "Son hâli getirildi. Sizin değişikliğiniz kaybolmadı; isterseniz yeniden uygulayın.",
  applyAgain: "Değişikliğimi uygula",
  forget: "Gerek yok",
  tooMany: (max: number) =>
    `Tek seferde en çok ${n(max)} hücre değişebilir. Daha küçük bir alan seçin.`,
  replaceTitle: "Bul ve değiştir",
  find: "Bul",
  replace: "Yerine yaz",
  inColumns: "Nerede",
  everywhere: "Bütün sütunlar",
  wholeCell: "Hücrenin tamamı aynıysa",
  replaceCount: (cells: number, rows: number) => `${n(rows)} satırda ${n(cells)} hücre değişecek.`,
  replaceNone: "Bu metin hiçbir hücrede geçmiyor.",
  replaceTooMany: "Çok fazla hücre. Bir sütun seçerek daraltın.",
  replaceGo: "Hepsini değiştir",
  before: "Eski",
  after: "Yeni",
  row: "Satır",
  column: "Sütun",
  names: (count: number) => `Tanınmayan ${n(count)} ad`,
  namesTitle: "Tanınmayan adlar",
  namesIntro: "Her ad bir kez sorulur; cevabınız geçtiği bütün satırlara uygulanır.",
  nameRows: (count: number) => `${n(count)} satırda`,
  nameChoices: (value: string) => `${value} için seçenekler`,
  nameOther: "Listede yoksa hücrede arayın.",
  nameSearch: "Başka bir ad ara",
  nameProduct: (row: string, product: string) => `${row}. satır: ${product}`,
  nameCategory: (path: string) => `Bu kategoride aranıyor: ${path}.`,
  nameAnswered: (path: string) =>
    `Kategoriye verdiğiniz cevaba göre bu kategoride aranıyor: ${path}.`,
  chooseCategory: "Kategoriyi seç…",
  otherCategory: "Başka kategori seç",
  keepCategory: "Vazgeç",
  takeCategory: "Kategoriyi değiştir",
  willMove: (rows: number, path: string) =>
    `${n(rows)} satırın kategori hücresine “${path}” yazılır; geri alabilirsiniz.`,
  moved: (rows: number, path: string) => `${n(rows)} satırın kategorisi “${path}” oldu.`,
  nameCounts: (value: string, target: string) =>
    `“${value}” bu mağazada “${target}” sayılıyor. Hücrelerde dosyadaki metin durur; geri almak için Kurallar sayfasından silin.`,
  nameWritten: (value: string, target: string) => `“${value}” yerine “${target}” yazıldı.`,
  remember: "Bu cevabı sonraki dosyalar için de hatırla",
  willRead: (value: string, target: string) =>
    `Hücrede “${value}” yazmaya devam eder, mağazaya “${target}” gönderilir.`,
  willWrite: (value: string, target: string, rows: number) =>
    `${n(rows)} satırda “${value}” yerine “${target}” yazılır; geri alabilirsiniz.`,
  answer: "Uygula",
  namesDone: "Bütün adlar tanındı.",
  lookup: "Ad ara",
  lookupNone: "Uyan ad yok",
  keys: "F8: sonraki hata · Enter: düzenle · Ctrl+D: aşağı doldur · Ctrl+F: bul ve değiştir",
};

/** The shape of the words. */
export type FixTexts = typeof fixTr;
