/**
 * Values that a store's new products take where their file has none, such as the shipping template.
 * They are kept as a profile without headers, and never used for updates.
 */

import { InputError, type Localized } from "@catalog/i18n";
import {
  FIELDS,
  findDefaultProblem,
  findField,
  findNamedField,
  type RowMapper,
  valueRules,
} from "@catalog/mapping";

import type { DraftColumns } from "../drafts/stored-draft.ts";
import type { Profile, ProfileRepository } from "./column-profiles.ts";

type FieldDefinition = (typeof FIELDS)[number];

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

function needField(name: string): FieldDefinition {
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
