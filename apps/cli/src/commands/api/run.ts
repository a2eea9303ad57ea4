import { readFileSync, statSync } from "node:fs";

import { type Connection, maskInput, type RawCallOutcome, sendRawCall } from "@catalog/connection";
import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { endpointNamed, type EndpointName } from "@catalog/contract";
import { formatBytes, formatDateTime, isFileError, type Localized } from "@catalog/i18n";

import type { CommandContext } from "../../context.ts";
import { formatCalls, resolveCall, toDescribedCalls } from "./describe-call.ts";
import { readInput } from "./fields.ts";
import { type ApiParts, LOGGED_CALLS } from "./index.ts";
import { parseSelection, type Selection } from "./select.ts";
import { ASSUMPTIONS, DATA_FAULTS, SAFE_WAYS, textsFor, USE } from "./texts.ts";

/** `catalog api NAME`: makes one call, lists all of them, or shows which were sent by hand. */
export async function runApiCommand(
  context: CommandContext,
  flags: Flags,
  parts: ApiParts,
): Promise<number> {
  const action = actionOf(flags);
  if (action === "list") return listCalls(context);
  if (action === "log") return await showLog(context, flags);
  if (action === "settle") return await settleCall(context, flags);
  const call = await readCall(context, flags, parts);
  return endpointNamed(call.name).method === "POST"
    ? await sendCall(context, flags, call)
    : await readAnswer(context, flags, call);
}

type Action = "call" | "list" | "log" | "settle";

/** Throws {@link UsageError} where the flags ask for two things at once. */
function actionOf(flags: Flags): Action {
  const asked = [
    ...(flags["list"] === true ? (["list"] as const) : []),
    ...(flags["log"] === true ? (["log"] as const) : []),
    ...(flags["settle"] === undefined ? [] : (["settle"] as const)),
  ];
  const [action = "call", second] = asked;
  if (second !== undefined) throw new UsageError(USE.together(`--${action}`, `--${second}`));
  if (action !== "call" && readFlag.text(flags, "call") !== undefined) {
    throw new UsageError(USE.together(`--${action}`, String(flags["call"])));
  }
  if (action !== "log" && flags["limit"] !== undefined) throw new UsageError(USE.limit);
  if ((action === "settle") !== (flags["as"] !== undefined)) {
    throw new UsageError(
      action === "settle" ? USE.needs("--settle", "--as") : USE.needs("--as", "--settle"),
    );
  }
  return action;
}

function listCalls({ terminal, lang, json }: CommandContext): number {
  const exit = EXIT.done;
  if (json) printJson(terminal, { command: "api", calls: toDescribedCalls(lang), exit });
  else terminal.out(formatCalls({ lang, columns: terminal.outColumns }));
  return exit;
}

/** A call as the command line has it. */
interface AskedCall {
  readonly name: EndpointName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Output;
}

/** How the answer is written. */
interface Output {
  readonly selection: Selection | undefined;
  readonly isAll: boolean;
  /** Whether each value has a line of its own. */
  readonly isLines: boolean;
}

async function readCall(
  context: CommandContext,
  flags: Flags,
  parts: ApiParts,
): Promise<AskedCall> {
  const word = readFlag.text(flags, "call");
  if (word === undefined) throw new UsageError(USE.noCall);
  const found = resolveCall(word);
  if (found.name === undefined) throw new UsageError(USE.unknownCall(word, found.near));
  const { name } = found;
  const data = await readData(context, readFlag.text(flags, "data"), parts);
  const read = readInput(name, { params: readFlag.texts(flags, "param"), data });
  if (!read.ok) throw new UsageError(USE.mistakes(name, read.mistakes));
  const isAll = flags["all"] === true;
  if (isAll && endpointNamed(name).paging === undefined) throw new UsageError(USE.noPages(name));
  const select = readFlag.text(flags, "select");
  return {
    name,
    input: read.input,
    output: {
      selection: select === undefined ? undefined : parseSelection(select),
      isAll,
      isLines: flags["format"] === "jsonl",
    },
  };
}

/** Largest JSON of a call, in bytes. */
const MAX_DATA_BYTES = 1_048_576;

/** Reads the fields of `--data`. */
async function readData(
  { resolve }: CommandContext,
  file: string | undefined,
  parts: ApiParts,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (file === undefined) return undefined;
  const refuse = (why: Localized): UsageError => new UsageError(USE.dataFile(file, why));
  const text = file === "-" ? await parts.readInput() : readDataFile(resolve(file), refuse);
  if (text === undefined) throw refuse(DATA_FAULTS.noInput);
  if (Buffer.byteLength(text) > MAX_DATA_BYTES) throw refuse(tooLarge());
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch {
    throw refuse(DATA_FAULTS.noJson);
  }
  if (!isObject(value)) throw refuse(DATA_FAULTS.noObject);
  return value;
}

const tooLarge = (): Localized => DATA_FAULTS.tooLarge(formatBytes(MAX_DATA_BYTES, "en"));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readDataFile(path: string, refuse: (why: Localized) => UsageError): string {
  let bytes: Uint8Array;
  try {
    const stat = statSync(path);
    // A device or a pipe may never end.
    if (!stat.isFile()) throw refuse(DATA_FAULTS.noFile);
    if (stat.size > MAX_DATA_BYTES) throw refuse(tooLarge());
    bytes = readFileSync(path);
  } catch (error) {
    if (isFileError(error) && error.code === "ENOENT") throw refuse(DATA_FAULTS.missing);
    throw error;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse(DATA_FAULTS.noText);
  }
}

/** Makes a call that only reads. */
async function readAnswer(
  context: CommandContext,
  flags: Flags,
  { name, input, output }: AskedCall,
): Promise<number> {
  await using connection = await openFor(context, flags);
  const { client } = connection;
  const signal = context.stop;
  if (!output.isAll) {
    const data = await client.raw(name, input, { signal });
    const warnings = checkAnswer(context, name, data);
    writeAnswer(context, output, { head: { name, state: "read" }, data, warnings });
    return EXIT.done;
  }
  const writer = createValueWriter(context, output, { name, state: "read" });
  for await (const item of client.rawItems(name, input, { signal })) {
    for (const value of pick(output, item)) writer.write(value);
  }
  const warnings = connection.meters.omittedFields.warnings();
  for (const { message } of warnings) context.terminal.err(`${message[context.lang]}\n`);
  writer.end(warnings.map(({ message }) => message[context.lang]));
  return EXIT.done;
}

const openFor = (context: CommandContext, flags: Flags): Promise<Connection> =>
  context.openConnection({ requestsPerHour: readFlag.count(flags, "requests-per-hour") });

const pick = ({ selection }: Output, value: unknown): readonly unknown[] =>
  selection === undefined ? [value] : selection.pick(value);

/** Most misfits that a warning names. */
const MAX_MISFITS = 3;

/** Warns where the answer is not what the specification says; it is printed all the same. */
function checkAnswer(
  { terminal, lang }: CommandContext,
  name: EndpointName,
  data: unknown,
): readonly string[] {
  const { error } = endpointNamed(name).data.safeParse(data);
  if (error === undefined) return [];
  const list = error.issues
    .slice(0, MAX_MISFITS)
    .map(({ path, message }) => `${["data", ...path.map(String)].join(".")}: ${message}`)
    .join("; ");
  const warning = textsFor(lang).misfit(list);
  terminal.err(`${warning}\n`);
  return [warning];
}

/** What `--json` says of a call besides its data. */
interface Head {
  readonly name: EndpointName;
  readonly state: RawCallOutcome["state"] | "read" | "declined";
  /** Number of the call in the log. */
  readonly call?: number;
}

interface WrittenAnswer {
  readonly head: Head;
  readonly data: unknown;
  readonly warnings: readonly string[];
  readonly exit?: number;
}

/** Writes the data alone; with `--json` as a part of the document that every command prints. */
function writeAnswer(
  { terminal, json }: CommandContext,
  output: Output,
  { head, data, warnings, exit = EXIT.done }: WrittenAnswer,
): void {
  const { selection, isLines } = output;
  const picked = pick(output, data);
  const value = selection === undefined || selection.isSingle ? picked[0] : picked;
  if (json) {
    printJson(terminal, { command: "api", ...head, data: value ?? null, warnings, exit });
  } else if (isLines) {
    for (const each of Array.isArray(value) ? value : [value ?? null]) {
      terminal.outFile(`${JSON.stringify(each)}\n`);
    }
  } else {
    // A terminal has a width; programs get one line.
    const indent = Number.isFinite(terminal.outColumns) ? 2 : 0;
    terminal.outFile(`${JSON.stringify(value ?? null, null, indent)}\n`);
  }
}

interface ValueWriter {
  write(value: unknown): void;
  end(warnings: readonly string[]): void;
}

/** Writes values one by one, so that a listing of any length needs the memory of a page. */
function createValueWriter(
  { terminal, json }: CommandContext,
  { isLines }: Output,
  head: Head,
): ValueWriter {
  if (isLines && !json) {
    return {
      write: (value) => terminal.outFile(`${JSON.stringify(value)}\n`),
      end: () => undefined,
    };
  }
  const begin = json ? `${JSON.stringify({ command: "api", ...head }).slice(0, -1)},"data":[` : "[";
  let count = 0;
  return {
    write(value) {
      terminal.outFile(`${count === 0 ? begin : ","}\n${JSON.stringify(value)}`);
      count += 1;
    },
    end(warnings) {
      const rest = json ? `,${JSON.stringify({ warnings, exit: EXIT.done }).slice(1)}` : "";
      terminal.outFile(`${count === 0 ? begin : ""}${count === 0 ? "" : "\n"}]${rest}\n`);
    },
  };
}

/** Sends a call that changes something, after a person or `--yes` has agreed to it. */
async function sendCall(
  context: CommandContext,
  flags: Flags,
  { name, input, output }: AskedCall,
): Promise<number> {
  const { terminal, lang, stop } = context;
  const texts = textsFor(lang);
  const isAgreed = flags["yes"] === true;
  if (!isAgreed && !canAsk(context)) {
    const { tr, en } = { tr: textsFor("tr"), en: textsFor("en") };
    throw new UsageError({ tr: tr.preview.needsYes, en: en.preview.needsYes });
  }
  await using connection = await openFor(context, flags);
  if (!isAgreed || !context.quiet) {
    terminal.err(`${describeSending(connection, { name, input }, lang)}\n`);
  }
  if (!isAgreed) {
    const { question, yes, no, declined } = texts.preview;
    const answer = await terminal.ask(question, { yes, no });
    if (answer !== true) {
      terminal.err(`${declined}\n`);
      return answer === undefined ? EXIT.interrupted : EXIT.done;
    }
  }
  const outcome = await sendRawCall(connection, { name, input, stop });
  return reportOutcome(context, { name, output }, outcome);
}

const canAsk = ({ terminal, json }: CommandContext): boolean => terminal.canAsk && !json;

/** Says what is about to be sent, and what is not promised of it. */
function describeSending(
  { storeId }: Pick<Connection, "storeId">,
  { name, input }: Pick<AskedCall, "name" | "input">,
  lang: CommandContext["lang"],
): string {
  const { preview } = textsFor(lang);
  const { method, path, undocumentedFields = [] } = endpointNamed(name);
  const assumed = ASSUMPTIONS[name];
  const safe = SAFE_WAYS[name];
  const undocumented = undocumentedFields.filter((field) => input[field] !== undefined);
  const lines = [
    `${preview.heading} ${name}`,
    `  ${method} ${path.replace(":storeId", storeId)}`,
    `  ${preview.body} ${JSON.stringify(maskInput(name, input))}`,
    ...(name === "token.create" ? [] : [preview.raw]),
    ...(assumed === undefined ? [] : [preview.assumed(assumed[lang])]),
    ...(undocumented.length === 0 ? [] : [preview.assumedFields(undocumented.join(", "))]),
    ...(safe === undefined ? [] : [preview.safeWay(safe)]),
  ];
  return lines.join("\n");
}

const EXITS = {
  done: EXIT.done,
  refused: EXIT.someFailed,
  unknown: EXIT.someFailed,
} as const satisfies Record<RawCallOutcome["state"], number>;

function reportOutcome(
  context: CommandContext,
  { name, output }: Pick<AskedCall, "name" | "output">,
  { call, state, data, words }: RawCallOutcome,
): number {
  const { terminal, lang, json, quiet } = context;
  const { outcome, maskedToken } = textsFor(lang);
  const exit = EXITS[state];
  const shown = name === "token.create" ? maskToken(data) : data;
  const warnings = data === undefined ? [] : checkAnswer(context, name, data);
  if (data !== undefined || json) {
    writeAnswer(context, output, { head: { name, state, call }, data: shown, warnings, exit });
  }
  const why = toSentence(words?.[lang] ?? outcome.noWords);
  if (state !== "done") terminal.err(`${outcome[state](call, why)}\n`);
  else if (!quiet) terminal.err(`${outcome.done(call)}\n`);
  if (name === "token.create" && !quiet) terminal.err(`${maskedToken}\n`);
  return exit;
}

const toSentence = (words: string): string => (/[.!?…]$/u.test(words) ? words : `${words}.`);

/** A token in a terminal or a file could be used by whoever reads it. */
const maskToken = (data: unknown): unknown =>
  isObject(data) && typeof data["access_token"] === "string"
    ? { ...data, access_token: "***" }
    : data;

/** Shows the calls that were sent by hand, the newest first. */
async function showLog(context: CommandContext, flags: Flags): Promise<number> {
  const { terminal, lang, json } = context;
  const limit = readFlag.count(flags, "limit") ?? LOGGED_CALLS;
  await using connection = await context.openConnection();
  const calls = await connection.meters.rawCalls.list(limit);
  const exit = EXIT.done;
  if (json) {
    printJson(terminal, { command: "api", log: calls.map((call) => toLogged(call, lang)), exit });
    return exit;
  }
  const { none, states } = textsFor(lang).log;
  const toTime = (ms: number): string =>
    formatDateTime(ms, lang, { dateStyle: "short", timeStyle: "short" });
  const lines = calls.flatMap(({ id, begunAtMs, endpoint, state, status, detail, maker, body }) => [
    [String(id).padStart(4), toTime(begunAtMs), endpoint, states[state], maker?.user ?? ""]
      .filter((part) => part !== "")
      .join("  "),
    `      ${JSON.stringify(body)}`,
    ...(detail === null ? [] : [`      ${status === null ? "" : `${status}: `}${detail[lang]}`]),
  ]);
  terminal.out(calls.length === 0 ? `${none}\n` : `${lines.join("\n")}\n`);
  return exit;
}

type LoggedCall = Awaited<ReturnType<Connection["meters"]["rawCalls"]["list"]>>[number];

const toLogged = (call: LoggedCall, lang: CommandContext["lang"]): object => ({
  call: call.id,
  name: call.endpoint,
  state: call.state,
  status: call.status,
  detail: call.detail?.[lang] ?? null,
  body: call.body,
  user: call.maker?.user ?? null,
  origin: call.maker?.origin ?? null,
  begun_at: new Date(call.begunAtMs).toISOString(),
  ended_at: call.endedAtMs === null ? null : new Date(call.endedAtMs).toISOString(),
});

/** Writes down what a person has found of a call of unknown outcome. */
async function settleCall(context: CommandContext, flags: Flags): Promise<number> {
  const { terminal, lang, json } = context;
  const call = readFlag.count(flags, "settle") ?? 0;
  const found = flags["as"] === "done" ? "done" : "absent";
  await using connection = await context.openConnection();
  // While the store is held, no call of it is under way.
  await using _lock = await connection.locks.store("catalog api");
  if (!(await connection.meters.rawCalls.settle(call, found))) {
    throw new UsageError(USE.settleUnknown(call));
  }
  const { log } = textsFor(lang);
  if (json) printJson(terminal, { command: "api", call, state: found, exit: EXIT.done });
  else terminal.out(`${log.settled(call, log.states[found])}\n`);
  return EXIT.done;
}
