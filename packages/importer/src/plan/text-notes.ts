/** Notes on texts: titles and names that may not be meant so, and descriptions that are changed. */

import { formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { fold, type FieldKey, type MappedRow } from "@catalog/mapping";
import { createCompactTextMap } from "@catalog/runs";

import { createDescriptionChanges } from "./description-changes.ts";

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

export interface TextNotesOptions {
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
