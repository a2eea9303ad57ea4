/**
 * Words for runs whose rows do something to questions, packages or templates: none of them adds or
 * updates a product.
 */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { type ActionName, isAction, type RunRecord } from "@catalog/runs";

/** What is said of the rows of one action. */
interface ActionWords {
  /** What will be done with so many, as a part of a sentence. */
  readonly planned: Counted;
  /** The same as a sentence, which a question follows. */
  readonly asked: Counted;
  readonly done: Counted;
  /** The decision of the plan, and the outcome, for one row. */
  readonly plan: Localized;
  readonly result: Localized;
}

type Counted = (count: number, lang: Lang) => string;

const counted =
  (tr: string, [one, many]: readonly [one: string, many: string]): Counted =>
  (count, lang) =>
    (lang === "tr" ? tr : count === 1 ? one : many).replace("#", formatNumber(count, lang));

/** Words of an action: the parts in Turkish, and the English noun with its verbs. */
interface Verbs {
  /** Such as `# soru yanıtla`, to which the endings are added. */
  readonly tr: readonly [planned: string, done: string];
  readonly word: readonly [plan: string, result: string];
  readonly nouns: readonly [one: string, many: string];
  readonly verb: string;
  readonly past: string;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function toWords({
  tr: [planned, done],
  word,
  nouns: [one, many],
  verb,
  past,
}: Verbs): ActionWords {
  return {
    planned: counted(planned, [`# ${one} to ${verb}`, `# ${many} to ${verb}`]),
    asked: counted(planned, [`# ${one} will be ${past}`, `# ${many} will be ${past}`]),
    done: counted(done, [`# ${one} ${past}`, `# ${many} ${past}`]),
    plan: { tr: word[0], en: capital(verb) },
    result: { tr: word[1], en: capital(past) },
  };
}

const PACKAGES = ["package", "packages"] as const;
const RETURNS = ["return", "returns"] as const;
const TEMPLATES = ["template", "templates"] as const;

const WORDS: Readonly<Record<ListKind, ActionWords>> = {
  reply: toWords({
    tr: ["# soru yanıtlanacak", "# soru yanıtlandı"],
    word: ["Yanıtlanacak", "Yanıtlandı"],
    nouns: ["question", "questions"],
    verb: "answer",
    past: "answered",
  }),
  accept: toWords({
    tr: ["# paket onaylanacak", "# paket onaylandı"],
    word: ["Onaylanacak", "Onaylandı"],
    nouns: PACKAGES,
    verb: "accept",
    past: "accepted",
  }),
  postpone: toWords({
    tr: ["# paket ertelenecek", "# paket ertelendi"],
    word: ["Ertelenecek", "Ertelendi"],
    nouns: PACKAGES,
    verb: "postpone",
    past: "postponed",
  }),
  "accept-return": toWords({
    tr: ["# paketin iadesi onaylanacak", "# paketin iadesi onaylandı"],
    word: ["İadesi onaylanacak", "İadesi onaylandı"],
    nouns: RETURNS,
    verb: "accept",
    past: "accepted",
  }),
  "reject-return": toWords({
    tr: ["# paketin iadesi reddedilecek", "# paketin iadesi reddedildi"],
    word: ["İadesi reddedilecek", "İadesi reddedildi"],
    nouns: RETURNS,
    verb: "reject",
    past: "rejected",
  }),
  "shipping-code": toWords({
    tr: ["# paket için kargo kodu alınacak", "# paket için kargo kodu alındı"],
    word: ["Kargo kodu alınacak", "Kargo kodu alındı"],
    nouns: ["shipping code", "shipping codes"],
    verb: "make",
    past: "made",
  }),
  "create-template": toWords({
    tr: ["# şablon oluşturulacak", "# şablon oluşturuldu"],
    word: ["Oluşturulacak", "Oluşturuldu"],
    nouns: TEMPLATES,
    verb: "create",
    past: "created",
  }),
  "update-template": toWords({
    tr: ["# şablon değiştirilecek", "# şablon değiştirildi"],
    word: ["Değiştirilecek", "Değiştirildi"],
    nouns: TEMPLATES,
    verb: "change",
    past: "changed",
  }),
  packages: toWords({
    tr: ["# pakete işlem yapılacak", "# pakete işlem yapıldı"],
    word: ["İşlem yapılacak", "İşlem yapıldı"],
    nouns: PACKAGES,
    verb: "decide on",
    past: "decided on",
  }),
  templates: toWords({
    tr: ["# şablon kaydedilecek", "# şablon kaydedildi"],
    word: ["Kaydedilecek", "Kaydedildi"],
    nouns: TEMPLATES,
    verb: "save",
    past: "saved",
  }),
};

type ActionRun = Pick<RunRecord, "progress">;

/** What the rows of a run do; `undefined` for a run of products. */
export function listKindOf({ progress: { actions } }: ActionRun): ListKind | undefined {
  if (actions === undefined) return undefined;
  const { kind, only = "packages" } = actions;
  const names = {
    answers: "reply",
    packages: only,
    codes: "shipping-code",
    templates: "templates",
  } as const;
  return names[kind];
}

/** What all rows of a list do; those of packages and of templates may each do their own. */
export type ListKind = ActionName | "packages" | "templates";

/** The words of all rows of a list. */
export const wordsOfList = (kind: ListKind): ActionWords => WORDS[kind];

/** The words of all rows of a run; `undefined` for a run of products. */
export function actionWordsOf(run: ActionRun): ActionWords | undefined {
  const kind = listKindOf(run);
  return kind === undefined ? undefined : WORDS[kind];
}

/** The words of one row; `undefined` for a row about a product. */
export const rowWordsOf = (action: string | null): ActionWords | undefined =>
  isAction(action) ? WORDS[action] : undefined;

/** What is said of the other rows of such a run. */
export const NOTHING_ASKED: Counted = counted("# satırda istenen bir şey yok", [
  "# row asks for nothing",
  "# rows ask for nothing",
]);
export const DONE_BEFORE: Counted = counted("# satırda istenen zaten yapılmış", [
  "# done already",
  "# done already",
]);

type Kind = NonNullable<RunRecord["progress"]["actions"]>["kind"];

/** Headers of such a run's tables, in which no product is named. */
export interface ListWords {
  /** Name of the sheet. */
  readonly sheet: Localized;
  /** The id that a row is about. */
  readonly subject: Localized;
  /** Column of the file that tells people which one it is, by its headers. */
  readonly about: Localized;
}

export const LIST_WORDS: Readonly<Record<Kind, ListWords>> = {
  answers: {
    sheet: { tr: "Sorular", en: "Questions" },
    subject: { tr: "Soru ID", en: "Question ID" },
    about: { tr: "Soru", en: "Question" },
  },
  packages: {
    sheet: { tr: "Paketler", en: "Packages" },
    subject: { tr: "Paket ID", en: "Package ID" },
    about: { tr: "Sipariş Kodu", en: "Order Code" },
  },
  codes: {
    sheet: { tr: "Kargo kodları", en: "Shipping codes" },
    subject: { tr: "Paket ID", en: "Package ID" },
    about: { tr: "Sipariş Kodu", en: "Order Code" },
  },
  templates: {
    sheet: { tr: "Şablonlar", en: "Templates" },
    subject: { tr: "Şablon ID", en: "Template ID" },
    about: { tr: "Şablon Adı", en: "Template Name" },
  },
};

/** The list words of a run; `undefined` for a run of products. */
export const listWordsOf = ({ progress: { actions } }: ActionRun): ListWords | undefined =>
  actions === undefined ? undefined : LIST_WORDS[actions.kind];

/** Index in the input of the column with one of these headers; `undefined` where it has none. */
export function findColumn(
  { file: { header } }: Pick<RunRecord, "file">,
  { tr, en }: Localized,
): number | undefined {
  const at = header.findIndex((name) => name === tr || name === en);
  return at < 0 ? undefined : at;
}

/** Texts for values that nobody has given, or knows before the action was carried out. */
export const ACTION_VALUES: Readonly<Record<"empty" | "noAnswer" | "open" | "assumed", Localized>> =
  {
    empty: { tr: "(yok)", en: "(none)" },
    noAnswer: { tr: "(yanıt yok)", en: "(no answer)" },
    open: { tr: "henüz bilinmiyor", en: "not known yet" },
    assumed: { tr: "varsayım", en: "assumed" },
  };

/** Fields of subjects, other than those of templates. */
export const ACTION_FIELDS: ReadonlySet<string> = new Set([
  "answer",
  "status",
  "shipping_code",
  "shipping_company",
  "order_discount_code",
]);

/** Key of the word for a status, among the names of a row. */
export const statusKey = (status: unknown): string => `status ${String(status)}`;

/** A value of a subject's field; statuses by the marketplace's word, with their number. */
export function formatActionValue(
  field: string,
  value: unknown,
  {
    lang,
    names,
  }: { readonly lang: Lang; readonly names?: ReadonlyMap<string, string> | undefined },
): string {
  if (value === undefined) return ACTION_VALUES.open[lang];
  if (value === null || value === "") {
    return (field === "answer" ? ACTION_VALUES.noAnswer : ACTION_VALUES.empty)[lang];
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const word = field === "status" ? names?.get(statusKey(value)) : undefined;
  return word === undefined ? text : `${word} (${text})`;
}

/** A value after an action, marked where it is what earlier ones have led to. */
export const markAssumed = (
  text: string,
  change: { readonly isAssumed?: boolean | undefined } | undefined,
  lang: Lang,
): string => (change?.isAssumed === true ? `${text}, ${ACTION_VALUES.assumed[lang]}` : text);

/** The command that takes a corrected file of the run's rows. */
export function listCommandOf({ progress: { actions } }: ActionRun): string {
  if (actions === undefined) return "catalog import";
  const { kind, only = "as-written" } = actions;
  const commands = {
    answers: "catalog answer",
    packages: `catalog orders ${only}`,
    codes: "catalog orders shipping-codes",
    templates: "catalog shipping templates import",
  } as const;
  return commands[kind];
}
