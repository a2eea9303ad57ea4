/** Problems of an image, and their texts for people. */

import type { Lang, Localized } from "@catalog/i18n";

interface ProblemText {
  readonly message: Localized;
  readonly suggestion: Localized;
}

/** Values for the texts; a number with decimals, such as a size, differs by language. */
type Params = Readonly<Record<string, string | Localized>>;

const ASK_AGAIN: Localized = {
  tr: "Adresi tarayıcıda açıp denetleyin, sonra yeniden deneyin.",
  en: "Open the address in a browser to check it, then try again.",
};

const ANOTHER_IMAGE: Localized = {
  tr: "Yerine başka bir görsel verin.",
  en: "Give another image instead.",
};

const OWN_SERVER: Localized = {
  tr: "Herkese açık bir adres yazın; sunucu sizinse --allow-host ile izin verin.",
  en: "Write a public address; if the server is yours, allow it with --allow-host.",
};

/** A stable name for one kind of problem of an image. */
export type ImageProblemCode =
  | "E_IMG_TYPE"
  | "E_IMG_EMPTY"
  | "E_IMG_CORRUPT"
  | "E_IMG_PIXELS"
  | "E_IMG_SMALL"
  | "E_IMG_LARGE"
  | "E_IMG_SIZE"
  | "E_IMG_ASPECT"
  | "E_IMG_BLANK"
  | "E_IMG_TWICE"
  | "W_IMG_ALIKE"
  | "E_IMG_SLOW"
  | "E_IMG_STATUS"
  | "E_IMG_UNREACHABLE"
  | "E_IMG_REDIRECT"
  | "E_URL_FORM"
  | "E_URL_PRIVATE"
  | "E_URL_PORT"
  | "E_URL_CREDENTIALS"
  | "E_PATH"
  | "E_IMG_MISSING"
  | "E_IMG_AMBIGUOUS"
  | "E_IMG_NO_UPLOAD"
  | "E_IMG_UPLOAD";

const TEXTS: Readonly<Record<ImageProblemCode, ProblemText>> = {
  E_IMG_TYPE: {
    message: {
      tr: "Bu dosya JPEG, PNG ya da WebP değil.",
      en: "This file is not a JPEG, PNG or WebP.",
    },
    suggestion: {
      tr: "Görseli JPEG olarak kaydedin. Adres bir sayfaya gidiyorsa görselin kendi adresini yazın.",
      en: "Save the image as JPEG. If the address leads to a page, write that of the image itself.",
    },
  },
  E_IMG_EMPTY: {
    message: { tr: "Görsel dosyası boş (0 bayt).", en: "The image's file is empty (0 bytes)." },
    suggestion: { tr: "Görseli yeniden yükleyin.", en: "Upload the image again." },
  },
  E_IMG_CORRUPT: {
    message: {
      tr: "Görsel bozuk ya da yarım kalmış; açılamıyor.",
      en: "The image is damaged or cut off; it cannot be opened.",
    },
    suggestion: {
      tr: "Görseli yeniden kaydedip yükleyin.",
      en: "Save the image again and upload it.",
    },
  },
  E_IMG_PIXELS: {
    message: {
      tr: "Görsel {width} × {height} piksel; en çok {limit} milyon piksel açılır.",
      en: "The image has {width} × {height} pixels; at most {limit} million are opened.",
    },
    suggestion: {
      tr: "Görseli küçültün ya da catalog.config.json içinde limits.imageMegapixels değerini yükseltin.",
      en: "Make the image smaller, or raise limits.imageMegapixels in catalog.config.json.",
    },
  },
  E_IMG_SMALL: {
    message: {
      tr: "Görsel çok küçük: {width} × {height} piksel; kısa kenar en az {limit} olmalı.",
      en: "The image is too small: {width} × {height} pixels; its shorter edge needs {limit}.",
    },
    suggestion: {
      tr: "Daha büyük bir görsel verin; büyütmek yaramaz.",
      en: "Give a larger image; enlarging this one does not help.",
    },
  },
  E_IMG_LARGE: {
    message: {
      tr: "Görsel çok büyük: {width} × {height} piksel; uzun kenar en çok {limit} olabilir.",
      en: "The image is too large: {width} × {height} pixels; its longer edge may have {limit}.",
    },
    suggestion: { tr: "Görseli küçültün.", en: "Make the image smaller." },
  },
  E_IMG_SIZE: {
    message: {
      tr: "Görsel dosyası {size}; {limit} sınırının dışında.",
      en: "The image's file has {size}, which is outside the limit of {limit}.",
    },
    suggestion: {
      tr: "Görseli başka bir boyut ya da kaliteyle kaydedin; sınırın ayarı catalog.config.json içinde {setting}.",
      en: "Save the image in another size or quality; the limit is {setting} in catalog.config.json.",
    },
  },
  E_IMG_ASPECT: {
    message: {
      tr: "Görselin kenar oranı {aspect}; en çok {limit} olabilir ({width} × {height}).",
      en: "The image's sides are as {aspect}; at most {limit} is allowed ({width} × {height}).",
    },
    suggestion: {
      tr: "Görseli kırpın ya da kenarlarına boşluk ekleyin.",
      en: "Crop the image, or add space at its edges.",
    },
  },
  E_IMG_BLANK: {
    message: {
      tr: "Görsel tek renk; üzerinde bir şey görünmüyor.",
      en: "The image has one colour only; it shows nothing.",
    },
    suggestion: ANOTHER_IMAGE,
  },
  E_IMG_TWICE: {
    message: {
      tr: "Bu görsel, aynı üründeki {other} ile aynı.",
      en: "This image is the same as {other} of this product.",
    },
    suggestion: { tr: "Birini silin.", en: "Delete one of them." },
  },
  W_IMG_ALIKE: {
    message: {
      tr: "Bu görsel, aynı üründeki {other} ile neredeyse aynı.",
      en: "This image looks almost the same as {other} of this product.",
    },
    suggestion: { tr: "İkisine de gerek var mı, bakın.", en: "See whether both are needed." },
  },
  E_IMG_SLOW: {
    message: {
      tr: "Görsel zamanında inmedi ya da açılmadı.",
      en: "The image did not arrive, or did not open, in time.",
    },
    suggestion: {
      tr: "Daha sonra yeniden deneyin ya da görseli hızlı bir sunucuya koyun; süre sınırları catalog.config.json içinde limits.imageDownloadSeconds ve limits.decoderSeconds.",
      en: "Try again later, or put the image on a faster server; the time limits are limits.imageDownloadSeconds and limits.decoderSeconds in catalog.config.json.",
    },
  },
  E_IMG_STATUS: {
    message: {
      tr: "Görselin sunucusu {status} yanıtını verdi.",
      en: "The image's server answered {status}.",
    },
    suggestion: ASK_AGAIN,
  },
  E_IMG_UNREACHABLE: {
    message: { tr: "“{host}” sunucusuna ulaşılamadı.", en: "“{host}” could not be reached." },
    suggestion: ASK_AGAIN,
  },
  E_IMG_REDIRECT: {
    message: {
      tr: "Görselin adresi izlenemeyen bir yönlendirme yapıyor.",
      en: "The image's address redirects in a way that is not followed.",
    },
    suggestion: {
      tr: "Yönlendirmenin vardığı adresi yazın.",
      en: "Write the address that the redirect ends at.",
    },
  },
  E_URL_FORM: {
    message: { tr: "Bu bir görsel adresi değil.", en: "This is not the address of an image." },
    suggestion: {
      tr: "https ile başlayan bir adres yazın.",
      en: "Write an address that begins with https.",
    },
  },
  E_URL_PRIVATE: {
    message: {
      tr: "“{host}” herkese açık internette değil, özel bir ağda.",
      en: "“{host}” is not on the public internet but in a private network.",
    },
    suggestion: OWN_SERVER,
  },
  E_URL_PORT: {
    message: {
      tr: "“{host}” 80 ve 443 dışında bir porta gidiyor.",
      en: "“{host}” goes to a port other than 80 and 443.",
    },
    suggestion: OWN_SERVER,
  },
  E_URL_CREDENTIALS: {
    message: {
      tr: "Adresin içinde kullanıcı adı ya da parola var.",
      en: "The address has a user name or password in it.",
    },
    suggestion: {
      tr: "Bunlar olmadan açılan bir adres yazın.",
      en: "Write an address that opens without them.",
    },
  },
  E_PATH: {
    message: {
      tr: "“{value}” görsel klasörünün dışına çıkıyor.",
      en: "“{value}” leads out of the folder of images.",
    },
    suggestion: {
      tr: "Yalnızca klasördeki dosyanın adını yazın.",
      en: "Write only the name of a file in the folder.",
    },
  },
  E_IMG_MISSING: {
    message: {
      tr: "“{value}” adlı görsel “{source}” içinde yok.",
      en: "There is no image “{value}” in “{source}”.",
    },
    suggestion: {
      tr: "Dosyayı ekleyin ya da adını düzeltin (büyük-küçük harf önemli değil).",
      en: "Add the file, or correct its name (upper and lower case do not matter).",
    },
  },
  E_IMG_AMBIGUOUS: {
    message: {
      tr: "“{value}” adına uyan birden çok dosya var: {names}.",
      en: "More than one file is named “{value}”: {names}.",
    },
    suggestion: {
      tr: "Klasörüyle birlikte yazın ya da dosyalardan birini yeniden adlandırın.",
      en: "Write its folder too, or rename one of the files.",
    },
  },
  E_IMG_NO_UPLOAD: {
    message: {
      tr: "“{value}” bu bilgisayarda; pazaryeri yalnızca adres alır ve görsel yükleme ayarlanmamış.",
      en: "“{value}” is on this machine; the marketplace takes addresses, and no upload is set up.",
    },
    suggestion: {
      tr: "catalog.config dosyasında images.upload ayarını yapın ya da görselin adresini yazın.",
      en: "Set images.upload in catalog.config, or write the image's address.",
    },
  },
  E_IMG_UPLOAD: {
    message: {
      tr: "Görsel yüklenemedi: {reason}.",
      en: "The image could not be uploaded: {reason}.",
    },
    suggestion: {
      tr: "images.upload ayarını ve sunucuyu denetleyip yeniden deneyin.",
      en: "Check images.upload and the server, then try again.",
    },
  },
};

/** One problem of an image, without the cell that names it. */
export interface ImageProblem {
  readonly code: ImageProblemCode;
  readonly params: Params;
}

/** Makes a problem; `params` go into its texts. */
export function problem(code: ImageProblemCode, params: Params = {}): ImageProblem {
  return { code, params };
}

/** The texts of a problem: what is wrong and what to do. */
export function describeProblem({ code, params }: ImageProblem): ProblemText {
  const { message, suggestion } = TEXTS[code];
  return { message: fillIn(message, params), suggestion: fillIn(suggestion, params) };
}

const MAX_SHOWN = 60;

function fillIn({ tr, en }: Localized, params: Params): Localized {
  const fill = (text: string, lang: Lang): string =>
    text.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
      const value = params[name] ?? "";
      return shorten(typeof value === "string" ? value : value[lang]);
    });
  return { tr: fill(tr, "tr"), en: fill(en, "en") };
}

const shorten = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
