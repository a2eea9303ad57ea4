/** Says in both languages what is wrong with a setting of the configuration file. */

import type { Localized } from "@catalog/i18n";
import type * as z from "zod";

import { findNear } from "../check-command-line.ts";
import { listSettings } from "./config-schema.ts";

type Issue = z.core.$ZodIssue;

/** Describes each issue with the path of its setting, in one line. */
export function describeIssues(issues: readonly Issue[]): Localized {
  const described = issues.map((issue) => ({
    path: issue.path.join("."),
    text: describeIssue(issue),
  }));
  const join = (lang: keyof Localized): string =>
    described
      .map(({ path, text }) => (path === "" ? text[lang] : `${path}: ${text[lang]}`))
      .join("; ");
  return { tr: join("tr"), en: join("en") };
}

function describeIssue(issue: Issue): Localized {
  if (issue.code === "invalid_type") return describeType(issue.expected);
  if (issue.code === "too_small") {
    return { tr: `en az ${issue.minimum} olmalı`, en: `must be at least ${issue.minimum}` };
  }
  if (issue.code === "too_big") {
    return { tr: `en çok ${issue.maximum} olabilir`, en: `must be at most ${issue.maximum}` };
  }
  if (issue.code === "invalid_value") {
    return describeChoices(issue.values.map((value) => toText(value)));
  }
  if (issue.code === "unrecognized_keys")
    return describeUnknown(issue.keys, listSettings(issue.path));
  // The only setting with a form of its own is the address of PostgreSQL.
  if (issue.code === "invalid_format") return DATABASE_ADDRESS;
  if (issue.code === "invalid_union") return describeUnion(issue.errors);
  return { tr: `kullanılamaz (${issue.message})`, en: `cannot be used (${issue.message})` };
}

const DATABASE_ADDRESS: Localized = {
  tr: "parolasız bir PostgreSQL adresi olmalı, örneğin postgres://kullanici@sunucu/catalog",
  en: "must be an address of PostgreSQL without a password, such as postgres://user@server/catalog",
};

const TYPES: Readonly<Record<string, Localized>> = {
  string: { tr: "metin", en: "a text" },
  number: { tr: "sayı", en: "a number" },
  int: { tr: "tam sayı", en: "a whole number" },
  boolean: { tr: "true ya da false", en: "true or false" },
  object: { tr: "ayarlar grubu ({ … })", en: "a group of settings ({ … })" },
  record: { tr: "ayarlar grubu ({ … })", en: "a group of settings ({ … })" },
  array: { tr: "liste", en: "a list" },
};

function describeType(expected: string): Localized {
  const { tr, en } = TYPES[expected] ?? { tr: expected, en: expected };
  return { tr: `${tr} olmalı`, en: `must be ${en}` };
}

const toText = (value: unknown): string =>
  typeof value === "string" ? `"${value}"` : String(value);

const describeChoices = (values: readonly string[]): Localized => ({
  tr: `${values.join(" ya da ")} olmalı`,
  en: `must be ${values.join(" or ")}`,
});

function describeUnknown(keys: readonly string[], known: readonly string[]): Localized {
  const names = keys.map((key) => `"${key}"`).join(", ");
  const near = keys.flatMap((key) => findNear(key, known) ?? []);
  const meant = near.map((key) => `"${key}"`).join(", ");
  const [tr, en] =
    near.length === 0
      ? ["", ""]
      : [` (bunu mu demek istediniz: ${meant})`, ` (did you mean ${meant}?)`];
  return keys.length === 1
    ? { tr: `${names} adında bir ayar yok${tr}`, en: `there is no setting ${names}${en}` }
    : { tr: `şu adlarda ayar yok: ${names}${tr}`, en: `there are no settings ${names}${en}` };
}

/** A value that fits none of several forms; each form says what it takes. */
function describeUnion(errors: readonly (readonly Issue[])[]): Localized {
  const forms = errors.flatMap(([first]) => (first === undefined ? [] : [describeIssue(first)]));
  return {
    tr: forms.map(({ tr }) => tr).join(" ya da "),
    en: forms.map(({ en }) => en).join(" or "),
  };
}
