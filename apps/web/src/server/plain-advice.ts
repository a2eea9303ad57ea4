/**
 * Texts of the program as the page shows them: in its language, without the parts that only help on
 * a command line, without ids, and with the labels of fields in place of their names in the API.
 */

import { fieldLabel } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";

import type { Shown } from "../api/drafts.ts";

/** A sentence that names a command of the program, one of its flags or a variable. */
const COMMAND_LINE = /\bcatalog [a-z]|\bCATALOG_[A-Z]|(?:^|[\s(])--[a-z]|held\.xlsx|failed\.xlsx/u;

/** A sentence ends with its mark, a blank and a capital letter or a quotation mark. */
const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}"“])/u;

/** Flags in parentheses, which only tell how to change the word before them. */
const FLAG_BEHIND = / \(--[a-z-]{1,30}\)/gu;

/** Ids of products and runs in parentheses, behind what they identify. */
const ID_BEHIND = / \((?:[0-9a-f]{24}|r-\d{6}-\d{4}-[0-9a-f]{4})\)/gu;

/** Parts of a sentence that can stand alone. */
const CLAUSE_END = "; ";

/** The sentence up to the part that names a command; `null` where that is the first one. */
function shorten(sentence: string): string | null {
  if (!COMMAND_LINE.test(sentence)) return sentence;
  const clauses = sentence.split(CLAUSE_END);
  const kept = clauses.slice(
    0,
    clauses.findIndex((clause) => COMMAND_LINE.test(clause)),
  );
  return kept.length === 0 ? null : `${kept.join(CLAUSE_END)}.`;
}

/**
 * Leaves out ids, and the sentences, or their ends, that name a command, a flag or a result file;
 * `null` where nothing is left.
 */
export function plainAdvice(text: string): string | null {
  const kept = text
    .replaceAll(FLAG_BEHIND, "")
    .replaceAll(ID_BEHIND, "")
    .split(SENTENCE_END)
    .flatMap((sentence) => shorten(sentence) ?? []);
  return kept.length === 0 ? null : kept.join(" ");
}

/** As {@link plainAdvice}; a text of which nothing would be left stays as it is. */
export const plainText = (text: string): string => plainAdvice(text) ?? text;

const API_NAME = /\b[a-z]{2,20}(?:_[a-z]{1,20}){1,3}\b/gu;

/** Replaces the names of fields by their labels; other words stay. */
export const nameFields = (text: string, lang: Lang): string =>
  text.replaceAll(API_NAME, (name) => fieldLabel(name, lang));

/** Texts that may advise a command, of which the page shows the rest. */
const SENTENCES: ReadonlySet<string> = new Set(["message", "platform", "notes"]);

/** Puts every text of both languages, at any depth, into the language of the page. */
export const toShown = <Value>(value: Value, lang: Lang): Shown<Value> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what `Shown` says
  show(value, lang, "") as Shown<Value>;

function show(value: unknown, lang: Lang, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => show(each, lang, key));
  if (isLocalized(value)) {
    const text = value[lang];
    if (key === "suggestion") return plainAdvice(text);
    return SENTENCES.has(key) ? plainText(text) : text;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, show(each, lang, name)]),
  );
}

const isLocalized = (value: object): value is Localized =>
  "tr" in value && "en" in value && Object.keys(value).length === 2;
