/**
 * Rules by which a person decides what a text in a column means. A rule beats the text's own
 * meaning; the target is then resolved like any other text of the column.
 */

import type { Localized } from "@catalog/i18n";

import { createHeaderMatcher, propertyName } from "../columns/header-matcher.ts";
import { FIELDS, findField } from "../fields/fields.ts";
import { NO_PLATFORM, PLATFORM_NAMES } from "../platforms/platform-matcher.ts";
import { isPlaceholder, PLACEHOLDER } from "../source-row.ts";
import { trimText } from "../text-keys.ts";
import { nameKey } from "./name-key.ts";
import { findNearestName } from "./suggester.ts";

/** The rules of a store, as a row mapper reads them. */
export interface ValueRules {
  /**
   * The meanings of the text in this field (see {@link valueRules}), of which the first one counts
   * that the list of a row has; `undefined` where there is no rule.
   */
  find(field: string, text: string): readonly [string, ...string[]] | undefined;
}

/** Rules of a store without any. */
export const NO_RULES: ValueRules = { find: () => undefined };

const RULED_KINDS: ReadonlySet<string> = new Set(["name", "words"]);

const RULED_FIELDS: ReadonlySet<string> = new Set(
  FIELDS.filter(
    // A stock is a number, but suppliers write words such as `10+` for it.
    ({ kind, key }) => (RULED_KINDS.has(kind) && key !== "action") || key === "stock",
  ).map(({ key }) => key),
);

function readRuleField(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const platform = trimText(text.slice(at + 1));
  const isScoped = at > 0 && PLATFORM_NAMES.includes(platform) && platform !== NO_PLATFORM;
  if (!isScoped) return readField(trimText(text));
  return readField(trimText(text.slice(0, at))) === SCOPED_FIELD
    ? scopeRuleField(SCOPED_FIELD, platform)
    : undefined;
}

function readField(wanted: string): string | undefined {
  if (RULED_FIELDS.has(wanted)) return wanted;
  const property = propertyName(wanted);
  if (property !== undefined) return propertyField(property);
  const { target } = createHeaderMatcher().match(wanted);
  return target.kind === "field" && RULED_FIELDS.has(target.field) ? target.field : undefined;
}

/** Texts of this field belong to the taxonomy of the platform that wrote the file. */
const SCOPED_FIELD = "category";

/** The field of rules for the files of one platform: `category@shopify`; other fields have none. */
function scopeRuleField(field: string, platform: string | undefined): string {
  return field !== SCOPED_FIELD || platform === undefined ? field : `${field}@${platform}`;
}

/** The field of a rule, and the platform whose files it is for. */
export function splitRuleField(field: string): {
  readonly field: string;
  readonly platform: string | undefined;
} {
  const prefix = `${SCOPED_FIELD}@`;
  return field.startsWith(prefix)
    ? { field: SCOPED_FIELD, platform: field.slice(prefix.length) }
    : { field, platform: undefined };
}

/** Name of a rule's field for people, which {@link readRuleField} reads in either language. */
export function ruleFieldName(whole: string): Localized {
  const { field, platform } = splitRuleField(whole);
  const header = findField(field)?.header;
  if (header === undefined) {
    const name = field.replace(/^property:/u, "");
    return { tr: `Özellik: ${name}`, en: `Property: ${name}` };
  }
  const { tr, en } = header;
  return platform === undefined ? header : { tr: `${tr} @${platform}`, en: `${en} @${platform}` };
}

/** Whether the list of a field differs by category, so that one text may mean different things. */
export const isOfCategory = (field: string): boolean =>
  field === "brand" || field === "brand_model" || field.startsWith("property:");

/** The rule field of a property's texts. */
export function propertyField(name: string): string {
  return `property:${trimText(name)}`;
}

/** A text that names nothing, with the names that a person may choose. */
interface UnknownName {
  readonly field: string;
  readonly value: string;
  readonly choices: readonly string[];
}

/** How rules are written: which fields take them, how fields are named, and which texts are one. */
interface RuleNotation {
  /** Fields, besides properties, whose texts can have rules. */
  readonly fields: readonly string[];
  /**
   * The field that a person named for a rule: its key, any of its headers, or a property such as
   * `Özellik: Renk`. `Kategori @shopify` is the category in files of one platform. `undefined` when
   * texts of that field cannot have rules.
   */
  readonly readField: (text: string) => string | undefined;
  /** Name of a rule's field for people, which `readField` reads in either language. */
  readonly nameField: (field: string) => Localized;
  /** The field of rules for the files of one platform: `category@shopify`; other fields have none. */
  readonly scopeField: (field: string, platform: string | undefined) => string;
  /** The field of a rule, and the platform whose files it is for. */
  readonly splitField: (field: string) => {
    readonly field: string;
    readonly platform: string | undefined;
  };
  /**
   * Whether the list of a field differs by category, so that a text may have several meanings: brands,
   * models and properties.
   */
  readonly isOfCategory: (field: string) => boolean;
  /** Key of a rule: equal for texts that one rule covers; case, accents and spacing do not count. */
  readonly key: (field: string, text: string) => string;
  /** Stands in a command to paste for a meaning that a person has to write; no rule takes it. */
  readonly placeholder: string;
  /** Whether a text is such a placeholder, pasted as it stands. */
  readonly isPlaceholder: (text: string) => boolean;
  /** The choice that a text is but for a slip; `undefined` where none is so near, or several are. */
  readonly findNearest: (name: UnknownName) => string | undefined;
}

export const valueRules: RuleNotation = {
  fields: [...RULED_FIELDS],
  readField: readRuleField,
  nameField: ruleFieldName,
  scopeField: scopeRuleField,
  splitField: splitRuleField,
  isOfCategory,
  key: (field, text) => `${nameKey(field)}\n${nameKey(text)}`,
  placeholder: PLACEHOLDER,
  isPlaceholder,
  findNearest: ({ field, value, choices }) =>
    findNearestName(value, choices, { isPath: splitRuleField(field).field === SCOPED_FIELD }),
};
