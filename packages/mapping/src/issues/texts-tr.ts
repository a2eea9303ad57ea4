import type { IssueTexts } from "./codes.ts";
import { COLUMN_TEXTS_TR } from "./column-texts-tr.ts";
import { DEFAULT_TEXTS_TR } from "./default-texts.ts";
import { IMAGE_TEXTS_TR } from "./image-texts-tr.ts";
import { SHOWN_TEXTS_TR } from "./shown-texts-tr.ts";
import { VARIANT_TEXTS_TR } from "./variant-texts-tr.ts";

const PICK_BY_SUFFIX = "Şunlardan birini, köşeli ayraç içindeki ekiyle birlikte yazın: {names}";
/** One name, or several. */
const DID_YOU_MEAN = "{meant}";

/** Turkish issue texts. Values stand in quotes, so that no suffix must agree with them. */
export const TEXTS_TR: IssueTexts = {
  ...SHOWN_TEXTS_TR,
  ...IMAGE_TEXTS_TR,
  ...COLUMN_TEXTS_TR,
  ...DEFAULT_TEXTS_TR,
  ...VARIANT_TEXTS_TR,
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
