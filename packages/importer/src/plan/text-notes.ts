/** Notes on texts whose letters, titles or descriptions may not be meant as they are. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { type FieldKey, fold, type MappedRow } from "@catalog/mapping";
import { createCompactTextMap } from "@catalog/runs";
import { createTwiceRepair } from "@catalog/sheets";

import { createDescriptionChanges } from "./plan-notes.ts";

/** Collects what is noteworthy; each row is noted once. */
export interface TextNotes {
  note(row: NotedRow): void;
  /** One line for each kind. */
  notes(): readonly Localized[];
}

type NotedRow = Pick<
  MappedRow,
  "row" | "changes" | "names" | "warnings" | "locationOf" | "descriptionChange"
>;

interface TextNotesOptions {
  /** Names a row for people. */
  readonly nameRow: (row: number) => string;
}

/** Rows and names that a line lists. */
const MAX_LISTED = 5;
const MAX_NAMES = 3;

export function createTextNotes({ nameRow }: TextNotesOptions): TextNotes {
  const rowOfTitle = createCompactTextMap();
  const sameTitle = createRowList(nameRow);
  const coded = createRowList(nameRow);
  const spelled = new Map<string, string>();
  const near = new Map<string, string>();
  const descriptions = createDescriptionChanges();
  const noteTitle = (title: string | undefined, row: number): void => {
    if (title === undefined) return;
    if (rowOfTitle.get(title) === undefined) rowOfTitle.set(title, row);
    else sameTitle.add(row);
  };
  return {
    note(mapped) {
      const { row, changes, names, warnings, locationOf } = mapped;
      descriptions.note(mapped);
      if (warnings.some(({ code }) => code === "W_TEXT_CODES")) coded.add(row);
      if (names.nearModel !== undefined) near.set(changes.brand_model ?? "", names.nearModel);
      noteTitle(changes.title, row);
      for (const [field, name] of namesOf(names)) {
        const text = lastPart(locationOf(field)?.value ?? "");
        if (isSpelledOtherwise(text, name)) spelled.set(text, name);
      }
    },
    notes: () =>
      [
        noteSpelled(spelled),
        noteNearModels(near),
        noteSameTitles(sameTitle),
        noteCoded(coded),
        ...descriptions.notes(),
      ].filter((note) => note !== undefined),
  };
}

function namesOf(names: MappedRow["names"]): readonly (readonly [FieldKey, string])[] {
  const { category, brand, shippingTemplate } = names;
  return [
    ...(category === undefined ? [] : [["category", category] as const]),
    ...(brand === undefined ? [] : [["brand", brand] as const]),
    ...(shippingTemplate === undefined ? [] : [["shipping_template", shippingTemplate] as const]),
  ];
}

/** The last name of a path. */
const lastPart = (text: string): string => text.slice(text.lastIndexOf(">") + 1).trim();

/** Whether other letters stand for the same name, as in `Isik` for `Işık`; case does not count. */
const isSpelledOtherwise = (text: string, name: string): boolean =>
  text !== name &&
  fold(text) === fold(name) &&
  text.toLocaleLowerCase("tr") !== name.toLocaleLowerCase("tr") &&
  text.toLowerCase() !== name.toLowerCase();

interface RowList {
  add(row: number): void;
  readonly count: number;
  readonly list: string;
}

function createRowList(nameRow: TextNotesOptions["nameRow"]): RowList {
  const named: string[] = [];
  let count = 0;
  return {
    add(row) {
      count += 1;
      if (named.length < MAX_LISTED) named.push(nameRow(row));
    },
    get count() {
      return count;
    },
    get list() {
      return named.join(", ") + (count > named.length ? ", …" : "");
    },
  };
}

function noteSpelled(spelled: ReadonlyMap<string, string>): Localized | undefined {
  if (spelled.size === 0) return undefined;
  const list = listPairs(spelled, (text, name) => `“${text}” → “${name}”`);
  return {
    tr: `Yazımı farklı olup mağazadaki adıyla alınanlar: ${list}`,
    en: `Names spelled otherwise, taken for the store's: ${list}`,
  };
}

function noteNearModels(near: ReadonlyMap<string, string>): Localized | undefined {
  if (near.size === 0) return undefined;
  const list = (listed: string): string =>
    listPairs(near, (text, name) => `“${text}” (${listed} “${name}”)`);
  return {
    tr: `Listede olmayan, ama listedeki bir modele çok benzeyen modeller yazıldığı gibi gönderilir; yanlışsa düzeltin: ${list("listede")}`,
    en: `Models that are not listed but nearly are, sent as written; correct them if they are wrong: ${list("listed:")}`,
  };
}

function listPairs(
  pairs: ReadonlyMap<string, string>,
  show: (text: string, name: string) => string,
): string {
  const shown = [...pairs].slice(0, MAX_NAMES).map(([text, name]) => show(text, name));
  return shown.join(" · ") + (pairs.size > MAX_NAMES ? " · …" : "");
}

const rows = (count: number, lang: Lang): string => formatNumber(count, lang);

function noteSameTitles({ count, list }: RowList): Localized | undefined {
  if (count === 0) return undefined;
  return {
    tr: `${rows(count, "tr")} satırın başlığı daha önceki bir satırla aynı (satırlar: ${list}); mağazada ayrı ürünler aynı adla görünür. Renk, beden gibi ayıranı başlığa ekleyin.`,
    en: `Rows with the title of an earlier row: ${rows(count, "en")} (rows ${list}); the store shows them as products of one name. Add what tells them apart, such as color or size, to the title.`,
  };
}

function noteCoded({ count, list }: RowList): Localized | undefined {
  if (count === 0) return undefined;
  return {
    tr: `${rows(count, "tr")} satırın başlığında &amp; gibi bir HTML kodu var (satırlar: ${list}); yazıldığı gibi gönderilir, alıcı da öyle görür.`,
    en: `Titles with an HTML code such as &amp;: ${rows(count, "en")} (rows ${list}); they are sent as written, and buyers see them so.`,
  };
}

/** What is wrong with the letters of a text. */
interface GarbledLetters {
  /** The text as it may have been; `undefined` where its letters are lost. */
  readonly meant: string | undefined;
}

/** Looks at one text, or at one title; `undefined` where nothing is wrong with it. */
export type FindGarbled = (text: string, kind?: "title") => GarbledLetters | undefined;

/** Turkish letters of windows-1254, and what windows-1252 has in their places. */
const TAKEN_FOR: ReadonlyMap<string, string> = new Map([
  ["Þ", "Ş"],
  ["þ", "ş"],
  ["Ý", "İ"],
  ["ý", "ı"],
  ["Ð", "Ğ"],
  ["ð", "ğ"],
]);
const WESTERN = /[ÞþÝýÐð]/gu;

/** Question marks within a word or before one; addresses have them as well. */
const LOST = /\p{L}\?+\p{L}|(?<![\p{L}\p{N}\p{P}])\?+\p{L}/gu;
/** Question marks after a word with others behind it; a text asks so, but hardly a title. */
const LOST_IN_TITLE = /\p{L}\?+(?=\s+\p{L})/u;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]+/gu;
/** A longer text may lack a blank behind a question once. */
const LONG_TEXT = 200;

/**
 * Finds UTF-8 that was read as an old encoding (`Ã‡elik`), windows-1254 that was read as
 * windows-1252 (`Þarj Cihazý`), and letters that became question marks (`Y?ld?z`).
 */
export function createFindGarbled(): FindGarbled {
  const twice = createTwiceRepair();
  return (text, kind) => {
    if (twice.hasTrace(text)) {
      const meant = twice.repair(text);
      if (meant !== text) return { meant };
    }
    const western = text.replaceAll(WESTERN, (sign) => TAKEN_FOR.get(sign) ?? sign);
    if (western !== text) return { meant: western };
    if (!text.includes("?")) return undefined;
    const words = text.replaceAll(ADDRESS, " ");
    if (kind === "title" && LOST_IN_TITLE.test(words)) return { meant: undefined };
    const lost = words.match(LOST)?.length ?? 0;
    return lost > (text.length > LONG_TEXT ? 1 : 0) ? { meant: undefined } : undefined;
  };
}
