/** The rules of a store: what its texts mean. Lists, adds, removes, exports and imports them. */

import { readFile, writeFile } from "node:fs/promises";
import { extname } from "node:path";

import type { Connection } from "@catalog/connection";
import { InputError, type Lang, type Localized } from "@catalog/i18n";
import { fold, trimText, type ValueRules, valueRules } from "@catalog/mapping";
import { type OutCell, type ReadLimits, writeCsv, writeXlsx } from "@catalog/sheets";
import { z } from "zod";

import type { SheetProblem } from "../file/sheet-problems.ts";
import {
  describeTwice,
  isOfOpenNames,
  type NamedRow,
  readNameRows,
  refuseNames,
  RULE_HEADERS,
  suggestionOf,
} from "./rule-sheet.ts";

/** The rules of one store. */
type RuleRepository = Connection["memory"]["rules"];

/** What a person has said that a text means in one field of a store's sheets. */
export type Rule = Parameters<RuleRepository["save"]>[0][number];

type RuleMeaning = Pick<Rule, "target" | "targetId">;

/** The meanings of a rule in their order. */
export const listMeanings = ({ target, targetId, further = [] }: Rule): readonly RuleMeaning[] => [
  { target, targetId },
  ...further,
];

/** The meanings of a rule as people read them. */
export const describeMeanings = (rule: Rule): string =>
  listMeanings(rule)
    .map(({ target }) => target)
    .join(" / ");

/** Rules with one meaning each; those of one text stand in their order. */
export const splitMeanings = (rules: readonly Rule[]): readonly Rule[] =>
  rules.flatMap(({ further, ...rule }) =>
    listMeanings({ ...rule, further }).map((meaning) => Object.assign({}, rule, meaning)),
  );

/**
 * Adds an answer to the earlier ones for the same text, which the lists of other categories have.
 * Where all rows have one list, the answer takes the place of the earlier one.
 */
export function addMeaning(known: Rule | undefined, answer: Rule): Rule {
  if (known === undefined || !valueRules.isOfCategory(answer.field)) return answer;
  const all = [...listMeanings(known), ...listMeanings(answer)];
  const [, ...further] = all.filter(
    (one, at) => all.findIndex((other) => meaningOf(other) === meaningOf(one)) === at,
  );
  return further.length === 0 ? known : { ...known, further };
}

/** Name of a rule's field for people. */
export const ruleFieldName: (field: string) => Localized = valueRules.nameField;

/** A rule as a person writes it. */
export interface RuleInput {
  /** A field's key or header, or `Özellik: NAME`. */
  readonly field: string;
  readonly value: string;
  readonly target: string;
  readonly targetId?: string | null | undefined;
}

/** Creates a rule. Throws `InputError` as {@link checkRule} says. */
export function toRule(input: RuleInput): Rule {
  const checked = checkRule(input);
  if (checked.ok) return checked.rule;
  throw new InputError(checked.message);
}

type CheckedRule =
  | { readonly ok: true; readonly rule: Rule }
  | { readonly ok: false; readonly part: RulePart; readonly message: Localized };

type RulePart = "field" | "value" | "target";

const refuse = (part: RulePart, message: Localized): CheckedRule => ({ ok: false, part, message });

/** Refuses a field that takes no rules, and texts that are missing or a placeholder. */
function checkRule({ field: wish, value, target, targetId = null }: RuleInput): CheckedRule {
  const field = valueRules.readField(wish);
  const [from, to] = [trimText(value), trimText(target)];
  if (field === undefined) {
    return refuse("field", {
      tr: `“${wish}” için kural yazılamaz. Yazılabilecekler: ${listFields("tr")}, “Özellik: AD”.`,
      en: `There are no rules for “${wish}”. There are for: ${listFields("en")}, “Property: NAME”.`,
    });
  }
  if (from === "" || (to === "" && targetId === null)) {
    return refuse(from === "" ? "value" : "target", {
      tr: `Kural eksik: dosyadaki değeri ve karşılığını yazın (${wish}).`,
      en: `The rule is not whole: give the value in the file and what it means (${wish}).`,
    });
  }
  if (valueRules.isPlaceholder(to)) {
    return refuse("target", {
      tr: `Karşılığı yazılmamış: "${to}" yerine mağazadaki adı yazın (${wish}: ${from}).`,
      en: `The meaning is missing: write the store's name in place of "${to}" (${wish}: ${from}).`,
    });
  }
  if (field === "stock" && !/^\d{1,9}$/u.test(to)) {
    return refuse("target", {
      tr: `Stok için karşılık bir adet olmalı, örneğin 10; “${to}” değil (${wish}: ${from}).`,
      en: `The meaning of a stock must be a count, such as 10, and not “${to}” (${wish}: ${from}).`,
    });
  }
  const key = valueRules.key(field, from);
  return {
    ok: true,
    rule: { key, field, value: from, target: to || (targetId ?? ""), targetId },
  };
}

const listFields = (lang: Lang): string =>
  valueRules.fields.map((field) => `“${valueRules.nameField(field)[lang]}”`).join(", ");

/** A rule that was saved. */
export interface SavedRule extends Rule {
  /** What the text meant before, where that was something else. */
  readonly replaced?: string;
  /** What the text means in other categories, where those meanings stay. */
  readonly beside?: string;
}

/** Rules that were saved, and the batch under which that is undone. */
interface SavedRules {
  readonly rules: readonly SavedRule[];
  /** `undefined` where nothing changed. */
  readonly batch: number | undefined;
}

/** Saves rules that a person wrote in place of the earlier ones; their meanings are not looked up. */
async function saveRules(
  { rules }: Pick<Connection["memory"], "rules">,
  made: readonly Rule[],
): Promise<readonly SavedRule[]> {
  const before = new Map((await rules.list()).map((rule) => [rule.key, describeMeanings(rule)]));
  await rules.save(made);
  return made.map((rule) => {
    const meant = describeMeanings(rule);
    const replaced = before.get(rule.key) ?? meant;
    return replaced === meant ? rule : Object.assign({ replaced }, rule);
  });
}

/**
 * Saves what open names mean. Earlier meanings of brands, models and properties stay, because the
 * lists of other categories may have them. The rules are undone together with an earlier batch,
 * where one is given.
 */
export async function saveAnswers(
  { rules }: Pick<Connection["memory"], "rules">,
  answers: readonly RuleInput[],
  joined?: number,
): Promise<SavedRules> {
  const made = answers.map((wish) => toRule(wish));
  const known = new Map((await rules.list()).map((rule) => [rule.key, rule]));
  const whole = new Map<string, Rule>();
  for (const rule of made) {
    whole.set(rule.key, addMeaning(whole.get(rule.key) ?? known.get(rule.key), rule));
  }
  const batch = await rules.save([...whole.values()], joined);
  const saved = made.map((rule) => {
    const before = known.get(rule.key);
    if (before === undefined) return rule;
    const meant = describeMeanings(before);
    if (valueRules.isOfCategory(rule.field)) return Object.assign({ beside: meant }, rule);
    return meant === rule.target ? rule : Object.assign({ replaced: meant }, rule);
  });
  return { rules: saved, batch };
}

/** Saves rules that a person wrote, each in place of the earlier one for its text. */
export const addRules = async (
  memory: Pick<Connection["memory"], "rules">,
  overrides: readonly RuleInput[],
): Promise<readonly SavedRule[]> =>
  await saveRules(
    memory,
    overrides.map((wish) => toRule(wish)),
  );

/** Removes a rule; `false` where the value has none. */
export async function removeRule(
  { rules }: Pick<Connection["memory"], "rules">,
  { field, value }: Pick<RuleInput, "field" | "value">,
): Promise<boolean> {
  return await rules.remove(ruleKey({ field, value }));
}

/** The key of the rule for a value. Throws `InputError` for a field that takes no rules. */
export const ruleKey = ({ field, value }: Pick<RuleInput, "field" | "value">): string =>
  // The meaning is no part of the key; `0` is one for every field.
  toRule({ field, value, target: "0" }).key;

const RULE_SHEETS: Localized = { tr: "Eşleme kuralları", en: "Rules" };

/** Writes the rules to a workbook, CSV or JSON file, by the file's extension. */
export async function exportRules(
  memory: Pick<Connection["memory"], "rules">,
  { path, lang }: { readonly path: string; readonly lang: Lang },
): Promise<number> {
  const rules = splitMeanings(await memory.rules.list());
  const header = RULE_HEADERS[lang];
  const rows: readonly (readonly OutCell[])[] = rules.map((rule) => [
    valueRules.nameField(rule.field)[lang],
    rule.value,
    rule.target,
    rule.targetId,
  ]);
  const kind = extname(path).toLowerCase();
  if (kind === ".json") {
    await writeFile(path, `${JSON.stringify(toRuleFile(rules), undefined, 2)}\n`);
  } else if (kind === ".csv") {
    const delimiter = lang === "tr" ? ";" : ",";
    await writeCsv({ path, header, rows, delimiter, decimal: "comma" });
  } else {
    const columns = header.map((text) => ({ header: text, width: RULE_WIDTH }));
    const sheet = { name: RULE_SHEETS[lang], columns, rows };
    await writeXlsx({ path, sheets: [sheet] });
  }
  return rules.length;
}

const toRuleFile = (rules: readonly Rule[]): RuleFile => ({
  kind: "catalog-rules",
  version: 1,
  rules: rules.map(({ field, value, target, targetId }) => {
    const rule = { field, value, target };
    return targetId === null ? rule : Object.assign(rule, { id: targetId });
  }),
});

/** Width of a column, in characters. */
const RULE_WIDTH = 30;

/** A file of rules. */
export interface RuleSource {
  readonly path: string;
  readonly limits?: Partial<ReadLimits> | undefined;
  /** Character encoding of a CSV file. @default it is found */
  readonly encoding?: string | undefined;
}

/** Rules of a file that were saved. */
export interface ImportedRules {
  readonly rules: readonly SavedRule[];
  /** Rows of the file without a meaning, which are no rules. */
  readonly open: number;
}

/**
 * Reads rules from a file that {@link exportRules} wrote or a person filled in, and saves them. A
 * sheet of open names is one too. Throws `InputError` `E_NAMES_SHEET` with every mistake at its
 * place; nothing is saved then. Meanings are not looked up in the store's lists.
 */
export async function importRules(
  memory: Pick<Connection["memory"], "rules">,
  { path, limits, encoding }: RuleSource,
): Promise<ImportedRules> {
  if (extname(path).toLowerCase() === ".json") {
    const entries = parseRuleFile(await readTextFile(path), path).map((rule, at): RuleEntry => ({
      rule,
      place: () => toJsonPlace(rule, at + 1),
    }));
    return { rules: await saveRules(memory, collectRules(entries, NOTHING_SAVED)), open: 0 };
  }
  const how = {
    ...(limits !== undefined && { limits }),
    ...(encoding !== undefined && { encoding }),
  };
  const rows = await readNameRows({ path, ...how });
  const filled = rows.filter(({ target, targetId }) => target !== "" || targetId !== null);
  const entries = filled.map((row): RuleEntry => ({
    rule: toRuleInput(row),
    place: (part) => ({ row: row.row, column: row.columns[part], value: row[part] }),
  }));
  return {
    rules: await saveRules(memory, collectRules(entries)),
    open: rows.length - filled.length,
  };
}

/** A rule of a file, or what is wrong with its meaning. */
interface RuleEntry {
  readonly rule: RuleInput | Localized;
  readonly place: (part: RulePart) => Omit<SheetProblem, "message">;
}

const NOTHING_SAVED: Localized = {
  tr: "Hiçbir kural kaydedilmedi; şunları düzeltin:",
  en: "No rule was saved. Correct these:",
};

const toJsonPlace = ({ field, value }: RuleInput, row: number): Omit<SheetProblem, "message"> => ({
  row,
  value,
  place: { tr: `${row}. kural (${field}: ${value})`, en: `Rule ${row} (${field}: ${value})` },
});

/**
 * Returns each rule once; several meanings of a brand, model or option are one rule, in their order.
 * Throws with all mistakes, such as another text that is to mean two things.
 */
function collectRules(entries: readonly RuleEntry[], what?: Localized): readonly Rule[] {
  const problems: SheetProblem[] = [];
  const rules = new Map<string, Rule>();
  for (const { rule: wish, place } of entries) {
    const checked: CheckedRule =
      "tr" in wish ? { ok: false, part: "target", message: wish } : checkRule(wish);
    if (!checked.ok) {
      problems.push({ ...place(checked.part), message: checked.message });
      continue;
    }
    const { rule } = checked;
    const known = rules.get(rule.key);
    if (known === undefined || valueRules.isOfCategory(rule.field)) {
      rules.set(rule.key, addMeaning(known, rule));
    } else if (meaningOf(known) !== meaningOf(rule)) {
      problems.push({ ...place("target"), message: describeTwice(known.target) });
    }
  }
  if (problems.length > 0) throw refuseNames(problems, what);
  return [...rules.values()];
}

/** Equal where two rules say the same; an id overrides the name. */
const meaningOf = ({ target, targetId }: RuleMeaning): string => targetId ?? fold(target);

/** Fields whose meanings may be numbers. */
const isNumeric = (field: string | undefined): boolean =>
  field === "stock" || field?.startsWith("property:") === true;

/** In a sheet of open names a number stands for the suggestion of its row. */
function toRuleInput(row: NamedRow): RuleInput | Localized {
  const { target, targetId } = row;
  const numbered = suggestionOf(row);
  if (numbered !== undefined) return toNumbered(row, numbered);
  const isName = /[\p{L}\p{N}…]/u.test(target) || targetId !== null;
  return isName || !isOfOpenNames(row) ? row : NOT_A_NAME;
}

/** Refuses a number that may be a name, or the suggestion of a deleted column. */
function toNumbered(
  row: NamedRow,
  { text, isGone, missing }: NonNullable<ReturnType<typeof suggestionOf>>,
): RuleInput | Localized {
  const { target, targetId, suggestions } = row;
  const mayBeNumber = isNumeric(valueRules.readField(row.field));
  if (text === undefined) {
    const isName = !isGone && (mayBeNumber || suggestions.includes(target));
    return isName || targetId !== null ? row : missing;
  }
  if (!mayBeNumber) return { ...row, target: text };
  if (text === target || targetId !== null) return row;
  return {
    tr: `Bu hem bir seçenek hem ${target}. öneri (“${text}”) olabilir; seçeneğin kendisini yazın.`,
    en: `This may be an option, or suggestion ${target} (“${text}”); write the option itself.`,
  };
}

const NOT_A_NAME: Localized = {
  tr: "Bu bir ad değil; mağazadaki adı yazın ya da hücreyi boş bırakın.",
  en: "This is no name; write the store's name, or leave the cell empty.",
};

/** Rules in a file. */
interface RuleFile {
  readonly kind: "catalog-rules";
  readonly version: 1;
  readonly rules: readonly FileRule[];
}

interface FileRule {
  readonly field: string;
  readonly value: string;
  readonly target: string;
  readonly id?: string;
}

/** The mapping of a kind of sheet in a file. */
export interface ProfileFile {
  readonly kind: "catalog-profile";
  readonly version: 1;
  readonly name: string;
  /** Header to field key, `property:NAME`, or `-`. */
  readonly columns: Readonly<Record<string, string>>;
  /** Headers of the sheets that the profile is for, used or not. */
  readonly headers: readonly string[];
  readonly constants: Readonly<Record<string, string>>;
  readonly decimal: "comma" | "point" | null;
}

/** An invalid id, decimal sign or header is ignored. */
const ruleSchema = z.object({
  field: z.string(),
  value: z.string(),
  target: z.string(),
  id: z.string().nullable().catch(null),
});

const ruleFileSchema = z.object({
  kind: z.literal("catalog-rules"),
  rules: z.array(ruleSchema),
});

const textsSchema = z.record(z.string(), z.string());

const profileFileSchema = z.object({
  kind: z.literal("catalog-profile"),
  name: z.string().min(1),
  columns: textsSchema,
  headers: z
    .array(z.unknown())
    .catch([])
    .transform((headers) => headers.filter((header) => typeof header === "string")),
  constants: textsSchema.nullish(),
  decimal: z.enum(["comma", "point"]).nullable().catch(null),
});

/** Parses a file of rules. Throws `InputError` for any other text. */
export function parseRuleFile(
  text: string,
  path: string,
): readonly { field: string; value: string; target: string; targetId: string | null }[] {
  const file = ruleFileSchema.safeParse(parseJson(text)).data;
  if (file === undefined) throw notAFile(path, "catalog-rules");
  return file.rules.map(({ id, ...rule }) => Object.assign(rule, { targetId: id }));
}

/** Parses a profile. Throws `InputError` for any other text. */
export function parseProfileFile(text: string, path: string): ProfileFile {
  const file = profileFileSchema.safeParse(parseJson(text)).data;
  if (file === undefined) throw notAFile(path, "catalog-profile");
  const { columns, headers, constants } = file;
  const known = headers.length === 0 ? Object.keys(columns) : headers;
  return { ...file, version: 1, headers: known, constants: constants ?? {} };
}

/** Reads the text of a file. Throws `InputError` where it cannot be read. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof TypeError) {
      throw new InputError(
        {
          tr: `"${path}" UTF-8 değil. Dosyayı UTF-8 olarak yeniden kaydedin.`,
          en: `"${path}" is not UTF-8. Save the file again as UTF-8.`,
        },
        { cause: error },
      );
    }
    throw new InputError(
      {
        tr: `"${path}" okunamadı. Dosyanın yerini ve adını kontrol edin.`,
        en: `"${path}" cannot be read. Check where the file is and what it is called.`,
      },
      { cause: error },
    );
  }
}

/** `undefined` for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function notAFile(path: string, kind: string): InputError {
  return new InputError({
    tr: `"${path}" bir ${kind} dosyası değil. Örneği dışa aktararak görebilirsiniz.`,
    en: `"${path}" is not a ${kind} file. Export one to see what it looks like.`,
  });
}

/** The rules of a store while one file is planned. */
export interface ActiveRules extends ValueRules {
  /** Rules that have applied to a cell so far. */
  readonly used: ReadonlySet<Rule>;
  /** Stores an answer for this file and all later ones, beside earlier ones for other categories. */
  add(rule: Omit<Rule, "key">): Promise<void>;
}

const keyOf = ({ field, value }: Pick<Rule, "field" | "value">): string =>
  valueRules.key(field, value);

/**
 * Reads the rules of a store. What a category of a platform's file means is remembered for the files
 * of that platform, and beats a rule for all files.
 */
export async function loadActiveRules(
  rules: RuleRepository,
  platform?: string,
): Promise<ActiveRules> {
  const known = new Map((await rules.list()).map((rule) => [rule.key, rule]));
  // Most files meet no rule, and computing the key of a text costs more than this test.
  const fields = new Set([...known.values()].map(({ field }) => fieldOf(field)));
  const used = new Set<Rule>();
  // The answers that a person gives while one file is planned are undone together.
  let batch: number | undefined;
  return {
    used,
    find(field, text) {
      if (!fields.has(fieldOf(field))) return undefined;
      const scoped = valueRules.scopeField(field, platform);
      const own = scoped === field ? undefined : known.get(valueRules.key(scoped, text));
      const rule = own ?? known.get(valueRules.key(field, text));
      if (rule === undefined) return undefined;
      used.add(rule);
      const [first, ...further] = [rule, ...(rule.further ?? [])].map(
        ({ target, targetId }) => targetId ?? target,
      );
      return first === undefined ? undefined : [first, ...further];
    },
    async add(rule) {
      const scoped = { ...rule, field: valueRules.scopeField(rule.field, platform) };
      const key = keyOf(scoped);
      const whole = addMeaning(known.get(key), { ...scoped, key });
      batch = (await rules.save([whole], batch)) ?? batch;
      known.set(whole.key, whole);
      fields.add(fieldOf(whole.field));
    },
  };
}

/** The key tells properties apart; here they count as one field. */
const fieldOf = (field: string): string =>
  field.startsWith("property:") ? "property" : valueRules.splitField(field).field;
