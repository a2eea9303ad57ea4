/**
 * How the columns of a kind of sheet were read once, for the next time: under a name where the
 * person gave one, else by the headers alone. Only an accepted plan is remembered.
 */

import { createHash } from "node:crypto";

import { type ColumnMapping, fold, isOwnResultHeader, nameKey } from "@catalog/mapping";
import { type ColumnReading, type Localized, type RunRecord } from "@catalog/runs";
import { type Profile, type ProfileBook } from "@catalog/store";

/** What a person says of the columns now, and the name under which it was said before. */
export interface ColumnWishes {
  readonly profile?: string | undefined;
  readonly columns: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, string>;
  readonly decimal?: "comma" | "point" | undefined;
}

/** The wishes of now on top of what is remembered. */
export interface RecalledColumns {
  readonly columns: ReadonlyMap<string, string>;
  readonly constants: ReadonlyMap<string, string>;
  readonly decimal: "comma" | "point" | undefined;
  readonly notes: readonly Localized[];
}

/**
 * Equal for the same headers in any order; blanks, case and columns of ours do not count. Signs do:
 * `Fiyat $` is another column than `Fiyat €`.
 */
export function headerKey(headers: readonly string[]): string {
  return hashHeaders(headers, nameKey);
}

/** Under which profiles were kept before signs counted. */
const oldHeaderKey = (headers: readonly string[]): string => hashHeaders(headers, fold);

function hashHeaders(headers: readonly string[], keyOf: (header: string) => string): string {
  const own = headers.filter((header) => !isOwnResultHeader(header));
  const keys = own.map((header) => keyOf(header)).filter((key) => key !== "");
  return createHash("sha256").update(JSON.stringify(keys.toSorted())).digest("hex");
}

/** Reads a profile for these headers; one under an older key only where it is for the very same. */
async function readProfile(
  headers: readonly string[],
  read: (headerKey: string) => Promise<Profile | undefined>,
): Promise<Profile | undefined> {
  const key = headerKey(headers);
  const known = await read(key);
  if (known !== undefined) return known;
  const old = await read(oldHeaderKey(headers));
  return old !== undefined && headerKey(old.headers) === key ? old : undefined;
}

/**
 * Looks up what is remembered for these headers. Of a profile that was not named only its columns
 * are taken: values for empty cells are not filled in unasked.
 */
export async function recallColumns(
  book: Pick<ProfileBook, "read" | "readLatest">,
  headers: readonly string[],
  wishes: ColumnWishes,
): Promise<RecalledColumns> {
  const name = wishes.profile ?? "";
  const named = name === "" ? undefined : await readProfile(headers, (key) => book.read(name, key));
  if (named !== undefined) return merge(named, headers, wishes);
  if (name !== "") return { ...wishes, decimal: wishes.decimal, notes: [willLearn(name)] };
  const known = await readProfile(headers, (key) => book.readLatest(key));
  if (known === undefined || Object.keys(known.columns).length === 0) {
    return { ...wishes, decimal: wishes.decimal, notes: [] };
  }
  const { columns } = merge({ ...known, constants: {} }, headers, wishes);
  return { ...wishes, columns, decimal: wishes.decimal, notes: [recognised(known)] };
}

/** A header of the profile that this file lacks is none of its columns. */
function merge(
  profile: Profile,
  headers: readonly string[],
  { columns, constants, decimal }: ColumnWishes,
): RecalledColumns {
  const there = new Map(headers.map((header) => [nameKey(header), header]));
  const given = new Set([...columns.keys()].map((header) => nameKey(header)));
  const known = Object.entries(profile.columns).flatMap(([header, field]) => {
    const here = there.get(nameKey(header));
    return here === undefined || given.has(nameKey(header)) ? [] : [[here, field] as const];
  });
  return {
    columns: new Map([...known, ...columns]),
    constants: new Map([...Object.entries(profile.constants), ...constants]),
    decimal: decimal ?? profile.decimal ?? undefined,
    notes: [usedProfile(profile)],
  };
}

/** What to remember of a file once its plan is accepted. */
export function toColumnReading(
  mapping: ColumnMapping,
  recalled: RecalledColumns,
  profile: string | undefined,
): ColumnReading {
  const chosen = new Set([...recalled.columns.keys()].map((header) => nameKey(header)));
  const columns = mapping.columns.filter(
    // A header that states the kind of discount says more than its field does.
    ({ header, target }) => header !== "" && !("discountType" in target),
  );
  return {
    profile: profile ?? null,
    columns: Object.fromEntries(columns.map(({ header, target }) => [header, targetText(target)])),
    chosen: columns.map(({ header }) => header).filter((header) => chosen.has(nameKey(header))),
    constants: Object.fromEntries(recalled.constants),
    decimal: recalled.decimal ?? null,
  };
}

/** As `--map` takes it; what is not used is left out for good. */
function targetText(target: ColumnMapping["columns"][number]["target"]): string {
  if (target.kind === "field") return target.field;
  return target.kind === "property" ? `property:${target.name}` : "-";
}

/** Remembers the columns of a run whose plan was accepted; says so where a name was given. */
export async function rememberColumns(
  book: Pick<ProfileBook, "read" | "save">,
  { file, facts }: Pick<RunRecord, "file" | "facts">,
): Promise<Localized | undefined> {
  const reading = facts?.reading?.columns;
  if (reading === undefined) return undefined;
  const key = headerKey(file.header);
  const { constants, decimal } = reading;
  const headers = file.header.filter((header) => header !== "");
  const rest = { headerKey: key, headers, decimal, learntFrom: file.name };
  if (reading.profile !== null) {
    const { profile: name } = reading;
    const known = await readProfile(file.header, (each) => book.read(name, each));
    if (known !== undefined) return undefined;
    await book.save({ name, columns: usedColumns(reading), constants, ...rest });
    return learnt(name);
  }
  const chosen = reading.chosen.map((header) => [header, reading.columns[header] ?? "-"] as const);
  // Headers that map by themselves need no memory.
  if (chosen.length === 0) return undefined;
  await book.save({ name: "", columns: Object.fromEntries(chosen), constants: {}, ...rest });
  return undefined;
}

/** Headers that meant nothing may be a property of some category, so they are left to be read. */
function usedColumns({ columns, chosen }: ColumnReading): ColumnReading["columns"] {
  return Object.fromEntries(
    Object.entries(columns).filter(([header, field]) => field !== "-" || chosen.includes(header)),
  );
}

const usedProfile = ({ name, columns, constants }: Profile): Localized => {
  const [mapped, fixed] = [Object.keys(columns).length, Object.keys(constants).length];
  return {
    tr: `“${name}” profili kullanıldı: ${mapped} sütun, ${fixed} sabit değer.`,
    en: `The profile “${name}” was used: ${mapped} columns, ${fixed} fixed values.`,
  };
};

const recognised = ({ name, columns, learntFrom }: Profile): Localized => {
  const count = Object.keys(columns).length;
  const of = name === "" ? (learntFrom ?? "") : name;
  return {
    tr: `Bu başlıklar tanındı (${of}): ${count} sütun daha önce onayladığınız gibi eşlendi.`,
    en: `These headers are known (${of}): ${count} columns are mapped as you accepted before.`,
  };
};

const willLearn = (name: string): Localized => ({
  tr: `“${name}” profili bu başlıklar için henüz yok; plan onaylanınca kaydedilecek.`,
  en: `There is no profile “${name}” for these headers yet; it is saved once the plan is accepted.`,
});

const learnt = (name: string): Localized => ({
  tr: `Sütunlar “${name}” profiline kaydedildi; sonraki dosyada --profile ${name} yeterli.`,
  en: `The columns were saved as profile “${name}”; next time --profile ${name} is enough.`,
});
