/**
 * The settings of a personality as data (the values, the safe default, and the meaning of each),
 * and a personality that has a value for each.
 */

import type { Localized } from "@catalog/i18n";

import { ACTION_SETTINGS, type ActionBehavior, DEFAULT_ACTIONS } from "./action-settings.ts";

/** A value for each setting; `BEHAVIOR_SETTINGS` describes the values. */
export interface Behavior extends ActionBehavior {
  readonly "auth-error": "401" | "403" | "200";
  readonly "error-body": "data" | "error-object" | "errors-list" | "text" | "empty";
  readonly "duplicate-code": "accepted" | "refused" | "merged";
  readonly "new-product": "visible" | "after-approval" | "after-delay";
  readonly "code-filter": "exact" | "prefix" | "case-insensitive" | "ignored" | "useless";
  readonly "ids-filter": "all" | "first" | "ignored" | "useless";
  readonly "date-filter": "obeyed" | "ignored" | "useless";
  readonly "stored-code": "as-sent" | "trimmed" | "upper-cased" | "lower-cased";
  readonly "hourly-limit": "429-retry-after" | "429" | "403" | "silent";
  readonly "expires-at": "iso" | "seconds" | "milliseconds" | "local-text";
  readonly prices: "minor" | "major" | "text";
  readonly total: "right" | "this-page" | "too-high" | "zero" | "half" | "text";
  readonly "page-cap": "none" | "20" | "20-of-asked";
  readonly "page-past-end": "empty" | "error" | "last-page";
  readonly "update-stock": "obeyed" | "ignored" | "refused";
  readonly images: "strings" | "objects";
  readonly versions: "both" | "v1.0" | "v1.1";
  readonly "new-token": "keeps-old" | "kills-old";
  readonly "date-header": "right" | "missing" | "hour-ahead" | "hour-behind";
  readonly "product-search": "every-word" | "any-word" | "nonsense" | "403" | "404" | "429";
  readonly capacity: "unlimited" | "2" | "8" | "32";
}

/** Name of one setting. */
type BehaviorSettingName = keyof Behavior;

/** A behaviour that the specification leaves open, with its possible values. */
export interface BehaviorSetting<Value extends string> {
  /** Description of the behaviour. */
  readonly means: Localized;
  /** The value that is safe to assume. */
  readonly default: Value;
  /** Description of each value. */
  readonly values: Readonly<Record<Value, Localized>>;
}

/** The settings by name. */
export type BehaviorSettings = {
  readonly [Name in BehaviorSettingName]: BehaviorSetting<Behavior[Name]>;
};

/** Every setting, in the order of help and README. */
export const BEHAVIOR_SETTINGS: BehaviorSettings = {
  "auth-error": {
    means: {
      en: "How a refused token or login is told",
      tr: "Reddedilen anahtar nasıl bildirilir",
    },
    default: "401",
    values: {
      "401": { en: "status 401", tr: "401 durumu" },
      "403": { en: "status 403, as a missing permission", tr: "izin eksikmiş gibi 403 durumu" },
      "200": { en: "status 200 with a refusal in the body", tr: "gövdesinde ret olan 200 durumu" },
    },
  },
  "error-body": {
    means: { en: "Body of a refusal", tr: "Ret yanıtının gövdesi" },
    default: "data",
    values: {
      data: { en: "{ data: { status, message } }", tr: "{ data: { status, message } }" },
      "error-object": { en: "{ error: { code, message } }", tr: "{ error: { code, message } }" },
      "errors-list": { en: "{ errors: [{ message }] }", tr: "{ errors: [{ message }] }" },
      text: { en: "the message as plain text", tr: "düz metin olarak mesaj" },
      empty: { en: "no body at all", tr: "gövde yok" },
    },
  },
  "duplicate-code": {
    means: { en: "Adding a product code again", tr: "Var olan ürün kodunu yeniden eklemek" },
    default: "accepted",
    values: {
      accepted: { en: "makes a second product", tr: "ikinci bir ürün oluşturur" },
      refused: { en: "is refused", tr: "reddedilir" },
      merged: {
        en: "changes the first product and answers with its id",
        tr: "ilk ürünü değiştirir ve onun kimliğiyle yanıtlar",
      },
    },
  },
  "new-product": {
    means: { en: "When listings show a new product", tr: "Yeni ürün listede ne zaman görünür" },
    default: "visible",
    values: {
      visible: { en: "at once", tr: "hemen" },
      "after-approval": {
        en: "in no status until POST /_sandbox/approve",
        tr: "POST /_sandbox/approve çağrısına kadar hiçbir durumda",
      },
      "after-delay": { en: "ten minutes later", tr: "on dakika sonra" },
    },
  },
  "code-filter": {
    means: { en: "What product_code finds in a listing", tr: "Listede product_code neyi bulur" },
    default: "exact",
    values: {
      exact: { en: "this code only", tr: "yalnız bu kodu" },
      prefix: { en: "every code that starts so", tr: "böyle başlayan her kodu" },
      "case-insensitive": { en: "this code in any case", tr: "büyük küçük harf ayırmadan bu kodu" },
      ignored: { en: "everything; the filter is ignored", tr: "her şeyi; süzgeç yok sayılır" },
      useless: { en: "nothing, whatever is asked", tr: "ne sorulursa sorulsun hiçbir şeyi" },
    },
  },
  "ids-filter": {
    means: { en: "What ids finds in a listing", tr: "Listede ids neyi bulur" },
    default: "all",
    values: {
      all: { en: "every one of the ids", tr: "kimliklerin hepsini" },
      first: { en: "the first of the ids only", tr: "yalnız ilk kimliği" },
      ignored: { en: "everything; the filter is ignored", tr: "her şeyi; süzgeç yok sayılır" },
      useless: { en: "nothing, whatever is asked", tr: "ne sorulursa sorulsun hiçbir şeyi" },
    },
  },
  "date-filter": {
    means: {
      en: "What start_date and end_date find in the product listing",
      tr: "Ürün listesinde start_date ve end_date neyi bulur",
    },
    default: "obeyed",
    values: {
      obeyed: { en: "what was added in that time", tr: "o sürede ekleneni" },
      ignored: { en: "everything; the filter is ignored", tr: "her şeyi; süzgeç yok sayılır" },
      useless: { en: "nothing, whatever is asked", tr: "ne sorulursa sorulsun hiçbir şeyi" },
    },
  },
  "stored-code": {
    means: { en: "How a product code is kept", tr: "Ürün kodu nasıl saklanır" },
    default: "as-sent",
    values: {
      "as-sent": { en: "as it was sent", tr: "gönderildiği gibi" },
      trimmed: { en: "without blanks around it", tr: "çevresindeki boşluklar olmadan" },
      "upper-cased": { en: "trimmed and in capitals", tr: "kırpılmış ve büyük harfle" },
      "lower-cased": { en: "trimmed and in lower case", tr: "kırpılmış ve küçük harfle" },
    },
  },
  "hourly-limit": {
    means: { en: "A call beyond the hourly limit", tr: "Saatlik sınırı aşan çağrı" },
    default: "429-retry-after",
    values: {
      "429-retry-after": { en: "429 with Retry-After", tr: "Retry-After ile 429" },
      "429": { en: "429 without Retry-After", tr: "Retry-After olmadan 429" },
      "403": { en: "403, as a missing permission", tr: "izin eksikmiş gibi 403" },
      silent: { en: "the connection ends without an answer", tr: "bağlantı yanıtsız kapanır" },
    },
  },
  "expires-at": {
    means: { en: "Format of a token's expires_at", tr: "Anahtarın expires_at biçimi" },
    default: "iso",
    values: {
      iso: { en: "ISO text in UTC", tr: "UTC'de ISO metni" },
      seconds: { en: "seconds since 1970", tr: "1970'ten beri saniye" },
      milliseconds: { en: "milliseconds since 1970", tr: "1970'ten beri milisaniye" },
      "local-text": {
        en: "Turkish local time without a zone",
        tr: "dilimi yazılmamış Türkiye saati",
      },
    },
  },
  prices: {
    means: { en: "Prices of products in answers", tr: "Yanıtlardaki ürün fiyatları" },
    default: "minor",
    values: {
      minor: { en: "numbers in minor units", tr: "kuruş olarak sayı" },
      major: { en: "numbers in whole currency", tr: "lira olarak sayı" },
      text: { en: 'texts such as "1299.90"', tr: '"1299.90" gibi metin' },
    },
  },
  total: {
    means: { en: "total of a listing", tr: "Listenin total değeri" },
    default: "right",
    values: {
      right: { en: "all elements", tr: "bütün öğeler" },
      "this-page": { en: "the elements of this page", tr: "bu sayfanın öğeleri" },
      "too-high": { en: "seven too many", tr: "yedi fazla" },
      zero: { en: "always 0", tr: "her zaman 0" },
      half: { en: "half of the elements", tr: "öğelerin yarısı" },
      text: { en: "all elements, as a text", tr: "bütün öğeler, metin olarak" },
    },
  },
  "page-cap": {
    means: { en: "Largest page of a listing", tr: "Listenin en büyük sayfası" },
    default: "none",
    values: {
      none: { en: "as large as it is asked for", tr: "istendiği kadar" },
      "20": {
        en: "20 elements, whatever is asked; the second one begins at the 21st",
        tr: "ne istenirse istensin 20 öğe; ikincisi 21. öğeyle başlar",
      },
      "20-of-asked": {
        en: "the first 20 elements of the page that is asked for",
        tr: "istenen sayfanın ilk 20 öğesi",
      },
    },
  },
  "page-past-end": {
    means: { en: "A page after the last one", tr: "Son sayfadan sonraki sayfa" },
    default: "empty",
    values: {
      empty: { en: "is empty", tr: "boştur" },
      error: { en: "is refused with 404", tr: "404 ile reddedilir" },
      "last-page": { en: "repeats the last page", tr: "son sayfayı yineler" },
    },
  },
  "update-stock": {
    means: { en: "stock_count in an update", tr: "Güncellemede stock_count" },
    default: "obeyed",
    values: {
      obeyed: { en: "sets the stock", tr: "stoğu değiştirir" },
      ignored: { en: "is passed over without a word", tr: "sessizce yok sayılır" },
      refused: { en: "makes the update fail", tr: "güncellemeyi başarısız kılar" },
    },
  },
  images: {
    means: { en: "Elements of images in answers", tr: "Yanıtlarda images öğeleri" },
    default: "strings",
    values: {
      strings: { en: "addresses", tr: "adresler" },
      objects: { en: "objects with a url", tr: "url alanı olan nesneler" },
    },
  },
  versions: {
    means: { en: "Prefixes of endpoints that have both", tr: "İki öneki olan uçların önekleri" },
    default: "both",
    values: {
      both: { en: "/v1.0 and /v1.1", tr: "/v1.0 ve /v1.1" },
      "v1.0": { en: "/v1.0 only", tr: "yalnız /v1.0" },
      "v1.1": { en: "/v1.1 only", tr: "yalnız /v1.1" },
    },
  },
  "new-token": {
    means: { en: "A new token for the same address", tr: "Aynı adres için yeni anahtar" },
    default: "keeps-old",
    values: {
      "keeps-old": { en: "leaves earlier ones valid", tr: "öncekileri geçerli bırakır" },
      "kills-old": { en: "ends earlier ones", tr: "öncekileri geçersiz kılar" },
    },
  },
  "date-header": {
    means: { en: "Date header of answers", tr: "Yanıtların Date başlığı" },
    default: "right",
    values: {
      right: { en: "the time", tr: "saat" },
      missing: { en: "is missing", tr: "yok" },
      "hour-ahead": { en: "an hour ahead", tr: "bir saat ileri" },
      "hour-behind": { en: "an hour behind", tr: "bir saat geri" },
    },
  },
  "product-search": {
    means: { en: "What the product search finds", tr: "Ürün araması neyi bulur" },
    default: "every-word",
    values: {
      "every-word": { en: "products with every word", tr: "her sözcüğü içeren ürünleri" },
      "any-word": {
        en: "products with any of the words, those with the most first",
        tr: "sözcüklerden birini içeren ürünleri, en çoğunu içerenler önce",
      },
      nonsense: {
        en: "other products, ids that nobody has, and answers of another shape",
        tr: "ilgisiz ürünleri, kimsenin olmayan kimlikleri ve başka biçimde yanıtları",
      },
      "403": { en: "is refused with 403", tr: "403 ile reddedilir" },
      "404": { en: "is refused with 404", tr: "404 ile reddedilir" },
      "429": { en: "is refused with 429", tr: "429 ile reddedilir" },
    },
  },
  capacity: {
    means: {
      en: "Calls that are served at a time, each for the latency",
      tr: "Aynı anda karşılanan çağrı sayısı; her biri gecikme süresince yer tutar",
    },
    default: "unlimited",
    values: {
      unlimited: { en: "all", tr: "hepsi" },
      "2": { en: "two; the others wait in order", tr: "iki; ötekiler sırada bekler" },
      "8": { en: "eight; the others wait in order", tr: "sekiz; ötekiler sırada bekler" },
      "32": { en: "32; the others wait in order", tr: "32; ötekiler sırada bekler" },
    },
  },
  ...ACTION_SETTINGS,
};

/** Values by name of the setting; the other settings keep their defaults. */
export type BehaviorOptions = {
  readonly [Name in BehaviorSettingName]?: Behavior[Name] | undefined;
};

/** The personality of a sandbox without options. */
export const DEFAULT_BEHAVIOR: Behavior = {
  "auth-error": BEHAVIOR_SETTINGS["auth-error"].default,
  "error-body": BEHAVIOR_SETTINGS["error-body"].default,
  "duplicate-code": BEHAVIOR_SETTINGS["duplicate-code"].default,
  "new-product": BEHAVIOR_SETTINGS["new-product"].default,
  "code-filter": BEHAVIOR_SETTINGS["code-filter"].default,
  "ids-filter": BEHAVIOR_SETTINGS["ids-filter"].default,
  "date-filter": BEHAVIOR_SETTINGS["date-filter"].default,
  "stored-code": BEHAVIOR_SETTINGS["stored-code"].default,
  "hourly-limit": BEHAVIOR_SETTINGS["hourly-limit"].default,
  "expires-at": BEHAVIOR_SETTINGS["expires-at"].default,
  prices: BEHAVIOR_SETTINGS.prices.default,
  total: BEHAVIOR_SETTINGS.total.default,
  "page-cap": BEHAVIOR_SETTINGS["page-cap"].default,
  "page-past-end": BEHAVIOR_SETTINGS["page-past-end"].default,
  "update-stock": BEHAVIOR_SETTINGS["update-stock"].default,
  images: BEHAVIOR_SETTINGS.images.default,
  versions: BEHAVIOR_SETTINGS.versions.default,
  "new-token": BEHAVIOR_SETTINGS["new-token"].default,
  "date-header": BEHAVIOR_SETTINGS["date-header"].default,
  "product-search": BEHAVIOR_SETTINGS["product-search"].default,
  capacity: BEHAVIOR_SETTINGS.capacity.default,
  ...DEFAULT_ACTIONS,
};

/** Lists every setting with the names of its values, the default first. */
export function listBehaviorSettings(): readonly {
  readonly name: BehaviorSettingName;
  readonly values: readonly string[];
}[] {
  return SETTING_NAMES.map((name) => ({ name, values: valuesOf(name) }));
}

/** Fills in the defaults. Throws an `OptionError` for an unknown setting or value. */
export function resolveBehavior(options: BehaviorOptions = {}): Behavior {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) assertDecision(name, value);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_BEHAVIOR, ...Object.fromEntries(given) };
}

/**
 * Parses texts of the form "name=value"; the last value of a setting wins. Throws an `OptionError`
 * for another form, an unknown setting or an unknown value.
 */
export function parseBehavior(texts: readonly string[]): BehaviorOptions {
  const pairs = texts.map((text) => {
    const at = text.indexOf("=");
    if (at < 0) {
      throw new OptionError({
        tr: `"${text}" anlaşılamadı; ad=değer biçiminde yazın`,
        en: `"${text}" is not of the form name=value`,
      });
    }
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  for (const [name, value] of pairs) assertDecision(name, value);
  return Object.fromEntries(pairs);
}

const SETTING_NAMES: readonly BehaviorSettingName[] =
  Object.keys(DEFAULT_BEHAVIOR).filter(isSettingName);

function isSettingName(name: string): name is BehaviorSettingName {
  return Object.hasOwn(BEHAVIOR_SETTINGS, name);
}

function assertDecision(name: string, value: string): void {
  if (!isSettingName(name)) {
    const names = SETTING_NAMES.join(", ");
    throw new OptionError({
      tr: `"${name}" adında bir davranış yok; olanlar: ${names}`,
      en: `no behavior is named "${name}"; there are ${names}`,
    });
  }
  const values = valuesOf(name);
  if (values.includes(value)) return;
  throw new OptionError({
    tr: `${name} için "${value}" yazılamaz; yazılabilecekler: ${values.join(", ")}`,
    en: `${name} cannot be "${value}"; it can be ${values.join(", ")}`,
  });
}

function valuesOf(name: keyof BehaviorSettings): readonly string[] {
  const { default: safe, values } = BEHAVIOR_SETTINGS[name];
  return [safe, ...Object.keys(values).filter((value) => value !== safe)];
}

/** An option of the sandbox cannot be used; the message is the English text. */
export class OptionError extends RangeError {
  override readonly name = "OptionError";
  readonly localized: Localized;

  constructor(localized: Localized) {
    super(localized.en);
    this.localized = localized;
  }
}
