/** Formats the output of `catalog rules` for people. */

import type { Connection } from "@catalog/connection";
import { wrapText } from "@catalog/console/wrap-text";
import type { Lang } from "@catalog/i18n";
import { type RememberedReading, ruleFieldName, type SavedRule } from "@catalog/importer";

export interface RuleLists {
  readonly rules: Awaited<ReturnType<Connection["memory"]["rules"]["list"]>>;
  /** Value by field. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly profiles: Awaited<ReturnType<Connection["memory"]["profiles"]["list"]>>;
  readonly remembered: readonly RememberedReading[];
}

export const RULE_TEXTS = {
  tr: {
    none: 'Kayıtlı kural yok. Eklemek için: catalog rules add Marka "DOSYADAKİ" "Karşılığı"\n',
    profiles: "Sütun profilleri",
    mapped: (columns: number, fixed: number) => `${columns} sütun, ${fixed} sabit değer`,
    saved: (count: number) => `${count} kural kaydedildi.\n`,
    replaced: (value: string, before: string) => `  “${value}”, önceki karşılığı: ${before}\n`,
    unchecked:
      "Karşılıklar sıradaki planda mağazanın listelerinde aranır; bulunmayan bildirilir.\n",
    removed: (value: string) => `“${value}” için kural kaldırıldı.\n`,
    noSuchRule: (value: string) => `“${value}” için kayıtlı kural yok.\n`,
    profileSaved: (name: string) =>
      `“${name}” profili kaydedildi. Kullanmak için: --profile ${name}\n`,
    profileRemoved: (name: string) => `“${name}” profili kaldırıldı.\n`,
    defaults: "Değeri boş yeni ürünlere yazılan varsayılanlar",
    defaultSaved: (field: string, value: string) =>
      `Değeri boş yeni ürünlerde “${field}” şu olacak: ${value}\nKaldırmak için: catalog rules forget "${field}"\n`,
    defaultUnchecked: "Sıradaki planda mağazanın listelerinde aranır; bulunmazsa bildirilir.\n",
    defaultRemoved: (field: string) => `“${field}” varsayılanı kaldırıldı.\n`,
    remembered: "Onaylanan dosyalardan hatırlananlar",
    toForget: (id: string) => `Birini unutmak için: catalog rules forget ${id}\n`,
    columns: "sütunlar",
    counted: (columns: number) => `${columns} sütun`,
    decimals: "ondalık ayırıcı",
    signs: { comma: "virgül", point: "nokta" },
    leftOut: "kullanılmaz",
    forgotten: (count: number) => `${count} kayıt unutuldu.\n`,
    nothingRemembered: (what: string) => `“${what}” için hatırlanan bir şey yok.\n`,
    written: (path: string) => `Yazıldı: ${path}\n`,
  },
  en: {
    none: 'There are no rules. To add one: catalog rules add Brand "IN FILE" "Meaning"\n',
    profiles: "Column profiles",
    mapped: (columns: number, fixed: number) => `${columns} columns, ${fixed} fixed values`,
    saved: (count: number) => `${count === 1 ? "1 rule was" : `${count} rules were`} saved.\n`,
    replaced: (value: string, before: string) => `  “${value}” meant before: ${before}\n`,
    unchecked:
      "The next plan looks the meanings up in the store's lists, and reports what is not there.\n",
    removed: (value: string) => `The rule for “${value}” was removed.\n`,
    noSuchRule: (value: string) => `There is no rule for “${value}”.\n`,
    profileSaved: (name: string) =>
      `The profile “${name}” was saved. To use it: --profile ${name}\n`,
    profileRemoved: (name: string) => `The profile “${name}” was removed.\n`,
    defaults: "Defaults of new products without a value",
    defaultSaved: (field: string, value: string) =>
      `New products without a value take this as “${field}”: ${value}\nTo remove it: catalog rules forget "${field}"\n`,
    defaultUnchecked:
      "The next plan looks it up in the store's lists, and reports it if it is not there.\n",
    defaultRemoved: (field: string) => `The default of “${field}” was removed.\n`,
    remembered: "Remembered from accepted files",
    toForget: (id: string) => `To forget one: catalog rules forget ${id}\n`,
    columns: "columns",
    counted: (columns: number): string => (columns === 1 ? "1 column" : `${columns} columns`),
    decimals: "decimal sign",
    signs: { comma: "comma", point: "point" },
    leftOut: "not used",
    forgotten: (count: number) =>
      `${count === 1 ? "1 entry was" : `${count} entries were`} forgotten.\n`,
    nothingRemembered: (what: string) => `Nothing is remembered as “${what}”.\n`,
    written: (path: string) => `Written: ${path}\n`,
  },
} as const;

/** Says what was saved, and which rules it replaced. */
export function formatSaved(rules: readonly SavedRule[], lang: Lang): string {
  const texts = RULE_TEXTS[lang];
  const replaced = rules.map(({ value, replaced: before }) =>
    before === undefined ? "" : texts.replaced(value, before),
  );
  return texts.saved(rules.length) + replaced.join("") + texts.unchecked;
}

const GAP = 2;

/** Lists the rules by field, then the profiles. */
export function formatRules(
  { rules, defaults, profiles, remembered }: RuleLists,
  { lang, columns }: Shape,
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
  const fixed = Object.entries(defaults).map(
    ([field, value]) => `  ${ruleFieldName(field)[lang]} = ${value}\n`,
  );
  const known = remembered.map((reading) => formatReading(reading, { lang, columns }));
  return [
    lines.length === 0 ? texts.none : lines.join(""),
    block(texts.defaults, fixed),
    block(texts.profiles, saved),
    block(texts.remembered, known),
    ...remembered.slice(0, 1).map(({ id }) => texts.toForget(id)),
  ].join("");
}

const block = (title: string, entries: readonly string[]): string =>
  entries.length === 0 ? "" : `\n${title}\n${entries.join("")}`;

interface Shape {
  readonly lang: Lang;
  readonly columns: number;
}

/** Formats one line: id, kind, file, and each header with its meaning. */
function formatReading(reading: RememberedReading, { lang, columns }: Shape): string {
  const { id, kind, learntFrom, columnCount, entries } = reading;
  const texts = RULE_TEXTS[lang];
  const list = Object.entries(entries)
    .map(([header, meaning]) => `${header} → ${nameMeaning(meaning, lang)}`)
    .join(" · ");
  const size = columnCount === undefined ? "" : ` (${texts.counted(columnCount)})`;
  const source = learntFrom === null ? "" : `, ${learntFrom}${size}`;
  const line = `  ${id}  ${texts[kind]}${source}: ${list}`;
  return `${wrapText(line, { columns, indent: id.length + 2 * GAP })}\n`;
}

function nameMeaning(meaning: string, lang: Lang): string {
  const { signs, leftOut } = RULE_TEXTS[lang];
  if (meaning === "comma" || meaning === "point") return signs[meaning];
  return meaning === "-" ? leftOut : ruleFieldName(meaning)[lang];
}
