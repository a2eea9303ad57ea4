/** An export as a command, and the file that it writes: the requested one, or a temporary one for stdout. */

import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { type Connection, estimateSeconds, priceUnitOf } from "@catalog/connection";
import { EXIT, type FlagDefinition, type Flags, UsageError, readFlag } from "@catalog/console";
import {
  type ExportOptions,
  type ExportResult,
  readPackageIds,
  runExport,
} from "@catalog/exporter";
import type { ExportKind } from "@catalog/exporter/kinds";
import { InputError, quoteWord } from "@catalog/i18n";

import type { CommandContext } from "../../context.ts";
import {
  assertNeeded,
  EXPORT_FLAGS,
  formatFlag,
  kindFlag,
  outFlag,
  readFilters,
  refuseOtherFlags,
} from "./flags.ts";
import { createExportProgress, fitTerminal, textsFor } from "./progress.ts";

/** `catalog export KIND --out FILE`: exports the store's listings as a table. */
export async function runExportCommand(context: CommandContext, flags: Flags): Promise<number> {
  const request = await readRequest(context, flags);
  using out = openOutFile(context, {
    out: request.out,
    overwrite: flags["overwrite"] === true,
  });
  await using connection = await context.openConnection({
    concurrency: readFlag.concurrency(flags),
    requestsPerHour: readFlag.count(flags, "requests-per-hour"),
  });
  await rememberUnit(connection, request.options);
  const { kind } = request.options;
  const resume = (): string => formatResumeCommand(flags, EXPORT_FLAGS);
  const exported = await watchExport(context, connection, { kind, resume }, (onEvent) =>
    runExport(connection, { ...request.options, path: out.path, onEvent }),
  );
  if (exported.state === "finished") await out.deliver();
  return report(context, connection, { exported, request, out, flags });
}

/**
 * Stores a stated unit, as an import does. Prices that we sent and read back prove the unit of the
 * listing, so a unit that is stated for other amounts does not replace a stored one.
 */
export async function rememberUnit(
  connection: Connection,
  { kind, priceUnit }: Pick<ExportOptions, "kind" | "priceUnit">,
): Promise<void> {
  if (priceUnit === undefined) return;
  if (kind !== "products" && (await priceUnitOf(connection).stored()) !== undefined) return;
  await priceUnitOf(connection).save(priceUnit, "person");
}

interface Request {
  /** The path as it was typed. */
  readonly out: string;
  readonly options: Omit<ExportOptions, "path">;
}

async function readRequest(context: CommandContext, flags: Flags): Promise<Request> {
  const { lang, json } = context;
  const kind = kindFlag(flags);
  const out = outFlag(flags, kind);
  if (json && out === "-") {
    throw new UsageError({
      tr: "--json belgesi de tablo da standart çıktıya yazılamaz. --out ile bir dosya verin.",
      en: "The --json document and the table cannot both go to stdout. Give a file with --out.",
    });
  }
  const options = {
    ...(await readExportOptions(context, flags)),
    format: formatFlag(flags, out),
    decimal:
      readFlag.word(flags, "decimal", ["comma", "point"]) ?? (lang === "tr" ? "comma" : "point"),
  };
  return { out, options };
}

/** What to read, by the flags. Throws {@link UsageError} for those of another kind. */
export async function readExportOptions(
  { lang, stop, resolve }: CommandContext,
  flags: Flags,
): Promise<Omit<ExportOptions, "path" | "format" | "decimal">> {
  const kind = kindFlag(flags);
  refuseOtherFlags(flags, kind);
  assertNeeded(flags, kind);
  const storeWide = flags["store-wide"] === true;
  return {
    kind,
    lang,
    filters: await readKindFilters(flags, storeWide ? "store-comments" : kind, resolve),
    columns: readFlag
      .text(flags, "columns")
      ?.split(",")
      .map((key) => key.trim()),
    sinceLast: readFlag.text(flags, "since") === "last",
    isFresh: flags["fresh"] === true,
    template: readFlag.word(flags, "template", ["import", "full"]),
    withNames: flags["with-names"] === true,
    // Orders have no names; before there was a flag for addresses, this one wrote them.
    withContact: flags["with-contact"] === true || flags["with-names"] === true,
    storeWide,
    per: readFlag.word(flags, "per", ["item", "package"]),
    priceUnit: readFlag.word(flags, "price-unit", ["minor", "major"]),
    stop,
  };
}

/** The filters, with the packages that a file names. */
async function readKindFilters(
  flags: Flags,
  listing: Parameters<typeof readFilters>[1],
  resolve: CommandContext["resolve"],
): Promise<Readonly<Record<string, unknown>>> {
  const filters = readFilters(flags, listing);
  const file = readFlag.text(flags, "packages");
  if (file === undefined) return filters;
  const typed = filters["package_id"];
  const ids = [...(Array.isArray(typed) ? typed : []), ...(await readPackageIds(resolve(file)))];
  return { ...filters, package_id: ids };
}

/** A reading whose progress is shown. */
interface WatchedExport {
  readonly kind: ExportKind;
  /** The command line that goes on with it. */
  readonly resume: () => string;
}

/** Shows the progress of a reading, and says how to go on with one that an error has ended. */
export async function watchExport<Result>(
  { terminal, clock, lang, quiet, json }: CommandContext,
  connection: Connection,
  { kind, resume }: WatchedExport,
  run: (onEvent: NonNullable<ExportOptions["onEvent"]>) => Promise<Result>,
): Promise<Result> {
  const texts = textsFor(lang);
  const watch = createExportProgress({
    terminal,
    clock,
    texts,
    kind,
    lang,
    isQuiet: quiet || json,
    estimateSeconds: (calls) => estimateSeconds(connection, calls, { kind: "reads" }),
  });
  try {
    return await run((event) => watch.note(event));
  } catch (error) {
    watch.end();
    if (!(error instanceof InputError) && connection.meters.calls.counts().read > 0) {
      terminal.err(`${texts.goOn(resume())}\n`);
    }
    throw error;
  } finally {
    watch.end();
  }
}

interface EndedExport {
  readonly exported: ExportResult;
  readonly request: Request;
  readonly out: OutFile;
  readonly flags: Flags;
}

function report(
  { terminal, lang, json }: CommandContext,
  { meters: { calls } }: Connection,
  { exported, request, out, flags }: EndedExport,
): number {
  const texts = textsFor(lang);
  const { state, rows, isWhole } = exported;
  const warnings = exported.warnings.map((warning) => warning[lang]);
  const { token, read, write } = calls.counts();
  const requests = { total: token + read + write, token, read, write };
  const isFinished = state === "finished";
  const finishedExit = isWhole ? EXIT.done : EXIT.someFailed;
  const exit = isFinished ? finishedExit : EXIT.interrupted;
  for (const warning of warnings) terminal.err(`${fitTerminal(terminal, `! ${warning}`)}\n`);
  if (isFinished && !json) {
    const line = `${texts.written(rows, request.out, requests.total)}\n`;
    if (request.out === "-") terminal.err(line);
    else terminal.out(line);
  }
  if (!isFinished) {
    terminal.err(
      `${texts.stopped(rows)}\n${texts.goOn(formatResumeCommand(flags, EXPORT_FLAGS))}\n`,
    );
  }
  if (json) {
    const { kind } = request.options;
    const files = { out: isFinished ? out.path : null };
    const period = toPeriodDocument(exported);
    const document = { command: "export", kind, state, exit, counts: { rows }, ...period };
    terminal.out(`${JSON.stringify({ ...document, requests, files, warnings }, null, 2)}\n`);
  }
  return exit;
}

/** The days of the file, in ISO form; `from` is `null` where it holds everything. */
function toPeriodDocument({ period }: ExportResult): {
  readonly period?: { readonly from: string | null; readonly to: string };
} {
  if (period === undefined) return {};
  const { fromMs, toMs } = period;
  const from = fromMs === undefined ? null : new Date(fromMs).toISOString();
  return { period: { from, to: new Date(toMs).toISOString() } };
}

export interface OutFile extends Disposable {
  /** Absolute path of the file. */
  readonly path: string;
  /** Copies a temporary file to stdout. */
  deliver(): Promise<void>;
}

interface OutFileContext extends Pick<CommandContext, "resolve"> {
  readonly terminal: Pick<CommandContext["terminal"], "outFile">;
}

/** Throws {@link UsageError} when the file cannot be written, before anything is read. */
export function openOutFile(
  { resolve, terminal }: OutFileContext,
  { out, overwrite }: { readonly out: string; readonly overwrite: boolean },
): OutFile {
  if (out !== "-") {
    const path = resolve(out);
    assertWritable(path);
    if (!overwrite) assertFree(path, out);
    return { path, deliver: async () => undefined, [Symbol.dispose]: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), "catalog-export-"));
  const path = join(folder, "out");
  return {
    path,
    async deliver() {
      for await (const text of createReadStream(path, { encoding: "utf8" })) {
        terminal.outFile(String(text));
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The file may be the only copy of what an earlier export gave. */
function assertFree(path: string, out: string): void {
  if (!existsSync(path)) return;
  throw new UsageError({
    tr: `"${out}" zaten var; üzerine yazılmadı. Üzerine yazmak için --overwrite ekleyin, ya da --out ile başka bir ad verin.`,
    en: `"${out}" exists and was not replaced. Add --overwrite to replace it, or give another name with --out.`,
  });
}

function assertWritable(path: string): void {
  const folder = dirname(path);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) {
    throw new UsageError({
      tr: `"${path}" bir klasör. --out ile bir dosya adı verin.`,
      en: `"${path}" is a folder. Give the name of a file with --out.`,
    });
  }
  try {
    // Permissions alone do not show it: /proc and a full quota refuse a file that they seem to allow.
    rmSync(mkdtempSync(join(folder, ".catalog-")), { recursive: true });
  } catch {
    throw new UsageError({
      tr: `"${folder}" klasörüne yazılamıyor. Klasörü oluşturun, izinlerini düzeltin ya da başka bir --out verin.`,
      en: `The folder "${folder}" cannot be written to. Make it, correct its permissions, or give another --out.`,
    });
  }
}

/* The command line that resumes an export: the one that was typed. */

/** Words of the command line, quoted where a shell would split them. */
export function formatResumeCommand(
  flags: Flags,
  definitions: Readonly<Record<string, FlagDefinition>>,
  command: readonly string[] = ["export", String(flags["kind"])],
): string {
  const words = Object.entries(definitions).flatMap(([name, definition]) => {
    const value = flags[name];
    const isDefault = value === undefined || value === definition.default || name === "fresh";
    if (isDefault || value === false || value === "") return [];
    if (value === true) return [`--${name}`];
    return typeof value === "string" || typeof value === "number"
      ? [`--${name}`, quoteWord(`${value}`)]
      : [];
  });
  return ["catalog", ...command, ...words].join(" ");
}
