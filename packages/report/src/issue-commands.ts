/** Commands in the texts of issues, as a person types or pastes them. */

import { type Lang, type Localized, nameProgram, quoteText, quoteWord } from "@catalog/i18n";
import { valueRules } from "@catalog/mapping";
import type { RowIssue, RunRecord } from "@catalog/runs";

import type { ReportedRow } from "./reported-rows.ts";

type OpenNameCount = NonNullable<
  NonNullable<NonNullable<RunRecord["facts"]>["reading"]>["openNames"]
>[number];

/** A name that is open, without the number of its rows. */
type RuledName = Pick<OpenNameCount, "field" | "value" | "choices">;

/**
 * The choice that the name in the file means but for a slip; `undefined` where none is so near, or
 * several are.
 */
export const findNearestChoice: (name: RuledName) => string | undefined = valueRules.findNearest;

/**
 * The command that resolves a name for all its rows, with the nearest choice. Where none is near, a
 * placeholder that no rule takes stands in its place. The field is named in the words of the
 * language; without one, by its key.
 */
export function ruleCommand(name: RuledName, lang?: Lang): string {
  const field = lang === undefined ? name.field : valueRules.nameField(name.field)[lang];
  const target = findNearestChoice(name) ?? valueRules.placeholder;
  return ["catalog rules add", quoteWord(field), quoteText(name.value), quoteText(target)].join(
    " ",
  );
}

/** The commands that resolve the open name of an issue for all its rows. */
interface NameRule {
  readonly rule: Localized;
  /** Lists the names, where the issue names neither such a command nor choices. */
  readonly list: string | undefined;
}

/** Finds the commands for an issue about an open name; `undefined` for any other issue. */
export function findNameRule(
  { facts }: Pick<RunRecord, "facts">,
  { column, value, suggestion }: RowIssue,
): NameRule | undefined {
  const name = facts?.reading?.openNames.find(
    (each) => each.column === column && each.value === value,
  );
  if (name === undefined) return undefined;
  const isListed = name.choices.length > 0 || suggestion?.en.includes("catalog lookup") === true;
  return {
    rule: { tr: ruleCommand(name, "tr"), en: ruleCommand(name, "en") },
    list: isListed ? undefined : listCommand(name),
  };
}

/** The command that lists the names of which {@link ruleCommand} named none. */
export function listCommand(name: RuledName): string | undefined {
  if (findNearestChoice(name) !== undefined) return undefined;
  const { field } = valueRules.splitField(name.field);
  const kind = field.startsWith("property:") ? "property" : field;
  return LISTS.get(kind);
}

const LISTS: ReadonlyMap<string, string> = new Map([
  ["category", "catalog lookup categories"],
  ["brand", `catalog lookup brands --category "${valueRules.placeholder}"`],
  [
    "brand_model",
    `catalog lookup models --category "${valueRules.placeholder}" --brand "${valueRules.placeholder}"`,
  ],
  ["property", `catalog lookup properties --category "${valueRules.placeholder}"`],
  ["shipping_template", "catalog lookup templates"],
]);

export interface IssueCommands {
  /** Words that start the program. */
  readonly program: string;
  /** Path of the workbook of held rows; `null` where none is written. */
  readonly held: string | null;
}

/** Names the program, and the path of the workbook in which held rows are approved. */
export function nameCommands(
  rows: readonly ReportedRow[],
  commands: IssueCommands,
): readonly ReportedRow[] {
  // Many rows of a batch have the same advice.
  const known = new Map<string, string>();
  const name = (text: string): string => {
    const named = known.get(text) ?? nameIn(text, commands);
    known.set(text, named);
    return named;
  };
  const toNamed = (issue: RowIssue): RowIssue => nameTexts(issue, name);
  return rows.map((row) => {
    const isPlain = !row.issues.some((issue) => hasCommand([issue.message, issue.suggestion]));
    if (isPlain) return row;
    const stored = Object.assign({}, row.stored, { issues: row.stored.issues.map(toNamed) });
    return Object.assign({}, row, { issues: row.issues.map(toNamed), stored });
  });
}

const hasCommand = (texts: readonly (Localized | undefined)[]): boolean =>
  texts.some((text) => text?.tr.includes("catalog ") === true);

/** Names the program in the warnings and notes about the file as a whole. */
export function nameRunCommands(run: RunRecord, program: string): RunRecord {
  const name = ({ tr, en }: Localized): Localized => ({
    tr: nameProgram(tr, program),
    en: nameProgram(en, program),
  });
  const warnings = run.warnings.map((each) => ({ ...each, message: name(each.message) }));
  const { facts } = run;
  if (facts?.reading === undefined) return { ...run, warnings };
  const reading = { ...facts.reading, notes: facts.reading.notes.map(name) };
  return { ...run, warnings, facts: { ...facts, reading } };
}

/** Names the program, and the path of the workbook in which held rows are approved. */
export const nameIssueCommands = <Issue extends RowIssue>(
  issue: Issue,
  commands: IssueCommands,
): Issue => nameTexts(issue, (text) => nameIn(text, commands));

function nameIn(text: string, { program, held }: IssueCommands): string {
  const named = nameProgram(text, program);
  return held === null ? named : named.replaceAll(APPROVED, () => `--approved ${quoteWord(held)}`);
}

function nameTexts<Issue extends RowIssue>(issue: Issue, name: (text: string) => string): Issue {
  const inEach = ({ tr, en }: Localized): Localized => ({ tr: name(tr), en: name(en) });
  const { message, suggestion } = issue;
  const named = { ...issue, message: inEach(message) };
  return suggestion === undefined ? named : { ...named, suggestion: inEach(suggestion) };
}

const APPROVED = /--approved held\.xlsx/gu;
