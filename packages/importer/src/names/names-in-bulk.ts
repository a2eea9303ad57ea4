/**
 * Answers many open names of a file at once: by a sheet that a person filled in, below one category
 * of the source, or by the same reason. Only names that are open are answered.
 */

import { type Connection, createNameLists } from "@catalog/connection";
import { formatNumber, InputError, type Lang, type Localized } from "@catalog/i18n";
import {
  createLikelyNames,
  createNameIndex,
  createNameIndexes,
  type NameIndexes,
  pathNameKeys,
  valueRules,
} from "@catalog/mapping";
import type { NameSuggestion, OpenNameCount, SuggestionReason } from "@catalog/runs";
import type { OpenSheetOptions } from "@catalog/sheets";

import type { SheetProblem } from "../file/sheet-problems.ts";
import type { FileNames, NameTarget } from "../plan/file-names.ts";
import {
  describeTwice,
  type NamedRow,
  readNameRows,
  refuseNames,
  suggestionOf,
} from "./rule-sheet.ts";
import { saveAnswers, type SavedRule } from "./value-rules.ts";

/** What a person answers for one open name. */
export interface NameMeaningInput extends Pick<OpenNameCount, "field" | "value"> {
  readonly target: string;
  readonly targetId: string | null;
}

/** Answers that were saved as rules. */
export interface SavedMeanings {
  readonly rules: readonly SavedRule[];
  /** The batch under which they are undone; `undefined` where nothing changed. */
  readonly batch: number | undefined;
}

type Lists = Pick<Connection, "client" | "memory" | "baseUrl">;

/** The open names of a file, and the platform by which answers about its categories are scoped. */
type OpenNames = Pick<FileNames, "names" | "platform">;

/** Saves answers as rules for this file and later ones; answers for names that are not open are left out. */
export async function saveMeanings(
  { memory }: Pick<Connection, "memory">,
  { names, platform }: OpenNames,
  answers: readonly NameMeaningInput[],
  /** Of changes that are undone together with these. */
  joined?: number,
): Promise<SavedMeanings> {
  const open = new Set(names.map(keyOf));
  const wanted = answers.filter((answer) => open.has(keyOf(answer)));
  return await saveAnswers(
    memory,
    wanted.map(({ field, ...answer }) =>
      Object.assign(answer, { field: valueRules.scopeField(field, platform) }),
    ),
    joined,
  );
}

const keyOf = ({ field, value }: Pick<OpenNameCount, "field" | "value">): string =>
  valueRules.key(field, value);

/** Names whose first suggestion has the same reason. */
interface SameReason {
  readonly kind: SuggestionReason["kind"];
  /** Part of the similar products that must have the meaning, from 0 to 1. @default 0 */
  readonly minShare?: number | undefined;
}

/** The first suggestions that have the reason, as answers for a person to confirm. */
export const answerByReason = (
  names: readonly OpenNameCount[],
  { kind, minShare = 0 }: SameReason,
): readonly NameMeaningInput[] =>
  names.flatMap(({ field, value, suggestions: [first] }) =>
    first?.why.kind === kind && shareOf(first.why) >= minShare
      ? [{ field, value, target: first.target, targetId: first.targetId }]
      : [],
  );

/** Reasons without counts are whole. */
const shareOf = (why: SuggestionReason): number =>
  "of" in why ? why.similar / Math.max(1, why.of) : 1;

/** A category of the source, and the category of the store for all names below it. */
interface BelowOptions {
  /** Path in the source. */
  readonly from: string;
  /** A leaf is taken for all names; below any other category only names that are exact in it. */
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
}

/** What a category of the source gives. */
export interface NamesBelow {
  /** For a person to confirm. */
  readonly answers: readonly NameMeaningInput[];
  /** The other names below it, with suggestions within the category of the store only. */
  readonly open: readonly OpenNameCount[];
}

/** Answers the open categories below a category of the source. Throws `InputError` for an unknown `to`. */
export async function answerBelow(
  connection: Lists,
  names: readonly OpenNameCount[],
  { from, to, signal }: BelowOptions,
): Promise<NamesBelow> {
  const above = pathNameKeys(from);
  const below = names.flatMap((name) => {
    const keys = name.field === "category" ? pathNameKeys(name.value) : [];
    const isBelow = above.length > 0 && above.every((key, at) => keys[at] === key);
    return isBelow ? [{ name, rest: keys.slice(above.length) }] : [];
  });
  const { leaves, isLeaf } = await readSubtree(toIndexes(connection, signal), to);
  const [only] = leaves;
  if (isLeaf && only !== undefined) {
    return { answers: below.map(({ name }) => toAnswer(name, only)), open: [] };
  }
  const answers: NameMeaningInput[] = [];
  const open: OpenNameCount[] = [];
  const suggest = createSuggestWithin(leaves, names);
  for (const { name, rest } of below) {
    const exact = findExact(leaves, rest);
    if (exact === undefined) open.push(suggest(name));
    else answers.push(toAnswer(name, exact));
  }
  return { answers, open };
}

const toIndexes = (
  { client, memory: { names: cache }, baseUrl }: Lists,
  signal: AbortSignal | undefined,
): NameIndexes => createNameIndexes(createNameLists({ client, cache, baseUrl, signal }));

const toAnswer = ({ field, value }: OpenNameCount, { target }: NameTarget): NameMeaningInput => ({
  field,
  value,
  target,
  targetId: null,
});

type CategoryNode = Awaited<ReturnType<NameIndexes["categories"]>>["items"][number];

/** A category that takes products. */
interface Leaf extends NameTarget {
  readonly name: string;
  readonly above: readonly string[];
  /** The keys of its names below the category that was asked for. */
  readonly keys: readonly string[];
}

async function readSubtree(
  indexes: NameIndexes,
  to: string,
): Promise<{ readonly leaves: readonly Leaf[]; readonly isLeaf: boolean }> {
  const index = await indexes.categories();
  const resolution = index.resolve(to);
  if (resolution.kind === "unknown" || resolution.kind === "ambiguous") {
    throw notOne(to, resolution);
  }
  const top = resolution.kind === "found" ? resolution.item : resolution.node;
  const labels = new Map<string, string>(index.labels().map(({ id, label }) => [id, label]));
  const leaves = listLeaves(top).map((node) => ({
    id: node.category.id,
    target: labels.get(node.category.id) ?? node.path,
    name: node.parts.at(-1) ?? "",
    above: node.parts.slice(0, -1),
    keys: node.parts.slice(top.parts.length).flatMap(pathNameKeys),
  }));
  return { leaves, isLeaf: top.children.length === 0 };
}

const listLeaves = (node: CategoryNode): readonly CategoryNode[] =>
  node.children.length === 0 ? [node] : node.children.flatMap(listLeaves);

const MAX_NAMED = 5;

function notOne(
  text: string,
  found:
    | { readonly kind: "ambiguous"; readonly candidates: readonly CategoryNode[] }
    | { readonly kind: "unknown"; readonly suggestions: readonly CategoryNode[] },
): InputError {
  const isAmbiguous = found.kind === "ambiguous";
  const nodes = isAmbiguous ? found.candidates : found.suggestions;
  const list = nodes.slice(0, MAX_NAMED).map(({ path }) => `\n  ${path}`);
  const more = list.join("");
  return isAmbiguous
    ? new InputError({
        tr: `“${text}” mağazada birden çok kategori olabilir; tam yolunu yazın:${more}`,
        en: `“${text}” may be more than one category of the store; write its whole path:${more}`,
      })
    : new InputError({
        tr: `Mağazada “${text}” adında bir kategori yok.${more === "" ? "" : ` Benzerleri:${more}`}`,
        en: `The store has no category “${text}”.${more === "" ? "" : ` Similar ones:${more}`}`,
      });
}

/** The only leaf with the same path below, else the only one of the same name. */
function findExact(leaves: readonly Leaf[], rest: readonly string[]): Leaf | undefined {
  const name = rest.at(-1);
  if (name === undefined) return undefined;
  const path = rest.join(">");
  const samePath = leaves.filter(({ keys }) => keys.join(">") === path);
  const found = samePath.length > 0 ? samePath : leaves.filter(({ keys }) => keys.at(-1) === name);
  return found.length === 1 ? found[0] : undefined;
}

/** Keeps the suggestions within some categories, and fills them up by the words of the names there. */
function createSuggestWithin(
  leaves: readonly Leaf[],
  names: readonly OpenNameCount[],
): (name: OpenNameCount) => OpenNameCount {
  const byTarget = new Map(leaves.map((leaf) => [leaf.target, leaf]));
  const byId = new Map(leaves.map((leaf) => [leaf.id, leaf]));
  const texts = names.filter(({ field }) => field === "category").map(({ value }) => value);
  const likely = createLikelyNames({ field: "category", meanings: leaves, texts });
  return (name) => {
    const kept = name.suggestions.filter(({ target }) => byTarget.has(target));
    const known = new Set(kept.map(({ target }) => target));
    const more = likely
      .suggest({ text: name.value, titles: name.titles })
      .flatMap(({ id, why }): readonly NameSuggestion[] => {
        const target = byId.get(id)?.target;
        const isByWords = why.kind === "words" || why.kind === "titles";
        if (target === undefined || known.has(target) || !isByWords) return [];
        return [{ target, targetId: null, why }];
      });
    const suggestions = [...kept, ...more].slice(0, MAX_SUGGESTIONS);
    return { ...name, suggestions, choices: suggestions.map(({ target }) => target) };
  };
}

const MAX_SUGGESTIONS = 3;

/** What a sheet of names did. */
export interface ImportedNames extends SavedMeanings {
  /** Open names whose row has no meaning. */
  readonly left: number;
  /** Rows whose name is not open in the file: it was answered before, or stands in another file. */
  readonly others: number;
}

/**
 * Saves what a person filled into a sheet of open names. Throws `InputError` `E_NAMES_SHEET` with
 * every mistake at its cell; nothing is saved then.
 */
export async function importNamesSheet(
  connection: Lists,
  file: FileNames,
  sheet: OpenSheetOptions,
): Promise<ImportedNames> {
  const open = new Map(file.names.map((name) => [keyOf(name), name]));
  const problems: SheetProblem[] = [];
  const answers = new Map<string, Resolved & { readonly ok: true }>();
  const counts = { left: 0, others: 0 };
  const resolve = createResolve(file, toIndexes(connection, sheet.signal));
  for (const row of await readNameRows(sheet)) {
    const read = readName(row, file);
    if ("tr" in read) {
      problems.push({ row: row.row, column: row.columns.field, value: row.field, message: read });
      continue;
    }
    const { field } = read;
    const name = field === undefined ? undefined : open.get(keyOf({ field, value: row.value }));
    if (name === undefined) counts.others += 1;
    else if (row.target === "" && row.targetId === null) counts.left += 1;
    else {
      const resolved = await resolve(row, name);
      const known = answers.get(keyOf(name));
      if (!resolved.ok) problems.push(resolved.problem);
      else if (known === undefined) answers.set(keyOf(name), resolved);
      else if (known.id !== resolved.id) {
        const { target } = known.answer;
        const [column, value] = [row.columns.target, row.target];
        problems.push({ row: row.row, column, value, message: describeTwice(target) });
      }
    }
  }
  if (problems.length > 0) throw refuseNames(problems);
  const meanings = [...answers.values()].map(({ answer }) => answer);
  return { ...(await saveMeanings(connection, file, meanings)), ...counts };
}

/** The field of a row; `undefined` where the row is for the files of another platform. */
function readName(
  { field: text, value }: NamedRow,
  { platform }: FileNames,
): { readonly field: string | undefined } | Localized {
  const whole = valueRules.readField(text);
  if (whole === undefined || value === "") {
    return {
      tr: "Alan ve dosyadaki değer değiştirilmemeli.",
      en: "The field and the value in the file must stay as they are.",
    };
  }
  const { field, platform: own } = valueRules.splitField(whole);
  return { field: own === undefined || own === platform ? field : undefined };
}

type Resolved =
  | { readonly ok: true; readonly answer: NameMeaningInput; readonly id: string }
  | { readonly ok: false; readonly problem: SheetProblem };

/** What the text of a meaning may stand for; `wrong` says why it is not one of them. */
interface Reading {
  readonly candidates: readonly NameTarget[];
  readonly wrong?: Localized;
}

/** Creates the check of a meaning against the store's lists for its name. */
function createResolve(
  file: FileNames,
  indexes: NameIndexes,
): (row: NamedRow, name: OpenNameCount) => Promise<Resolved> {
  const read = async (
    row: NamedRow,
    { field }: OpenNameCount,
    targets: readonly NameTarget[],
  ): Promise<Reading> => {
    const find = async (text: string): Promise<Reading> => {
      const exact = targets.find(({ id, target }) => target === text || id === text);
      if (exact !== undefined) return { candidates: [exact] };
      return field === "category"
        ? await findCategory(indexes, text, targets)
        : findTarget(createTargets(targets), text);
    };
    const numbered = suggestionOf(row);
    if (numbered === undefined) return await find(row.target);
    const { text, isGone, missing } = numbered;
    const literal = targets.filter(({ id, target }) => row.target === target || row.target === id);
    if (text === undefined) {
      return literal.length > 0 && !isGone
        ? { candidates: literal }
        : { candidates: literal, wrong: missing };
    }
    const suggested = await find(text);
    const others = literal.filter(({ target }) => target !== text);
    return others.length === 0
      ? suggested
      : { candidates: [...others, ...suggested.candidates], wrong: toEither(row, text) };
  };
  return async (row, name) => {
    const targets = await file.targetsOf(name);
    const { columns, target, targetId } = row;
    const refuse = (message: Localized): Resolved => ({
      ok: false,
      problem: {
        row: row.row,
        column: targetId === null ? columns.target : columns.id,
        value: targetId ?? target,
        message,
      },
    });
    const { field, value } = name;
    const answer = (chosen: NameTarget): Resolved => ({
      ok: true,
      answer: { field, value, target: chosen.target, targetId },
      id: chosen.id,
    });
    if (targetId !== null) {
      const chosen = targets.find(({ id }) => id === targetId);
      if (chosen === undefined) return refuse(NOT_AN_ID);
      if (target === "") return answer(chosen);
      // The id says which one is meant where the name may be several.
      const { candidates } = await read(row, name, targets);
      const isOne = candidates.some(({ id }) => id === targetId);
      return isOne ? answer(chosen) : refuse(toContradiction(row, chosen));
    }
    const { candidates, wrong } = await read(row, name, targets);
    const [only] = candidates;
    if (wrong !== undefined || only === undefined) return refuse(wrong ?? describeUnknown([]));
    return answer(only);
  };
}

function toContradiction(row: NamedRow, { target }: NameTarget): Localized {
  const text = suggestionOf(row)?.text ?? row.target;
  return {
    tr: `Bu kimlik “${target}” demek, karşılık olarak ise “${text}” yazıyor; birini düzeltin ya da silin.`,
    en: `This id is “${target}”, but the meaning says “${text}”; correct or delete one of them.`,
  };
}

const NOT_AN_ID: Localized = {
  tr: "Bu kimlik mağazanın listesinde yok.",
  en: "The store's list has no such id.",
};

const toEither = ({ target }: NamedRow, suggestion: string): Localized => ({
  tr: `Bu hem listedeki “${target}” hem ${target}. öneri (“${suggestion}”) olabilir; ID sütununa kimliğini yazın.`,
  en: `This may be “${target}” of the list, or suggestion ${target} (“${suggestion}”); write its id in the column ID.`,
});

const createTargets = (targets: readonly NameTarget[]) =>
  createNameIndex({ items: targets, id: ({ id }) => id, name: ({ target }) => target });

function findTarget(index: ReturnType<typeof createTargets>, text: string): Reading {
  const resolution = index.resolve(text);
  if (resolution.kind === "found") return { candidates: [resolution.item] };
  if (resolution.kind === "ambiguous") return toAmbiguous(resolution.candidates);
  return toUnknown(resolution.suggestions);
}

async function findCategory(
  indexes: NameIndexes,
  text: string,
  targets: readonly NameTarget[],
): Promise<Reading> {
  const resolution = (await indexes.categories()).resolve(text);
  const toTargets = (nodes: readonly CategoryNode[]): readonly NameTarget[] =>
    nodes.flatMap(({ category }) => targets.find(({ id }) => id === category.id) ?? []);
  if (resolution.kind === "found") return { candidates: toTargets([resolution.item]) };
  if (resolution.kind === "ambiguous") return toAmbiguous(toTargets(resolution.candidates));
  if (resolution.kind === "unknown") return toUnknown(toTargets(resolution.suggestions));
  const below = toTargets(listLeaves(resolution.node));
  const wrong = {
    tr: `Altında ${formatNumber(below.length, "tr")} kategori var; birini seçin: ${quote(below, "tr")}.`,
    en: `It has ${formatNumber(below.length, "en")} categories below it; choose one: ${quote(below, "en")}.`,
  };
  return { candidates: below, wrong };
}

/** The first targets of a list. */
const quote = (targets: readonly NameTarget[], lang: Lang): string => {
  const shown = targets.slice(0, MAX_NAMED).map(({ target }) => `“${target}”`);
  const more = targets.length - shown.length;
  return [...shown, ...(more > 0 ? [`+ ${formatNumber(more, lang)}`] : [])].join(", ");
};

const describeAmbiguous = (targets: readonly NameTarget[]): Localized => ({
  tr: `Birden çok anlama gelebilir: ${quote(targets, "tr")}. Listedekini olduğu gibi yazın ya da ID sütununu doldurun.`,
  en: `It may mean several: ${quote(targets, "en")}. Write it as the list does, or fill in the column ID.`,
});

const toAmbiguous = (candidates: readonly NameTarget[]): Reading => ({
  candidates,
  wrong: describeAmbiguous(candidates),
});

const toUnknown = (similar: readonly NameTarget[]): Reading => ({
  candidates: [],
  wrong: describeUnknown(similar),
});

const describeUnknown = (targets: readonly NameTarget[]): Localized =>
  targets.length === 0
    ? { tr: "Mağazanın listesinde yok.", en: "The store's list does not have it." }
    : {
        tr: `Mağazanın listesinde yok. Benzerleri: ${quote(targets, "tr")}.`,
        en: `The store's list does not have it. Similar ones: ${quote(targets, "en")}.`,
      };
