/** Turkish texts of the issues. */

import type { IssueTexts } from "./codes.ts";

const AMBIGUOUS_DEFAULT = {
  message: "Bu satırda “{field}” boş. Kayıtlı varsayılanı “{value}” ise birden çok ada uyuyor.",
  suggestion: "Uyanlar: {names}. Varsayılanı düzeltin: catalog rules default {command}",
};

const RETYPE =
  "Doğru olanı hücreye yeniden yazın; metinlerde hücre biçimi Metin, sayılarda Genel olsun.";

const RETYPE_CODE =
  "Hücrenin biçimini Metin yapıp asıl kodu yeniden yazın. Kod gerçekten buysa dosyayı --allow code-suspect ile yeniden yükleyin ya da held.xlsx içinde Onay hücresine Evet yazıp kaydedin, sonra: catalog release <çalıştırma> --approved held.xlsx";

const SORT = "Dosyayı ilk sırasına getirin: bir ürünün satırları ana satırının altında dursun.";

const PICK_BY_SUFFIX = "Şunlardan birini, köşeli ayraç içindeki ekiyle birlikte yazın: {names}";
/** One name, or several. */
const DID_YOU_MEAN = "{meant}";

/** Turkish issue texts. Values stand in quotes, so that no suffix must agree with them. */
export const TEXTS_TR: IssueTexts = {
  E_CELL_FORMAT: {
    message: "Hücrede “{shown}” görünüyor ama içindeki değer “{value}”.",
    suggestion: RETYPE,
  },
  "E_CELL_FORMAT.boolean": {
    message: "Hücrede bir metin değil, mantıksal bir değer (DOĞRU ya da YANLIŞ) var.",
    suggestion: "Hücrenin biçimini Metin yapın ve metni yeniden yazın.",
  },
  "E_CELL_FORMAT.hidden": {
    message: "Hücre boş görünüyor ama içinde “{value}” var.",
    suggestion: RETYPE,
  },
  "E_CELL_FORMAT.unknown": {
    message:
      "Hücrenin “{format}” biçimi okunamadı, ekranda ne göründüğü bilinmiyor; içindeki değer “{value}”.",
    suggestion: RETYPE,
  },
  "E_CODE_SUSPECT.date": {
    message:
      "“{value}” kodu bir tarihe benziyor; Excel onu 1-3 gibi bir koddan yapmış olabilir. Eklenen ürün silinemediği için yeni ürün bekletildi.",
    suggestion: RETYPE_CODE,
  },
  "E_CODE_SUSPECT.exponent": {
    message:
      "“{value}” kodu, bir programın kısalttığı uzun bir sayıya benziyor (2,5E8 gibi). Eklenen ürün silinemediği için yeni ürün bekletildi.",
    suggestion: RETYPE_CODE,
  },
  "E_CODE_SUSPECT.serial": {
    message:
      "Dosyanın öbür kodları 13-14 gibi; “{value}” ise Excel’in bir gün için tuttuğu sayı olabilir (örneğin 1-3 kodu yerine). Eklenen ürün silinemediği için yeni ürün bekletildi.",
    suggestion: RETYPE_CODE,
  },
  "E_CODE_SUSPECT.zeros": {
    message:
      "“{value}” bir sayı olarak kayıtlı; öbür kodlar ise “{example}” gibi sıfırla başlıyor. Excel baştaki sıfırları silmiş olabilir.",
    suggestion:
      "Hücrenin biçimini Metin yapıp kodu yeniden yazın: “{padded}” ya da gerçekten buysa “{value}”. Hepsi doğruysa --allow code-suspect ekleyin.",
  },
  "E_DISCOUNT.rate-shown": {
    message: "“{shown}” geçerli bir indirim oranı değil.",
    suggestion: "1 ile 99 arasında bir tam sayı yazın.",
  },
  E_FORMULA: {
    message: "Hücrede “{value}” formülü var; dosyada sonucu yok.",
    suggestion:
      'Değerin kendisini yazın ya da dosyayı Excel\'de açıp yeniden kaydedin. Bir kodun başındaki sıfırları ise tırnaklı yazım korur: 00123 için ="00123".',
  },
  "E_NOT_INTEGER.shown": {
    message: "Hücrede “{shown}” görünüyor ama içindeki sayı “{value}”, bir tam sayı değil.",
    suggestion: "Virgülsüz bir adet yazın, örneğin 12.",
  },
  "E_PRICE_CURRENCY.shown": {
    message:
      "Hücrede “{shown}” görünüyor; bu para birimi, satırın para birimiyle ({currency}) aynı değil.",
    suggestion:
      "Para Birimi sütununa doğrusunu yazın ya da hücrenin biçiminden para birimini kaldırın.",
  },
  "E_PRICE_PRECISION.shown": {
    message:
      "Hücrede “{shown}” görünüyor ama içindeki sayı “{value}”; ikiden çok ondalık basamağı var.",
    suggestion: "Görünen tutarı yazın ya da formülü YUVARLA(…;2) içine alın.",
  },
  E_IMAGE_FILE: {
    message: "“{value}” bir dosya adı; görsellerin nerede olduğu bilinmiyor.",
    suggestion:
      "Görselin https ile başlayan adresini yazın. Görseller bilgisayarınızdaysa klasörlerini ya da zip dosyalarını komut satırında verin (--images-dir).",
  },
  E_IMAGE_URL: {
    message: "“{value}” geçerli bir görsel adresi değil.",
    suggestion: "Her görsel için https ile başlayan tek bir adres yazın.",
  },
  "E_IMAGE_URL.blank": {
    message: "“{value}” adresinin içinde boşluk var.",
    suggestion: "Boşluk yerine %20 yazın: {address}",
  },
  "E_IMAGE_URL.http": {
    message: "“{value}” http ile başlıyor; pazaryeri yalnızca https adreslerini alır.",
    suggestion: "Görsel bu adreste de açılıyorsa bunu yazın: {address}",
  },
  "E_IMAGE_URL.scheme": {
    message: "“{value}” adresinin başı eksik.",
    suggestion: "Başına https:// ekleyin: {address}",
  },
  W_IMAGE_TWICE: {
    message: "“{value}” aynı satırda birden çok kez geçiyor; bir kez gönderilecek.",
  },
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
  E_COLUMN_STORE: {
    message: "“{value}” sütunundaki “{text}” adında bir mağaza yok. Mağazalar: {names}.",
    suggestion: "Köşeli parantezdeki adı düzeltin. {answers}",
  },
  "E_COLUMN_STORE.key": {
    message:
      "“{value}” sütunu tek bir mağaza için olamaz: “{field}” satırın hangi ürün olduğunu söyler ve bütün mağazalarda aynıdır.",
    suggestion: "Ortak bir “{base}” sütunu kullanın, bu sütunu silin.",
  },
  "E_COLUMN_STORE.unsure": {
    message: "“{value}” sütununun bu mağazada hangi sütunun yerine geçeceği belli değil.",
    suggestion: "Başlığı ortak sütununki gibi yazın: “{example}”. {answers}",
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
      "{advice}Ürünleri değiştirmek için ürünleri dışa aktarıp o dosyayı düzenleyin. Bu dosya yine de ürün listenizse “{value}” sütununu silin ya da kullanılmayacağını belirtin.",
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
  "E_MODEL_AMBIGUOUS.default": AMBIGUOUS_DEFAULT,
  "E_TEMPLATE_AMBIGUOUS.default": AMBIGUOUS_DEFAULT,
  "E_TEMPLATE_UNKNOWN.default": {
    message: "Bu satırda “{field}” boş. Kayıtlı varsayılanı “{value}” ise mağazada yok.",
    suggestion:
      "Varsayılanı düzeltin: catalog rules default {command}\nMağazanın şablonları: catalog lookup templates",
  },
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
  E_BRAND_AMBIGUOUS: {
    message: "“{value}” adına uyan birden çok marka var.",
    suggestion: PICK_BY_SUFFIX,
  },
  E_BRAND_NEEDS_CATEGORY: {
    message:
      "“{value}” markası aranamadı: markalar kategoriye göre listelenir, bu satırda kategori yok.",
    suggestion: "Kategori sütununu da doldurun ya da markanın ID değerini yazın.",
  },
  E_BRAND_UNKNOWN: {
    message: "Bu kategoride “{value}” adında bir marka yok.",
    suggestion: DID_YOU_MEAN,
  },
  "E_BRAND_UNKNOWN.unlike": {
    message: "Bu kategoride “{value}” adında bir marka yok; benzeyeni de yok.",
    suggestion:
      "Kategorinin markalarından birini yazın; ürün başka bir kategorideyse kategorisini değiştirin. Kategorinin markaları: catalog lookup brands --category {category}",
  },
  E_CATEGORY_AMBIGUOUS: {
    message: "“{value}” adında birden çok kategori var.",
    suggestion: "Tam yolunu yazın, örneğin: {names}. Hepsi: catalog lookup categories {search}",
  },
  E_CATEGORY_NOT_LEAF: {
    message: "“{value}” bir üst kategori; ürünler yalnızca en alttaki kategorilere eklenebilir.",
    suggestion: "Alt kategorilerinden birini seçin: {names}",
  },
  E_CATEGORY_UNKNOWN: {
    message: "“{value}” adında bir kategori yok.",
    suggestion: DID_YOU_MEAN,
  },
  "E_CATEGORY_UNKNOWN.unlike": {
    message: "“{value}” adında bir kategori yok; benzeyeni de yok.",
    suggestion: "Mağazanın kategorilerinden birini yazın. Kategoriler: catalog lookup categories",
  },
  E_CELL_DATE: {
    message: "Bu hücre bir tarihe dönüşmüş; yazdığınız değer artık okunamıyor.",
    suggestion: "Hücrenin biçimini Metin yapın ve değeri yeniden yazın.",
  },
  E_CELL_ERROR: {
    message: "Hücrede bir formül hatası var: “{value}”.",
    suggestion:
      "Formülü düzeltin ya da yerine değerin kendisini yazın; ##### görünüyorsa sütunu genişletip dosyayı yeniden kaydedin.",
  },
  E_CLEAR: {
    message: "“{header}” alanı boşaltılamaz.",
    suggestion: "Olduğu gibi kalması için hücreyi boş bırakın.",
  },
  E_CLEAR_REQUIRED: {
    message: "“{header}” zorunlu bir alan, boşaltılamaz.",
    suggestion: "Yeni bir değer yazın ya da olduğu gibi kalması için hücreyi boş bırakın.",
  },
  E_CODE_NOT_TEXT: {
    message: "Ürün kodu “{value}” olarak okundu; büyük olasılıkla yazdığınız kod bu değil.",
    suggestion: "Sütunun biçimini Metin yapın ve kodu yeniden yazın.",
  },
  E_CODE_SUSPECT: {
    message: "“{value}” kodu, başka satırdaki {others} ile neredeyse aynı: {difference}.",
    suggestion:
      "Aynı ürünse her satırda aynı biçimde yazın. Ayrı ürünlerse --allow code-suspect ekleyin.",
  },
  E_DESCRIPTION_EMPTY: {
    message:
      "“{header}” hücresinde gösterilecek bir metin yok: yalnızca betik, stil gibi gönderilmeyen parçalar var.",
    suggestion: "Açıklamanın metnini yazın.",
  },
  "E_DISCOUNT.list-needs-price": {
    message: "Piyasa fiyatı var ama satırda geçerli bir fiyat yok.",
    suggestion: "Fiyat sütununu da doldurun.",
  },
  "E_DISCOUNT.list-not-above": {
    message: "Piyasa fiyatı ({list}), fiyattan ({price}) düşük olamaz.",
    suggestion: "İndirim yoksa piyasa fiyatını boş bırakın.",
  },
  "E_DISCOUNT.not-below-price": {
    message: "İndirim değeri ({discount}), fiyattan ({price}) düşük olmalı.",
    suggestion: "İndirim tipini ve değerini kontrol edin.",
  },
  "E_DISCOUNT.rate": {
    message: "“{value}” geçerli bir indirim oranı değil.",
    suggestion: "1 ile 99 arasında bir tam sayı yazın.",
  },
  "E_DISCOUNT.two-ways": {
    message: "İndirim iki ayrı yoldan verilmiş: hem piyasa fiyatı hem indirim değeri dolu.",
    suggestion: "Yalnızca birini doldurun.",
  },
  "E_DISCOUNT.type-conflict": {
    message: "“{value}” indirim tipi, “{other}” sütununun başlığıyla uyuşmuyor.",
    suggestion: "Tipi düzeltin ya da bu hücreyi boş bırakın.",
  },
  "E_DISCOUNT.type-missing": {
    message: "“{value}” indirimi bir tutar mı, oran mı, indirimli fiyat mı, belli değil.",
    suggestion: "İndirim Tipi sütununu doldurun.",
  },
  "E_DISCOUNT.value-missing": {
    message: "İndirim tipi verilmiş ama indirim değeri boş.",
    suggestion: "İndirim Değeri sütununu doldurun ya da tipi de boş bırakın.",
  },
  E_HEADER_CURRENCY: {
    message:
      "“{value}” başlığı başka bir para birimini gösteriyor; para birimi verilmediği için fiyatlar {currency} olarak gönderilirdi.",
    suggestion: "Para birimini belirtin. {answers}",
  },
  "E_HEADER_CURRENCY.stated": {
    message:
      "“{other}” başlığı başka bir para birimini gösteriyor; para birimi verilmediği için “{value}” sütunundaki fiyatlar {currency} olarak gönderilirdi.",
    suggestion: "Para birimini belirtin. {answers}",
  },
  "E_HEADER_CURRENCY.platform": {
    message:
      "{platform} dosyalarındaki fiyatlar para birimi belirtmez; para birimi verilmediği için “{value}” sütunundaki fiyatlar {currency} olarak gönderilirdi.",
    suggestion: "Para birimini belirtin. {answers}",
  },
  E_HEADER_DUP: {
    message: "“{value}” başlığı iki kez geçiyor: {first} ve {second}.",
    suggestion: "Sütunlardan birini silin ya da başlığını değiştirin.",
  },
  E_HEADER_NAME: {
    message: "“{value}” sütun başlığı olarak kullanılamaz.",
    suggestion: "Başlığı değiştirin.",
  },
  E_KEY_MISSING: {
    message: "Bu satırda “{header}” boş; hangi ürün olduğu bilinmiyor.",
    suggestion: "Ürün Kodu sütununu doldurun.",
  },
  E_MAP_FIELD: {
    message: "“{header}” sütunu “{field}” alanına eşlenmiş, ama böyle bir alan yok.",
    suggestion: "Bunu mu demek istediniz: “{closest}”? Alanlar: {names}.",
  },
  "E_MAP_FIELD.unlike": {
    message: "“{header}” sütunu “{field}” alanına eşlenmiş, ama böyle bir alan yok.",
    suggestion: "Alanlar: {names}.",
  },
  E_MODEL_AMBIGUOUS: {
    message: "“{value}” adına uyan birden çok model var.",
    suggestion: PICK_BY_SUFFIX,
  },
  E_MODEL_UNKNOWN: {
    message: "Bu markada “{value}” ID değerli bir model yok.",
    suggestion: "Modelin adını yazın; listede yoksa serbest metin de olur.",
  },
  E_NOT_A_NUMBER: {
    message: "“{value}” bir sayı olarak okunamadı.",
    suggestion: "Yalnızca rakam yazın, örneğin {example}.",
  },
  "E_NOT_A_NUMBER.count": {
    message: "“{value}” bir adet olarak okunamadı.",
    suggestion: "Adedi yalnızca rakamla yazın, örneğin 10.",
  },
  "E_NOT_A_NUMBER.some": {
    message: "“{value}” stok olduğunu söylüyor ama kaç adet olduğunu söylemiyor.",
    suggestion:
      "Adedi yazın ya da “{value}” için bir kez kural ekleyin: alan “Stok”, karşılığı bir adet, örneğin 10.",
  },
  E_NOT_INTEGER: {
    message: "“{value}” bir tam sayı değil.",
    suggestion: "Virgülsüz bir adet yazın, örneğin 12.",
  },
  E_NUMBER_AMBIGUOUS: {
    message: "“{value}” iki türlü okunabilir: işaret binlik mi ondalık mı, sütundan anlaşılmıyor.",
    suggestion:
      "Ondalık ayırıcıyı --decimal comma (virgül) ya da --decimal point (nokta) ile belirtin.",
  },
  E_NUMBER_MIXED: {
    message: "“{value}” bu sütundaki öbür sayılardan farklı bir düzende yazılmış.",
    suggestion: "Sütundaki bütün sayıları aynı düzende yazın, örneğin {example}.",
  },
  "E_NUMBER_MIXED.seen": {
    message:
      "Bu sütunda iki ayrı sayı yazımı var: “{value}” ondalık {sign}, {other} ise ondalık {otherSign} ile yazılmış.",
    suggestion: "Sütundaki bütün sayıları aynı düzende yazın.",
  },
  E_NUMBER_TOO_LARGE: {
    message: "“{value}” çok büyük bir sayı.",
    suggestion: "Değeri kontrol edin.",
  },
  "E_NUMBER_TOO_LARGE.stock": {
    message: "“{value}” bir barkod, stok değil.",
    suggestion: "Adedi yazın ya da stok sütununu düzeltin.",
  },
  E_OPTION_AMBIGUOUS: {
    message: "“{property}” özelliğinde “{value}” adına uyan birden çok seçenek var.",
    suggestion: PICK_BY_SUFFIX,
  },
  E_OPTION_UNKNOWN: {
    message: "“{property}” özelliğinde “{value}” diye bir seçenek yok.",
    suggestion: "Seçeneklerinden bazıları: {names}",
  },
  E_PATH: {
    message: "“{value}” bu bilgisayardaki bir yolu gösteriyor; yollar okunmaz.",
    suggestion: "Yalnızca dosyanın adını ya da https ile başlayan bir adres yazın.",
  },
  E_PRICE_CURRENCY: {
    message: "“{value}” para birimi, satırın para birimiyle ({currency}) aynı değil.",
    suggestion: "Para birimlerini aynı yapın ya da hücreye yalnızca sayıyı yazın.",
  },
  "E_PRICE_CURRENCY.unknown": {
    message:
      "“{value}” başka bir para birimiyle yazılmış ({foreign}); pazaryeri TL, USD ve EUR alır.",
    suggestion:
      "Tutarı bu para birimlerinden birine çevirip yazın. Yalnızca rakamı bırakırsanız TL sayılır.",
  },
  E_PRICE_NOT_POSITIVE: {
    message: "“{value}” sıfırdan büyük olmalı.",
    suggestion: "Sıfırdan büyük bir tutar yazın.",
  },
  E_PRICE_PRECISION: {
    message: "“{value}” ikiden çok ondalık basamak içeriyor.",
    suggestion: "En çok iki ondalık basamakla yazın, örneğin {example}.",
  },
  E_PRODUCT_ID: {
    message: "“{value}” bir ürün ID değerine benzemiyor.",
    suggestion:
      "ID değerini dışa aktarılan dosyadan kopyalayın ya da boş bırakıp ürün kodunu kullanın.",
  },
  E_PROPERTY_AMBIGUOUS: {
    message: "Bu satırın kategorisinde “{property}” adına uyan birden çok özellik var.",
    suggestion: "Sütun başlığına şunlardan birini yazın: {names}",
  },
  E_PROPERTY_NEEDS_CATEGORY: {
    message:
      "“{property}” özelliği aranamadı: özellikler kategoriye göre değişir, bu satırda kategori yok.",
    suggestion: "Kategori sütununu da doldurun.",
  },
  E_PROPERTY_UNKNOWN: {
    message: "Bu satırın kategorisinde “{property}” diye bir özellik yok.",
    suggestion: DID_YOU_MEAN,
  },
  E_REQUIRED: {
    message: "“{header}” boş; yeni bir ürün eklemek için doldurulmalı.",
    suggestion: "Örnek: {example}",
  },
  "E_REQUIRED.listed": {
    message: "“{header}” boş; yeni bir ürün eklemek için doldurulmalı.",
    suggestion: "{advice}",
  },
  E_RULE_TARGET: {
    message: "“{value}” için kayıtlı kural “{target}” diyor, ama burada öyle bir değer yok.",
    suggestion: 'Kuralı düzeltin ya da kaldırın: catalog rules remove "{field}" "{value}"',
  },
  E_SET_FIELD: {
    message: "--set ile “{field}” alanına değer verilmiş, ama böyle bir alan yok.",
    suggestion: "Bunu mu demek istediniz: “{closest}”? Alanlar: {names}.",
  },
  "E_SET_FIELD.unlike": {
    message: "--set ile “{field}” alanına değer verilmiş, ama böyle bir alan yok.",
    suggestion: "Alanlar: {names}.",
  },
  E_SET_PLACEHOLDER: {
    message: "--set ile “{field}” alanına “{value}” verilmiş; bu bir değer değil.",
    suggestion: "“{value}” yerine bütün satırlarda geçerli olacak değeri yazın.",
  },
  E_SET_TWICE: {
    message: "--set ile “{field}” alanına iki ayrı değer verilmiş: “{first}” ve “{value}”.",
    suggestion: "Değerlerden birini bırakın.",
  },
  E_STOCK_NEGATIVE: {
    message: "Stok eksi olamaz: “{value}”.",
    suggestion: "Sıfır ya da daha büyük bir adet yazın.",
  },
  E_TEMPLATE_AMBIGUOUS: {
    message: "“{value}” adına uyan birden çok teslimat şablonu var.",
    suggestion: PICK_BY_SUFFIX,
  },
  E_TEMPLATE_UNKNOWN: {
    message: "Mağazada “{value}” adında bir teslimat şablonu yok.",
    suggestion: "Örneğin: {names}. Mağazadaki şablonların hepsi: catalog lookup templates",
  },
  E_VALUE_UNKNOWN: {
    message: "“{value}”, “{header}” için geçerli bir değer değil.",
    suggestion: "Şunlardan birini yazın: {names}",
  },
  "E_WARRANTY.has-period": {
    message: "Garanti tipi Garantisiz, ama garanti süresi “{value}”.",
    suggestion: "Garanti yoksa süreye 0 yazın; varsa garanti tipini değiştirin.",
  },
  "E_WARRANTY.no-period": {
    message: "Garanti tipi verilmiş, ama garanti süresi “{value}”.",
    suggestion: "Süreye 12, 24 ya da 36 yazın; garanti yoksa tipi Garantisiz yapın.",
  },
  W_FORMULA: {
    message: "Hücrede bir formül var; son hesaplanan değer kullanıldı: “{value}”.",
  },
  W_MODEL_UNKNOWN: {
    message: "Bu markada “{value}” adında bir model yok; serbest metin olarak gönderilir.",
    suggestion: "Bunu mu demek istediniz: “{closest}”? Öyleyse hücreye bunu yazın.",
  },
  W_TEXT_CODES: {
    message: "“{header}” içinde HTML kodu var; yazıldığı gibi gönderilir: “{value}”.",
    suggestion: "Kastettiğiniz “{decoded}” ise hücreyi öyle yazın.",
  },
  W_MAP_HEADER: {
    message: "--map ile verilen “{value}” başlığı dosyada yok.",
  },
};
