/** All words of `catalog api`. */

import type { EndpointName } from "@catalog/contract";
import type { Lang, Localized } from "@catalog/i18n";
import type { z } from "zod";

import type { CallField } from "./fields.ts";

/** A kind of value that a field takes. */
export type FieldKind = "text" | "id" | "integer" | "number" | "boolean" | "list" | "object";

/** What each kind is called. */
export const KIND_WORDS: Readonly<Record<FieldKind, Localized>> = {
  text: { tr: "metin", en: "text" },
  id: { tr: "kimlik", en: "id" },
  integer: { tr: "tam sayı", en: "whole number" },
  number: { tr: "sayı", en: "number" },
  boolean: { tr: "true ya da false", en: "true or false" },
  list: { tr: "liste", en: "list" },
  object: { tr: "JSON nesnesi", en: "JSON object" },
};

/** What is wrong with the fields of a call. */
export const MISTAKES = {
  noPair: (text: string): Localized => ({
    tr: `--param "${text}": arasına eşittir koyun: --param ad=değer`,
    en: `--param "${text}": put an equals sign in it: --param name=value`,
  }),
  twice: (field: string): Localized => ({
    tr: `${field}: hem --param ile hem --data içinde verilmiş; birini bırakın`,
    en: `${field}: given both by --param and in --data; leave one of them out`,
  }),
  repeated: (field: string): Localized => ({
    tr: `${field}: birden çok kez verilmiş; bu alan liste değil`,
    en: `${field}: given more than once; this field is no list`,
  }),
  unknown: (field: string, near: string | undefined, known: readonly string[]): Localized => ({
    tr: `${field}: bu çağrının böyle bir alanı yok. ${
      near === undefined ? namesTr(known) : `“${near}” mi demek istediniz?`
    }`,
    en: `${field}: this call has no such field. ${
      near === undefined ? namesEn(known) : `Did you mean “${near}”?`
    }`,
  }),
  storeId: (): Localized => ({
    tr: "storeId: mağaza ayarlardan gelir (CATALOG_STORE_ID ya da catalog login); burada verilmez",
    en: "storeId: the store comes from the settings (CATALOG_STORE_ID or catalog login); it is not given here",
  }),
  secrets: (field: string): Localized => ({
    tr: `${field}: bu çağrı ayarlardaki anahtar ve şifreyle yapılır; gizli bilgi komut satırında ya da dosyada verilmez`,
    en: `${field}: this call uses the key and the secret of the settings; a secret is not given on the command line or in a file`,
  }),
  noJson: (field: string): Localized => ({
    tr: `${field}: JSON olarak okunamadı`,
    en: `${field}: is not readable as JSON`,
  }),
  noNumber: (field: string, text: string): Localized => ({
    tr: `${field}: “${text}” bir sayı değil; ondalık için nokta kullanın`,
    en: `${field}: “${text}” is no number; write decimals with a point`,
  }),
  noBoolean: (field: string, text: string): Localized => ({
    tr: `${field}: “${text}” yerine true ya da false yazın`,
    en: `${field}: write true or false in place of “${text}”`,
  }),
} as const;

const namesTr = (names: readonly string[]): string =>
  names.length === 0 ? "Alan almıyor." : `Alanları: ${names.join(", ")}.`;
const namesEn = (names: readonly string[]): string =>
  names.length === 0 ? "It takes none." : `Its fields: ${names.join(", ")}.`;

interface IssueContext {
  /** The field of the call that the issue is about; `undefined` for the whole input. */
  readonly field: CallField | undefined;
  readonly isMissing: boolean;
}

/** Describes what the schema refuses, without the value, which may be long. */
export function describeIssue(issue: z.core.$ZodIssue, context: IssueContext): Localized {
  const path = issue.path.map(String).join(".");
  const { tr, en } = reasonOf(issue, context);
  return { tr: `${path}: ${tr}`, en: `${path}: ${en}` };
}

function reasonOf(issue: z.core.$ZodIssue, { field, isMissing }: IssueContext): Localized {
  if (issue.code === "custom") return { tr: ruleInTurkish(issue.message), en: issue.message };
  if (isMissing) return { tr: "gerekli", en: "is required" };
  if (issue.code === "too_big") {
    return { tr: `en çok ${issue.maximum} olabilir`, en: `may be ${issue.maximum} at most` };
  }
  if (issue.code === "too_small") {
    return issue.origin === "string" || issue.origin === "array"
      ? { tr: "boş olamaz", en: "may not be empty" }
      : { tr: `en az ${issue.minimum} olmalı`, en: `must be ${issue.minimum} at least` };
  }
  if (field !== undefined && field.choices.length > 0) {
    const list = field.choices.join(", ");
    return { tr: `şunlardan biri olmalı: ${list}`, en: `must be one of: ${list}` };
  }
  const kinds = field?.kinds ?? [];
  return {
    tr: `${kinds.map((kind) => KIND_WORDS[kind].tr).join(" ya da ")} olmalı`,
    en: `must be: ${kinds.map((kind) => KIND_WORDS[kind].en).join(" or ")}`,
  };
}

/** The rules between fields, as the contract words them. */
const RULES: readonly (readonly [RegExp, (...names: readonly string[]) => string])[] = [
  [/^required with (\w+)$/u, (a) => `${a} ile birlikte gerekir`],
  [/^required without (\w+) and (\w+)$/u, (a, b) => `${a} ve ${b} verilmediğinde gerekir`],
  [/^required when (\w+) is false$/u, (a) => `${a} false olduğunda gerekir`],
  [/^only with (\w+)$/u, (a) => `yalnızca ${a} ile verilir`],
  [/^a rate is from (\d+) to (\d+)$/u, (a, b) => `oran ${a} ile ${b} arasında olmalı`],
];

function ruleInTurkish(rule: string): string {
  for (const [pattern, say] of RULES) {
    const [whole, ...names] = pattern.exec(rule) ?? [];
    if (whole !== undefined) return say(...names);
  }
  return rule;
}

/** What the contract says of fields, in Turkish. */
export const FIELD_TEXTS: ReadonlyMap<string, string> = new Map([
  ["Elements a page", "Sayfadaki öğe sayısı"],
  [
    "Minor units: kuruş for TL, cent for USD and EUR",
    "En küçük birimle: TL için kuruş, USD ve EUR için sent",
  ],
  ["Counted from 1", "1'den başlar"],
  ["UNIX timestamp in seconds", "UNIX zamanı, saniye"],
  [
    "Days back; replaces the dates, and is needed without them",
    "Kaç gün geriye; tarihlerin yerine geçer, tarih verilmediğinde gerekir",
  ],
  ["1 awaiting transfer, 2 transferred, 3 cancelled", "1 aktarım bekliyor, 2 aktarıldı, 3 iptal"],
  [
    "Required with has_discount: 1 amount, 2 rate, 3 discounted price",
    "has_discount ile gerekir: 1 tutar, 2 oran, 3 indirimli fiyat",
  ],
  [
    "Required with has_discount; minor units, or 1 to 99 for a rate",
    "has_discount ile gerekir; kuruş, oran için 1-99",
  ],
  ["Required when common_address is false", "common_address false olduğunda gerekir"],
  ["Required when all_country is false", "all_country false olduğunda gerekir"],
  ["Only with conditional_shipping", "Yalnızca conditional_shipping ile"],
]);

/** What each call does, in Turkish; the contract says it in English. */
export const SUMMARIES: Readonly<Record<EndpointName, string>> = {
  "token.create": "Uygulamanın anahtarı ve şifresiyle erişim anahtarı alır.",
  "order.statusCodes": "Sipariş durum kodlarını açıklamalarıyla listeler.",
  "order.list": "Mağazanın bir dönemdeki siparişlerini listeler.",
  "order.postpone": "Bir paketi, nedeniyle birlikte bekletir.",
  "order.accept": "Bir paketi onaylar.",
  "order.acceptReturn": "Bir paketin iadesini kabul eder.",
  "order.rejectReturn": "Bir paketin iadesini, nedeniyle birlikte reddeder.",
  "product.search": "Bir türdeki bütün mağazaların ürünlerinde arar.",
  "product.list": "Mağazanın bir durumdaki ürünlerini listeler.",
  "product.add": "Mağazaya bir ürün ekler.",
  "product.update": "Mağazadaki bir ürünün alanlarını değiştirir.",
  "comment.commentedProducts": "Yorum almış ürünleri yorum sayılarıyla listeler.",
  "comment.productComments": "Bir ürünün yorumlarını listeler.",
  "comment.storeComments": "Bütün mağazanın yorumlarını listeler.",
  "category.list": "Kategorileri listeler.",
  "category.byExternalId": "Bir kategoriyi dış kimliğiyle, özellikleriyle birlikte verir.",
  "category.properties": "Bir kategorinin özelliklerini seçenekleriyle verir.",
  "brand.list": "Bir kategorinin markalarını listeler.",
  "brand.models": "Bir markanın bir kategorideki modellerini listeler.",
  "shippingTemplate.list": "Mağazanın teslimat şablonlarını listeler.",
  "shippingTemplate.create": "Teslimat şablonu oluşturur; yanıt kimliğini söylemez.",
  "shippingTemplate.update": "Bir teslimat şablonunun alanlarını değiştirir.",
  "shippingTemplate.addresses": "Mağazanın şablonlarında kullanılan adresleri listeler.",
  "shipping.companies": "Bütün kargo firmalarını listeler.",
  "shipping.contractedCompanies": "Platformla anlaşmalı kargo firmalarını listeler.",
  "shipping.prices": "Bir paket için anlaşmalı firmaların fiyatlarını verir.",
  "shipping.generateCode": "Paketin kargo firmasına verileceği kodu üretir.",
  "question.list": "Müşterilerin mağazaya sorduğu soruları listeler.",
  "question.reply": "Bir müşteri sorusunu yanıtlar.",
  "payment.list": "Mağazanın ödeme kayıtlarını listeler.",
  "city.list": "Şehirleri ilçeleriyle listeler.",
};

/** What the specification does not say of a call, so that it is assumed. */
export const ASSUMPTIONS: Readonly<Partial<Record<EndpointName, Localized>>> = {
  "order.postpone": {
    tr: "Hangi durumdaki paketin bekletilebileceği belgelenmemiştir.",
    en: "In which status a package can be postponed is not documented.",
  },
  "order.accept": {
    tr: "Hangi durumdaki paketin onaylanabileceği ve onayın geri alınıp alınamayacağı belgelenmemiştir.",
    en: "In which status a package can be accepted, and whether that can be taken back, is not documented.",
  },
  "order.acceptReturn": {
    tr: "Hangi durumdaki paketin iadesinin kabul edilebileceği belgelenmemiştir.",
    en: "In which status the return of a package can be accepted is not documented.",
  },
  "order.rejectReturn": {
    tr: "Bu çağrının yanıtı belgelenmemiştir: 2xx yanıt, yapıldı sayılır.",
    en: "The answer of this call is not documented: any 2xx counts as carried out.",
  },
  "product.update": {
    tr: "Bu çağrının yanıtı belgelenmemiştir: 2xx yanıt, yapıldı sayılır.",
    en: "The answer of this call is not documented: any 2xx counts as carried out.",
  },
  "shipping.generateCode": {
    tr: "Aynı paket için ikinci kez çağrılırsa ne olacağı belgelenmemiştir: ikinci bir kod üretilebilir.",
    en: "What a second call for the same package does is not documented: it may make a second code.",
  },
  "shippingTemplate.create": {
    tr: "Aynı adla ikinci bir şablonun reddedilip reddedilmeyeceği belgelenmemiştir.",
    en: "Whether a second template of the same name is refused is not documented.",
  },
  "question.reply": {
    tr: "İkinci bir yanıtın ilkinin yerine mi geçeceği, yanına mı ekleneceği belgelenmemiştir.",
    en: "Whether a second reply replaces the first one or stands beside it is not documented.",
  },
};

/** A command that does the same for many rows, with plan and report. */
interface SafeWay {
  readonly command: string;
  /** Whether `catalog undo` puts back what it has changed. */
  readonly isUndone: boolean;
}

const toActions = (command: string): SafeWay => ({ command, isUndone: false });

export const SAFE_WAYS: Readonly<Partial<Record<EndpointName, SafeWay>>> = {
  "product.add": { command: "catalog import", isUndone: false },
  "product.update": { command: "catalog import", isUndone: true },
  "question.reply": toActions("catalog answer"),
  "order.accept": toActions("catalog orders accept"),
  "order.postpone": toActions("catalog orders postpone"),
  "order.acceptReturn": toActions("catalog orders accept-return"),
  "order.rejectReturn": toActions("catalog orders reject-return"),
  "shipping.generateCode": toActions("catalog orders shipping-codes"),
  "shippingTemplate.create": toActions("catalog shipping templates import"),
  "shippingTemplate.update": { command: "catalog shipping templates import", isUndone: true },
};

/** How a call of the log ended. */
export type LoggedState = "sending" | "done" | "refused" | "unknown" | "unsent" | "absent";

interface ApiTexts {
  readonly effects: Readonly<Record<"read" | "set" | "create", string>>;
  readonly effectsInFull: Readonly<Record<"read" | "set" | "create", string>>;
  readonly permissions: Readonly<Record<"none" | "general" | "store", string>>;
  readonly permissionsInFull: Readonly<Record<"none" | "general" | "store", string>>;
  readonly section: (name: string) => string;
  readonly listIntro: (calls: number) => string;
  readonly fields: string;
  readonly noFields: string;
  readonly required: string;
  readonly inPath: string;
  readonly undocumented: string;
  readonly standard: (value: string) => string;
  readonly min: (value: number) => string;
  readonly max: (value: number) => string;
  readonly secretFields: string;
  readonly pages: (size: number, max: number | undefined) => string;
  readonly example: string;
  readonly preview: {
    readonly heading: string;
    readonly body: string;
    readonly raw: string;
    readonly assumed: (what: string) => string;
    readonly assumedFields: (names: string) => string;
    readonly safeWay: (way: SafeWay) => string;
    readonly question: string;
    readonly yes: string;
    readonly no: string;
    readonly needsYes: string;
    readonly declined: string;
  };
  readonly outcome: {
    readonly done: (call: number) => string;
    readonly refused: (call: number, why: string) => string;
    readonly unknown: (call: number, why: string) => string;
    readonly noWords: string;
  };
  readonly misfit: (list: string) => string;
  readonly maskedToken: string;
  readonly log: {
    readonly none: string;
    readonly states: Readonly<Record<LoggedState, string>>;
    readonly settled: (call: number, state: string) => string;
  };
}

const TURKISH: ApiTexts = {
  effects: { read: "okur", set: "değiştirir", create: "oluşturur" },
  effectsInFull: {
    read: "Yalnızca okur.",
    set: "Verilen değerleri yazar; yinelenirse sonuç aynı kalır.",
    create: "Yeni bir kayıt oluşturur; yinelenirse ikincisi oluşur.",
  },
  permissions: { none: "izinsiz", general: "platform", store: "mağaza" },
  permissionsInFull: {
    none: "İzin gerekmez.",
    general: "İzni platform verir.",
    store: "İzni mağaza sahibi verir.",
  },
  section: (name) => `Belgede: ${name}.`,
  listIntro: (calls) =>
    `${calls} çağrı: ad, yöntem, etki, izni veren, yol. Adlar tireli de yazılabilir (order.accept-return).`,
  fields: "Alanlar:",
  noFields: "Alan almaz.",
  required: "gerekli",
  inPath: "yolda",
  undocumented: "belgelenmemiş, varsayılmıştır",
  standard: (value) => `varsayılan ${value}`,
  min: (value) => `en az ${value}`,
  max: (value) => `en çok ${value}`,
  secretFields: "Anahtar ve şifre ayarlardan gelir; burada verilmez.",
  pages: (size, max) =>
    `Sayfa sayfa gelir: limit verilmezse ${size}${max === undefined ? "" : `, en çok ${max}`}. Hepsi için --all.`,
  example: "Bu çağrı için örnek:",
  preview: {
    heading: "Gönderilecek çağrı:",
    body: "Gövde:",
    raw: "Bu çağrı doğrudan gider: bir çalıştırmanın parçası değildir, planı ve raporu yoktur, buradan geri alınamaz ve yinelenmez. Çağrı günlüğüne yazılır (catalog api --log).",
    assumed: (what) => `Varsayılan: ${what}`,
    assumedFields: (names) =>
      `Varsayılan: bu alanlar bu çağrı için belgelenmemiştir: ${names}. Pazaryeri onları yok sayabilir.`,
    safeWay: ({ command, isUndone }) =>
      `${isUndone ? "Planla, raporla ve geri alınabilir biçimde" : "Planla ve raporla"} göndermek için: ${command}`,
    question: "Gönderilsin mi?",
    yes: "Evet",
    no: "Hayır",
    needsYes:
      "Bu çağrı bir şey değiştirir ve soru sorulabilecek bir terminal yok. Sormadan göndermek için --yes ekleyin.",
    declined: "Gönderilmedi.",
  },
  outcome: {
    done: (call) => `Gönderildi ve yanıtlandı (günlükte ${call}).`,
    refused: (call, why) => `Pazaryeri çağrıyı reddetti: ${why} Günlükte ${call}.`,
    unknown: (call, why) =>
      `Çağrının yapılıp yapılmadığı bilinmiyor: ${why} Yinelenmedi. Mağaza panelinden ya da bir okuma çağrısıyla kontrol edin, sonra yazın: catalog api --settle ${call} --as done (yapılmış) ya da --as absent (yapılmamış).`,
    noWords: "neden belirtmedi.",
  },
  misfit: (list) => `Yanıt belgedeki biçime uymuyor, geldiği gibi yazıldı: ${list}`,
  maskedToken: "Erişim anahtarı yazdırılmaz; öteki komutlar kendi anahtarlarını alır.",
  log: {
    none: "Bu mağazada elle gönderilmiş bir çağrı yok.",
    states: {
      sending: "yanıtı kayıtlı değil: yapılıp yapılmadığı bilinmiyor",
      done: "yapıldı",
      refused: "reddedildi",
      unknown: "yapılıp yapılmadığı bilinmiyor",
      unsent: "gönderilmedi",
      absent: "yapılmamış (kontrol edildi)",
    },
    settled: (call, state) => `Çağrı ${call}: ${state}.`,
  },
};

const ENGLISH: ApiTexts = {
  effects: { read: "reads", set: "sets", create: "creates" },
  effectsInFull: {
    read: "Only reads.",
    set: "Writes the given values; made again, it ends in the same state.",
    create: "Creates something new; made again, it creates a second one.",
  },
  permissions: { none: "none", general: "platform", store: "store" },
  permissionsInFull: {
    none: "Needs no permission.",
    general: "The platform grants it.",
    store: "The store's owner grants it.",
  },
  section: (name) => `Section of the specification: ${name}.`,
  listIntro: (calls) =>
    `${calls} calls: name, method, effect, who grants it, path. Names may also be written with hyphens (order.accept-return).`,
  fields: "Fields:",
  noFields: "Takes no fields.",
  required: "required",
  inPath: "in the path",
  undocumented: "not documented, assumed",
  standard: (value) => `default ${value}`,
  min: (value) => `at least ${value}`,
  max: (value) => `at most ${value}`,
  secretFields: "Key and secret come from the settings; they are not given here.",
  pages: (size, max) =>
    `Comes in pages: ${size} without a limit${max === undefined ? "" : `, ${max} at most`}. For all of them: --all.`,
  example: "Example of this call:",
  preview: {
    heading: "Call to send:",
    body: "Body:",
    raw: "This call is sent as it is: it belongs to no run, has no plan and no report, cannot be undone here and is not repeated. It is written to the log of calls (catalog api --log).",
    assumed: (what) => `Assumed: ${what}`,
    assumedFields: (names) =>
      `Assumed: these fields are not documented for this call: ${names}. The marketplace may ignore them.`,
    safeWay: ({ command, isUndone }) =>
      `To send it with ${isUndone ? "a plan, a report and undo" : "a plan and a report"}: ${command}`,
    question: "Send it?",
    yes: "Yes",
    no: "No",
    needsYes:
      "This call changes something, and there is no terminal to ask on. Add --yes to send it without asking.",
    declined: "Not sent.",
  },
  outcome: {
    done: (call) => `Sent and answered (number ${call} of the log).`,
    refused: (call, why) =>
      `The marketplace refused the call: ${why} It is number ${call} of the log.`,
    unknown: (call, why) =>
      `It is unknown whether the call was carried out: ${why} It was not repeated. Check it in the store's panel or with a call that reads, then write down what you found: catalog api --settle ${call} --as done (carried out), or --as absent (not carried out).`,
    noWords: "it gave no reason.",
  },
  misfit: (list) => `The answer does not fit the specification and is printed as it came: ${list}`,
  maskedToken: "The access token is not printed; the other commands get their own.",
  log: {
    none: "No call of this store was sent by hand.",
    states: {
      sending: "no answer is recorded: unknown whether it was carried out",
      done: "carried out",
      refused: "refused",
      unknown: "unknown whether it was carried out",
      unsent: "not sent",
      absent: "not carried out (checked)",
    },
    settled: (call, state) => `Call ${call}: ${state}.`,
  },
};

/** The texts of a language. */
export const textsFor = (lang: Lang): ApiTexts => (lang === "tr" ? TURKISH : ENGLISH);

/** Mistakes of the command line itself. */
export const USE = {
  noCall: {
    tr: "Hangi çağrı? Hepsi için: catalog api --list",
    en: "Which call? For all of them: catalog api --list",
  },
  unknownCall: (word: string, near: readonly string[]): Localized => ({
    tr: `“${word}” adlı bir çağrı yok. ${near.length === 0 ? "" : `Şunu mu demek istediniz: ${near.join(", ")}? `}Hepsi için: catalog api --list`,
    en: `There is no call “${word}”. ${near.length === 0 ? "" : `Did you mean ${near.join(", ")}? `}For all of them: catalog api --list`,
  }),
  mistakes: (name: string, mistakes: readonly Localized[]): Localized => ({
    tr: `${name} gönderilmedi:\n${mistakes.map(({ tr }) => `  ${tr}`).join("\n")}\nAlanlar için: catalog api ${name} --help`,
    en: `${name} was not sent:\n${mistakes.map(({ en }) => `  ${en}`).join("\n")}\nFor its fields: catalog api ${name} --help`,
  }),
  noPages: (name: string): Localized => ({
    tr: `${name} sayfa sayfa gelmez; --all olmadan hepsi gelir.`,
    en: `${name} has no pages; without --all it answers with everything.`,
  }),
  together: (one: string, other: string): Localized => ({
    tr: `${one} ile ${other} birlikte verilmez.`,
    en: `${one} and ${other} are not given together.`,
  }),
  needs: (one: string, other: string): Localized => ({
    tr: `${one} için ${other} de verin.`,
    en: `${one} needs ${other}.`,
  }),
  limit: {
    tr: "--limit yalnızca --log ile verilir. Bir listenin sayfası için: --param limit=5",
    en: "--limit goes with --log only. For the page of a listing: --param limit=5",
  },
  dataFile: (file: string, why: Localized): Localized => ({
    tr: `--data “${file}” okunamadı: ${why.tr}.`,
    en: `--data “${file}” cannot be read: ${why.en}.`,
  }),
  settleUnknown: (call: number): Localized => ({
    tr: `${call} numaralı, sonucu bilinmeyen bir çağrı yok. Çağrılar için: catalog api --log`,
    en: `There is no call ${call} of unknown outcome. For the calls: catalog api --log`,
  }),
} as const;

/** Why the JSON of a call cannot be used. */
export const DATA_FAULTS = {
  missing: { tr: "böyle bir dosya yok", en: "there is no such file" },
  noFile: { tr: "bir dosya değil", en: "it is no file" },
  tooLarge: (max: string): Localized => ({ tr: `${max} sınırını aşıyor`, en: `it is over ${max}` }),
  noText: { tr: "UTF-8 metni değil", en: "it is no UTF-8 text" },
  noJson: { tr: "JSON değil", en: "it is not JSON" },
  noObject: { tr: "bir JSON nesnesi ({…}) değil", en: "it is no JSON object ({…})" },
  noInput: {
    tr: "standart girdi bir terminal; bir dosya verin ya da bir komutun çıktısını bağlayın",
    en: "standard input is a terminal; give a file or pipe the output of a command",
  },
} as const;
