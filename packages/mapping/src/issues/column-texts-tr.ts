import type { ColumnTexts } from "./codes.ts";

/** Turkish texts about columns. */
export const COLUMN_TEXTS_TR: ColumnTexts = {
  E_COLUMN_CURRENCY: {
    message:
      "“{value}” sütunu ({cells}) bir para birimi bildiriyor ama okunmuyor; fiyatlar {currency} sayılırdı.",
    suggestion: "Sütunun ne olduğunu belirtin. {answers}",
  },
  E_COLUMN_MISSING: {
    message: "Eklemek için gereken sütunlar dosyada yok: {names}.",
    suggestion: "{advice}",
  },
  "E_COLUMN_MISSING.code": {
    message:
      "Ürünleri tanımak için gereken “{names}” sütunu bulunamadı. Dosyadaki başlıklar: {headers}.",
    suggestion: "{advice}",
  },
  E_COLUMN_NUMBERS: {
    message:
      "“{value}” sütununda ({cells}) yalnızca sayı yazan hücreler var; “{field}” alanının numaraları mı, yıl gibi başka bir şey mi olduğu başlıktan anlaşılmıyor.",
    suggestion: "Numara yerine adını yazın ya da sütunun ne olduğunu belirtin. {answers}",
  },
  E_COLUMN_PRICE: {
    message:
      "“{value}” sütunu da ({cells}) bir fiyat; “{field}” alanı {other} sütunundan okunacaktı.",
    suggestion: "Hangisinin geçerli olduğunu belirtin. {answers}",
  },
  E_COLUMN_TWICE: {
    message: "İki sütun aynı alana karşılık geliyor ({field}): {first} ve {second}.",
    suggestion: "Birini silin ya da hangisinin geçerli olduğunu --map ile belirtin.",
  },
  "E_COLUMN_UNSURE.because": {
    message:
      "“{value}” sütunu ({cells}) “{field}” olabilir, ama “{because}” sütunundaki değerlere göre her satırda öyle olmayabilir.",
    suggestion: "Sütunun ne olduğunu belirtin. {answers}",
  },
  "E_COLUMN_UNSURE.empty": {
    message:
      "Ürünlerin tanındığı “{other}” sütunu bütün satırlarda boş; ürün kodu olarak “{value}” ({cells}) kullanılabilir.",
    suggestion: "Sütunun ne olduğunu belirtin. {answers}",
  },
  "E_COLUMN_UNSURE.expected": {
    message:
      "Dosyada “{field}” sütunu yok; sayılardan oluşan “{value}” sütunu ({cells}) o olabilir.",
    suggestion: "Sütunun ne olduğunu belirtin. {answers}",
  },
  "E_COLUMN_UNSURE.tax": {
    message:
      "Dosyadaki tek fiyat sütunu “{value}” ({cells}) KDV'siz görünüyor; mağazaya alıcının ödeyeceği, KDV dahil fiyat gönderilir.",
    suggestion:
      "Dosyaya KDV dahil bir fiyat sütunu ekletin; yalnız stok gönderilecekse sütunu dışarıda bırakın. {answers}",
  },
  "E_COLUMN_UNSURE.parts": {
    message:
      "“{field}” birkaç sütunda duruyor, “{value}” ({cells}) onlardan biri; toplanacaklar mı yoksa biri mi geçerli, belli değil.",
    suggestion: "Her biri için belirtin; dışarıda bırakılmayanlar toplanır. {answers}",
  },
  "E_COLUMN_UNSURE.sellable": {
    message:
      "“{value}” sütunu da ({cells}) stok olabilir: rezerve olanlar çıkınca satılabilecek miktar; “{field}” alanı {other} sütunundan okunacaktı.",
    suggestion: "Hangisinin geçerli olduğunu belirtin. {answers}",
  },
  E_COLUMN_UNSURE: {
    message:
      "“{value}” sütunu ({cells}) “{field}” olabilir, ama bu başlık başka bir şeyi de anlatabilir.",
    suggestion: "Sütunun ne olduğunu belirtin. {answers}",
  },
  E_FILE_EXPORT: {
    message:
      "Bu dosya ürün listesi değil, dışa aktarılmış {contents} (“{value}” sütunu gösteriyor). Ürünleri değiştirmek için kullanılamaz; hiçbir şey gönderilmedi.",
    suggestion:
      "Ürünleri değiştirmek için ürünleri dışa aktarıp o dosyayı düzenleyin; soruları ve siparişleri pazaryeri panelinde yanıtlayıp işleyin. Bu dosya yine de ürün listenizse “{value}” sütununu silin ya da kullanılmayacağını belirtin.",
  },
  W_COLUMN_NOT_SENT: {
    message: "“{value}” sütunu gönderilmez: pazaryerine ürün eklerken böyle bir alan yok.",
  },
  W_COLUMN_OTHER_ID: {
    message: "“{value}” sütunu ({cells}) başka bir sistemin numaralarıdır; kullanılmadı.",
  },
  W_COLUMN_UNKNOWN: {
    message:
      "“{value}” sütunu tanınmadı; yalnızca satırın kategorisinde bu adda bir özellik varsa kullanılır.",
    suggestion: '“{field}” alanıysa başlığı değiştirin ya da --map "{value}={key}" yazın.',
  },
  W_COLUMN_UNUSED: {
    message: "“{value}” sütunu ({cells}) kullanılmadı: “{field}” alanı {other} sütunundan alındı.",
    suggestion: 'Tersi doğruysa --map "{value}={key}" yazın.',
  },
};
