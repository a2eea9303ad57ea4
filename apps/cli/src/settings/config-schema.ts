/** What a configuration file may hold, and what is wrong with it; loaded where there is such a file. */

import type { Lang, Localized } from "@catalog/i18n";
import type { DownloadLimits, ImageLimits, ImageOptions } from "@catalog/images";
import { type GuardLimits, GUARDS } from "@catalog/runs/guards";
import type { ReadLimits } from "@catalog/sheets";
import * as z from "zod";

import { findNear } from "../command-line/check.ts";

/** The settings of a configuration file. It has no secrets, as a project may share it. */
export interface Config {
  /** Name of a stored login. */
  readonly store?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly storeId?: string | undefined;
  readonly home?: string | undefined;
  /** Address of a PostgreSQL database, without its password. */
  readonly databaseUrl?: string | undefined;
  readonly lang?: Lang | undefined;
  readonly concurrency?: number | "auto" | undefined;
  readonly requestsPerHour?: number | undefined;
  /** `off`, or the registry that is asked for newer versions of the program. */
  readonly updates?: string | undefined;
  /** How long rows of runs are kept that are over, in days. */
  readonly keepDays?: number | undefined;
  /** Unit of the prices that the marketplace lists. */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Limits of the guards, in percent of the old value or of the rows. */
  readonly guards?: Partial<GuardLimits> | undefined;
  readonly images?: ImageConfig | undefined;
  /** How descriptions are sent. */
  readonly descriptions?: "html" | "text" | undefined;
  /** Pattern for the titles of variants. */
  readonly variantTitle?: string | undefined;
  /** Limits of files, such as the maximum number of rows. */
  readonly limits?: Partial<LimitSettings> | undefined;
  /** Version prefix by resource, such as `{ product: "v1.0" }`. */
  readonly versions?: Readonly<Record<string, string>> | undefined;
}

/** How images are checked, prepared and sent. */
interface ImageConfig {
  readonly check?: "strict" | "warn" | "off" | undefined;
  readonly dir?: string | undefined;
  readonly send?: "address" | "object" | "data-uri" | undefined;
  readonly upload?: UploadConfig | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  readonly concurrency?: number | undefined;
  readonly minEdge?: number | undefined;
  readonly maxEdge?: number | undefined;
  readonly minBytes?: number | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxAspect?: number | undefined;
  readonly prepare?: PrepareConfig | undefined;
}

type UploadConfig =
  | { readonly command: readonly string[] }
  | { readonly put: string; readonly address?: string | undefined };

interface PrepareConfig {
  readonly maxEdge?: number | undefined;
  readonly targetBytes?: number | undefined;
  readonly quality?: number | undefined;
}

const count = z.int().min(1).optional();

const imageConfigSchema: z.ZodType<ImageConfig> = z.strictObject({
  check: z.enum(["strict", "warn", "off"]).optional(),
  dir: z.string().optional(),
  send: z.enum(["address", "object", "data-uri"]).optional(),
  upload: z
    .union([
      z.strictObject({ command: z.array(z.string()).min(1) }),
      z.strictObject({
        put: z.url({ protocol: /^https?$/u }),
        address: z.url({ protocol: /^https$/u }).optional(),
      }),
    ])
    .optional(),
  allowHosts: z.array(z.string()).optional(),
  concurrency: count,
  minEdge: count,
  maxEdge: count,
  minBytes: count,
  maxBytes: count,
  maxAspect: z.number().min(1).optional(),
  prepare: z
    .strictObject({
      maxEdge: count,
      targetBytes: count,
      quality: z.int().min(1).max(100).optional(),
    })
    .optional(),
});

type Environment = Readonly<Record<string, string | undefined>>;

interface ImageContext {
  readonly env: Environment;
  /** Folder of the configuration file, from which its relative paths are resolved. */
  readonly folder: string;
}

/** Settings of the file, with the secrets that only the environment may hold. */
export function toImageOptions(config: ImageConfig, around: ImageContext): ImageOptions {
  const { check, dir, send, allowHosts, concurrency, upload } = config;
  const { minEdge, maxEdge, minBytes, maxBytes, maxAspect } = config;
  return {
    mode: check,
    source: dir,
    send,
    allowHosts,
    concurrency,
    upload: upload && toTarget(upload, around),
    rules: withoutAbsent({ minEdge, maxEdge, minBytes, maxBytes, maxAspect }),
    prepare: withoutAbsent({ ...config.prepare }),
  };
}

function toTarget(
  upload: UploadConfig,
  { env, folder }: ImageContext,
): NonNullable<ImageOptions["upload"]> {
  if ("put" in upload) {
    const token = env["CATALOG_UPLOAD_TOKEN"] || undefined;
    return { kind: "put", put: upload.put, address: upload.address, token };
  }
  return { kind: "command", command: upload.command, folder, env: withoutOurs(env) };
}

/** An upload program needs its own credentials, not the marketplace's. */
function withoutOurs(env: Environment): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.toUpperCase().startsWith("CATALOG_")) own[name] = value;
  }
  return own;
}

/** Removes undefined limits, which would replace the defaults. */
function withoutAbsent(
  limits: Readonly<Record<string, number | undefined>>,
): Record<string, number> {
  const present: Record<string, number> = {};
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined) present[name] = value;
  return present;
}

/** The limits of all kinds of files, by name. */
export interface LimitSettings extends ReadLimits, DownloadLimits, ImageLimits {}

type LimitName = keyof LimitSettings;

/** One limit; `docs/limits.md` shows it. */
interface LimitSetting {
  readonly min: number;
  readonly max: number;
  readonly means: Localized;
}

/** Every limit, in the order of `docs/limits.md`. */
export const LIMIT_SETTINGS: Readonly<Record<LimitName, LimitSetting>> = {
  rows: {
    min: 1,
    max: 100_000_000,
    means: { tr: "bir dosyadaki veri satırı", en: "data rows of a file" },
  },
  columns: { min: 1, max: 16_384, means: { tr: "sütun", en: "columns" } },
  cellChars: {
    min: 1,
    max: 10_000_000,
    means: { tr: "bir hücredeki karakter", en: "characters of a cell" },
  },
  recordChars: {
    min: 1000,
    max: 100_000_000,
    means: {
      tr: "bir CSV satırındaki ya da XML etiketindeki karakter",
      en: "characters of a CSV row or an XML tag",
    },
  },
  fileMb: { min: 1, max: 1_048_576, means: { tr: "dosyanın boyu, MB", en: "size of a file, MB" } },
  unpackedMb: {
    min: 1,
    max: 1_048_576,
    means: {
      tr: "çalışma kitabının ya da sıkıştırılmış tablonun açılmış boyu, MB",
      en: "size of a workbook or compressed table once unpacked, MB",
    },
  },
  zipEntries: {
    min: 10,
    max: 65_535,
    means: { tr: "Excel ya da ODS dosyasındaki parça", en: "parts of a workbook" },
  },
  zipRatio: {
    min: 10,
    max: 10_000,
    means: {
      tr: "bir parçanın ya da sıkıştırılmış tablonun sıkıştırma oranı",
      en: "compression ratio of a part or of a compressed table",
    },
  },
  readerHeapMb: {
    min: 64,
    max: 65_536,
    means: {
      tr: "Excel ve ODS okuyan işlemin yığın belleği, MB",
      en: "heap of the process that reads workbooks, MB",
    },
  },
  readerRssMb: {
    min: 128,
    max: 65_536,
    means: { tr: "o işlemin bütün belleği, MB", en: "all memory of that process, MB" },
  },
  readerSeconds: {
    min: 1,
    max: 86_400,
    means: {
      tr: "o işlemin süresi, dosyanın her 10 MB'ı için saniye",
      en: "time of that process, seconds for every 10 MB of the file",
    },
  },
  downloadMb: {
    min: 1,
    max: 1_048_576,
    means: {
      tr: "bağlantıdan indirilen tablo ya da besleme, MB",
      en: "size of a table or feed that is downloaded, MB",
    },
  },
  downloadSeconds: {
    min: 1,
    max: 86_400,
    means: { tr: "onun indirilme süresi, saniye", en: "time of its download, seconds" },
  },
  imageMb: {
    min: 1,
    max: 2000,
    means: {
      tr: "klasördeki ya da zip içindeki görsel, MB",
      en: "size of an image in a folder or zip, MB",
    },
  },
  imageDownloadMb: {
    min: 1,
    max: 2000,
    means: { tr: "adresten indirilen görsel, MB", en: "size of an image at an address, MB" },
  },
  imageDownloadSeconds: {
    min: 1,
    max: 3600,
    means: { tr: "onun indirilme süresi, saniye", en: "time of its download, seconds" },
  },
  imageMegapixels: {
    min: 1,
    max: 1000,
    means: { tr: "açılan görsel, milyon piksel", en: "pixels of an image, millions" },
  },
  imageZipEntries: {
    min: 1,
    max: 5_000_000,
    means: { tr: "görsel zip'indeki dosya", en: "files of a zip of images" },
  },
  imageZipRatio: {
    min: 2,
    max: 10_000,
    means: {
      tr: "zip içindeki bir görselin sıkıştırma oranı",
      en: "compression ratio of an image in a zip",
    },
  },
  decoderHeapMb: {
    min: 64,
    max: 65_536,
    means: {
      tr: "görsel açan işlemin yığın belleği, MB",
      en: "heap of a process that decodes images, MB",
    },
  },
  decoderSeconds: {
    min: 1,
    max: 3600,
    means: { tr: "bir görselin açılma süresi, saniye", en: "time to decode an image, seconds" },
  },
};

/** The limits of the configuration file; a missing one keeps its default. */
const limitsSchema: z.ZodType<Partial<LimitSettings>> = z.strictObject(
  mapValues(LIMIT_SETTINGS, ({ min, max }) => z.int().min(min).max(max).exactOptional()),
);

const guardsSchema: z.ZodType<Partial<GuardLimits>> = z.strictObject(
  mapValues(GUARDS.ranges, ({ min, max = Infinity, isWhole = false }) =>
    (isWhole ? z.int() : z.number()).min(min).max(max).exactOptional(),
  ),
);

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

/** A project may share its file, so that a password belongs into the variable or a `.pgpass`. */
const withoutPassword: z.ZodString = z.string().regex(/^postgres(?:ql)?:\/\/(?:[^:@/]*@)?[^@]*$/iu);

export const configSchema: z.ZodType<Config> = z.strictObject({
  store: z.string().optional(),
  baseUrl: z.string().optional(),
  clientKey: z.string().optional(),
  storeId: z.string().optional(),
  home: z.string().optional(),
  databaseUrl: withoutPassword.optional(),
  lang: z.enum(["tr", "en"]).optional(),
  updates: z.union([z.literal("off"), z.url({ protocol: /^https?$/u })]).optional(),
  concurrency: z.union([z.literal("auto"), z.int().min(1)]).optional(),
  requestsPerHour: z.int().min(1).optional(),
  keepDays: z.int().min(1).optional(),
  priceUnit: z.enum(["minor", "major"]).optional(),
  guards: guardsSchema.optional(),
  images: imageConfigSchema.optional(),
  descriptions: z.enum(["html", "text"]).optional(),
  variantTitle: z.string().optional(),
  limits: limitsSchema.optional(),
  versions: z.record(z.string(), z.string()).optional(),
});

/** Names of the settings of the file, or of one of its groups such as `guards`. */
function listSettings(path: readonly PropertyKey[]): readonly string[] {
  let group: z.core.JSONSchema._JSONSchema | undefined = z.toJSONSchema(configSchema, {
    unrepresentable: "any",
  });
  for (const name of path) {
    group = typeof group === "object" ? group.properties?.[String(name)] : undefined;
  }
  return typeof group === "object" ? Object.keys(group.properties ?? {}) : [];
}

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
