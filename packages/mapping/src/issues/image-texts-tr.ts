/** Turkish texts of issues with images. */

import type { ImageTexts } from "./codes.ts";

export const IMAGE_TEXTS_TR: ImageTexts = {
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
};
