/**
 * Words that Turkish sellers write in their sheets: products, materials, colors, brands, headers.
 */

const listOf = (text: string): readonly string[] =>
  text
    .split(/[|\n]/u)
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** Names of products. */
export const PRODUCTS: readonly string[] = listOf(`
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
export const QUALITIES: readonly string[] = listOf(`
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
export const BRANDS: readonly string[] = listOf(`
  Ülker | İnci | Arçelik | Beko | Vestel | Karaca | Paşabahçe | Kütahya Porselen | English Home | Taç | Özdilek
  Koçtaş | Boyner | Mavi | Koton | Defacto | İpekyol | Vakko | Beymen | Kiğılı | Altınyıldız | Damat | Derimod | Hotiç
  Flo | Kinetix | Lumberjack | Arzum | Fakir | Sinbo | Fantom | Profilo | Uğur | Şenocak | Çilek | Doğtaş | İstikbal
  Bellona | Yataş | İşbir | Eti | Torku | Pınar | Sütaş | İçim | Tat | Tukaş | Tamek | Dimes | Uludağ | Kızılay | Çaykur
  Doğuş | Ofçay | Mehmet Efendi | Kahve Dünyası | Eyüp Sabri Tuncer | Dalan | Arko | Hacı Şakir | Bingo | Peros | Viking
  Faber | Adel | Gıpta | Mas | Noki | Keskin Color | Kukuyaya | Sarar | Ramsey | Pierre Cardin | Öncü | Tiryaki | Bizim
`);

/** Foreign brands and words that sellers in Turkey keep as they are. */
export const FOREIGN: Readonly<
  Record<"french" | "german" | "nordic" | "spanish", readonly string[]>
> = {
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
export const PLAIN: readonly string[] = listOf(`
  Masa | Kalem | Tava | Havlu | Perde | Saat | Kazak | Ceket | Etek | Kemer | Valiz | Bot | Terlik | Sandalet
  Wireless Mouse | Gaming Headset | Bluetooth Speaker | Power Bank 10000 mAh | USB Hub | HDMI Kablo | SSD 1 TB
  Slim Fit Jean | Oversize Sweatshirt | Basic Body | Sneaker | Running Shoes | Yoga Mat | Water Bottle | Notebook
  Smart Watch | Fitness Tracker | Action Figure | Lego Technic | Puzzle 1000 | Monopoly | Uno | Domino | Robot
  Samsung Galaxy A55 | iPhone 15 Pro Max | Xiaomi Redmi Note 13 | LC Waikiki | Nike Air Max | Adidas Samba | Puma
  Lavabo | Musluk | Vida | Pense | Testere | Matkap | Hortum | Saksi | Toprak | Tohum | Kedi | Tasma | Akvaryum
  Bal | Pekmez | Tahin | Zeytin | Peynir | Makarna | Bulgur | Nohut | Tuz | Kek | Ayran | Sirke | Kekik | Nane
`);

export const HEADERS: Readonly<Record<"ascii" | "turkish", readonly string[]>> = {
  ascii: ["product_code", "title", "price", "stock", "brand", "description"],
  turkish: ["Ürün Kodu", "Başlık", "Satış Fiyatı", "Stok", "Marka", "Açıklama"],
};
