/**
 * Stored mappings of the columns of known sheets, by a name that the person gave or else by the
 * headers. Only the mapping of an accepted plan is stored. The values that new products take where
 * their file has none are a profile without headers; updates never use them.
 */

import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { extname } from "node:path";

import { fieldLabel, type Connection } from "@catalog/connection";
import { InputError, type Lang, type Localized } from "@catalog/i18n";
import {
  type ColumnMapping,
  FIELDS,
  findDefaultProblem,
  findField,
  findNamedField,
  headerKey as compareKey,
  headerWords,
  isOwnResultHeader,
  LEAVE_OUT,
  type RowMapper,
  valueRules,
} from "@catalog/mapping";
import type { PriceRule } from "@catalog/pricing";
import type { CellValue, RunRecord } from "@catalog/runs";

import type { DraftColumns } from "../drafts/stored-draft.ts";
import { parseProfileFile, type ProfileFile, readTextFile } from "../names/value-rules.ts";
import { createUnsentUses } from "../pricing/rule-columns.ts";

type ColumnReading = NonNullable<
  NonNullable<NonNullable<RunRecord["facts"]>["reading"]>["columns"]
>;

/** The profiles of one store; a name may stand for several sets of headers. */
type ProfileRepository = Connection["memory"]["profiles"];

/** How the columns of one kind of sheet are read, as a person has confirmed it. */
export type Profile = Parameters<ProfileRepository["save"]>[0];

/** What a person says of the columns now, and the name of a stored profile. */
export interface ColumnOverrides {
  readonly profile?: string | undefined;
  readonly columns: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, string>;
  readonly decimal?: "comma" | "point" | undefined;
}

/** The stored mapping, overridden by what a person says now. */
export interface RememberedColumns {
  readonly columns: ReadonlyMap<string, string>;
  /** Headers whose stored mapping may not have been chosen by a person. */
  readonly unconfirmed: ReadonlySet<string>;
  readonly constants: ReadonlyMap<string, string>;
  readonly decimal: "comma" | "point" | undefined;
  readonly notes: readonly Localized[];
}

/**
 * Key of a set of headers, independent of order, blanks and case; columns that our files add do not
 * count.
 */
export function headerKey(headers: readonly string[]): string {
  const own = headers.filter((header) => !isOwnResultHeader(header));
  const keys = own.map((header) => headerWords(header)).filter((key) => key !== "");
  return createHash("sha256").update(JSON.stringify(keys.toSorted())).digest("hex");
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Finds the stored mapping of these headers. An unnamed profile gives only its columns, no
 * constants. A profile holds all columns of its file; mappings that a person chose are stored
 * without a name as well.
 */
export async function readRememberedColumns(
  profiles: Pick<ProfileRepository, "read" | "readLatest">,
  headers: readonly string[],
  overrides: ColumnOverrides,
): Promise<RememberedColumns> {
  const key = headerKey(headers);
  const name = overrides.profile ?? "";
  const named = name === "" ? undefined : await profiles.read(name, key);
  const stated = (await profiles.read("", key))?.columns ?? {};
  if (named !== undefined) return merge(named, { headers, stated, overrides });
  const nothing = statedColumns(overrides);
  if (name !== "") return { ...nothing, notes: [willLearn(name)] };
  const known = await profiles.readLatest(key);
  if (known === undefined || Object.keys(known.columns).length === 0) {
    return nothing;
  }
  const { columns, unconfirmed } = merge(
    { ...known, constants: {} },
    { headers, stated, overrides },
  );
  const used = [...columns].filter(([header]) => !overrides.columns.has(header));
  return { ...nothing, columns, unconfirmed, notes: [recognised(known, used)] };
}

/**
 * What a person says of the columns now, alone. The columns of a draft of the store's products are
 * ours, so that no answer about a file with the same headers concerns them.
 */
export const statedColumns = (overrides: ColumnOverrides): RememberedColumns => ({
  ...overrides,
  decimal: overrides.decimal,
  unconfirmed: NONE,
  notes: [],
});

/** What a person has answered about the columns of an accepted file. */
interface AcceptedColumns extends Pick<RememberedColumns, "columns"> {
  /** That file; `undefined` where none with these headers was accepted with an answer. */
  readonly profile: Profile | undefined;
}

/**
 * The columns that a person chose when a file with these headers was accepted, and nothing else: no
 * answer for a header that has one now, nor for a field that another header has now.
 */
export async function readAcceptedColumns(
  profiles: Pick<ProfileRepository, "read">,
  headers: readonly string[],
  given: ReadonlyMap<string, string>,
): Promise<AcceptedColumns> {
  const profile = await profiles.read("", headerKey(headers));
  if (profile === undefined) return { columns: new Map(), profile };
  const overrides = { columns: given, constants: new Map<string, string>() };
  const { columns } = merge(profile, { headers, stated: profile.columns, overrides });
  const taken = new Set([...given.values()].map((text) => findNamedField(text)?.key ?? text));
  taken.delete(LEAVE_OUT);
  const kept = [...columns].filter(([header, to]) => !given.has(header) && !taken.has(to));
  return { columns: new Map(kept), profile };
}

/** Tells which of the answers are used; nothing where none is. */
export function describeRecalled(
  { columns, profile }: AcceptedColumns,
  isUsed: (field: string) => boolean,
): readonly Localized[] {
  const used = [...columns].filter(([, field]) => isUsed(field));
  return profile === undefined || used.length === 0 ? [] : [recognised(profile, used)];
}

/** The headers by which a sheet is known again: those of its file, without added columns. */
export const ownHeaders = ({
  header: { cells },
  added = 0,
}: {
  readonly header: { readonly cells: readonly CellValue[] };
  readonly added?: number | undefined;
}): readonly string[] => cells.slice(0, cells.length - added).map((cell) => String(cell ?? ""));

/** Where column profiles are read from. */
export type ColumnProfiles = Pick<ProfileRepository, "read" | "readLatest" | "list">;

interface NamedOverrides extends ColumnOverrides {
  readonly profile: string;
  /** Whether the latest one of that name will do, with the columns that are still there. */
  readonly takesOtherHeaders: boolean;
}

/** Reads a named profile for these headers; `undefined` where there is none. */
export async function readNamedProfile(
  profiles: ColumnProfiles,
  headers: readonly string[],
  overrides: NamedOverrides,
): Promise<RememberedColumns | undefined> {
  const { profile, takesOtherHeaders } = overrides;
  const isKnown = (await profiles.read(profile, headerKey(headers))) !== undefined;
  if (isKnown) return await readRememberedColumns(profiles, headers, overrides);
  const saved = takesOtherHeaders
    ? (await profiles.list()).findLast(({ name }) => name === profile)
    : undefined;
  return saved === undefined ? undefined : merge(saved, { headers, stated: {}, overrides });
}

interface MergeInput {
  readonly headers: readonly string[];
  /** Mappings that a person chose for columns with the same headers. */
  readonly stated: Profile["columns"];
  readonly overrides: ColumnOverrides;
}

/** A header of the profile that this file lacks is ignored. */
function merge(profile: Profile, { headers, stated, overrides }: MergeInput): RememberedColumns {
  const { columns, constants, decimal } = overrides;
  const there = new Map(headers.map((header) => [compareKey(header), header]));
  const given = new Set([...columns.keys()].map((header) => compareKey(header)));
  // Headers that differ in one sign only may have equal keys; such a header is not matched.
  const known = Object.entries({ ...stated, ...profile.columns }).flatMap(([header, field]) => {
    const here = there.get(compareKey(header));
    return here === undefined || given.has(compareKey(header)) ? [] : [[here, field] as const];
  });
  const confirmed = new Map(Object.entries(stated).map(([text, to]) => [compareKey(text), to]));
  const unconfirmed = known.filter(
    ([header, field]) => field !== "-" && confirmed.get(compareKey(header)) !== field,
  );
  return {
    columns: new Map([...known, ...columns]),
    unconfirmed: new Set(unconfirmed.map(([header]) => header)),
    constants: new Map([...Object.entries(profile.constants), ...constants]),
    decimal: decimal ?? profile.decimal ?? undefined,
    notes: [usedProfile(profile), ...(decimal === undefined ? keptDecimal(profile) : [])],
  };
}

/** The mapping to store once the plan of the file is accepted. */
export function toColumnReading(
  mapping: ColumnMapping,
  recalled: RememberedColumns,
  profile: string | undefined,
): ColumnReading {
  const confirmed = [...recalled.columns.keys()].filter(
    (header) => !recalled.unconfirmed.has(header),
  );
  const chosen = new Set(confirmed.map((header) => compareKey(header)));
  const columns = mapping.columns.filter(
    // A header that states the kind of discount is stored without its field, which does not state
    // the kind; a header that was asked about states it again once its field is chosen.
    ({ header, target }) =>
      header !== "" && (!("discountType" in target) || chosen.has(compareKey(header))),
  );
  return {
    profile: profile ?? null,
    columns: Object.fromEntries(columns.map(({ header, target }) => [header, targetText(target)])),
    chosen: columns.map(({ header }) => header).filter((header) => chosen.has(compareKey(header))),
    constants: Object.fromEntries(recalled.constants),
    decimal: recalled.decimal ?? null,
  };
}

/**
 * The use of each column in the order of the file; `?` for one that is not known, `variants` for one
 * that says which variant of which product a row is, `rules` for one that only price rules use. `only:`
 * stands before the use of a column of this store beside a common one, `other:` before another store's.
 */
export function toUsedColumns(
  { columns, variantHeaders }: Pick<ColumnMapping, "columns" | "variantHeaders">,
  { propertyColumns }: Pick<RowMapper, "propertyColumns">,
  rules: readonly PriceRule[],
): readonly string[] {
  const useOf = createUnsentUses({ columns }, rules);
  return columns.map((column) => {
    const { index, header, target, only } = column;
    if (only !== undefined && !only.isAlone) {
      return `${only.over === undefined ? "other" : "only"}:${targetText(only.target)}`;
    }
    if (propertyColumns.has(index)) return `property:${header}`;
    if (variantHeaders.has(header)) return "variants";
    return useOf(column) ?? (target.kind === "unknown" ? "?" : targetText(target));
  });
}

/** Target as `--map` takes it; an unused column stays unused. */
function targetText(target: ColumnMapping["columns"][number]["target"]): string {
  if (target.kind === "field") return target.field;
  if (target.kind === "property") return `property:${target.name}`;
  if (target.kind === "unknown" && target.option !== undefined) {
    return target.option === 0 ? "option" : `option${target.option}`;
  }
  return target.kind === "never-sent" && target.holds !== undefined ? target.holds : "-";
}

/**
 * Stores the columns of a run whose plan was accepted; returns a note where the profile has a name.
 * Those of the store's products are not stored.
 */
export async function rememberColumns(
  profiles: Pick<ProfileRepository, "read" | "save">,
  { file, facts, progress }: Pick<RunRecord, "file" | "facts" | "progress">,
): Promise<Localized | undefined> {
  const reading = facts?.reading?.columns;
  if (reading === undefined || progress.basisOf !== undefined) return undefined;
  // Later files do not have the columns that a person added to this one.
  const own = ownHeaders({ header: { cells: file.header }, added: file.added });
  const key = headerKey(own);
  const { constants, decimal } = reading;
  const headers = own.filter((header) => header !== "");
  const rest = { headerKey: key, headers, decimal, learntFrom: file.name };
  const chosen = reading.chosen
    .filter((header) => headers.includes(header))
    .map((header) => [header, reading.columns[header] ?? "-"] as const);
  // Headers that map by themselves are not stored.
  if (chosen.length > 0) {
    await profiles.save({ name: "", columns: Object.fromEntries(chosen), constants: {}, ...rest });
  }
  const name = reading.profile;
  if (name === null || (await profiles.read(name, key)) !== undefined) return undefined;
  await profiles.save({ name, columns: usedColumns(reading), constants, ...rest });
  return learned(name);
}

/** Leaves out unknown headers, which may be a property of some category. */
function usedColumns({ columns, chosen }: ColumnReading): ColumnReading["columns"] {
  return Object.fromEntries(
    Object.entries(columns).filter(([header, field]) => field !== "-" || chosen.includes(header)),
  );
}

const usedProfile = ({ name, columns, constants }: Profile): Localized => {
  const [mapped, fixed] = [Object.keys(columns).length, Object.keys(constants).length];
  return {
    tr: `“${name}” profili kullanıldı: ${mapped} sütun, ${fixed} sabit değer.`,
    en: `The profile “${name}” was used: ${mapped} columns, ${fixed} fixed values.`,
  };
};

const DECIMAL_NAMES = {
  comma: { tr: "virgül", en: "comma" },
  point: { tr: "nokta", en: "point" },
} as const;

/** A note on the decimal sign that a profile kept, so that it does not hold unseen. */
function keptDecimal({ name, decimal }: Profile): readonly Localized[] {
  if (decimal === null) return [];
  const kept = DECIMAL_NAMES[decimal];
  const other = decimal === "comma" ? "point" : "comma";
  return [
    {
      tr: `Ondalık ayırıcı “${name}” profilinden alındı: ${kept.tr}. Bu dosyada ${DECIMAL_NAMES[other].tr} ise --decimal ${other} ekleyin.`,
      en: `The decimal sign comes from the profile “${name}”: ${kept.en}. If this file uses a ${other}, add --decimal ${other}.`,
    },
  ];
}

const MAX_NAMED = 6;

/** A note on the stored mapping that is used, so that an old decision does not hold unseen. */
function recognised(
  { name, learntFrom }: Profile,
  used: readonly (readonly [header: string, field: string])[],
): Localized {
  const of = name === "" ? (learntFrom ?? "") : name;
  const list = (lang: Lang): string => {
    const named = used
      .slice(0, MAX_NAMED)
      .map(([header, key]) => `“${header}” → ${nameTarget(key, lang)}`);
    return named.join(" · ") + (used.length > MAX_NAMED ? " · …" : "");
  };
  return {
    tr: `Bu başlıklar tanındı (${of}): ${used.length} sütun daha önce onayladığınız gibi eşlendi: ${list("tr")}`,
    en: `These headers are known (${of}): ${used.length} ${used.length === 1 ? "column is" : "columns are"} mapped as you accepted before: ${list("en")}`,
  };
}

/** The target of a column in words. */
function nameTarget(key: string, lang: Lang): string {
  if (key === "-") return lang === "tr" ? "kullanılmaz" : "not used";
  if (key === "cost") return COST[lang];
  if (!key.startsWith(PROPERTY)) return fieldLabel(key, lang);
  const name = key.slice(PROPERTY.length);
  return lang === "tr" ? `${name} özelliği` : `property ${name}`;
}

const PROPERTY = "property:";
const COST: Localized = {
  tr: "maliyet (gönderilmez, zararına satış denetimi için)",
  en: "cost (not sent, for the check for prices below cost)",
};

const willLearn = (name: string): Localized => ({
  tr: `“${name}” profili bu başlıklar için henüz yok; plan onaylanınca kaydedilecek.`,
  en: `There is no profile “${name}” for these headers yet; it is saved once the plan is accepted.`,
});

const learned = (name: string): Localized => ({
  tr: `Sütunlar “${name}” profiline kaydedildi; sonraki dosyada --profile ${name} yeterli.`,
  en: `The columns were saved as profile “${name}”; next time --profile ${name} is enough.`,
});

/**
 * Writes a profile to a JSON file; the latest one where its name stands for several sets of
 * headers.
 */
export async function exportProfile(
  { profiles }: Pick<Connection["memory"], "profiles">,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<Profile> {
  const profile = (await profiles.list()).findLast((each) => each.name === name);
  if (profile === undefined) throw unknownProfile(name);
  const { columns, constants, decimal, headers } = profile;
  const rest = { name, headers, columns, constants, decimal };
  const file: ProfileFile = { kind: "catalog-profile", version: 1, ...rest };
  await writeFile(path, `${JSON.stringify(file, undefined, 2)}\n`);
  return profile;
}

/** Whether a file states that it is a profile; only JSON files can. */
export async function isProfileFile(path: string): Promise<boolean> {
  if (extname(path).toLowerCase() !== ".json") return false;
  return /"kind"\s*:\s*"catalog-profile"/u.test(await readTextFile(path));
}

/** Reads a profile from a JSON file and saves it under the name in the file. */
export async function importProfile(
  { profiles }: Pick<Connection["memory"], "profiles">,
  path: string,
): Promise<Profile> {
  const { name, headers, columns, constants, decimal } = parseProfileFile(
    await readTextFile(path),
    path,
  );
  const rest = { headers, columns, constants, decimal, learntFrom: null };
  const profile = { name, headerKey: headerKey(headers), ...rest };
  await profiles.save(profile);
  return profile;
}

/** Removes a profile. Throws `InputError` where none has the name. */
export async function removeProfile(
  { profiles }: Pick<Connection["memory"], "profiles">,
  name: string,
): Promise<void> {
  if ((await profiles.remove(name)) === 0) throw unknownProfile(name);
}

function unknownProfile(name: string): InputError {
  return new InputError({
    tr: `"${name}" adında bir profil yok. "catalog rules list" kuralları ve profilleri gösterir.`,
    en: `There is no profile "${name}". "catalog rules list" shows rules and profiles.`,
  });
}

/** Key of the profile that holds the defaults; no set of headers has it. */
export const DEFAULTS_KEY = "defaults";

type Profiles = Pick<ProfileRepository, "read" | "save">;

/** A default value of a store. */
export interface DefaultValue {
  /** Machine name of the field. */
  readonly field: string;
  readonly value: string;
}

/** Reads the defaults of a store, by field. */
export async function readDefaultValues(
  profiles: Pick<ProfileRepository, "read">,
): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries((await profiles.read("", DEFAULTS_KEY))?.constants ?? {}));
}

/** The defaults of a draft: those that a person gave for it come before those of the store. */
export async function readDraftDefaults(
  profiles: Pick<ProfileRepository, "read">,
  { forNew = {} }: Pick<DraftColumns, "forNew">,
): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await readDefaultValues(profiles)), ...Object.entries(forNew)]);
}

/** Checks a default and trims it; throws {@link InputError} as {@link saveDefaultValue} does. */
export function parseDefaultValue({ field: name, value }: DefaultValue): DefaultValue {
  const field = needField(name);
  const text = value.trim();
  if (text === "" || valueRules.isPlaceholder(text)) {
    throw new InputError({
      tr: `“${field.header.tr}” için bir değer yazın. Varsayılanı kaldırmak için: catalog rules forget "${field.header.tr}"`,
      en: `Give a value for “${field.header.en}”. To remove the default: catalog rules forget "${field.header.en}"`,
    });
  }
  const problem = findDefaultProblem(field.key, text);
  if (problem !== undefined) throw new InputError(problem);
  return { field: field.key, value: text };
}

/** Sets a default; throws {@link InputError} for a field that takes none, or an empty value. */
export async function saveDefaultValue(
  profiles: Profiles,
  given: DefaultValue,
): Promise<DefaultValue> {
  const parsed = parseDefaultValue(given);
  const defaults = await readDefaultValues(profiles);
  await save(profiles, new Map([...defaults, [parsed.field, parsed.value]]));
  return parsed;
}

/** Removes a default; `false` where the field has none. */
export async function removeDefaultValue(profiles: Profiles, name: string): Promise<boolean> {
  const defaults = new Map(await readDefaultValues(profiles));
  const isRemoved = defaults.delete(findNamedField(name)?.key ?? "");
  if (isRemoved) await save(profiles, defaults);
  return isRemoved;
}

const save = async (profiles: Profiles, defaults: ReadonlyMap<string, string>): Promise<void> => {
  const constants = Object.fromEntries(defaults);
  const profile: Profile = {
    name: "",
    headerKey: DEFAULTS_KEY,
    headers: [],
    columns: {},
    constants,
    decimal: null,
    learntFrom: null,
  };
  await profiles.save(profile);
};

function needField(name: string): (typeof FIELDS)[number] {
  const field = findNamedField(name);
  if (field?.takesDefault === true) return field;
  const [tr, en] = (["tr", "en"] as const).map((lang) =>
    FIELDS.filter(({ takesDefault }) => takesDefault)
      .map(({ header }) => `“${header[lang]}”`)
      .join(", "),
  );
  throw new InputError({
    tr: `“${name}” için varsayılan değer tutulmaz. Tutulanlar: ${tr}.`,
    en: `No default is kept for “${name}”. These fields have one: ${en}.`,
  });
}

/** A note on the defaults that new products of a plan take; empty where none does. */
export function toDefaultNotes(
  { usedDefaults }: Pick<RowMapper, "usedDefaults">,
  defaults: ReadonlyMap<string, string>,
): readonly Localized[] {
  if (usedDefaults.size === 0) return [];
  const list = (lang: "tr" | "en"): string =>
    [...usedDefaults]
      .map((field) => `${findField(field)?.header[lang] ?? field} = “${defaults.get(field) ?? ""}”`)
      .join(", ");
  return [
    {
      tr: `Değeri boş yeni ürünlere kayıtlı varsayılanlar yazıldı: ${list("tr")} (catalog rules).`,
      en: `New products without a value take the store's defaults: ${list("en")} (catalog rules).`,
    },
  ];
}
