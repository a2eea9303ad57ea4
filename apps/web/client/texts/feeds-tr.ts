/** The words of syncs, in Turkish. */

const numbers = new Intl.NumberFormat("tr-TR");
const n = (count: number): string => numbers.format(count);

export const feedsTr = {
  title: "Eşitleme",
  intro: "Stok ve fiyatı bir dosyadan ya da bağlantıdan düzenli olarak mağazaya aktarın.",
  add: "Kaynak ekle",
  empty: "Henüz eşitlenen bir kaynak yok. Stok dosyanızı ya da bağlantısını ekleyin.",
  served:
    "Eşitlemeler yalnız bu sayfayı açan program ya da arka plan çalıştırıcısı (worker) açıkken işler; ikisi de kapalıyken zamanı gelse de başlamaz. Tarayıcıyı kapatabilirsiniz. Sayfa hiç açılmadan da işlemesi için kılavuzdaki “Sürekli eşitleme” bölümüne bakın.",
  alarm: (count: number) => `${n(count)} eşitleme işini yapamıyor`,
  health: {
    healthy: "Sağlıklı",
    unhealthy: (since: string) => `Sağlıksız (şu zamandan beri: ${since})`,
    outdated: "Mağazadaki stok ve fiyatlar bu kaynağa göre güncel olmayabilir.",
    lastSuccess: (time: string) => `Son başarılı eşitleme: ${time}.`,
    neverSucceeded: "Bugüne dek başarılı bir eşitleme olmadı.",
    failures: (count: number) =>
      count === 1
        ? "Son eşitleme işini yapamadı."
        : `Art arda ${n(count)} eşitleme işini yapamadı.`,
  },
  answer: "Soruları yanıtla",
  answerName: (name: string) => `${name}: soruları yanıtla`,
  states: {
    running: "Eşitleniyor",
    paused: "Duraklatıldı",
    asking: "Yanıtınızı bekliyor",
    failing: "Eşitlenemedi",
    waiting: "Zamanını bekliyor",
    unserved: "Çalışmıyor",
    manual: "Komut satırından eşitlendi",
  },
  ofCommand: "Komut satırından",
  unserved: "Bu eşitlemeyi çalıştıran komut şu an kapalı; zamanı gelse de başlamaz.",
  next: (time: string) => `Sıradaki: ${time}`,
  inZone: (zone: string) => `(${zone} saatiyle)`,
  taken: (ago: string) => `Son alınma: ${ago}`,
  neverTaken: "Henüz bütünüyle alınmadı",
  changed: (ago: string) => `Dosyanın son değişimi: ${ago}`,
  last: "Son sonuç",
  results: { updated: "güncellendi", held: "onay bekliyor", failed: "başarısız" },
  report: "Raporu aç",
  reportName: (name: string) => `${name}: son eşitlemenin raporunu aç`,
  heldRows: (count: number) => `${n(count)} satır onayınızı bekliyor`,
  problem: (time: string) => `${time} denemesi olmadı:`,
  run: "Şimdi eşitle",
  runName: (name: string) => `${name}: şimdi eşitle`,
  allow: "Bu seferlik al",
  allowName: (name: string) => `${name}: bu seferlik al`,
  allowTitle: "Bu dosya yine de alınsın mı?",
  allowQuestion: {
    "few-rows":
      "Dosyanın bu hâli doğruysa alın: içindeki satırlar gönderilir, eksik ürünler mağazada olduğu gibi kalır ve sonraki dosyalar bunun satır sayısıyla karşılaştırılır.",
    "zero-stock":
      "Bu ürünler gerçekten tükendiyse alın: stokları 0 olur ve satıştan kalkarlar. Sonraki dosyalar yine denetlenir.",
    "moved-values":
      "Önce dosyada birkaç ürüne bakın: stok ve fiyatları kendilerininse alın, dosyadaki gibi gönderilir. Sonraki dosyalar yine denetlenir.",
  },
  pause: "Duraklat",
  pauseName: (name: string) => `${name}: duraklat`,
  resume: "Sürdür",
  resumeName: (name: string) => `${name}: sürdür`,
  change: "Değiştir",
  changeName: (name: string) => `${name}: zamanını ve ayarlarını değiştir`,
  remove: "Kaldır",
  removeName: (name: string) => `${name}: listeden kaldır`,
  removeTitle: "Kaynak kaldırılsın mı?",
  removeQuestion: (name: string) =>
    `${name} bundan sonra eşitlenmez. Dosyanız, mağazadaki ürünler ve geçmişteki sonuçlar olduğu gibi kalır.`,
  chooser: {
    open: "Dosya ya da klasör seç…",
    close: "Seçmeyi kapat",
    recent: "Son kullanılanlar:",
    parent: "Üst klasör",
    takeFolder: "Bu klasörün en yeni dosyasını al",
    empty: "Bu klasörde alınabilecek bir dosya (.csv, .xlsx, .json) yok.",
    list: (folder: string) => `${folder}: içindekiler`,
  },
  form: {
    addTitle: "Kaynak ekle",
    changeTitle: "Eşitlemeyi değiştir",
    feed: "Dosyanın yolu ya da bağlantısı",
    feedHint:
      "Bu bilgisayardaki dosya ya da klasörün tam yolu (klasörde en yeni dosya alınır) ya da https:// ile başlayan bir bağlantı.",
    times: "Ne zaman?",
    choices: {
      quarter: "15 dakikada bir",
      half: "30 dakikada bir",
      hour: "Saatte bir",
      day: "Her gün",
      own: "Kendi desenim (cron)",
    },
    at: "Saat",
    own: "Cron deseni",
    ownHint: "Dakika saat gün ay haftanın-günü; örneğin hafta içi 08:00: 0 8 * * 1-5",
    zone: "Saat dilimi",
    first: (times: string) => `İlk zamanlar: ${times}`,
    spread:
      "Eşitleme, seçtiğiniz zamandan birkaç dakika sonra başlayabilir. Böylece bütün mağazalar pazaryerine aynı dakikada istek göndermez.",
    options: "Okuma ayarları",
    sheet: "Sayfa adı (Excel)",
    sheetHint:
      "Boş bırakırsanız veri olan tek sayfa alınır. Başlıkları aynı olan birden çok sayfa için: Stok / Fiyat",
    decimal: "Dosyadaki sayıların ondalık ayırıcısı",
    decimals: { "": "Kendisi anlasın", comma: "Virgül: 1.234,50", point: "Nokta: 1,234.50" },
    priceUnit: "Mağazadaki fiyatların birimi",
    priceUnits: { "": "Mağazadan öğrensin", minor: "Kuruş", major: "Lira" },
    maxAge: "Dosya en çok kaç saatlik olabilir?",
    maxAgeHint: "Daha eski dosya alınmaz. 0: yaşına bakılmaz.",
    host: "Kendi ağınızdaki sunucu",
    hostHint:
      "Bağlantı iç ağdaki kendi sunucunuzaysa adresini yazın: erp.local ya da 10.0.0.5:8080",
    check: "Oku ve göster",
    checking: "Okunuyor…",
    checkFirst: "Eklemeden önce dosyayı okuyup gösterelim.",
    checkAgain: "Sütunları yanıtlamak ya da değiştirmek için dosyayı okutun.",
    sample: "İlk değerler",
    column: "Sütun",
    taken: "Ne olarak alınır?",
    columnIs: (header: string) => `${header}: ne olarak alınır?`,
    choose: "Seçin…",
    answers: {
      given: "Siz seçtiniz.",
      remembered: "Aynı başlıklı önceki dosyada böyle onaylamıştınız (Kurallar).",
    },
    otherColumns: (count: number) => `Alınmayan ${n(count)} sütun`,
    sampleOf: (name: string) => `${name} böyle okundu. “Alınmasın” yazan sütunlara dokunulmaz.`,
    questions: (name: string, count: number) =>
      `${name} okundu; eşitlenmeden önce yanıtlamanız gereken ${n(count)} soru var.`,
    gone: (headers: string) => `Daha önce yanıtladığınız sütun dosyada artık yok: ${headers}.`,
    lostTitle: "Bir önceki dosyada olan alanlar artık yok",
    lost: (fields: string) =>
      `${fields} bu dosyada bulunamadı. Sütunun adı değiştiyse aşağıdan yeni sütunu seçin. Bilerek kaldırıldıysa işaretleyin; mağazadaki değerler olduğu gibi kalır.`,
    drop: (label: string) => `${label} dosyadan bilerek kaldırıldı, bundan sonra gelmeyecek`,
    decimalQuestion: (headers: string) =>
      `Şu sütunlardaki sayılar iki türlü okunabiliyor: ${headers}. Ayırıcıları binlik mi, ondalık mı?`,
    unitQuestion:
      "Mağazadaki fiyatların birimi henüz bilinmiyor. Öğrenilene dek fiyatlar bekletilir, stok gönderilir. Biliyorsanız seçin.",
    unitLabel: "Fiyatların birimi",
    unused: "alınmaz",
    save: "Ekle",
    saving: "Ekleniyor…",
    saveChange: "Kaydet",
    savingChange: "Kaydediliyor…",
  },
};

/** The shape of the words. */
export type FeedTexts = typeof feedsTr;
