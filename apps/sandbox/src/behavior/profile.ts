/** Parses and completes the personality of a sandbox, which has a value for each setting. */

import { OptionError } from "../option-error.ts";
import {
  type Behavior,
  type BehaviorSettingName,
  BEHAVIOR_SETTINGS,
  type BehaviorSettings,
} from "./behavior-settings.ts";

/** Values by name of the setting; the other settings keep their defaults. */
export type BehaviorOptions = {
  readonly [Name in BehaviorSettingName]?: Behavior[Name] | undefined;
};

/** The personality of a sandbox without options. */
export const DEFAULT_BEHAVIOR: Behavior = {
  "auth-error": BEHAVIOR_SETTINGS["auth-error"].default,
  "error-body": BEHAVIOR_SETTINGS["error-body"].default,
  "duplicate-code": BEHAVIOR_SETTINGS["duplicate-code"].default,
  "new-product": BEHAVIOR_SETTINGS["new-product"].default,
  "code-filter": BEHAVIOR_SETTINGS["code-filter"].default,
  "ids-filter": BEHAVIOR_SETTINGS["ids-filter"].default,
  "date-filter": BEHAVIOR_SETTINGS["date-filter"].default,
  "stored-code": BEHAVIOR_SETTINGS["stored-code"].default,
  "hourly-limit": BEHAVIOR_SETTINGS["hourly-limit"].default,
  "expires-at": BEHAVIOR_SETTINGS["expires-at"].default,
  prices: BEHAVIOR_SETTINGS.prices.default,
  total: BEHAVIOR_SETTINGS.total.default,
  "page-cap": BEHAVIOR_SETTINGS["page-cap"].default,
  "page-past-end": BEHAVIOR_SETTINGS["page-past-end"].default,
  "update-stock": BEHAVIOR_SETTINGS["update-stock"].default,
  images: BEHAVIOR_SETTINGS.images.default,
  versions: BEHAVIOR_SETTINGS.versions.default,
  "new-token": BEHAVIOR_SETTINGS["new-token"].default,
  "date-header": BEHAVIOR_SETTINGS["date-header"].default,
  capacity: BEHAVIOR_SETTINGS.capacity.default,
};

/** Lists every setting with the names of its values, the default first. */
export function listBehaviorSettings(): readonly {
  readonly name: BehaviorSettingName;
  readonly values: readonly string[];
}[] {
  return SETTING_NAMES.map((name) => ({ name, values: valuesOf(name) }));
}

/** Fills in the defaults. Throws an `OptionError` for an unknown setting or value. */
export function resolveBehavior(options: BehaviorOptions = {}): Behavior {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) assertDecision(name, value);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_BEHAVIOR, ...Object.fromEntries(given) };
}

/**
 * Parses texts of the form "name=value"; the last value of a setting wins. Throws an `OptionError`
 * for another form, an unknown setting or an unknown value.
 */
export function parseBehavior(texts: readonly string[]): BehaviorOptions {
  const pairs = texts.map((text) => {
    const at = text.indexOf("=");
    if (at < 0) {
      throw new OptionError({
        tr: `"${text}" anlaşılamadı; ad=değer biçiminde yazın`,
        en: `"${text}" is not of the form name=value`,
      });
    }
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  for (const [name, value] of pairs) assertDecision(name, value);
  return Object.fromEntries(pairs);
}

const SETTING_NAMES: readonly BehaviorSettingName[] =
  Object.keys(DEFAULT_BEHAVIOR).filter(isSettingName);

function isSettingName(name: string): name is BehaviorSettingName {
  return Object.hasOwn(BEHAVIOR_SETTINGS, name);
}

function assertDecision(name: string, value: string): void {
  if (!isSettingName(name)) {
    const names = SETTING_NAMES.join(", ");
    throw new OptionError({
      tr: `"${name}" adında bir davranış yok; olanlar: ${names}`,
      en: `no behavior is named "${name}"; there are ${names}`,
    });
  }
  const values = valuesOf(name);
  if (values.includes(value)) return;
  throw new OptionError({
    tr: `${name} için "${value}" yazılamaz; yazılabilecekler: ${values.join(", ")}`,
    en: `${name} cannot be "${value}"; it can be ${values.join(", ")}`,
  });
}

function valuesOf(name: keyof BehaviorSettings): readonly string[] {
  const { default: safe, values } = BEHAVIOR_SETTINGS[name];
  return [safe, ...Object.keys(values).filter((value) => value !== safe)];
}
