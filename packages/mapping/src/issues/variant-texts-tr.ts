import type { VariantTexts } from "./codes.ts";

const SORT = "Dosyayı ilk sırasına getirin: bir ürünün satırları ana satırının altında dursun.";

/** Turkish texts about the rows of products with variants. */
export const VARIANT_TEXTS_TR: VariantTexts = {
  E_CODE_LIST: {
    message:
      "Bu hücrede {count} kod sıralanmış ({first} …): satır, varyasyonlu bir ilan. Her biri ayrı bir ürün olacağı için satır gönderilmez.",
    suggestion: "Her varyasyona kendi kodu, fiyatı ve stoğuyla ayrı bir satır açın.",
  },
  "E_CODE_LIST.variations": {
    message:
      "Bu ilanın varyasyonları var (“{other}” dolu) ama tek bir kodu var; fiyatı ve stoğu hepsinin ortak değeridir.",
    suggestion:
      'Her varyasyona kendi koduyla ayrı bir satır açın. İlan tek ürün olarak satılacaksa: --map "{other}=-"',
  },
  E_PRICE_TAX: {
    message:
      "Bu satırdaki fiyatlar KDV hariç (“{other}”: {said}); pazaryerinde fiyatlar KDV dahil gösterilir, bu yüzden satır gönderilmez.",
    suggestion:
      "Fiyatları KDV dahil dışa aktarın ya da KDV'yi dosyada ekleyip “{other}” sütununu düzeltin.",
  },
  E_SALE_DATE: {
    message:
      "“{value}”, indirimli fiyatın şu anda geçerli olup olmadığını açıkça söylemiyor; satır gönderilmez.",
    suggestion:
      'Tarihi 2026-01-31 biçiminde yazın. Tarihler önemli değilse sütunu kullanmayın: --map "{header}=-"',
  },
  E_STOCK_STATE: {
    message:
      "Dosya yalnızca stokta olmadığını söylüyor (“{other}”: {state}), sayı vermiyor; stok tahmin edilmez.",
    suggestion: "Bu hücreye 0 ya da stok sayısını yazın.",
  },
  "E_STOCK_STATE.contradicts": {
    message:
      "Stok {value} yazıyor ama dosya ürünün satılamadığını söylüyor (“{other}”: {state}); hangisinin geçerli olduğu belli değil.",
    suggestion: "Stoğa 0 yazın ya da “{other}” sütununu düzeltin.",
  },
  "E_STOCK_STATE.shared": {
    message:
      "“{value}”: bu varyantın stoku ana satırıyla ({parent}. satır) ortak; her varyant için ayrı ayrı gönderilirse aynı ürün birkaç kez satılır.",
    suggestion: "Stoku varyantlara bölün: her birinin sayısını kendi hücresine yazın.",
  },
  "E_STOCK_STATE.untracked": {
    message:
      "Bu ürünün stoku takip edilmiyor (“{other}” boş), buradaki sayı bir şey söylemiyor: platform tükendi demeden satar. Stok tahmin edilmez.",
    suggestion:
      'Stok sayısını bu hücreye yazın; gerçekten tükendiyse --map "{other}=-" ile 0 olarak alınır.',
  },
  E_VARIANT_PARENT: {
    message:
      "Bu satır bir varyant, ama ana satırı üstünde yok (“{value}”); bilgileri eksik kalıyor.",
    suggestion: "Ana satırı da dosyaya koyun; varyantlarının üstünde dursun.",
  },
  "E_VARIANT_PARENT.ambiguous": {
    message:
      "“{value}” birden çok satırın kodu (ilki {parent}. satır); ana satır hangisi, bilinmiyor.",
    suggestion: "Ana satırların kodlarını ayrı ayrı yazın.",
  },
  "E_VARIANT_PARENT.apart": {
    message:
      "Bu satır “{value}” ürününün, ama ürünün ana satırından ({parent}. satır) ayrı duruyor; başka ürünün bilgisi karışmasın diye gönderilmiyor.",
    suggestion: SORT,
  },
  "E_VARIANT_PARENT.broken": {
    message:
      "Ürünün ana satırı ({parent}. satır) ya da bu satır bütünüyle okunamadı; bilgileri alınmadı.",
    suggestion:
      "Hücre sayısı ötekilerden farklıysa ya da sonucu olmayan bir formül varsa düzeltin.",
  },
  "E_VARIANT_PARENT.many": {
    message: "“{value}” ürününün satırları ya da görselleri çok fazla; bu satır okunmadı.",
    suggestion: "Ürünü iki dosyaya bölün.",
  },
  W_IMAGE_ROW: {
    message: "Bu satırda yalnızca görsel var; görsel, ürünün (“{value}”) öbür satırlarına katıldı.",
  },
  W_PARENT_ROW: {
    message: "Bu bir ana satır; kendisi gönderilmez, bilgileri varyantlarına katıldı.",
  },
  W_SALE_PERIOD: {
    message:
      "İndirimli fiyat {date} tarihine kadar geçerli; pazaryeri indirimi kendiliğinden bitirmez, o gün dosyayı yeniden yükleyin.",
  },
  "W_SALE_PERIOD.future": {
    message: "İndirimli fiyat {date} tarihinde başlıyor; indirimsiz fiyat gönderilir.",
  },
  "W_SALE_PERIOD.over": {
    message: "İndirimli fiyatın süresi {date} tarihinde dolmuş; indirimsiz fiyat gönderilir.",
  },
};
