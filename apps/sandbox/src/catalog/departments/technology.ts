import type { Department } from "./department.ts";

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
