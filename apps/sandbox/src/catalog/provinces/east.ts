/** The East and the Southeast: provinces by plate code, with their districts. */
export const EAST: Readonly<Record<string, string>> = {
  "02 Adıyaman": "Besni, Çelikhan, Gerger, Gölbaşı, Kahta, Merkez, Samsat, Sincik, Tut",
  "04 Ağrı": "Diyadin, Doğubayazıt, Eleşkirt, Hamur, Merkez, Patnos, Taşlıçay, Tutak",
  "12 Bingöl": "Adaklı, Genç, Karlıova, Kiğı, Merkez, Solhan, Yayladere, Yedisu",
  "13 Bitlis": "Adilcevaz, Ahlat, Güroymak, Hizan, Merkez, Mutki, Tatvan",
  "21 Diyarbakır":
    "Bağlar, Bismil, Çermik, Çınar, Çüngüş, Dicle, Eğil, Ergani, Hani, Hazro, Kayapınar, Kocaköy, Kulp, Lice, Silvan, Sur, Yenişehir",
  "23 Elazığ":
    "Ağın, Alacakaya, Arıcak, Baskil, Karakoçan, Keban, Kovancılar, Maden, Merkez, Palu, Sivrice",
  "24 Erzincan": "Çayırlı, İliç, Kemah, Kemaliye, Merkez, Otlukbeli, Refahiye, Tercan, Üzümlü",
  "25 Erzurum":
    "Aşkale, Aziziye, Çat, Hınıs, Horasan, İspir, Karaçoban, Karayazı, Köprüköy, Narman, Oltu, Olur, Palandöken, Pasinler, Pazaryolu, Şenkaya, Tekman, Tortum, Uzundere, Yakutiye",
  "27 Gaziantep":
    "Araban, İslahiye, Karkamış, Nizip, Nurdağı, Oğuzeli, Şahinbey, Şehitkamil, Yavuzeli",
  "30 Hakkâri": "Çukurca, Derecik, Merkez, Şemdinli, Yüksekova",
  "36 Kars": "Akyaka, Arpaçay, Digor, Kağızman, Merkez, Sarıkamış, Selim, Susuz",
  "44 Malatya":
    "Akçadağ, Arapgir, Arguvan, Battalgazi, Darende, Doğanşehir, Doğanyol, Hekimhan, Kale, Kuluncak, Pütürge, Yazıhan, Yeşilyurt",
  "47 Mardin":
    "Artuklu, Dargeçit, Derik, Kızıltepe, Mazıdağı, Midyat, Nusaybin, Ömerli, Savur, Yeşilli",
  "49 Muş": "Bulanık, Hasköy, Korkut, Malazgirt, Merkez, Varto",
  "56 Siirt": "Baykan, Eruh, Kurtalan, Merkez, Pervari, Şirvan, Tillo",
  "62 Tunceli": "Çemişgezek, Hozat, Mazgirt, Merkez, Nazımiye, Ovacık, Pertek, Pülümür",
  "63 Şanlıurfa":
    "Akçakale, Birecik, Bozova, Ceylanpınar, Eyyübiye, Halfeti, Haliliye, Harran, Hilvan, Karaköprü, Siverek, Suruç, Viranşehir",
  "65 Van":
    "Bahçesaray, Başkale, Çaldıran, Çatak, Edremit, Erciş, Gevaş, Gürpınar, İpekyolu, Muradiye, Özalp, Saray, Tuşba",
  "72 Batman": "Beşiri, Gercüş, Hasankeyf, Kozluk, Merkez, Sason",
  "73 Şırnak": "Beytüşşebap, Cizre, Güçlükonak, İdil, Merkez, Silopi, Uludere",
  "75 Ardahan": "Çıldır, Damal, Göle, Hanak, Merkez, Posof",
  "76 Iğdır": "Aralık, Karakoyunlu, Merkez, Tuzluca",
  "79 Kilis": "Elbeyli, Merkez, Musabeyli, Polateli",
};
