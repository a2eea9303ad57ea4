/**
 * What accepted plans leave for later files with the same headers: the columns that a person chose, and
 * the notation of numbers, so that a price does not change its meaning from one file to the next. A
 * column that tells no sign is read as in the accepted plan; a clear cell is never overruled. Files of
 * failed rows are read more strictly, because a few rows can suggest the opposite of the whole file.
 */

import { createHash } from "node:crypto";

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import {
  type ColumnMapping,
  isOwnResultHeader,
  type NumberNotations,
  trimText,
} from "@catalog/mapping";
import type { RunRecord } from "@catalog/runs";
import { z } from "zod";

import { DEFAULTS_KEY, rememberColumns } from "./column-profiles.ts";

/**
 * Stores how the columns and numbers of a run were mapped; returns a note where a profile is saved.
 */
export async function rememberReading(
  { memory: { notes, profiles }, baseUrl }: Pick<Connection, "memory" | "baseUrl">,
  run: Pick<RunRecord, "file" | "facts" | "progress">,
): Promise<Localized | undefined> {
  await saveRunNotations({ notes, baseUrl }, run);
  return await rememberColumns(profiles, run);
}

/** Storage of notations, and the marketplace that they belong to. */
export interface NotationContext {
  readonly notes: Pick<Connection["memory"]["notes"], "readNote" | "saveNotes">;
  readonly baseUrl: string;
}

/** Storage whose notations can be listed and removed. */
interface ListedNotationContext extends NotationContext {
  readonly notes: Connection["memory"]["notes"];
}

/** The notations with which to read the numbers of a file. */
export interface RememberedNotations {
  readonly notations: NumberNotations;
  /** Notes on columns that are read as in the accepted plan before, or that differ from it. */
  readonly notes: readonly Localized[];
}

const notationSchema = z.object({
  decimal: z.enum(["comma", "point"]).optional(),
  isMixed: z.boolean(),
});

const rememberedSchema = z.array(
  z.object({
    header: z.string(),
    notation: notationSchema,
    /** The accepted file with these headers; a plan that was not accepted has none. */
    file: z.object({ name: z.string(), columns: z.number() }).optional(),
  }),
);
type RememberedNotation = z.infer<typeof rememberedSchema>[number];

/** Sheets of one kind are expected again within a year. */
const MAX_AGE_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Decides the notations of a file. What it stores applies to files of failed rows, not to other
 * whole files, for which only accepted plans count.
 */
export async function readRememberedNotations(
  context: NotationContext,
  mapping: ColumnMapping,
  decided: NumberNotations,
): Promise<RememberedNotations> {
  const headers = mapping.columns.map(({ header }) => header);
  const [accepted, planned] = [
    openNotations(context, headers, "accepted "),
    openNotations(context, headers),
  ];
  const before = await planned.read();
  const isGivenBack = headers.some((header) => isOwnResultHeader(header));
  const confirmed = await accepted.read();
  const known = isGivenBack ? before : confirmed;
  const columns = new Map<number, ColumnNotation>();
  const notes: Localized[] = [];
  for (const [index, now] of decided.columns) {
    const header = headers[index] ?? "";
    const open = decided.unclear?.get(index)?.signs;
    const earlier = open === undefined ? undefined : confirmed.get(header);
    const recalled = mayRecall(earlier, open) ? earlier : undefined;
    const last = decided.decimal === undefined ? known.get(header)?.decimal : undefined;
    const { notation, note } = decideColumn(header, { now, recalled, last, isGivenBack });
    columns.set(index, notation);
    if (note !== undefined) notes.push(note);
  }
  await planned.write(columns, before);
  return { notations: { decimal: decided.decimal, columns }, notes };
}

/**
 * Whether an earlier file tells how open numbers are read. Three digits behind its decimal sign,
 * such as `1,250`, are hardly a price; it is asked what they are.
 */
const mayRecall = (
  accepted: ColumnNotation | undefined,
  open: ReadonlySet<"comma" | "point"> = new Set(),
): boolean => accepted?.decimal !== undefined && !open.has(accepted.decimal);

interface KnownColumn {
  /** What the cells show. */
  readonly now: ColumnNotation;
  /** The notation of the accepted plan, where the cells leave it open. */
  readonly recalled: ColumnNotation | undefined;
  /** The sign that the cells may contradict. */
  readonly last: DecimalSign;
  readonly isGivenBack: boolean;
}

function decideColumn(
  header: string,
  { now, recalled, last, isGivenBack }: KnownColumn,
): { readonly notation: ColumnNotation; readonly note?: Localized } {
  if (recalled?.decimal !== undefined && !recalled.isMixed) {
    return { notation: recalled, note: toRecalledNote(header, recalled.decimal) };
  }
  if (!isOpposite(last, now.decimal)) return { notation: now };
  const notation = { decimal: undefined, isMixed: isGivenBack };
  return isGivenBack ? { notation } : { notation, note: toNote(header, last) };
}

/** Stores the notations of a file once its plan is accepted. */
export async function saveNotations(
  context: NotationContext,
  { name, header }: Pick<RunRecord["file"], "name" | "header">,
  columns: NumberNotations["columns"],
): Promise<void> {
  const memory = openNotations(context, header, "accepted ");
  await memory.write(columns, await memory.read(), { name, columns: header.length });
}

/** Whether the plan of a file with these headers was accepted. */
export async function wasAccepted(
  context: NotationContext,
  headers: readonly string[],
): Promise<boolean> {
  return await openNotations(context, headers, "accepted ").isStored();
}

/** Remembers the notations of a run whose plan was accepted. */
async function saveRunNotations(
  context: NotationContext,
  { file, progress }: Pick<RunRecord, "file" | "progress">,
): Promise<void> {
  const notations = progress.reading?.notations;
  if (notations === undefined) return;
  await saveNotations(context, file, new Map(notations));
}

/** A file whose plan was accepted, as people tell it from others. */
interface AcceptedFile {
  readonly name: string;
  /** Number of columns. */
  readonly columns: number;
}

/** The decimal signs of the columns of accepted files. */
interface RememberedDecimals {
  /** Key of the headers. */
  readonly hash: string;
  /** The file that was accepted last; `undefined` where it is not known. */
  readonly file: AcceptedFile | undefined;
  /** Decimal sign by header. */
  readonly decimals: Readonly<Record<string, "comma" | "point">>;
}

const KINDS = ["accepted ", ""] as const;

const prefixOf = (baseUrl: string, kind: (typeof KINDS)[number]): string =>
  `${baseUrl} ${kind}notations `;

/** Lists the decimal signs that accepted plans have left. */
async function listRememberedNotations({
  notes,
  baseUrl,
}: ListedNotationContext): Promise<readonly RememberedDecimals[]> {
  const prefix = prefixOf(baseUrl, "accepted ");
  return (await notes.listNotes(prefix, rememberedSchema)).flatMap(({ key, note }) => {
    const known = note.flatMap(({ header, notation: { decimal } }) =>
      decimal === undefined ? [] : [[header, decimal] as const],
    );
    const hash = key.slice(prefix.length);
    const decimals = Object.fromEntries(known);
    return known.length === 0 ? [] : [{ hash, decimals, file: note[0]?.file }];
  });
}

/** Forgets the notations of headers; returns how many accepted ones there were. */
async function removeRememberedNotations(
  { notes, baseUrl }: ListedNotationContext,
  isWanted: (hash: string) => boolean,
): Promise<number> {
  const removeKind = async (kind: (typeof KINDS)[number]): Promise<number> => {
    const prefix = prefixOf(baseUrl, kind);
    const listed = await notes.listNotes(prefix, rememberedSchema);
    const keys = listed.map(({ key }) => key).filter((key) => isWanted(key.slice(prefix.length)));
    return await notes.removeNotes(keys);
  };
  const [accepted = 0] = await Promise.all(KINDS.map(removeKind));
  return accepted;
}

/** How the numbers of a column are written. */
export type ColumnNotation = NonNullable<ReturnType<NumberNotations["columns"]["get"]>>;

type DecimalSign = ColumnNotation["decimal"];

const isOpposite = (last: DecimalSign, now: DecimalSign): last is "comma" | "point" =>
  last !== undefined && now !== undefined && last !== now;

const SIGNS = {
  comma: { tr: "virgüldü", en: "a comma" },
  point: { tr: "noktaydı", en: "a point" },
} as const;

const toNote = (header: string, last: "comma" | "point"): Localized => ({
  tr: `“${header}” sütununda ondalık ayırıcı daha önce onayladığınız dosyada ${SIGNS[last].tr}, bu dosyada farklı. İki türlü okunabilen sayılar sorulur; hangisinin geçerli olduğunu --decimal ile belirtin.`,
  en: `In column “${header}” the decimal sign was ${SIGNS[last].en} in the file that you accepted before, and differs in this one. Numbers that can be read in two ways are asked about; say which sign is right with --decimal.`,
});

const toRecalledNote = (header: string, decimal: "comma" | "point"): Localized => {
  const [tr, en] = decimal === "comma" ? ["virgülle", "comma"] : ["noktayla", "point"];
  const other = decimal === "comma" ? "point" : "comma";
  return {
    tr: `“${header}” sütunundaki sayılar, daha önce onayladığınız dosyadaki gibi ondalık ${tr} okundu. Bu dosyada farklıysa --decimal ${other} ekleyin.`,
    en: `The numbers in column “${header}” are read with a decimal ${en}, as in the file that you accepted before. If this file differs, add --decimal ${other}.`,
  };
};

interface NotationStore {
  /** Whether there is a note, which says nothing of a file without numbers. */
  isStored(): Promise<boolean>;
  read(): Promise<ReadonlyMap<string, ColumnNotation>>;
  /** An ambiguous file is not stored: the last clear notation stays. */
  write(
    columns: NumberNotations["columns"],
    known: ReadonlyMap<string, ColumnNotation>,
    file?: AcceptedFile,
  ): Promise<void>;
}

function openNotations(
  { notes, baseUrl }: NotationContext,
  headers: readonly string[],
  kind: "accepted " | "" = "",
): NotationStore {
  // Files of failed rows have added columns and are the same kind of sheet.
  const trimmed = headers.map((header) => trimText(header));
  const own = trimmed.filter((header) => !isOwnResultHeader(header));
  const hash = createHash("sha256").update(JSON.stringify(own)).digest("hex");
  const key = prefixOf(baseUrl, kind) + hash;
  const readNote = (): ReturnType<typeof notes.readNote<RememberedNotation[]>> =>
    notes.readNote(key, rememberedSchema, MAX_AGE_MS);
  return {
    isStored: async () => (await readNote()) !== undefined,
    async read() {
      const kept = (await readNote()) ?? [];
      return new Map(
        kept.map(({ header, notation: { decimal, isMixed } }) => [header, { decimal, isMixed }]),
      );
    },
    async write(columns, known, file) {
      const kept = [...columns].flatMap(([index, notation]): readonly RememberedNotation[] => {
        const header = trimmed[index] ?? "";
        const last = notation.decimal === undefined ? known.get(header) : notation;
        return last === undefined ? [] : [{ header, notation: last, file }];
      });
      await notes.saveNotes({ [key]: kept });
    },
  };
}

type MemoryOf = Pick<Connection, "memory" | "baseUrl">;

/** One thing that is remembered for files with the same headers. */
export interface RememberedReading {
  /** The beginning of the headers' key, by which a person names it. */
  readonly id: string;
  readonly kind: "columns" | "decimals";
  /** Name of the file that was accepted; `null` where it is not known. */
  readonly learntFrom: string | null;
  /** Number of columns of that file, which tells files of one name apart. @default not known */
  readonly columnCount?: number | undefined;
  /** Header to the field, or to the decimal sign. */
  readonly entries: Readonly<Record<string, string>>;
}

const ID_CHARS = 8;

const toId = (key: string): string => key.slice(0, ID_CHARS);

/** Lists what is remembered, columns first. */
export async function listRememberedReadings({
  memory: { profiles, notes },
  baseUrl,
}: MemoryOf): Promise<readonly RememberedReading[]> {
  const learnt = (await profiles.listLearnt()).filter(
    ({ headerKey, columns }) => headerKey !== DEFAULTS_KEY && Object.keys(columns).length > 0,
  );
  const notations = await listRememberedNotations({ notes, baseUrl });
  return [
    ...learnt.map(({ headerKey, learntFrom, columns }) => ({
      id: toId(headerKey),
      kind: "columns" as const,
      learntFrom,
      entries: columns,
    })),
    ...notations.map(({ hash, decimals, file }) => ({
      id: toId(hash),
      kind: "decimals" as const,
      learntFrom: file?.name ?? null,
      columnCount: file?.columns,
      entries: decimals,
    })),
  ];
}

/** Forgets the readings with this id, or all of them for `all`; returns how many there were. */
export async function forgetReadings(connection: MemoryOf, id: string): Promise<number> {
  const { memory, baseUrl } = connection;
  const { profiles, notes } = memory;
  const isWanted = (key: string): boolean => id === "all" || toId(key) === id.toLowerCase();
  let forgotten = 0;
  for (const { headerKey } of await profiles.listLearnt()) {
    if (headerKey === DEFAULTS_KEY || !isWanted(headerKey)) continue;
    forgotten += await profiles.forget(headerKey);
  }
  return forgotten + (await removeRememberedNotations({ notes, baseUrl }, isWanted));
}
