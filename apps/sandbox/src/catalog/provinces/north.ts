/** The Black Sea: provinces by plate code, with their districts. */
export const NORTH: Readonly<Record<string, string>> = {
  "05 Amasya": "Göynücek, Gümüşhacıköy, Hamamözü, Merkez, Merzifon, Suluova, Taşova",
  "08 Artvin": "Ardanuç, Arhavi, Borçka, Hopa, Kemalpaşa, Merkez, Murgul, Şavşat, Yusufeli",
  "14 Bolu": "Dörtdivan, Gerede, Göynük, Kıbrıscık, Mengen, Merkez, Mudurnu, Seben, Yeniçağa",
  "19 Çorum":
    "Alaca, Bayat, Boğazkale, Dodurga, İskilip, Kargı, Laçin, Mecitözü, Merkez, Oğuzlar, Ortaköy, Osmancık, Sungurlu, Uğurludağ",
  "28 Giresun":
    "Alucra, Bulancak, Çamoluk, Çanakçı, Dereli, Doğankent, Espiye, Eynesil, Görele, Güce, Keşap, Merkez, Piraziz, Şebinkarahisar, Tirebolu, Yağlıdere",
  "29 Gümüşhane": "Kelkit, Köse, Kürtün, Merkez, Şiran, Torul",
  "37 Kastamonu":
    "Abana, Ağlı, Araç, Azdavay, Bozkurt, Cide, Çatalzeytin, Daday, Devrekani, Doğanyurt, Hanönü, İhsangazi, İnebolu, Küre, Merkez, Pınarbaşı, Seydiler, Şenpazar, Taşköprü, Tosya",
  "52 Ordu":
    "Akkuş, Altınordu, Aybastı, Çamaş, Çatalpınar, Çaybaşı, Fatsa, Gölköy, Gülyalı, Gürgentepe, İkizce, Kabadüz, Kabataş, Korgan, Kumru, Mesudiye, Perşembe, Ulubey, Ünye",
  "53 Rize":
    "Ardeşen, Çamlıhemşin, Çayeli, Derepazarı, Fındıklı, Güneysu, Hemşin, İkizdere, İyidere, Kalkandere, Merkez, Pazar",
  "55 Samsun":
    "Alaçam, Asarcık, Atakum, Ayvacık, Bafra, Canik, Çarşamba, Havza, İlkadım, Kavak, Ladik, Ondokuzmayıs, Salıpazarı, Tekkeköy, Terme, Vezirköprü, Yakakent",
  "57 Sinop": "Ayancık, Boyabat, Dikmen, Durağan, Erfelek, Gerze, Merkez, Saraydüzü, Türkeli",
  "60 Tokat":
    "Almus, Artova, Başçiftlik, Erbaa, Merkez, Niksar, Pazar, Reşadiye, Sulusaray, Turhal, Yeşilyurt, Zile",
  "61 Trabzon":
    "Akçaabat, Araklı, Arsin, Beşikdüzü, Çarşıbaşı, Çaykara, Dernekpazarı, Düzköy, Hayrat, Köprübaşı, Maçka, Of, Ortahisar, Sürmene, Şalpazarı, Tonya, Vakfıkebir, Yomra",
  "67 Zonguldak": "Alaplı, Çaycuma, Devrek, Ereğli, Gökçebey, Kilimli, Kozlu, Merkez",
  "69 Bayburt": "Aydıntepe, Demirözü, Merkez",
  "74 Bartın": "Amasra, Kurucaşile, Merkez, Ulus",
  "78 Karabük": "Eflani, Eskipazar, Merkez, Ovacık, Safranbolu, Yenice",
  "81 Düzce": "Akçakoca, Cumayeri, Çilimli, Gölyaka, Gümüşova, Kaynaşlı, Merkez, Yığılca",
};
