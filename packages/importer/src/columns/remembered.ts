/** What a store remembers of its files: rules, default values, column profiles and readings. */

import { type Connection, fieldLabels } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";

import {
  addRules,
  exportRules,
  type ImportedRules,
  importRules,
  removeRule,
  type Rule,
  ruleFieldName,
  ruleKey,
  type RuleInput,
  type RuleSource,
  type SavedRule,
  splitMeanings,
} from "../names/value-rules.ts";
import {
  type DefaultValue,
  exportProfile,
  importProfile,
  isProfileFile,
  type Profile,
  readDefaultValues,
  removeDefaultValue,
  removeProfile,
  saveDefaultValue,
} from "./column-profiles.ts";
import {
  forgetReadings,
  listRememberedReadings,
  type RememberedReading,
} from "./remembered-readings.ts";

/** All that a store remembers. */
export interface RememberedLists {
  readonly rules: readonly Rule[];
  /** Value by field. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly profiles: Awaited<ReturnType<Connection["memory"]["profiles"]["list"]>>;
  readonly remembered: readonly RememberedReading[];
}

/** What can hold in all stores of a marketplace: a rule, all rules of prices, or a column profile. */
type Shareable =
  | ({ readonly kind: "name" } & Pick<RuleInput, "field" | "value">)
  | { readonly kind: "prices" }
  | { readonly kind: "profile"; readonly name: string };

/** Reads and changes what is remembered; a wrong word of a person throws `InputError`. */
interface Remembered {
  readonly list: () => Promise<RememberedLists>;
  /** The name of a field, also of `property:NAME` and of uses of columns such as `cost`. */
  readonly nameField: (field: string) => Localized;
  /** Saves rules that a person wrote; their meanings are not looked up. */
  readonly addRules: (rules: readonly RuleInput[]) => Promise<readonly SavedRule[]>;
  /** `false` where the value has no rule. */
  readonly removeRule: (rule: Pick<RuleInput, "field" | "value">) => Promise<boolean>;
  /**
   * Restores what the rules were before a change, except those that were changed since; `undefined`
   * where there is none. @default the last change that was not undone
   */
  readonly undoRules: Connection["memory"]["rules"]["undo"];
  /** Writes a workbook, CSV or JSON file, by its extension; returns the number of rules. */
  readonly exportRules: (file: { readonly path: string; readonly lang: Lang }) => Promise<number>;
  readonly importRules: (file: RuleSource) => Promise<ImportedRules>;
  readonly saveDefault: (value: DefaultValue) => Promise<DefaultValue>;
  /** `false` where the field has no default. */
  readonly removeDefault: (field: string) => Promise<boolean>;
  /** Forgets the readings with this id, or all of them for `all`; returns how many there were. */
  readonly forget: (id: string) => Promise<number>;
  readonly exportProfile: (file: {
    readonly path: string;
    readonly name: string;
  }) => Promise<unknown>;
  readonly removeProfile: (name: string) => Promise<void>;
  /** Has it hold in all stores of the marketplace; `false` where this store has none of its own. */
  readonly share: (what: Shareable) => Promise<boolean>;
  /** Makes it this store's own, and of no other one; `false` where it is not shared. */
  readonly unshare: (what: Shareable) => Promise<boolean>;
  /** Reads a file of rules or of a profile, as the file itself says. */
  readonly importFile: (file: RuleSource) => Promise<{ readonly profile: Profile } | ImportedRules>;
}

/** The uses of columns that no rule can name. */
const OTHER_USES = /^(?:cost|option\d*)$/u;

const nameUse = (field: string): Localized =>
  OTHER_USES.test(field) ? fieldLabels(field) : ruleFieldName(field);

/** Opens the memory of a store; nothing is read before it is asked for. */
export function openRemembered({
  memory,
  baseUrl,
}: Pick<Connection, "memory" | "baseUrl">): Remembered {
  const { rules, profiles } = memory;
  return {
    nameField: nameUse,
    list: async () => ({
      rules: splitMeanings(await rules.list()),
      defaults: Object.fromEntries(await readDefaultValues(profiles)),
      profiles: await profiles.list(),
      remembered: await listRememberedReadings({ memory, baseUrl }),
    }),
    addRules: (given) => addRules(memory, given),
    removeRule: (rule) => removeRule(memory, rule),
    undoRules: (batch) => rules.undo(batch),
    exportRules: (file) => exportRules(memory, file),
    importRules: (file) => importRules(memory, file),
    saveDefault: (value) => saveDefaultValue(profiles, value),
    removeDefault: (field) => removeDefaultValue(profiles, field),
    forget: (id) => forgetReadings({ memory, baseUrl }, id),
    exportProfile: (file) => exportProfile(memory, file),
    removeProfile: (name) => removeProfile(memory, name),
    share: (what) => changeShared(memory, what, "share"),
    unshare: (what) => changeShared(memory, what, "unshare"),
    importFile: async (file) =>
      (await isProfileFile(file.path))
        ? { profile: await importProfile(memory, file.path) }
        : await importRules(memory, file),
  };
}

async function changeShared(
  { rules, prices, profiles }: Connection["memory"],
  what: Shareable,
  change: "share" | "unshare",
): Promise<boolean> {
  const isShare = change === "share";
  if (what.kind === "prices") {
    return await (isShare ? prices.shareRules() : prices.unshareRules());
  }
  if (what.kind === "profile") return (await profiles[change](what.name)) > 0;
  return await rules[change](ruleKey(what));
}
