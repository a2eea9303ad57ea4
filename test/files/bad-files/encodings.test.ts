/** Random files as sellers save them, in the encodings of old programs, from seeds. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Lang } from "@catalog/i18n";
import { openSheet, SheetError } from "@catalog/sheets";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";

import { readBytes } from "./read-file.ts";

/** Words that Turkish sellers write: products, materials, colors, brands, headers. */
const listOf = (text: string): readonly string[] =>
  text
    .split(/[|\n]/u)
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** Names of products. */
const PRODUCTS: readonly string[] = listOf(`
  Çelik Tencere | Düdüklü Tencere | Tava | Kızartma Tavası | Çaydanlık | Cezve | Fincan Takımı | Kahve Fincanı
  Su Bardağı | Çay Bardağı | Sürahi | Kavanoz | Baharatlık | Ekmek Kutusu | Kaşık | Çatal | Bıçak Seti | Kepçe
  Rende | Süzgeç | Merdane | Kesme Tahtası | Hamur Teknesi | Yağdanlık | Şekerlik | Tuzluk | Peçetelik | Tepsi
  Kase | Servis Tabağı | Yemek Takımı | Kahvaltı Takımı | Nevresim Takımı | Çarşaf | Yastık | Yorgan | Battaniye
  Pike | Havlu | Bornoz | Paspas | Halı | Kilim | Perde | Tül Perde | Stor Perde | Masa Örtüsü | Koltuk Örtüsü
  Runner | Kırlent | Minder | Ayna | Duvar Saati | Çerçeve | Vazo | Şamdan | Mum | Tablo | Avize | Abajur
  Lambader | Gece Lambası | Ampul | Uzatma Kablosu | Priz | Anahtar | Elbise | Gömlek | Tişört | Kazak | Hırka
  Yelek | Ceket | Mont | Kaban | Pardösü | Yağmurluk | Pantolon | Şort | Etek | Eşofman Altı | Eşofman Takımı
  Pijama Takımı | Gecelik | Sabahlık | İç Çamaşırı | Külot | Sütyen | Atlet | Boxer | Çorap | Külotlu Çorap
  Kravat | Papyon | Kemer | Cüzdan | El Çantası | Sırt Çantası | Omuz Çantası | Bel Çantası | Valiz | Şapka
  Bere | Atkı | Şal | Eşarp | Eldiven | Güneş Gözlüğü | Kol Saati | Küpe | Kolye | Yüzük | Bilezik | Bileklik
  Ayakkabı | Spor Ayakkabı | Çizme | Bot | Terlik | Sandalet | Babet | Topuklu Ayakkabı | Patik | Buzdolabı
  Çamaşır Makinesi | Bulaşık Makinesi | Kurutma Makinesi | Fırın | Mikrodalga Fırın | Ocak | Davlumbaz | Klima
  Vantilatör | Isıtıcı | Elektrikli Süpürge | Dikey Süpürge | Robot Süpürge | Ütü | Buharlı Ütü | Ütü Masası
  Blender Seti | Mutfak Robotu | Mikser | Rondo | Tost Makinesi | Ekmek Kızartma Makinesi | Kahve Makinesi
  Türk Kahvesi Makinesi | Su Isıtıcısı | Çay Makinesi | Fritöz | Yoğurt Makinesi | Saç Kurutma Makinesi
  Saç Düzleştirici | Saç Maşası | Tıraş Makinesi | Epilatör | Tartı | Televizyon | Kulaklık | Hoparlör | Kumanda
  Telefon Kılıfı | Ekran Koruyucu | Şarj Aleti | Şarj Kablosu | Powerbank | Klavye | Fare | Fare Altlığı
  Dizüstü Bilgisayar | Masaüstü Bilgisayar | Tablet | Yazıcı | Yazıcı Kartuşu | Tarayıcı | Modem | Yönlendirici
  Bellek Kartı | Taşınabilir Disk | Kamera | Tripod | Fotoğraf Makinesi | Oyun Konsolu | Oyuncak Araba
  Oyuncak Bebek | Peluş Ayı | Yapboz | Kutu Oyunu | Satranç Takımı | Tavla | Boyama Kitabı | Hikâye Kitabı
  Roman | Şiir Kitabı | Sözlük | Ajanda | Defter | Kalem | Kurşun Kalem | Dolma Kalem | Tükenmez Kalem | Silgi
  Kalemtıraş | Cetvel | Pergel | Makas | Yapıştırıcı | Zımba | Dosya | Klasör | Kâğıt | Fotokopi Kâğıdı | Zarf
  Beslenme Çantası | Matara | Bebek Arabası | Bebek Bezi | Islak Mendil | Biberon | Emzik | Mama Sandalyesi
  Beşik | Park Yatak | Oto Koltuğu | Ana Kucağı | Yürüteç | Diş Fırçası | Diş Macunu | Şampuan | Saç Kremi
  Duş Jeli | Sabun | Sıvı Sabun | El Kremi | Yüz Kremi | Güneş Kremi | Nemlendirici | Deodorant | Parfüm | Ruj
  Rimel | Göz Kalemi | Fondöten | Allık | Far Paleti | Oje | Makyaj Fırçası | Pamuk | Tırnak Makası | Cımbız
  Deterjan | Yumuşatıcı | Çamaşır Suyu | Yüzey Temizleyici | Bulaşık Süngeri | Çöp Kovası | Çöp Torbası | Mop
  Kova | Fırça | Faraş | Merdiven | Çamaşır Askısı | Çamaşır Sepeti | Ütü Bezi | Mandal | Çekmece | Dolap
  Gardırop | Şifonyer | Komodin | Karyola | Baza | Yatak | Ranza | Koltuk Takımı | Köşe Takımı | Kanepe | Berjer
  Sehpa | Zigon Sehpa | Yemek Masası | Sandalye | Tabure | Bar Sandalyesi | Vitrin | Konsol | Kitaplık | Raf
  Ayakkabılık | Portmanto | Çalışma Masası | Ofis Koltuğu | Bahçe Mobilyası | Salıncak | Şezlong | Hamak
  Mangal | Çadır | Uyku Tulumu | Termos | Kamp Sandalyesi | Fener | El Feneri | Çakı | Olta | Misina | Bisiklet
  Kask | Dizlik | Kaykay | Paten | Dambıl | Koşu Bandı | Yoga Matı | Pilates Topu | Futbol Topu | Voleybol Topu
  Krampon | Tekmelik | Raket | Dart | Bilardo | Yüzücü Gözlüğü | Bone | Mayo | Bikini | Deniz Havlusu | Şnorkel
  Matkap | Tornavida Seti | Çekiç | Pense | İngiliz Anahtarı | Testere | Zımpara | Vida | Dübel | Çivi | Menteşe
  Kapı Kolu | Kilit | Musluk | Batarya | Duş Başlığı | Klozet Kapağı | Lavabo | Sifon | Boya | Fırça Seti | Rulo
  Silikon | Köpük | Şerit Metre | Su Terazisi | Kaynak Makinesi | Jeneratör | Hortum | Fıskiye | Tohum | Saksı
  Toprak | Gübre | Budama Makası | Çim Biçme Makinesi | Kedi Maması | Köpek Maması | Kuş Yemi | Akvaryum | Tasma
  Kedi Kumu | Kuş Kafesi | Lastik | Jant | Silecek | Akü | Motor Yağı | Antifriz | Oto Paspas | Koltuk Kılıfı
  Direksiyon Kılıfı | Oto Kokusu | Zeytinyağı | Bal | Reçel | Pekmez | Tahin | Zeytin | Peynir | Sucuk | Salça
  Makarna | Bulgur | Pirinç | Mercimek | Nohut | Kuru Fasulye | Un | Şeker | Tuz | Çay | Türk Kahvesi | Bisküvi
  Çikolata | Lokum | Cevizli Sucuk | Fındık | Fıstık | Badem | Ceviz | Kuru Üzüm | Kuru İncir | Kuru Kayısı | Kek
  Süt | Ayran | Maden Suyu | Meyve Suyu | Şalgam | Turşu | Sirke | Nar Ekşisi | Kırmızı Biber | Karabiber | Kekik
  Nane | Kimyon | Tarçın | Zencefil | Ihlamur | Adaçayı | Papatya | Gül Suyu | Tespih | Seccade | Takvim | Pusula
  Dürbün | Büyüteç | Mikroskop | Teleskop | Bağlama | Gitar | Keman | Ney | Flüt | Darbuka | Mızıka | Org | Pikap
`);

/** Adjectives before or after the name of a product. */
const QUALITIES: readonly string[] = listOf(`
  Kırmızı | Mavi | Yeşil | Sarı | Siyah | Beyaz | Gri | Mor | Pembe | Turuncu | Lacivert | Bordo | Kahverengi | Bej
  Krem | Altın | Gümüş | Bakır | Füme | Haki | Ekru | Fuşya | Lila | Turkuaz | Pudra | Antrasit | Vizon | Küçük
  Büyük | Orta Boy | Geniş | Dar Kesim | Uzun | Kısa | Kalın | İnce | Hafif | Ağır | Yumuşak | Sert | Esnek | Dayanıklı
  Paslanmaz Çelik | Döküm | Granit | Seramik | Porselen | Cam | Ahşap | Bambu | Plastik | Deri | Suni Deri | Süet
  Pamuklu | Keten | İpek | Yün | Kadife | Saten | Polyester | Denim | Örgü | Çizgili | Kareli | Desenli | Düz Renk
  Baskılı | Nakışlı | Dantelli | Fermuarlı | Düğmeli | Kapüşonlu | Bisiklet Yaka | V Yaka | Polo Yaka | Kısa Kollu
  Uzun Kollu | Kolsuz | Erkek | Kadın | Unisex | Çocuk | Kız Çocuk | Erkek Çocuk | Bebek | Genç | 2'li | 3'lü | 4'lü
  6'lı | 12'li | Tekli | İkili | Üçlü | Dörtlü | Altılı | 500 ml | 1 Lt | 2,5 kg | 250 gr | 50x70 cm | 160x230 cm
  Su Geçirmez | Rüzgâr Geçirmez | Isıya Dayanıklı | Kablosuz | Şarjlı | Akıllı | Dijital | Otomatik | Manuel | Taşınabilir
  Katlanır | Ayarlanabilir | Çok Amaçlı | Profesyonel | El Yapımı | Doğal | Organik | Glutensiz | Şekersiz | Vegan | Yerli
  İthal | Özel Üretim | Yeni Sezon | Yazlık | Kışlık | Mevsimlik | Günlük | Gece | Klasik | Modern | Vintage | Retro | Şık
  Rahat | Ortopedik | Antibakteriyel | Leke Tutmaz | Kaymaz Taban | Ekonomik Paket | Hediyelik | Çeyizlik | Lüks | Sade
`);

/** Turkish brands. */
const BRANDS: readonly string[] = listOf(`
  Ülker | İnci | Arçelik | Beko | Vestel | Karaca | Paşabahçe | Kütahya Porselen | English Home | Taç | Özdilek
  Koçtaş | Boyner | Mavi | Koton | Defacto | İpekyol | Vakko | Beymen | Kiğılı | Altınyıldız | Damat | Derimod | Hotiç
  Flo | Kinetix | Lumberjack | Arzum | Fakir | Sinbo | Fantom | Profilo | Uğur | Şenocak | Çilek | Doğtaş | İstikbal
  Bellona | Yataş | İşbir | Eti | Torku | Pınar | Sütaş | İçim | Tat | Tukaş | Tamek | Dimes | Uludağ | Kızılay | Çaykur
  Doğuş | Ofçay | Mehmet Efendi | Kahve Dünyası | Eyüp Sabri Tuncer | Dalan | Arko | Hacı Şakir | Bingo | Peros | Viking
  Faber | Adel | Gıpta | Mas | Noki | Keskin Color | Kukuyaya | Sarar | Ramsey | Pierre Cardin | Öncü | Tiryaki | Bizim
`);

/** Foreign brands and words that sellers in Turkey keep as they are. */
const FOREIGN: Readonly<Record<"french" | "german" | "nordic" | "spanish", readonly string[]>> = {
  french: listOf(`
      Crème Brûlée | Café Noir | Lancôme | L'Oréal | Nescafé | Nestlé | Citroën | Hermès | Chloé | Estée | Avène
      Garnier Ambre Solaire | Bébé | Château | Crêpe | Fête | Naïve | Éclair | À la Carte | Hôtel | Nuxe Rêve | Décor
      Parfumerie Française | Prêt-à-Porter | Cœur | Sœur | Guérlain | Bioré | Moët | Céline | Élysée | Chérie | Purée
    `),
  german: listOf(`
      Weiß | Größe | Süß | Müller | Köln | Schön | Grün | Käse | Löwe | Bär | Spaß | Straße | Fußball | Für Kinder
      Häagen | Jägermeister | Dr. Böhm | Künzli | Röhre | Schlüssel | Überzug | Tür | Möbel | Gläser | Küche | Würth
      Bündel | Größer | Außen | Mädchen | Kärcher | Zürich | Düsseldorf | Österreich | Ärmel | Öko | Über
    `),
  nordic: listOf(`
      Røde | Ålborg | Bjørn | Fjällräven | Håg | Kähler | Søstrene | Smørrebrød | Grønn | Hästens | Svärd | Lövbacken
      Ikea Förhöja | Pärlband | Hjärta | Østerbro | Æble | Ærø | Blå | Små | Sjö | Malmö | Åhléns | Göteborg | Tromsø
    `),
  spanish: listOf(`
      Jalapeño | Málaga | España | Señor | Niño | Piñata | Año | Corazón | Fútbol | Cigüeña | José | Andalucía | Ibérico
      São Paulo | Açaí | Pão | Maçã | Coração | Dulcería | Ratón | Último | Águila | Ñandú | Barça | Peñarol | Turrón
    `),
};

/** English and ASCII Turkish words, which do not tell an encoding. */
const PLAIN: readonly string[] = listOf(`
  Masa | Kalem | Tava | Havlu | Perde | Saat | Kazak | Ceket | Etek | Kemer | Valiz | Bot | Terlik | Sandalet
  Wireless Mouse | Gaming Headset | Bluetooth Speaker | Power Bank 10000 mAh | USB Hub | HDMI Kablo | SSD 1 TB
  Slim Fit Jean | Oversize Sweatshirt | Basic Body | Sneaker | Running Shoes | Yoga Mat | Water Bottle | Notebook
  Smart Watch | Fitness Tracker | Action Figure | Lego Technic | Puzzle 1000 | Monopoly | Uno | Domino | Robot
  Samsung Galaxy A55 | iPhone 15 Pro Max | Xiaomi Redmi Note 13 | LC Waikiki | Nike Air Max | Adidas Samba | Puma
  Lavabo | Musluk | Vida | Pense | Testere | Matkap | Hortum | Saksi | Toprak | Tohum | Kedi | Tasma | Akvaryum
  Bal | Pekmez | Tahin | Zeytin | Peynir | Makarna | Bulgur | Nohut | Tuz | Kek | Ayran | Sirke | Kekik | Nane
`);

const HEADERS: Readonly<Record<"ascii" | "turkish", readonly string[]>> = {
  ascii: ["product_code", "title", "price", "stock", "brand", "description"],
  turkish: ["Ürün Kodu", "Başlık", "Satış Fiyatı", "Stok", "Marka", "Açıklama"],
};

const SAVED_AS = ["windows-1254", "windows-1252", "cp857", "macturkish", "utf-8-twice"] as const;
type SavedAs = (typeof SAVED_AS)[number];

/** A file, and the texts that a person reads in it. */
interface EncodingFile {
  readonly savedAs: SavedAs;
  readonly bytes: Buffer;
  /** Cells of header and rows. */
  readonly cells: readonly (readonly string[])[];
  /** Parameters of the random file, for messages. */
  readonly drawn: string;
}

type Random = () => number;
type Casing = "title" | "upper" | "lower" | "mixed";

const CASINGS: readonly Casing[] = ["title", "upper", "lower", "mixed"];
const HEADER_KINDS = ["ascii", "turkish", "upper"] as const;
/** Numbers of rows; small files are the hard ones. */
const SIZES = [1, 1, 2, 2, 3, 3, 5, 5, 10, 10, 30, 100, 300, 1000] as const;
/** Share of cells that may hold letters beyond ASCII; 0 is one such cell in the whole file. */
const SHARES = [0, 0.05, 0.3, 0.7, 0.95] as const;

/** Share of Turkish lists that name foreign brands. */
const FOREIGN_SHARE = 0.2;

/** Mulberry32: the same sequence for the same seed. */
function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Creates the file of a seed. */
function drawFile(seed: number, savedAs: SavedAs, maxRows = 1_000): EncodingFile {
  const random = createRandom(seed);
  const size = Math.min(maxRows, pick(random, SIZES));
  const casing = pick(random, CASINGS);
  const share = pick(random, SHARES);
  const headers = pick(random, HEADER_KINDS);
  const words = savedAs === "windows-1252" ? drawForeign(random) : drawTurkish(random, savedAs);
  const drawRow = createRowDrawer(random, { casing, share, words });
  const single = share === 0 ? Math.floor(random() * size) : -1;
  const rows = Array.from({ length: size }, (_, index) => drawRow(index, index === single));
  const cells = [drawHeader(savedAs === "windows-1252" ? "ascii" : headers), ...rows];
  const text = cells.map((row) => row.map(quoted).join(";")).join("\r\n");
  const drawn = [savedAs, `seed ${seed}`, `${size} rows`, casing, share, headers].join(", ");
  return { savedAs, bytes: encode(text, savedAs, random), cells, drawn };
}

interface Words {
  readonly titles: () => string;
  readonly brands: readonly string[];
  /** Words with exactly one letter beyond ASCII. */
  readonly single: readonly string[];
  /** Language of the program that changed their case. */
  readonly locale: Lang;
}

const LANGUAGES = ["french", "german", "nordic", "spanish"] as const;

function drawForeign(random: Random): Words {
  const brands = FOREIGN[pick(random, LANGUAGES)];
  const titles = (): string => `${pick(random, PLAIN)} ${pick(random, brands)}`;
  return { titles, brands, single: brands.filter(hasOneLetter), locale: "en" };
}

function drawTurkish(random: Random, savedAs: SavedAs): Words {
  // Other old programs of Turkey do not write foreign brands.
  const foreign = savedAs === "windows-1254" ? Object.values(FOREIGN).flat() : [];
  const titles = (): string => `${pick(random, QUALITIES)} ${pick(random, PRODUCTS)}`;
  const brands = random() < FOREIGN_SHARE ? [...BRANDS, ...foreign] : BRANDS;
  const single = [...PRODUCTS, ...QUALITIES, ...BRANDS].filter(hasOneLetter);
  return { titles, brands, single, locale: "tr" };
}

const hasOneLetter = (word: string): boolean => word.replaceAll(/[\0-\u007f]/gu, "").length === 1;

interface RowOptions {
  readonly casing: Casing;
  readonly share: number;
  readonly words: Words;
}

function createRowDrawer(
  random: Random,
  { casing, share, words }: RowOptions,
): (index: number, isSingle: boolean) => readonly string[] {
  const drawCased = (text: string): string => {
    const drawn = casing === "mixed" ? pick(random, CASINGS) : casing;
    return toCase(text, drawn, PLAIN_TEXTS.has(text) ? "en" : words.locale);
  };
  const drawTitle = (isSingle: boolean, hasLetters: boolean): string => {
    if (isSingle) return pick(random, words.single);
    return hasLetters ? words.titles() : pick(random, PLAIN);
  };
  return (index, isSingle) => {
    const hasLetters = random() < share;
    const brands = hasLetters && random() < 0.7 ? words.brands : PLAIN;
    const note = hasLetters && random() < 0.3 ? `${words.titles()}, ${words.titles()}` : "";
    return [
      `KOD-${index + 1}`,
      drawCased(drawTitle(isSingle, hasLetters)),
      `${Math.floor(random() * 900) + 10},90`,
      String(Math.floor(random() * 50)),
      drawCased(pick(random, brands)),
      drawCased(note),
    ];
  };
}

function toCase(text: string, casing: Casing, locale: Words["locale"]): string {
  if (casing === "upper") return text.toLocaleUpperCase(locale);
  return casing === "lower" ? text.toLocaleLowerCase(locale) : text;
}

/** Words that stay ASCII in every case. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set(PLAIN);

function drawHeader(kind: (typeof HEADER_KINDS)[number]): readonly string[] {
  if (kind !== "upper") return HEADERS[kind];
  return HEADERS.turkish.map((text) => toCase(text, "upper", "tr"));
}

const quoted = (cell: string): string => (/[;"]/u.test(cell) ? `"${cell}"` : cell);

/** Encodings that programs have mistaken UTF-8 for. */
const TAKEN_FOR = ["windows-1252", "windows-1254", "windows-1250"] as const;

function encode(text: string, savedAs: SavedAs, random: Random): Buffer {
  if (savedAs !== "utf-8-twice") {
    const bytes = iconv.encode(text, savedAs);
    if (iconv.decode(bytes, savedAs) !== text)
      throw new Error(`${savedAs} cannot hold all letters`);
    return bytes;
  }
  return Buffer.from(new TextDecoder(pick(random, TAKEN_FOR)).decode(Buffer.from(text)));
}

const ROWS = [
  ["Ürün Kodu", "Başlık", "Açıklama", "Fiyat"],
  ["00123", "Çelik kaşık, 6'lı", "Paslanmaz; ılık suda\nyıkayın", "1.299,90"],
  ["1-2", "ŞEKERLİK | İNCE", "Gümüş\tığdır “özel”".replaceAll(/[“”]/g, ""), "19,90"],
  ["8690000000000", "Düğme", "Öğütücü ve çığ", "5,00"],
] as const;

const ENCODINGS = [
  ["utf-8", "utf8", false],
  ["utf-8", "utf8", true],
  ["utf-16le", "utf-16le", true],
  ["utf-16le", "utf-16le", false],
  ["utf-16be", "utf-16be", true],
  ["utf-16be", "utf-16be", false],
  ["windows-1254", "windows-1254", false],
  ["windows-1254", "iso-8859-9", false],
  ["cp857", "cp857", false],
  ["macturkish", "macturkish", false],
] as const;

/** Every cell is quoted, because every delimiter occurs in some cell. */
const textWith = (delimiter: string): string =>
  ROWS.map((row) => row.map((cell) => `"${cell}"`).join(delimiter)).join("\r\n");

describe("one Turkish file", () => {
  for (const [expected, encoding, addBOM] of ENCODINGS) {
    for (const delimiter of [";", ",", "\t", "|"]) {
      const mark = addBOM ? " with a mark" : "";
      it(`reads the same in ${encoding}${mark}, split by ${JSON.stringify(delimiter)}`, async () => {
        const bytes = iconv.encode(textWith(delimiter), encoding, { addBOM });

        const { guesses, header, rows } = await readBytes("a.csv", bytes);

        expect(guesses).toEqual({ encoding: expected, delimiter, headerRow: 1 });
        expect([header, ...rows.map(({ cells }) => cells)]).toEqual(ROWS);
      });
    }
  }

  it("reads the same when its encoding is given", async () => {
    for (const [, encoding, addBOM] of ENCODINGS) {
      const bytes = iconv.encode(textWith(";"), encoding, { addBOM });

      const { header } = await readBytes("a.csv", bytes, { encoding });

      expect(header).toEqual(ROWS[0]);
    }
  });

  it("is recognized in its encoding by few letters", async () => {
    for (const [expected, encoding] of ENCODINGS.slice(6)) {
      for (const text of ["Kod;Ad\n1;Kaşık\n", "Kod;Ad\n1;GÜMÜŞ ÇATAL\n", "Kod;Başlık\n1;a\n"]) {
        const { guesses, rows, header } = await readBytes("a.csv", iconv.encode(text, encoding));

        const cells = [header, ...rows.map((row) => row.cells)];
        expect([text, guesses.encoding, cells.map((row) => row.join(";")).join("\n")]).toEqual([
          text,
          expected,
          text.trim(),
        ]);
      }
    }
  });

  it("is recognized with its headers below a title and blank lines", async () => {
    const text = `Stok raporu\n\n"Mağaza";\n\n${"\n".repeat(3)}${textWith(";")}`;

    const { guesses, header } = await readBytes("a.csv", text);

    expect([guesses.headerRow, header]).toEqual([8, ROWS[0]]);
  });
});

/* Reads random files of every encoding as the program does, and counts the outcomes. */

/** Files in one encoding by outcome: read as written, asked about, or read as something else. */
interface EncodingCounts {
  right: number;
  asked: number;
  wrong: number;
}

interface Played {
  readonly tallies: ReadonlyMap<SavedAs, EncodingCounts>;
  /** Files that were read wrong without a question; there must be none. */
  readonly wrong: readonly string[];
}

interface PlayOptions {
  /** Number of files over all encodings. */
  readonly files: number;
  readonly firstSeed: number;
  /** @default files have up to 1,000 rows */
  readonly maxRows?: number;
}

async function playEncodings(options: PlayOptions): Promise<Played> {
  const { files, firstSeed, maxRows } = options;
  const tallies = new Map(SAVED_AS.map((savedAs) => [savedAs, { right: 0, asked: 0, wrong: 0 }]));
  const wrong: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "encodings-"));
  try {
    for (let index = 0; index < files; index += 1) {
      const savedAs = SAVED_AS[index % SAVED_AS.length] ?? "windows-1254";
      const file = drawFile(firstSeed + index, savedAs, maxRows);
      const outcome = await readFile(join(folder, "a.csv"), file);
      const counts = tallies.get(savedAs);
      if (counts !== undefined) counts[outcome] += 1;
      if (outcome === "wrong") wrong.push(file.drawn);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { tallies, wrong };
}

async function readFile(path: string, file: EncodingFile): Promise<keyof EncodingCounts> {
  writeFileSync(path, file.bytes);
  try {
    await using sheet = await openSheet({ path });
    const rows = await Array.fromAsync(sheet.rows(), ({ cells }) => cells);
    const texts = [sheet.header.cells, ...rows].map((cells) => cells.map((cell) => cell ?? ""));
    return JSON.stringify(texts) === JSON.stringify(file.cells) ? "right" : "wrong";
  } catch (error) {
    if (error instanceof SheetError && error.code === "E_ENCODING_UNSURE") return "asked";
    throw error;
  }
}

const FILES = 1_000;
/** Maximum share of files in Excel's encoding that need a question. */
const MAX_ASKED = 0.01;

it("no file of a seller is read as something else without a question, and Excel's files seldom need one", async () => {
  const { tallies, wrong } = await playEncodings({ files: FILES, firstSeed: 1, maxRows: 50 });

  expect(wrong).toEqual([]);
  const { right = 0, asked = 0 } = tallies.get("windows-1254") ?? {};
  expect(asked).toBeLessThanOrEqual((right + asked) * MAX_ASKED);
});
