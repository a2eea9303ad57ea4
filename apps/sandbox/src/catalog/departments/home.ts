import type { Department } from "./department.ts";

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
