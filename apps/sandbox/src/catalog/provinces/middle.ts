/** The Mediterranean and Central Anatolia: provinces by plate code, with their districts. */
export const MIDDLE: Readonly<Record<string, string>> = {
  "01 Adana":
    "Aladağ, Ceyhan, Çukurova, Feke, İmamoğlu, Karaisalı, Karataş, Kozan, Pozantı, Saimbeyli, Sarıçam, Seyhan, Tufanbeyli, Yumurtalık, Yüreğir",
  "06 Ankara":
    "Akyurt, Altındağ, Ayaş, Bala, Beypazarı, Çamlıdere, Çankaya, Çubuk, Elmadağ, Etimesgut, Evren, Gölbaşı, Güdül, Haymana, Kahramankazan, Kalecik, Keçiören, Kızılcahamam, Mamak, Nallıhan, Polatlı, Pursaklar, Sincan, Şereflikoçhisar, Yenimahalle",
  "07 Antalya":
    "Akseki, Aksu, Alanya, Demre, Döşemealtı, Elmalı, Finike, Gazipaşa, Gündoğmuş, İbradı, Kaş, Kemer, Kepez, Konyaaltı, Korkuteli, Kumluca, Manavgat, Muratpaşa, Serik",
  "15 Burdur":
    "Ağlasun, Altınyayla, Bucak, Çavdır, Çeltikçi, Gölhisar, Karamanlı, Kemer, Merkez, Tefenni, Yeşilova",
  "18 Çankırı":
    "Atkaracalar, Bayramören, Çerkeş, Eldivan, Ilgaz, Kızılırmak, Korgun, Kurşunlu, Merkez, Orta, Şabanözü, Yapraklı",
  "26 Eskişehir":
    "Alpu, Beylikova, Çifteler, Günyüzü, Han, İnönü, Mahmudiye, Mihalgazi, Mihalıççık, Odunpazarı, Sarıcakaya, Seyitgazi, Sivrihisar, Tepebaşı",
  "31 Hatay":
    "Altınözü, Antakya, Arsuz, Belen, Defne, Dörtyol, Erzin, Hassa, İskenderun, Kırıkhan, Kumlu, Payas, Reyhanlı, Samandağ, Yayladağı",
  "32 Isparta":
    "Aksu, Atabey, Eğirdir, Gelendost, Gönen, Keçiborlu, Merkez, Senirkent, Sütçüler, Şarkikaraağaç, Uluborlu, Yalvaç, Yenişarbademli",
  "33 Mersin":
    "Akdeniz, Anamur, Aydıncık, Bozyazı, Çamlıyayla, Erdemli, Gülnar, Mezitli, Mut, Silifke, Tarsus, Toroslar, Yenişehir",
  "38 Kayseri":
    "Akkışla, Bünyan, Develi, Felahiye, Hacılar, İncesu, Kocasinan, Melikgazi, Özvatan, Pınarbaşı, Sarıoğlan, Sarız, Talas, Tomarza, Yahyalı, Yeşilhisar",
  "40 Kırşehir": "Akçakent, Akpınar, Boztepe, Çiçekdağı, Kaman, Merkez, Mucur",
  "42 Konya":
    "Ahırlı, Akören, Akşehir, Altınekin, Beyşehir, Bozkır, Cihanbeyli, Çeltik, Çumra, Derbent, Derebucak, Doğanhisar, Emirgazi, Ereğli, Güneysınır, Hadim, Halkapınar, Hüyük, Ilgın, Kadınhanı, Karapınar, Karatay, Kulu, Meram, Sarayönü, Selçuklu, Seydişehir, Taşkent, Tuzlukçu, Yalıhüyük, Yunak",
  "46 Kahramanmaraş":
    "Afşin, Andırın, Çağlayancerit, Dulkadiroğlu, Ekinözü, Elbistan, Göksun, Nurhak, Onikişubat, Pazarcık, Türkoğlu",
  "50 Nevşehir": "Acıgöl, Avanos, Derinkuyu, Gülşehir, Hacıbektaş, Kozaklı, Merkez, Ürgüp",
  "51 Niğde": "Altunhisar, Bor, Çamardı, Çiftlik, Merkez, Ulukışla",
  "58 Sivas":
    "Akıncılar, Altınyayla, Divriği, Doğanşar, Gemerek, Gölova, Gürün, Hafik, İmranlı, Kangal, Koyulhisar, Merkez, Suşehri, Şarkışla, Ulaş, Yıldızeli, Zara",
  "66 Yozgat":
    "Akdağmadeni, Aydıncık, Boğazlıyan, Çandır, Çayıralan, Çekerek, Kadışehri, Merkez, Saraykent, Sarıkaya, Sorgun, Şefaatli, Yenifakılı, Yerköy",
  "68 Aksaray": "Ağaçören, Eskil, Gülağaç, Güzelyurt, Merkez, Ortaköy, Sarıyahşi, Sultanhanı",
  "70 Karaman": "Ayrancı, Başyayla, Ermenek, Kazımkarabekir, Merkez, Sarıveliler",
  "71 Kırıkkale":
    "Bahşılı, Balışeyh, Çelebi, Delice, Karakeçili, Keskin, Merkez, Sulakyurt, Yahşihan",
  "80 Osmaniye": "Bahçe, Düziçi, Hasanbeyli, Kadirli, Merkez, Sumbas, Toprakkale",
};
