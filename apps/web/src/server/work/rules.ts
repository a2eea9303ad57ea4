/** What is remembered of a store: meanings of names, columns of files, defaults. */

import type { Connection } from "@catalog/connection";
import type { Lang } from "@catalog/i18n";
import { listRememberedReadings, readDefaultValues, ruleFieldName } from "@catalog/importer";
import { findField, listRuleFields } from "@catalog/mapping";

import type { RulesView } from "../../api/work.ts";

/** Reads all that is remembered, in the words of a language. */
export async function readRulesView(connection: Connection, lang: Lang): Promise<RulesView> {
  const rules = await connection.memory.rules.list();
  const readings = await listRememberedReadings(connection);
  const defaults = await readDefaultValues(connection.memory.profiles);
  const nameField = (key: string): string => findField(key)?.header[lang] ?? key;
  const collator = new Intl.Collator(lang);
  return {
    fields: listRuleFields().map((field) => ({ field, label: ruleFieldName(field)[lang] })),
    names: rules
      .map(({ field, value, target }) => ({
        field,
        label: ruleFieldName(field)[lang],
        value,
        target,
      }))
      .toSorted((a, b) => collator.compare(a.label, b.label) || collator.compare(a.value, b.value)),
    files: readings.map(({ id, kind, learntFrom, entries }) => ({
      id,
      kind,
      file: learntFrom,
      entries: Object.entries(entries).map(([header, entry]) => ({
        header,
        text: kind === "columns" ? nameEntry(entry, nameField, lang) : DECIMALS[lang](entry),
      })),
    })),
    defaults: [...defaults].map(([field, value]) => ({ field, label: nameField(field), value })),
  };
}

const LEFT_OUT: Readonly<Record<Lang, string>> = { tr: "alınmaz", en: "left out" };

const nameEntry = (entry: string, nameField: (key: string) => string, lang: Lang): string =>
  entry === "-" ? LEFT_OUT[lang] : nameField(entry);

const DECIMALS: Readonly<Record<Lang, (sign: string) => string>> = {
  tr: (sign) => (sign === "comma" ? "ondalık virgül" : "ondalık nokta"),
  en: (sign) => (sign === "comma" ? "decimal comma" : "decimal point"),
};
