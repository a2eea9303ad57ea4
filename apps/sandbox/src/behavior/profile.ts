/** One value for each switch of a sandbox. */

import { type Personality, type SwitchName, SWITCHES, type Switches } from "./behavior-settings.ts";

/** The given values by name of the switch; the others keep their defaults. */
export type PersonalityOptions = { readonly [Name in SwitchName]?: Personality[Name] | undefined };

/** The personality of a sandbox without options. */
export const DEFAULT_PERSONALITY: Personality = {
  "auth-error": SWITCHES["auth-error"].default,
  "error-body": SWITCHES["error-body"].default,
  "duplicate-code": SWITCHES["duplicate-code"].default,
  "new-product": SWITCHES["new-product"].default,
  "code-filter": SWITCHES["code-filter"].default,
  "ids-filter": SWITCHES["ids-filter"].default,
  "date-filter": SWITCHES["date-filter"].default,
  "stored-code": SWITCHES["stored-code"].default,
  "hourly-limit": SWITCHES["hourly-limit"].default,
  "expires-at": SWITCHES["expires-at"].default,
  prices: SWITCHES.prices.default,
  total: SWITCHES.total.default,
  "page-cap": SWITCHES["page-cap"].default,
  "page-past-end": SWITCHES["page-past-end"].default,
  "update-stock": SWITCHES["update-stock"].default,
  images: SWITCHES.images.default,
  versions: SWITCHES.versions.default,
  "new-token": SWITCHES["new-token"].default,
  "date-header": SWITCHES["date-header"].default,
};

/** Lists every switch with the names of its values, the default first. */
export function listSwitches(): readonly {
  readonly name: SwitchName;
  readonly values: readonly string[];
}[] {
  return SWITCH_NAMES.map((name) => ({ name, values: valuesOf(name) }));
}

/** Fills in the defaults. Throws a `RangeError` for an unknown switch or value. */
export function resolvePersonality(options: PersonalityOptions = {}): Personality {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) assertDecision(name, value);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_PERSONALITY, ...Object.fromEntries(given) };
}

/** Parses "switch=value" texts; the last one of a switch wins. Throws a `RangeError`. */
export function parsePersonality(texts: readonly string[]): PersonalityOptions {
  const pairs = texts.map((text) => {
    const at = text.indexOf("=");
    if (at < 0) throw new RangeError(`"${text}" is not of the form switch=value`);
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  for (const [name, value] of pairs) assertDecision(name, value);
  return Object.fromEntries(pairs);
}

const SWITCH_NAMES: readonly SwitchName[] = Object.keys(DEFAULT_PERSONALITY).filter(isSwitchName);

function isSwitchName(name: string): name is SwitchName {
  return Object.hasOwn(SWITCHES, name);
}

function assertDecision(name: string, value: string): void {
  if (!isSwitchName(name)) {
    throw new RangeError(`no switch is named "${name}"; there are ${SWITCH_NAMES.join(", ")}`);
  }
  const values = valuesOf(name);
  if (values.includes(value)) return;
  throw new RangeError(`${name} cannot be "${value}"; it can be ${values.join(", ")}`);
}

function valuesOf(name: keyof Switches): readonly string[] {
  const { default: safe, values } = SWITCHES[name];
  return [safe, ...Object.keys(values).filter((value) => value !== safe)];
}
