import type { Department } from "./department.ts";

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
