/** Turkish texts about cells that display something other than they hold. */

import type { ShownTexts } from "./codes.ts";

const RETYPE =
  "Doğru olanı hücreye yeniden yazın; metinlerde hücre biçimi Metin, sayılarda Genel olsun.";

const RETYPE_CODE =
  "Hücrenin biçimini Metin yapıp asıl kodu yeniden yazın. Kod gerçekten buysa dosyayı --allow code-suspect ile yeniden yükleyin ya da held.xlsx içinde Onay hücresine Evet yazıp kaydedin, sonra: catalog release <çalıştırma> --approved held.xlsx";

export const SHOWN_TEXTS_TR: ShownTexts = {
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
};
