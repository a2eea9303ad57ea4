/** Formats the output of `catalog rules` for people. */

import type { Connection } from "@catalog/connection";
import { wrapText } from "@catalog/console/wrap-text";
import type { Lang } from "@catalog/i18n";
import { ruleFieldName } from "@catalog/importer";

export interface RuleLists {
  readonly rules: Awaited<ReturnType<Connection["memory"]["rules"]["list"]>>;
  readonly profiles: Awaited<ReturnType<Connection["memory"]["profiles"]["list"]>>;
}

export const RULE_TEXTS = {
  tr: {
    none: 'Kayıtlı kural yok. Eklemek için: catalog rules add brand "DOSYADAKİ" "Karşılığı"\n',
    profiles: "Sütun profilleri",
    mapped: (columns: number, fixed: number) => `${columns} sütun, ${fixed} sabit değer`,
    saved: (count: number) => `${count} kural kaydedildi.\n`,
    removed: (value: string) => `“${value}” için kural kaldırıldı.\n`,
    noSuchRule: (value: string) => `“${value}” için kayıtlı kural yok.\n`,
    profileSaved: (name: string) =>
      `“${name}” profili kaydedildi. Kullanmak için: --profile ${name}\n`,
    profileRemoved: (name: string) => `“${name}” profili kaldırıldı.\n`,
    written: (path: string) => `Yazıldı: ${path}\n`,
  },
  en: {
    none: 'There are no rules. To add one: catalog rules add brand "IN FILE" "Meaning"\n',
    profiles: "Column profiles",
    mapped: (columns: number, fixed: number) => `${columns} columns, ${fixed} fixed values`,
    saved: (count: number) => `${count === 1 ? "1 rule was" : `${count} rules were`} saved.\n`,
    removed: (value: string) => `The rule for “${value}” was removed.\n`,
    noSuchRule: (value: string) => `There is no rule for “${value}”.\n`,
    profileSaved: (name: string) =>
      `The profile “${name}” was saved. To use it: --profile ${name}\n`,
    profileRemoved: (name: string) => `The profile “${name}” was removed.\n`,
    written: (path: string) => `Written: ${path}\n`,
  },
} as const;

const GAP = 2;

/** Lists the rules by field, then the profiles. */
export function formatRules(
  { rules, profiles }: RuleLists,
  { lang, columns }: { readonly lang: Lang; readonly columns: number },
): string {
  const texts = RULE_TEXTS[lang];
  const names = rules.map(({ field }) => ruleFieldName(field)[lang]);
  const width = Math.max(0, ...names.map((name) => name.length)) + GAP;
  const lines = rules.map(({ value, target, targetId }, index) => {
    const id = targetId === null ? "" : ` [${targetId}]`;
    const line = `${(names[index] ?? "").padEnd(width)}${value} → ${target}${id}`;
    return `${wrapText(line, { columns, indent: width })}\n`;
  });
  const saved = profiles.map(({ name, columns: mapped, constants }) => {
    const counts = texts.mapped(Object.keys(mapped).length, Object.keys(constants).length);
    return `  ${name}  ${counts}\n`;
  });
  return [
    lines.length === 0 ? texts.none : lines.join(""),
    saved.length === 0 ? "" : `\n${texts.profiles}\n${saved.join("")}`,
  ].join("");
}
