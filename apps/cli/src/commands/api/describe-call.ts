/** Describes calls for people and as data: the list of all of them, and the fields of one. */

import type { TextView } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { endpointNamed, type EndpointName } from "@catalog/contract";
import type { Lang } from "@catalog/i18n";

import { findNear } from "../../command-line/check.ts";
import { CALL_NAMES } from "./call-names.ts";
import { type CallField, listFields } from "./fields.ts";
import { FIELD_TEXTS, KIND_WORDS, SUMMARIES, textsFor } from "./texts.ts";

/** A call that a word names, or the names that it may mean. */
export type NamedCall =
  | { readonly name: EndpointName }
  | { readonly name: undefined; readonly near: readonly EndpointName[] };

/** Hyphens, dots and capital letters are no other name: `order.accept-return` is `order.acceptReturn`. */
const fold = (word: string): string => word.toLocaleLowerCase("en").replaceAll(/[^a-z0-9]/gu, "");

const BY_WORD: ReadonlyMap<string, readonly EndpointName[]> = Map.groupBy(CALL_NAMES, (name) =>
  fold(name),
);

/** Most names that a wrong one is answered with. */
const MAX_NEAR = 4;

/** Finds the call that a person means. */
export function resolveCall(word: string): NamedCall {
  const [only, ...others] = BY_WORD.get(fold(word)) ?? [];
  if (only !== undefined && others.length === 0) return { name: only };
  const typed = fold(word);
  const near = findNear(typed, [...BY_WORD.keys()]);
  const within = CALL_NAMES.filter((name) => typed.length > 2 && fold(name).includes(typed));
  const found = [...within, ...(BY_WORD.get(near ?? "") ?? [])];
  return { name: undefined, near: [...new Set(found)].slice(0, MAX_NEAR) };
}

/** The path with the prefix that the specification names first. */
const pathOf = (name: EndpointName): string => {
  const { path, versions } = endpointNamed(name);
  return versions[0] === undefined ? path : `/${versions[0]}${path}`;
};

const summaryOf = (name: EndpointName, lang: Lang): string =>
  lang === "tr" ? SUMMARIES[name] : endpointNamed(name).summary;

/** A call as `--list --json` has it. */
interface DescribedCall {
  readonly name: EndpointName;
  readonly method: string;
  readonly path: string;
  readonly versions: readonly string[];
  readonly effect: string;
  readonly section: string;
  readonly permission: string;
  readonly paged: boolean;
  readonly summary: string;
  readonly fields: readonly object[];
}

/** All calls as data. */
export const toDescribedCalls = (lang: Lang): readonly DescribedCall[] =>
  CALL_NAMES.map((name) => {
    const { method, versions, effect, section, permission, paging } = endpointNamed(name);
    return {
      name,
      method,
      path: pathOf(name),
      versions,
      effect,
      section,
      permission,
      paged: paging !== undefined,
      summary: summaryOf(name, lang),
      fields: listFields(name).map(toDescribedField),
    };
  });

const toDescribedField = (field: CallField): object => ({
  name: field.name,
  kinds: field.kinds,
  required: field.isRequired,
  in_path: field.isInPath,
  undocumented: field.isUndocumented,
  choices: field.choices,
  min: field.min ?? null,
  max: field.max ?? null,
  default: field.default ?? null,
});

const GAP = "  ";

/** Narrower outputs have the path on a line of its own. */
const WIDE_COLUMNS = 110;

/** Lists all calls by section, one on a line. */
export function formatCalls({ lang, columns }: HelpView): string {
  const texts = textsFor(lang);
  const width = Math.max(...CALL_NAMES.map((name) => name.length));
  const bySection = Map.groupBy(CALL_NAMES, (name) => endpointNamed(name).section);
  const toLine = (name: EndpointName): string => {
    const { method, effect, permission } = endpointNamed(name);
    const facts = [
      name.padEnd(width),
      method.padEnd(4),
      texts.effects[effect].padEnd(10),
      texts.permissions[permission].padEnd(8),
    ].join(GAP);
    const gap = columns < WIDE_COLUMNS ? `\n${GAP}${GAP}` : GAP;
    return `${GAP}${columns < WIDE_COLUMNS ? facts.trimEnd() : facts}${gap}${pathOf(name)}`;
  };
  const lines = [...bySection].flatMap(([section, names]) =>
    ["", section].concat(names.map(toLine)),
  );
  const intro = wrapText(texts.listIntro(CALL_NAMES.length), { columns });
  return `${[intro, ...lines].join("\n")}\n`;
}

/** How help is shown. */
export interface HelpView extends Pick<TextView, never> {
  readonly lang: Lang;
  readonly columns: number;
}

/** What help adds for the words behind `api`: the call that one of them names. */
export function describeWords(words: readonly string[], view: HelpView): string | undefined {
  const word = words.find((each) => !each.startsWith("-"));
  const { name } = word === undefined ? { name: undefined } : resolveCall(word);
  return name === undefined ? undefined : formatCall(name, view);
}

/** Describes one call with its fields and an example. */
function formatCall(name: EndpointName, { lang, columns }: HelpView): string {
  const texts = textsFor(lang);
  const { method, effect, section, permission, paging } = endpointNamed(name);
  const fields = listFields(name);
  const facts = [
    summaryOf(name, lang),
    texts.effectsInFull[effect],
    texts.permissionsInFull[permission],
    texts.section(section),
    ...(paging === undefined ? [] : [texts.pages(paging.defaultSize, paging.maxSize)]),
  ].join(" ");
  const isLogin = name === "token.create";
  const heading = fields.length === 0 ? texts.noFields : texts.fields;
  const lines = [
    `${name}: ${method} ${pathOf(name)}`,
    wrapText(`${GAP}${facts}`, { columns, indent: GAP.length }),
    "",
    heading,
    ...(isLogin ? [`${GAP}${texts.secretFields}`] : formatFields(fields, { lang, columns })),
    "",
    texts.example,
    `${GAP}catalog api ${toExample(name, lang)}`,
  ];
  return lines.join("\n");
}

function formatFields(
  fields: readonly CallField[],
  { lang, columns }: HelpView,
): readonly string[] {
  const width = Math.max(0, ...fields.map(({ name }) => name.length));
  return fields.map((field) => {
    const line = `${GAP}${field.name.padEnd(width)}${GAP}${describeField(field, lang)}`;
    return wrapText(line, { columns, indent: width + 2 * GAP.length });
  });
}

function describeField(field: CallField, lang: Lang): string {
  const texts = textsFor(lang);
  const { kinds, choices, min, max, description } = field;
  const values =
    choices.length > 0
      ? choices.join(" | ")
      : kinds.map((kind) => KIND_WORDS[kind][lang]).join(" / ");
  const parts = [
    values,
    field.isRequired ? texts.required : "",
    field.isInPath ? texts.inPath : "",
    min === undefined || min <= 0 ? "" : texts.min(min),
    max === undefined ? "" : texts.max(max),
    field.default === undefined ? "" : texts.standard(String(field.default)),
    field.isUndocumented ? texts.undocumented : "",
  ].filter((part) => part !== "");
  const words = lang === "tr" ? FIELD_TEXTS.get(description ?? "") : description;
  return words === undefined ? parts.join(", ") : `${parts.join(", ")}. ${words}`;
}

/** More fields than these are given in a file. */
const MAX_PARAMS = 4;

/** Calls whose rules between fields ask for more than their required fields. */
const EXAMPLES: Readonly<Partial<Record<EndpointName, string>>> = {
  "order.list": "--param days=7",
};

/** The words behind `catalog api` of an example that the schema accepts. */
export function toExample(name: EndpointName, lang: Lang): string {
  const special = EXAMPLES[name];
  if (special !== undefined) return `${name} ${special}`;
  if (name === "token.create") return name;
  const required = listFields(name).filter(({ isRequired }) => isRequired);
  if (required.length > MAX_PARAMS) {
    return `${name} --data ${lang === "tr" ? "govde" : "body"}.json`;
  }
  return [name, ...required.map((field) => `--param ${field.name}=${sampleOf(field)}`)].join(" ");
}

function sampleOf({ name, kinds, choices, min }: CallField): string {
  if (choices[0] !== undefined) return String(choices[0]);
  if (kinds.includes("integer") || kinds.includes("number")) return String(min ?? 1);
  if (kinds.includes("boolean")) return "true";
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "_").toUpperCase();
}
