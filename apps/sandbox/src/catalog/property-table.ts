/** The properties of categories, each with its options. */

import { type CategoryProperty, propertyId, propertyOptionId } from "@catalog/contract";

import { createHashedId } from "./hashed-id.ts";
import { foldName } from "./name-search.ts";
import { splitNames } from "./names.ts";

const OPTIONS: Readonly<Record<string, string>> = {
  Renk: "Siyah, Beyaz, Gri, Kırmızı, Lacivert, Mavi, Yeşil, Sarı, Turuncu, Mor, Pembe, Bej, Kahverengi, Gümüş, Altın, Şeffaf, Çok Renkli",
  Beden: "XS, S, M, L, XL, XXL, 3XL, Standart",
  Numara: "36, 37, 38, 39, 40, 41, 42, 43, 44, 45",
  Materyal:
    "Pamuk, Polyester, Yün, Keten, İpek, Deri, Suni Deri, Ahşap, Cam, Porselen, Paslanmaz Çelik, Alüminyum, Plastik, Silikon, Gümüş",
  "Parça Sayısı": "1, 2, 4, 6, 12, 18, 24, 36, 48",
  Tarz: "Modern, Klasik, Rustik, İskandinav, Vintage",
  Güç: "400 W, 700 W, 1000 W, 1500 W, 1800 W, 2200 W, 2600 W",
  "Enerji Sınıfı": "A, B, C, D, E",
  Kapasite: "0,5 L, 1 L, 1,7 L, 3 L, 5 L, 10 L",
  Ölçü: "Küçük, Orta, Büyük, Ekstra Büyük",
  Hafıza: "32 GB, 64 GB, 128 GB, 256 GB, 512 GB, 1 TB",
  "Ekran Boyutu": "6,1 inç, 10,5 inç, 15,6 inç, 27 inç, 43 inç, 55 inç, 65 inç",
  Bağlantı: "Bluetooth, Wi-Fi, USB-C, HDMI, Kablolu, Kablosuz",
  "Uyumlu Araç": "Otomobil, Kamyonet, Minibüs, Motosiklet, Universal",
  Kalıp: "Dar, Normal, Bol, Oversize",
  Desen: "Düz, Çizgili, Kareli, Çiçekli, Puantiyeli",
  Taş: "Taşsız, Zirkon, İnci, Akik, Firuze",
  Hacim: "50 ml, 100 ml, 250 ml, 400 ml, 750 ml, 1 L, 5 L",
  "Cilt Tipi": "Normal, Kuru, Yağlı, Karma, Hassas",
  "Yaş Grubu": "0-6 Ay, 6-12 Ay, 1-3 Yaş, 3-6 Yaş, 6+ Yaş",
  Ağırlık: "250 g, 500 g, 1 kg, 2,5 kg, 5 kg",
  Adet: "1, 2, 4, 8, 12, 24, 32",
};

/** The property of this name with its options. */
export function createProperty(name: string): CategoryProperty {
  const options = OPTIONS[name];
  if (options === undefined) throw new RangeError(`no property is named ${name}`);
  return {
    id: propertyId.parse(createHashedId("property", name)),
    name,
    property_options: splitNames(options).map((option) => ({
      id: propertyOptionId.parse(createHashedId("option", name, option)),
      display_name: option,
      tag: foldName(option).replaceAll(/[^a-z0-9]+/gu, "-"),
    })),
  };
}
