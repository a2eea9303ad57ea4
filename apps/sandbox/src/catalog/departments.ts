/** The departments of the catalog with their categories, brands and models. */

/** One top category with the properties of its products. Lists are texts separated by ", ". */
export interface Department {
  readonly name: string;
  /** VAT in percent. */
  readonly vat: 1 | 10 | 20;
  /** Commission of the platform in percent. */
  readonly commission: number;
  readonly maxInstallment: number;
  /** Style of the models' names: "GX 450 Plus" or "Lale Serisi". */
  readonly modelStyle: "technical" | "collection";
  /** Usual prices in whole TL: lowest, highest. */
  readonly priceTl: readonly [number, number];
  /** Brands that every leaf category has, besides the generated ones. */
  readonly brands: string;
  /** Names of properties in the property table. */
  readonly properties: string;
  /** Names of the second and third level, and the leaf names as a list. */
  readonly categories: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export const FASHION_DEPARTMENTS: readonly Department[] = [
  {
    name: "Giyim",
    vat: 10,
    commission: 20,
    maxInstallment: 6,
    modelStyle: "collection",
    priceTl: [80, 3500],
    brands:
      "Işık, Irmak Triko, İpekyolu, Defne Moda, Kuşak, Terzihane, Ayışığı, Pamukova, Çağla Butik, Eskişehir Denim, Lacivert, Gül & Diken, Mürdüm, Örgüevi, Şehrazat, Tuval Giyim",
    properties: "Renk, Beden, Materyal, Kalıp, Desen",
    categories: {
      Kadın: {
        "Üst Giyim": "Bluz, Gömlek, Kazak, Hırka, Tişört, Sweatshirt",
        "Alt Giyim": "Pantolon, Etek, Şort, Tayt, Jean",
        "Dış Giyim": "Mont, Kaban, Trençkot, Yelek, Yağmurluk",
        "İç Giyim": "Sütyen, Külot, Pijama Takımı, Gecelik, Çorap",
        Elbise: "Günlük Elbise, Abiye, Tulum, Tunik",
      },
      Erkek: {
        "Üst Giyim": "Gömlek, Tişört, Kazak, Polo Yaka, Sweatshirt",
        "Alt Giyim": "Pantolon, Jean, Şort, Eşofman Altı",
        "Dış Giyim": "Mont, Kaban, Ceket, Yelek, Yağmurluk",
        "İç Giyim": "Boxer, Atlet, Pijama Takımı, Çorap, İçlik",
      },
      "Giyim Aksesuarları": {
        "Baş & Boyun": "Şapka, Bere, Atkı, Şal, Eşarp",
        "Kemer & Eldiven": "Kemer, Eldiven, Kravat, Papyon, Aksesuar",
      },
    },
  },
  {
    name: "Ayakkabı & Çanta",
    vat: 10,
    commission: 19,
    maxInstallment: 6,
    modelStyle: "collection",
    priceTl: [150, 5200],
    brands:
      "Adımsan, Kösele, Yemeniciler, Işıldar Deri, Bağcık, İstiklal Ayakkabı, Sırtımda, Valizci, Dericioğlu, Çarıkçı, Seyyah, Uğur Taban, Topuk Sesi, Ihlara",
    properties: "Renk, Numara, Materyal",
    categories: {
      Ayakkabı: {
        "Kadın Ayakkabı": "Topuklu Ayakkabı, Babet, Bot, Çizme, Sandalet, Spor Ayakkabı",
        "Erkek Ayakkabı": "Klasik Ayakkabı, Loafer, Bot, Sandalet, Spor Ayakkabı, Terlik",
        "Ayakkabı Bakım": "Bağcık, Tabanlık, Ayakkabı Boyası, Kerata, Aksesuar",
      },
      Çanta: {
        "Günlük Çanta": "Omuz Çantası, Sırt Çantası, Bel Çantası, Cüzdan, Kartlık",
        Seyahat: "Kabin Valizi, Büyük Valiz, Spor Çanta, Kılıf, Aksesuar, Yedek Parça",
      },
    },
  },
  {
    name: "Saat & Takı",
    vat: 20,
    commission: 17,
    maxInstallment: 6,
    modelStyle: "collection",
    priceTl: [120, 25000],
    brands:
      "Kadran, Gümüşçü Halil, Kapalıçarşı Atölye, Işıl Takı, İncili, Zamane, Saatkulesi, Altınbaşak, Mercan, Nakkaş, Yakut & Oğul, Lâl, Şecere",
    properties: "Renk, Materyal, Taş",
    categories: {
      Saat: {
        "Kol Saati": "Kadın Kol Saati, Erkek Kol Saati, Çocuk Kol Saati, Kordon, Yedek Parça",
        "Ev Saati": "Masa Saati, Çalar Saat, Guguklu Saat",
      },
      Takı: {
        Gümüş: "Gümüş Kolye, Gümüş Küpe, Gümüş Yüzük, Gümüş Bileklik",
        Bijuteri: "Kolye, Küpe, Yüzük, Bileklik, Halhal, Broş, Aksesuar",
      },
    },
  },
  {
    name: "Kozmetik & Kişisel Bakım",
    vat: 20,
    commission: 16,
    maxInstallment: 3,
    modelStyle: "collection",
    priceTl: [25, 2800],
    brands:
      "Işıltı, Gülsuyu, Lavantacı, Hamamönü, Gülendam, Zeytinalem, Doğadan Gelen, Süveyda, Isparta Gül, İncir & Nar, Ayna Ayna, Tıraşçı, Kehribar Parfüm, Şebnem, Ebruli",
    properties: "Renk, Hacim, Cilt Tipi",
    categories: {
      Makyaj: {
        "Yüz Makyajı": "Fondöten, Kapatıcı, Allık, Pudra, Aydınlatıcı",
        "Göz & Dudak": "Maskara, Göz Kalemi, Far Paleti, Ruj, Dudak Parlatıcısı",
      },
      Bakım: {
        "Cilt Bakımı": "Nemlendirici, Güneş Kremi, Serum, Yüz Temizleyici, Maske, Tonik",
        "Saç Bakımı": "Şampuan, Saç Kremi, Saç Boyası, Saç Yağı, Tarak & Fırça",
        "Ağız & Diş": "Diş Macunu, Şarjlı Diş Fırçası, Diş İpi, Yedek Parça",
      },
      "Bakım Cihazları": {
        "Saç Cihazları": "Saç Kurutma Makinesi, Saç Düzleştirici, Saç Maşası, Kılıf, Aksesuar",
        "Tıraş & Epilasyon": "Tıraş Makinesi, Epilatör, IPL Cihazı, Tıraş Bıçağı, Yedek Parça",
      },
      Parfüm: {
        "Parfüm & Kolonya": "Kadın Parfüm, Erkek Parfüm, Limon Kolonyası, Deodorant",
      },
    },
  },
];

export const HOME_DEPARTMENTS: readonly Department[] = [
  {
    name: "Ev & Yaşam",
    vat: 20,
    commission: 15,
    maxInstallment: 9,
    modelStyle: "collection",
    priceTl: [60, 4500],
    brands:
      "Işık, Işıl Ev, Çınar Home, Karaköy Seramik, Yörük Mutfak, Pera Cam, Lalezar, Anadolu Bakır, İznik Atölye, Gümüşdere, Ihlamur Konak, Şira, Ocakbaşı, Bodrum Tekstil, Kapadokya Çini, Tarçın Ev",
    properties: "Renk, Materyal, Parça Sayısı, Tarz",
    categories: {
      Mutfak: {
        Sofra: "Kaşık, Çatal, Bıçak, Tabak, Kâse, Bardak, Sürahi, Çay Takımı, Aksesuar",
        Pişirme: "Tencere, Tava, Düdüklü Tencere, Fırın Tepsisi, Çaydanlık, Cezve, Yedek Parça",
        Saklama: "Saklama Kabı, Kavanoz, Baharatlık, Ekmeklik, Matara & Termos, Kılıf",
        Hazırlık: "Kesme Tahtası, Rende, Süzgeç, Mutfak Terazisi, Kıyma Makinesi, Aksesuar",
      },
      Mobilya: {
        "Oturma Odası": "Koltuk Takımı, Berjer, Sehpa, TV Ünitesi, Kitaplık, Kılıf",
        "Yatak Odası": "Karyola, Yatak, Gardırop, Komodin, Şifonyer, Baza",
        "Çalışma Odası": "Çalışma Masası, Ofis Koltuğu, Dosya Dolabı, Raf, Yedek Parça",
      },
      "Ev Tekstili": {
        "Yatak Tekstili": "Nevresim Takımı, Yorgan, Yastık, Battaniye, Çarşaf, Alez, Pike",
        "Banyo Tekstili": "Havlu, Bornoz, Banyo Paspası, Peştamal, Duş Perdesi",
        "Perde & Halı": "Tül Perde, Fon Perde, Stor Perde, Halı, Kilim, Aksesuar",
      },
      Aydınlatma: {
        "İç Aydınlatma": "Avize, Abajur, Lambader, Aplik, Spot, Masa Lambası, Aksesuar",
        "Dış Aydınlatma": "Bahçe Lambası, Projektör, Solar Lamba, Işıldak",
        Ampul: "LED Ampul, Akıllı Ampul, Rustik Ampul, Şerit LED, Yedek Parça",
      },
      Dekorasyon: {
        "Duvar Dekorasyonu": "Tablo, Ayna, Duvar Saati, Duvar Kağıdı, Çerçeve",
        "Ev Aksesuarları": "Vazo, Mum & Mumluk, Biblo, Saksı, Yapay Çiçek, Aksesuar",
      },
    },
  },
  {
    name: "Küçük Ev Aletleri",
    vat: 20,
    commission: 12,
    maxInstallment: 12,
    modelStyle: "technical",
    priceTl: [350, 18000],
    brands:
      "Bosch, Arıkovan Elektro, Ventora, Fındıklı Ev, Korel, Sedir Elektro, Hamarat, Karadeniz Elektro, Işıltek, Aryum, Dünyalı, Kumsal Ev, Arduç, Altınbakır, Semaver, Poyraz, Raşel, Ütopya",
    properties: "Renk, Güç, Enerji Sınıfı, Kapasite",
    categories: {
      "Mutfak Aletleri": {
        "Kahve & Çay":
          "Türk Kahve Makinesi, Filtre Kahve Makinesi, Espresso Makinesi, Çay Makinesi, Kettle, Yedek Parça",
        "Hazırlama Aletleri":
          "Blender, Mikser, Mutfak Robotu, Doğrayıcı, Katı Meyve Sıkacağı, Aksesuar",
        "Pişirme Aletleri":
          "Tost Makinesi, Ekmek Kızartma Makinesi, Fritöz, Mikrodalga Fırın, Mini Fırın, Elektrikli Ocak",
      },
      "Temizlik Aletleri": {
        Süpürge:
          "Dikey Süpürge, Torbasız Süpürge, Robot Süpürge, Islak Kuru Süpürge, Toz Torbası, Aksesuar, Yedek Parça",
        Ütü: "Buharlı Ütü, Kazanlı Ütü, Kırışık Giderici, Ütü Masası, Kılıf",
      },
      "Isıtma & Soğutma": {
        Isıtıcı: "Fanlı Isıtıcı, Yağlı Radyatör, Quartz Isıtıcı, Elektrikli Battaniye, Yedek Parça",
        Serinletici: "Vantilatör, Kule Tipi Fan, Hava Soğutucu, Nem Alma Cihazı, Hava Temizleyici",
      },
    },
  },
  {
    name: "Yapı Market & Bahçe",
    vat: 20,
    commission: 13,
    maxInstallment: 9,
    modelStyle: "technical",
    priceTl: [35, 9000],
    brands:
      "Bosch, Işık, Demirkol, Ustaeli, Çelikhan, Ege Bahçe, Yapıtaş, Kalekent, Toprakana, İzolan, Güçlü Usta, Bağbahçe, Dağdelen, Şantiye Pro, Tuğra Boya, Ilgın Hırdavat",
    properties: "Renk, Materyal, Güç, Ölçü",
    categories: {
      Hırdavat: {
        "El Aletleri":
          "Tornavida, Pense, Çekiç, Anahtar Takımı, Testere, Maket Bıçağı, Alet Çantası",
        "Elektrikli Aletler":
          "Matkap, Vidalama, Avuç Taşlama, Dekupaj, Kırıcı Delici, Kompresör, Aksesuar, Yedek Parça",
        "Bağlantı Elemanları": "Vida, Dübel, Çivi, Menteşe, Kilit, Zincir",
      },
      "Boya & Yalıtım": {
        Boya: "İç Cephe Boyası, Dış Cephe Boyası, Ahşap Boyası, Sprey Boya, Boya Fırçası, Boya Rulosu",
        Yalıtım: "Isı Yalıtımı, Su Yalıtımı, Silikon, Köpük, Kapı Altı Fitili",
      },
      Bahçe: {
        "Bahçe Bakımı": "Çim Biçme Makinesi, Budama Makası, Bahçe Hortumu, Tırmık, Yedek Parça",
        "Bahçe Mobilyası": "Bahçe Takımı, Şezlong, Salıncak, Şemsiye, Kılıf",
        Mangal: "Kömürlü Mangal, Gazlı Mangal, Mangal Maşası, Aksesuar",
      },
      "Banyo & Tesisat": {
        Banyo: "Batarya, Duş Başlığı, Klozet Kapağı, Lavabo, Banyo Dolabı, Aksesuar",
        Tesisat: "Sifon, Vana, Şofben, Boru, Yedek Parça",
      },
    },
  },
];

export const LEISURE_DEPARTMENTS: readonly Department[] = [
  {
    name: "Anne & Bebek",
    vat: 10,
    commission: 14,
    maxInstallment: 9,
    modelStyle: "collection",
    priceTl: [40, 14000],
    brands:
      "Minik Işık, Uykucu, Bebeğimsi, Pıtırcık, İlk Adım, Ninni, Tatlı Telaş, Kundakçı, Ponpon, Mışıl, Çıngırak, Anne Eli, Gökkuşağı Bebek",
    properties: "Renk, Yaş Grubu, Materyal",
    categories: {
      Taşıma: {
        "Bebek Arabası":
          "Baston Puset, Travel Sistem, İkiz Arabası, Yağmurluk, Kılıf, Aksesuar, Yedek Parça",
        "Oto Koltuğu": "0-13 kg, 9-18 kg, 15-36 kg, Yükseltici, Kılıf",
      },
      Beslenme: {
        Biberon: "Cam Biberon, Plastik Biberon, Emzik, Biberon Ucu, Sterilizatör",
        "Mama Gereçleri": "Mama Sandalyesi, Önlük, Mama Tabağı, Alıştırma Bardağı",
      },
      "Bakım & Uyku": {
        "Bebek Bakım": "Bebek Bezi, Islak Mendil, Pişik Kremi, Bebek Şampuanı, Ateş Ölçer",
        "Bebek Odası": "Beşik, Park Yatak, Uyku Tulumu, Bebek Telsizi, Gece Lambası",
      },
      Oyuncak: {
        "Bebek Oyuncakları": "Çıngırak, Diş Kaşıyıcı, Oyun Halısı, Dönence",
        "Çocuk Oyuncakları": "Yapboz, Oyuncak Araba, Bebek & Ev Seti, Ahşap Oyuncak, Zekâ Oyunu",
      },
    },
  },
  {
    name: "Spor & Outdoor",
    vat: 20,
    commission: 15,
    maxInstallment: 9,
    modelStyle: "technical",
    priceTl: [50, 22000],
    brands:
      "Zirve Yolu, Toros Outdoor, Koşucu, Kaçkar, Pedalşör, Işık Spor, İrtifa, Rotaland, Kamp Ateşi, Mavi Kulvar, Güreşçi, Yayla, Çakıl Bisiklet, Şut",
    properties: "Renk, Beden, Materyal, Ölçü",
    categories: {
      Fitness: {
        "Fitness Aletleri": "Koşu Bandı, Kondisyon Bisikleti, Eliptik, Kürek Aleti, Yedek Parça",
        "Ağırlık & Yoga": "Dambıl, Kettlebell, Yoga Matı, Pilates Topu, Direnç Bandı, Aksesuar",
      },
      Kamp: {
        "Kamp Malzemeleri": "Çadır, Uyku Tulumu, Kamp Sandalyesi, Kamp Ocağı, Fener, Mat",
        Doğa: "Trekking Batonu, Pusula, Dürbün, Su Matarası, Kılıf",
      },
      Bisiklet: {
        Bisiklet:
          "Dağ Bisikleti, Şehir Bisikleti, Katlanır Bisiklet, Elektrikli Bisiklet, Çocuk Bisikleti",
        "Bisiklet Parça": "Pedal, Sele, Bisiklet Işığı, Pompa, Kask, Kılıf, Yedek Parça, Aksesuar",
      },
      "Takım Sporları": {
        Futbol: "Futbol Topu, Krampon, Kaleci Eldiveni, Tekmelik",
        Basketbol: "Basketbol Topu, Basketbol Potası, Bileklik",
      },
      "Su Sporları": {
        Yüzme: "Mayo, Yüzücü Gözlüğü, Bone, Palet, Şnorkel, Kılıf",
      },
    },
  },
  {
    name: "Kırtasiye & Hobi",
    vat: 20,
    commission: 14,
    maxInstallment: 3,
    modelStyle: "collection",
    priceTl: [15, 3800],
    brands:
      "Kalemtıraş, Işık Kırtasiye, Defterdar, Mürekkep, İplikçi, Fırça Darbesi, Yazı Masası, Ilgaz Kâğıt, Sahaf & Sanat, Notaevi, Kutu Kutu, Çizgi Ötesi, Şövale",
    properties: "Renk, Ölçü, Parça Sayısı",
    categories: {
      Kırtasiye: {
        Yazı: "Dolma Kalem, Tükenmez Kalem, Kurşun Kalem, Fosforlu Kalem, Silgi, Kalemlik",
        Kâğıt: "Defter, Ajanda, Fotokopi Kağıdı, Yapışkanlı Not, Dosya",
        "Okul Çantası": "İlkokul Çantası, Anaokulu Çantası, Beslenme Çantası, Kılıf",
      },
      Hobi: {
        Resim: "Yağlı Boya, Suluboya, Akrilik Boya, Tuval, Resim Fırçası, Aksesuar",
        "Örgü & Dikiş": "El Örgü İpi, Tığ, Şiş, Dikiş İpliği, İğne, Dikiş Makinesi, Yedek Parça",
        Maket: "Maket Uçak, Maket Gemi, Maket Boyası, Yapıştırıcı",
      },
      Müzik: {
        "Telli Çalgılar": "Klasik Gitar, Bağlama, Ud, Keman, Tel, Kılıf, Aksesuar",
        "Vurmalı & Nefesli": "Darbuka, Def, Ney, Blok Flüt, Kılıf",
      },
    },
  },
  {
    name: "Süpermarket",
    vat: 1,
    commission: 9,
    maxInstallment: 1,
    modelStyle: "collection",
    priceTl: [12, 1400],
    brands:
      "Çaylık, Harman Yeri, Zeytin Dalı, Ihlamur Bahçesi, İncirlik Kuruyemiş, Kovan, Değirmenci, Bakkal Amca, Köy Sofrası, Temizel, Işıl Temizlik, Patidost, Şifahane, Tandır",
    properties: "Ağırlık, Hacim, Adet",
    categories: {
      Gıda: {
        "Temel Gıda": "Makarna, Pirinç, Bulgur, Mercimek, Un, Şeker, Tuz",
        Kahvaltılık: "Bal, Reçel, Zeytin, Tahin & Pekmez, Peynir",
        "Yağ & Sos": "Zeytinyağı, Ayçiçek Yağı, Salça, Sirke, Nar Ekşisi",
        İçecek: "Siyah Çay, Bitki Çayı, Türk Kahvesi, Filtre Kahve, Ilıca Maden Suyu",
      },
      Temizlik: {
        Çamaşır: "Sıvı Deterjan, Toz Deterjan, Yumuşatıcı, Leke Çıkarıcı",
        Bulaşık: "Bulaşık Tableti, Bulaşık Deterjanı, Sünger, Parlatıcı",
        Kâğıt: "Tuvalet Kağıdı, Kağıt Havlu, Peçete",
      },
      "Evcil Hayvan": {
        Kedi: "Kedi Maması, Kedi Kumu, Tırmalama Tahtası, Kedi Oyuncağı, Aksesuar",
        Köpek: "Köpek Maması, Tasma, Köpek Yatağı, Köpek Oyuncağı, Aksesuar",
      },
    },
  },
];

export const TECHNOLOGY_DEPARTMENTS: readonly Department[] = [
  {
    name: "Elektronik",
    vat: 20,
    commission: 8,
    maxInstallment: 12,
    modelStyle: "technical",
    priceTl: [90, 42000],
    brands:
      "Ventora, Kuzeytek, Işıltek, Yıldıztek, Turkuaz Mobil, Nomatek, Ses & Ötesi, Mavi Dalga, Ankara Bilişim, İleri Teknoloji, Piksel Atölye, Ural Elektronik, Cihan Dijital, Şarjmatik, Kablosan, Ekranix, Oyunkur, Hızlıbyte",
    properties: "Renk, Hafıza, Ekran Boyutu, Bağlantı",
    categories: {
      Telefon: {
        "Cep Telefonu": "Akıllı Telefon, Tuşlu Telefon, Yenilenmiş Telefon, Yedek Parça",
        "Telefon Aksesuarları":
          "Kılıf, Ekran Koruyucu, Şarj Cihazı, Araç Tutucu, Taşınabilir Şarj, Selfie Çubuğu, Aksesuar",
        "Giyilebilir Teknoloji": "Akıllı Saat, Akıllı Bileklik, Saat Kordonu, Aksesuar",
      },
      Bilgisayar: {
        "Dizüstü Bilgisayar":
          "Ultrabook, Oyuncu Dizüstü, İş Bilgisayarı, Soğutucu, Kılıf, Yedek Parça",
        "Bilgisayar Bileşenleri": "Ekran Kartı, Anakart, İşlemci, RAM, SSD, Güç Kaynağı, Kasa",
        "Çevre Birimleri": "Klavye, Fare, Monitör, Webcam, Yazıcı, Toner, Aksesuar",
        Tablet: "Android Tablet, Çocuk Tableti, Çizim Tableti, Kılıf, Aksesuar",
        "Ağ Ürünleri": "Modem, Menzil Artırıcı, Switch, Ağ Kablosu",
      },
      "TV & Ses": {
        Televizyon: "LED TV, OLED TV, Duvar Askı Aparatı, Uzaktan Kumanda, Uydu Alıcısı",
        "Ses Sistemleri": "Bluetooth Hoparlör, Soundbar, Ev Sineması, Pikap, Yedek Parça",
        Kulaklık: "Kulak İçi Kulaklık, Kulak Üstü Kulaklık, Oyuncu Kulaklığı, Kılıf",
      },
      "Foto & Kamera": {
        "Fotoğraf Makinesi":
          "Aynasız Makine, Anlık Fotoğraf Makinesi, Objektif, Tripod, Kılıf, Aksesuar",
        "Aksiyon & Güvenlik": "Aksiyon Kamerası, Drone, IP Kamera, Araç İçi Kamera, Yedek Parça",
      },
      "Oyun & Konsol": {
        Konsol: "Oyun Konsolu, El Konsolu, Oyun Kolu, Direksiyon Seti, Aksesuar",
      },
    },
  },
  {
    name: "Otomotiv & Motosiklet",
    vat: 20,
    commission: 11,
    maxInstallment: 9,
    modelStyle: "technical",
    priceTl: [45, 16000],
    brands:
      "Bosch, Isuzu, İsuzu, Işık, Yolaçan, Aküder, Motoryağ, Lastikhan, Fren Ustası, Anadolu Oto, Cilamatik, Şahin Yedek, Rüzgar Moto, Jantçı, Ege Filtre, Istanbul Garaj, Karayel",
    properties: "Renk, Materyal, Uyumlu Araç, Ölçü",
    categories: {
      "Oto Aksesuar": {
        "İç Aksesuar":
          "Paspas, Koltuk Kılıfı, Direksiyon Kılıfı, Bagaj Havuzu, Oto Kokusu, Güneşlik, Aksesuar",
        "Dış Aksesuar": "Silecek, Branda, Rüzgarlık, Plakalık, Tavan Barı, Çamurluk, Aksesuar",
      },
      "Yedek Parça & Bakım": {
        Motor: "Yağ Filtresi, Hava Filtresi, Buji, Triger Seti, Motor Yağı, Antifriz",
        "Fren & Süspansiyon": "Fren Balatası, Fren Diski, Amortisör, Rotil, Aks",
        "Elektrik & Işık": "Akü, Far, Stop Lambası, Oto Ampulü, Sensör",
        "Oto Bakım": "Oto Şampuanı, Cila, Lastik Parlatıcı, Mikrofiber Bez",
      },
      "Lastik & Jant": {
        Lastik: "Yaz Lastiği, Kış Lastiği, Dört Mevsim Lastik, Kar Zinciri",
        Jant: "Çelik Jant, Alaşım Jant, Jant Kapağı, Bijon",
      },
      Motosiklet: {
        "Sürücü Ekipmanı": "Kask, Mont, Eldiven, Dizlik, İnterkom",
        "Motosiklet Parça": "Egzoz, Zincir Dişli, Ayna, Sele Kılıfı, Yedek Parça, Aksesuar",
      },
    },
  },
];
