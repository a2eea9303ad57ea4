/**
 * The settings of a personality for what a store does with questions, packages, shipping codes and
 * templates. Each is about something that the specification does not show.
 */

import type { BehaviorSetting } from "./behavior-settings.ts";

/** A value for each setting; `ACTION_SETTINGS` describes the values. */
export interface ActionBehavior {
  readonly "second-reply": "refused" | "false" | "overwrites" | "appended" | "ignored";
  readonly "answer-shape": "object" | "other-names" | "text" | "list";
  readonly "wrong-move": "refused" | "status-error" | "status-text";
  readonly "second-move": "refused" | "repeated" | "ignored";
  readonly "move-answer": "success" | "turkish" | "true" | "missing";
  readonly "reject-return-answer": "status" | "empty" | "null" | "no-data";
  readonly "status-codes": "sandbox" | "other-numbers" | "other-words" | "no-words";
  readonly "second-shipping-code": "same" | "refused" | "new";
  readonly "shipping-code-shown": "shown" | "company-only" | "hidden";
  readonly "template-name": "repeatable" | "unique";
  readonly "change-shown": "at-once" | "two-listings" | "ten-seconds" | "ten-minutes";
  readonly "other-person": "nobody" | "a-tenth" | "all";
}

type ActionSettings = {
  readonly [Name in keyof ActionBehavior]: BehaviorSetting<ActionBehavior[Name]>;
};

/** Every setting, in the order of help and README. */
export const ACTION_SETTINGS: ActionSettings = {
  "second-reply": {
    means: { en: "A reply to an answered question", tr: "Yanıtlanmış soruya gelen yanıt" },
    default: "refused",
    values: {
      refused: { en: "is refused with 409", tr: "409 ile reddedilir" },
      false: {
        en: "is answered with 200 and success: false",
        tr: "200 ve success: false ile yanıtlanır",
      },
      overwrites: { en: "replaces the answer", tr: "önceki yanıtın yerine geçer" },
      appended: { en: "becomes a second answer", tr: "ikinci yanıt olur" },
      ignored: {
        en: "is answered as a success without effect",
        tr: "etkisi olmadan başarı sayılır",
      },
    },
  },
  "answer-shape": {
    means: { en: "The answer of a question in the listing", tr: "Listede sorunun yanıtı" },
    default: "object",
    values: {
      object: { en: "{ title, message, created_at }", tr: "{ title, message, created_at }" },
      "other-names": {
        en: "{ id, subject, content, date }",
        tr: "{ id, subject, content, date }",
      },
      text: { en: "the text alone", tr: "yalnız metin" },
      list: {
        en: "a list of objects, also of one answer",
        tr: "tek yanıtta da nesnelerin listesi",
      },
    },
  },
  "wrong-move": {
    means: {
      en: "A move that the status of a package forbids",
      tr: "Paketin durumunun izin vermediği işlem",
    },
    default: "refused",
    values: {
      refused: { en: "is refused with 409", tr: "409 ile reddedilir" },
      "status-error": {
        en: 'is answered with 200, status "error" and a message',
        tr: '200, "error" durumu ve bir mesajla yanıtlanır',
      },
      "status-text": {
        en: "is answered with 200 and the reason in Turkish as status",
        tr: "200 ve durum olarak Türkçe nedeniyle yanıtlanır",
      },
    },
  },
  "second-move": {
    means: { en: "The same move of a package again", tr: "Paketin aynı işlemi bir daha" },
    default: "refused",
    values: {
      refused: { en: "is a wrong move", tr: "yanlış işlem sayılır" },
      repeated: {
        en: "is carried out again without a word; the effects count it",
        tr: "sessizce bir daha yapılır; etkiler onu sayar",
      },
      ignored: {
        en: "is answered as a success without effect",
        tr: "etkisi olmadan başarı sayılır",
      },
    },
  },
  "move-answer": {
    means: { en: "data.status of a move that was made", tr: "Yapılan işlemin data.status değeri" },
    default: "success",
    values: {
      success: { en: '"success"', tr: '"success"' },
      turkish: { en: 'a Turkish text such as "Sipariş onaylandı"', tr: '"Sipariş onaylandı" gibi' },
      true: { en: "true, which is no text", tr: "metin olmayan true" },
      missing: { en: "is missing", tr: "yok" },
    },
  },
  "reject-return-answer": {
    means: { en: "Answer to a rejected return", tr: "Reddedilen iadenin yanıtı" },
    default: "status",
    values: {
      status: { en: "data with the status of a move", tr: "işlem durumu olan data" },
      empty: { en: "data without fields", tr: "alanı olmayan data" },
      null: { en: "data is null", tr: "data null" },
      "no-data": { en: "an object without data", tr: "data olmayan nesne" },
    },
  },
  "status-codes": {
    means: {
      en: "Numbers and words of order statuses",
      tr: "Sipariş durumlarının numarası ve sözü",
    },
    default: "sandbox",
    values: {
      sandbox: { en: "those of this sandbox", tr: "bu yerel pazaryerininkiler" },
      "other-numbers": { en: "other numbers, the same words", tr: "başka numaralar, aynı sözler" },
      "other-words": { en: "other numbers and other words", tr: "başka numaralar ve başka sözler" },
      "no-words": { en: "the same numbers without words", tr: "aynı numaralar, sözsüz" },
    },
  },
  "second-shipping-code": {
    means: { en: "A shipping code for a package that has one", tr: "Kodu olan pakete kargo kodu" },
    default: "same",
    values: {
      same: { en: "is the same code", tr: "aynı koddur" },
      refused: { en: "is refused with 409", tr: "409 ile reddedilir" },
      new: { en: "is a new one, and the first is lost", tr: "yenisidir, ilki kaybolur" },
    },
  },
  "shipping-code-shown": {
    means: {
      en: "A shipping code in the order listing",
      tr: "Sipariş listesinde kargo kodu",
    },
    default: "shown",
    values: {
      shown: {
        en: "is shipping_discount_code, beside its company",
        tr: "firmasıyla birlikte shipping_discount_code alanındadır",
      },
      "company-only": { en: "is not shown, its company is", tr: "gösterilmez, firması gösterilir" },
      hidden: { en: "is not shown", tr: "gösterilmez" },
    },
  },
  "template-name": {
    means: {
      en: "A shipping template's name that is in use",
      tr: "Kullanılan teslimat şablonu adı",
    },
    default: "repeatable",
    values: {
      repeatable: { en: "is accepted again", tr: "bir daha kabul edilir" },
      unique: { en: "is refused", tr: "reddedilir" },
    },
  },
  "change-shown": {
    means: {
      en: "When listings show an answer, a move, a code or a template",
      tr: "Yanıt, işlem, kod ve şablon listede ne zaman görünür",
    },
    default: "at-once",
    values: {
      "at-once": { en: "at once", tr: "hemen" },
      "two-listings": { en: "after two more listings", tr: "iki listelemeden sonra" },
      "ten-seconds": { en: "ten seconds later", tr: "on saniye sonra" },
      "ten-minutes": { en: "ten minutes later", tr: "on dakika sonra" },
    },
  },
  "other-person": {
    means: {
      en: "Another person who does it right before our call, or saves the template otherwise",
      tr: "Çağrımızdan hemen önce aynısını yapan ya da şablonu başka türlü kaydeden biri",
    },
    default: "nobody",
    values: {
      nobody: { en: "none", tr: "yok" },
      "a-tenth": {
        en: "for one question, package and template in ten",
        tr: "on soru, paket ve şablondan birinde",
      },
      all: { en: "for all of them", tr: "hepsinde" },
    },
  },
};

/** The personality of a sandbox without options. */
export const DEFAULT_ACTIONS: ActionBehavior = {
  "second-reply": ACTION_SETTINGS["second-reply"].default,
  "answer-shape": ACTION_SETTINGS["answer-shape"].default,
  "wrong-move": ACTION_SETTINGS["wrong-move"].default,
  "second-move": ACTION_SETTINGS["second-move"].default,
  "move-answer": ACTION_SETTINGS["move-answer"].default,
  "reject-return-answer": ACTION_SETTINGS["reject-return-answer"].default,
  "status-codes": ACTION_SETTINGS["status-codes"].default,
  "second-shipping-code": ACTION_SETTINGS["second-shipping-code"].default,
  "shipping-code-shown": ACTION_SETTINGS["shipping-code-shown"].default,
  "template-name": ACTION_SETTINGS["template-name"].default,
  "change-shown": ACTION_SETTINGS["change-shown"].default,
  "other-person": ACTION_SETTINGS["other-person"].default,
};
