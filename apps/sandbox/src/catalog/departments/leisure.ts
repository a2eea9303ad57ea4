import type { Department } from "./department.ts";

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
