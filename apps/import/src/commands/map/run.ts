/** `catalog map FILE`: lists, writes and reads back what the open names of a file are to mean. */

import { existsSync } from "node:fs";
import { basename, extname } from "node:path";

import type { Connection } from "@catalog/connection";
import { EXIT, type Flags, printJson, readFlag, splitWords, UsageError } from "@catalog/console";
import {
  answerBelow,
  answerByReason,
  assertReadable,
  type FileNames,
  importNamesSheet,
  type NameMeaningInput,
  ruleFieldName,
  type SavedMeanings,
  saveMeanings,
  writeNamesSheet,
} from "@catalog/importer";
import { listOpenName } from "@catalog/report";

import type { CommandContext } from "../../context.ts";
import { assertFile, mayAsk, readNamesFromFlags } from "../../plan-from-flags.ts";
import { readSettings } from "../../run-settings.ts";
import { tell, tellApart } from "../../run-view.ts";
import { textsFor } from "../../texts.ts";
import { DEFAULT_MIN_SHARE, REASONS } from "./index.ts";
import { formatNames, MAP_TEXTS } from "./texts.ts";

type OpenName = FileNames["names"][number];
type Reason = (typeof REASONS)[number];

/** `catalog map FILE`: what the names of a file that the store does not have are to mean. */
export async function runMapCommand(context: CommandContext, flags: Flags): Promise<number> {
  const wanted = readWanted(context, flags);
  await assertFile(context, flags);
  if (wanted.input !== undefined) await assertReadable(wanted.input);
  await using connection = await context.openConnection(readSettings(flags));
  // A sheet that is read back needs the names alone; they get their suggestions afterwards.
  const isBare = wanted.input !== undefined && !isInBulk(wanted);
  const bare = isBare ? { ...flags, "market-search": false } : flags;
  const first = await readNamesFromFlags(context, connection, bare);
  const saved = await saveAll(context, connection, { file: first, wanted });
  const isStale = isBare || saved.rules.length > 0;
  const last = isStale ? await readNamesFromFlags(context, connection, flags) : first;
  const list = { ...last, names: last.names.map((name) => saved.within.get(keyOf(name)) ?? name) };
  const opened = countOpened(first, last);
  const partly = last.names.filter((name) => saved.rules.some((rule) => isRuleOf(rule, name)));
  const exit = list.names.length === 0 ? EXIT.done : EXIT.someFailed;
  if (context.json) {
    await printNames(context, list, { wanted, saved, opened, partly, file: flags["file"], exit });
    return exit;
  }
  tellSaved(context, saved, { opened, partly });
  if (!context.quiet) for (const note of last.notes()) tell(context, note[context.lang]);
  await showNames(context, list, { wanted, flags });
  return exit;
}

interface Printed {
  readonly wanted: Wanted;
  readonly saved: Saved;
  /** Names that became open. */
  readonly opened: number;
  /** Names that the answers leave open in some rows, whose categories do not have the meaning. */
  readonly partly: readonly OpenName[];
  readonly file: unknown;
  readonly exit: number;
}

/** Writes the sheet that was asked for, and prints the list as one document. */
async function printNames(
  { terminal, lang }: CommandContext,
  list: FileNames,
  { wanted, saved: { rules, left, others }, opened, partly, file, exit }: Printed,
): Promise<void> {
  const out = list.names.length === 0 ? undefined : wanted.out;
  if (out !== undefined) await writeNamesSheet(list, { path: out, lang });
  printJson(terminal, {
    command: "map",
    file,
    open: list.names.length,
    names: list.names.map((name) => listOpenName(name, lang)),
    saved: {
      rules,
      left,
      others,
      opened,
      partly: partly.map(({ field, value, rows, lists = 1 }) => ({ field, value, rows, lists })),
    },
    notes: list.notes().map((note) => note[lang]),
    out: out ?? null,
    exit,
  });
}

/** What the flags ask for. */
interface Wanted {
  /** Absolute path of the sheet to write. */
  readonly out: string | undefined;
  /** Absolute path of the sheet to read. */
  readonly input: string | undefined;
  /** Category of the store by category of the file. */
  readonly below: ReadonlyMap<string, string>;
  readonly reasons: readonly Reason[];
  /** From 0 to 1. */
  readonly minShare: number;
  /** Whether many names are answered without asking. */
  readonly isSure: boolean;
}

/** Reads the flags. Throws `UsageError` for a combination that means nothing. */
function readWanted(context: CommandContext, flags: Flags): Wanted {
  const [out, input] = ["out", "in"].map((name) => {
    const text = readFlag.text(flags, name);
    return text === undefined ? undefined : context.resolve(text);
  });
  const below = readFlag.pairs(flags, "below", (pair) => ({
    tr: `--below "${pair}" anlaşılamadı. Şöyle yazın: --below "Home > Kitchen=Ev > Mutfak".`,
    en: `--below "${pair}" is not understood. Write it like --below "Home > Kitchen=Ev > Mutfak".`,
  }));
  const words = splitWords(readFlag.text(flags, "accept") ?? "");
  const reasons = REASONS.filter((reason) => words.includes(reason));
  const share = readFlag.count(flags, "min-share", { max: 100, complaint: WRONG_SHARE });
  const isSure = flags["yes"] === true;
  const inBulk = isInBulk({ below, reasons });
  if (isSure && !inBulk) throw new UsageError(YES_ALONE);
  if (inBulk && !isSure && !mayAsk(context, flags)) throw new UsageError(CANNOT_ASK);
  if (out !== undefined) assertOut(out, { text: readFlag.text(flags, "out") ?? "", input, flags });
  const minShare = (share ?? DEFAULT_MIN_SHARE) / 100;
  return { out, input, below, reasons, minShare, isSure };
}

const isInBulk = ({ below, reasons }: Pick<Wanted, "below" | "reasons">): boolean =>
  below.size > 0 || reasons.length > 0;

const WRONG_SHARE = {
  tr: "--min-share için 1 ile 100 arasında bir tam sayı verin.",
  en: "Give --min-share a whole number from 1 to 100.",
};
const YES_ALONE = {
  tr: "--yes yalnızca --accept ya da --below ile verilir: neyin kabul edildiğini yazın, örneğin --accept store --yes.",
  en: "--yes only goes with --accept or --below: say what is accepted, such as --accept store --yes.",
};
const CANNOT_ASK = {
  tr: "Soru sorulabilecek bir terminal yok. --accept ya da --below ile sormadan kaydetmek için --yes ekleyin.",
  en: "There is no terminal to ask on. Add --yes to save what --accept or --below names without asking.",
};

/** A sheet that a person has filled in is not replaced, except by what comes after it was read. */
function assertOut(
  path: string,
  { text, input, flags }: { text: string; input: string | undefined; flags: Flags },
): void {
  if (!/\.(?:xlsx|csv)$/iu.test(text)) {
    throw new UsageError({
      tr: `"${text}" yazılamaz. Adı .xlsx ya da .csv ile bitsin.`,
      en: `"${text}" cannot be written. Let its name end in .xlsx or .csv.`,
    });
  }
  if (path === input || flags["overwrite"] === true || !existsSync(path)) return;
  throw new UsageError({
    tr: `"${text}" zaten var; üzerine yazılmadı. Doldurduysanız --in ile okutun; üzerine yazmak için --overwrite ekleyin.`,
    en: `"${text}" exists and was not replaced. If you have filled it in, read it with --in; add --overwrite to replace it.`,
  });
}

const keyOf = ({ field, value }: Pick<OpenName, "field" | "value">): string => `${field}\n${value}`;

/** Names that an answer has opened, such as the brands of a category that is known now. */
function countOpened(before: FileNames, after: FileNames): number {
  const known = new Set(before.names.map(keyOf));
  return after.names.filter((name) => !known.has(keyOf(name))).length;
}

/** The field of a rule may be for the files of one platform. */
const isRuleOf = (rule: SavedMeanings["rules"][number], { field, value }: OpenName): boolean =>
  rule.value === value && `${rule.field}@`.startsWith(`${field}@`);

/** What was saved, by whichever flag. */
interface Saved extends Pick<SavedMeanings, "rules"> {
  readonly left: number;
  readonly others: number;
  /** Names whose suggestions were limited to a category of the store, by their keys. */
  readonly within: ReadonlyMap<string, OpenName>;
}

async function saveAll(
  context: CommandContext,
  connection: Connection,
  { file, wanted }: { readonly file: FileNames; readonly wanted: Wanted },
): Promise<Saved> {
  const rules: SavedMeanings["rules"][number][] = [];
  const within = new Map<string, OpenName>();
  const { limits, stop: signal } = context;
  let [left, others] = [0, 0];
  // One command is undone as a whole.
  let batch: number | undefined;
  if (wanted.input !== undefined) {
    const sheet = { path: wanted.input, signal, ...(limits !== undefined && { limits }) };
    const imported = await importNamesSheet(connection, file, sheet);
    ({ left, others } = imported);
    ({ batch } = imported);
    rules.push(...imported.rules);
  }
  const isOpen = (name: OpenName): boolean => !rules.some((rule) => isRuleOf(rule, name));
  const save = async (names: readonly OpenName[], answers: readonly NameMeaningInput[]) => {
    const open = { ...file, names };
    const saved = await saveMeanings(connection, open, answers, batch);
    batch ??= saved.batch;
    rules.push(...saved.rules);
  };
  for (const [from, to] of wanted.below) {
    const names = file.names.filter(isOpen);
    const found = await answerBelow(connection, names, { from, to, signal });
    for (const name of found.open) within.set(keyOf(name), name);
    const texts = MAP_TEXTS[context.lang];
    const pair = `${from} → ${to}`;
    const title = texts.below(pair, found.answers.length, found.open.length);
    const nothing =
      found.open.length === 0
        ? texts.nothing(`--below "${from}=${to}"`)
        : texts.onlyWithin(pair, found.open.length);
    const question = { nothing, title, answers: found.answers };
    if (await isConfirmed(context, question, wanted)) await save(names, found.answers);
  }
  for (const kind of wanted.reasons) {
    const names = file.names.filter(isOpen);
    const answers = answerByReason(names, { kind, minShare: wanted.minShare });
    const texts = MAP_TEXTS[context.lang];
    const title = texts.accept(texts.reasons[kind], answers.length);
    const nothing = texts.nothing(`--accept ${kind}`);
    if (await isConfirmed(context, { nothing, title, answers }, wanted)) {
      await save(names, answers);
    }
  }
  return { rules, left, others, within };
}

/** Answers that a person is shown before they are saved. */
const MAX_SAMPLES = 5;

interface BulkQuestion {
  /** Said where there are no answers. */
  readonly nothing: string;
  readonly title: string;
  readonly answers: readonly NameMeaningInput[];
}

/** Shows samples of the answers, spread over all of them, and asks whether to save them. */
async function isConfirmed(
  context: CommandContext,
  { nothing, title, answers }: BulkQuestion,
  { isSure }: Wanted,
): Promise<boolean> {
  const { terminal, lang, json, quiet } = context;
  const texts = MAP_TEXTS[lang];
  if (answers.length === 0) {
    if (!json) tell(context, nothing);
    return false;
  }
  if (!json && !(quiet && isSure)) {
    tell(context, title);
    const step = Math.max(1, answers.length / MAX_SAMPLES);
    for (let at = 0; at < answers.length; at += step) {
      const sample = answers[Math.floor(at)];
      if (sample === undefined) break;
      const field = ruleFieldName(sample.field)[lang];
      tell(context, `  ${field}: ${sample.value} → ${sample.target}`, 4);
    }
  }
  if (isSure) return true;
  if ((await terminal.ask(texts.sure(answers.length), textsFor(lang))) === true) return true;
  tell(context, texts.notSaved);
  return false;
}

function tellSaved(
  context: CommandContext,
  { rules, left, others }: Saved,
  { opened, partly }: Pick<Printed, "opened" | "partly">,
): void {
  const { terminal, lang } = context;
  const texts = MAP_TEXTS[lang];
  const lines = [
    ...(rules.length > 0 || left + others > 0 ? [texts.saved(rules.length)] : []),
    ...rules.flatMap(({ value, replaced, beside }) => [
      ...(replaced === undefined ? [] : [`  ${texts.replaced(value, replaced)}`]),
      ...(beside === undefined ? [] : [`  ${texts.beside(value, beside)}`]),
    ]),
    ...partly.map(({ value, rows, lists = 1 }) => `  ${texts.partly(value, rows, lists)}`),
    ...(left > 0 ? [texts.left(left)] : []),
    ...(others > 0 ? [texts.others(others)] : []),
    ...(opened > 0 ? [texts.opened(opened)] : []),
    ...(rules.length > 0 ? [texts.undo] : []),
  ];
  if (lines.length > 0) terminal.out(`${lines.join("\n")}\n\n`);
}

/** Shows the list or writes it, and says the next step; on a terminal it offers to write. */
async function showNames(
  context: CommandContext,
  list: FileNames,
  { wanted, flags }: { readonly wanted: Wanted; readonly flags: Flags },
): Promise<void> {
  const { terminal, lang, quiet } = context;
  const texts = MAP_TEXTS[lang];
  const file = readFlag.text(flags, "file") ?? "";
  const advise = (text: string): void => {
    if (!quiet) tell(context, text);
  };
  const write = async (path: string, shown: string): Promise<void> => {
    await writeNamesSheet(list, { path, lang });
    terminal.out(`${texts.written(shown, list.names.length)}\n`);
    advise(texts.fillIn(file, shown));
  };
  if (wanted.out !== undefined && list.names.length > 0) {
    await write(wanted.out, readFlag.text(flags, "out") ?? "");
    return;
  }
  terminal.out(formatNames(list.names, { lang, columns: terminal.outColumns }));
  if (list.names.length === 0) {
    advise(texts.plan(file));
    return;
  }
  const name = nextSheet(context, readFlag.text(flags, "in"));
  const isOffered = mayAsk(context, flags) && !wanted.isSure && !existsSync(context.resolve(name));
  if (isOffered && (await terminal.ask(texts.offer(name), textsFor(lang))) === true) {
    await write(context.resolve(name), name);
  } else if (!quiet) (isOffered ? tell : tellApart)(context, texts.next(file, name));
}

const SHEET_NAMES = { tr: "adlar", en: "names" } as const;

/** A name for the next sheet: that of the one that was read, with a number, or one of its own. */
function nextSheet({ lang, resolve }: CommandContext, given: string | undefined): string {
  const input = given ?? SHEET_NAMES[lang];
  const folder = input.slice(0, input.length - basename(input).length);
  const base = folder + basename(input, extname(input)).replace(/-\d{1,3}$/u, "");
  const numbered = Array.from({ length: MAX_SHEETS }, (_, at) => `${base}-${at + 2}.xlsx`);
  return [`${base}.xlsx`, ...numbered].find((name) => !existsSync(resolve(name))) ?? `${base}.xlsx`;
}

/** Sheets of names that may stand beside each other. */
const MAX_SHEETS = 98;
