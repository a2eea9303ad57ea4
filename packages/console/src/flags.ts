/**
 * The flags of a command, the functions that read their values, and the flags that mean the same in
 * every command that reads a file or calls the marketplace.
 */

import { InputError, type Localized } from "@catalog/i18n";

/** The command line or the settings are wrong; nothing was done. */
export class UsageError extends InputError {
  override readonly name = "UsageError";
}

/** A flag of a command. */
export interface FlagDefinition {
  /** Whether the flag may stand without its value, which is the empty text then. @default false */
  readonly mayBeEmpty?: boolean | undefined;
  readonly type: "string" | "number" | "boolean";
  readonly describe: Localized;
  readonly choices?: readonly string[];
  /** The accepted words of a value that is a list of them, separated by commas. @default any */
  readonly words?: readonly string[];
  readonly default?: string | number | boolean;
  /** May be given several times. */
  readonly many?: boolean;
  /** Heading under which the help lists it. @default the heading of all others */
  readonly group?: Localized;
}

/** The same flags, listed under a heading in the help. */
export function groupFlags(
  group: Localized,
  flags: Readonly<Record<string, FlagDefinition>>,
): Readonly<Record<string, FlagDefinition>> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [name, { group, ...flag }]),
  );
}

/** Values of the command line, by name of the flag or positional. A missing one is `undefined`. */
export type Flags = Readonly<Record<string, unknown>>;

/** Reads the value of a flag or positional, and refuses a wrong one by a {@link UsageError}. */
export const readFlag = {
  /** The text of a flag or positional; `undefined` when it was not given. */
  text(flags: Flags, name: string): string | undefined {
    const value = flags[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  },

  /** The texts of a flag that may be given several times. */
  texts(flags: Flags, name: string): readonly string[] {
    const value = flags[name];
    return Array.isArray(value) ? value.map(String) : [];
  },

  /** One of several words; `undefined` for any other, which the parser has refused. */
  word<Word extends string>(flags: Flags, name: string, words: readonly Word[]): Word | undefined {
    return words.find((word) => word === flags[name]);
  },

  /** Words separated by commas, without any other word, which the parser has refused. */
  words<Word extends string>(
    flags: Flags,
    name: string,
    words: readonly Word[],
  ): ReadonlySet<Word> {
    const given = splitWords(readFlag.text(flags, name) ?? "");
    return new Set(words.filter((word) => given.includes(word)));
  },

  /** A whole number from 1 up. */
  count(
    flags: Flags,
    name: string,
    { max = Number.MAX_SAFE_INTEGER, complaint }: CountFlagOptions = {},
  ): number | undefined {
    const value = flags[name];
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max) {
      return value;
    }
    throw new UsageError(
      complaint ?? {
        tr: `--${name} için 1 ya da daha büyük bir tam sayı verin.`,
        en: `Give --${name} a whole number from 1 up.`,
      },
    );
  },

  /** The number of calls at a time, or `auto`. */
  concurrency(flags: Flags): number | "auto" | undefined {
    const value = flags["concurrency"];
    if (value === "auto" || value === undefined) return value;
    return readFlag.count({ concurrency: Number(value) }, "concurrency", {
      complaint: {
        tr: "--concurrency için auto ya da 1 veya daha büyük bir tam sayı verin.",
        en: "Give --concurrency auto or a whole number from 1 up.",
      },
    });
  },

  /** The `left=right` pairs of a flag that may be given several times. */
  pairs(
    flags: Flags,
    name: string,
    complain: Complain = (text) => ({
      tr: `--${name} "${text}" anlaşılamadı. Arasına eşittir koyun: --${name} "sol=sağ".`,
      en: `--${name} "${text}" is not understood. Put an equals sign in it: --${name} "left=right".`,
    }),
  ): ReadonlyMap<string, string> {
    const pairs = readFlag.texts(flags, name).map((text) => {
      const at = text.lastIndexOf("=");
      if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const;
      throw new UsageError(complain(text));
    });
    return new Map(pairs);
  },

  /** Refuses flags that belong to other actions of the same command only. */
  assertOf(flags: Flags, { command, action, tables }: ActionOfFlags): void {
    const own = tables[action] ?? {};
    for (const [owner, table] of Object.entries(tables)) {
      for (const [name, flag] of Object.entries(table)) {
        const isGiven = flags[name] !== undefined && flags[name] !== flag.default;
        if (!isGiven || own[name] !== undefined) continue;
        throw new UsageError({
          tr: `--${name} “${command} ${action}” ile verilmez; “${command} ${owner}” içindir.`,
          en: `--${name} does not go with “${command} ${action}”; it is for “${command} ${owner}”.`,
        });
      }
    }
  },

  /**
   * A duration such as `90m`, `24h`, `7d` or `0` in milliseconds; `undefined` where the flag was not
   * given.
   */
  duration(flags: Flags, name: string): number | undefined {
    const text = readFlag.text(flags, name);
    return text === undefined ? undefined : parseDuration(text, name);
  },

  /** A port from 0 up; `undefined` without the flag. */
  port(flags: Flags, name: string): number | undefined {
    const port = flags[name];
    if (port === undefined || isPort(port)) return port;
    throw new UsageError({
      tr: `--${name} için 0 ile ${MAX_PORT} arasında bir tam sayı verin ya da --${name} yazmayın.`,
      en: `Give --${name} a whole number from 0 to ${MAX_PORT}, or leave it out.`,
    });
  },

  /** How the flags of a file, {@link SHARED_FLAGS}, say that it is read. */
  reading(flags: Flags): GivenReading {
    const sheet = readFlag.sheet(flags);
    const headerRow = readFlag.count(flags, "header-row");
    const encoding = readFlag.text(flags, "encoding");
    const delimiter = readFlag.text(flags, "delimiter");
    return {
      columns: readFlag.pairs(flags, "map", (pair) => ({
        tr: `--map "${pair}" anlaşılamadı. Şöyle yazın: --map "Başlık=alan".`,
        en: `--map "${pair}" is not understood. Write it like --map "Header=field".`,
      })),
      decimal: readFlag.word(flags, "decimal", DECIMAL_SIGNS),
      platform: readFlag.text(flags, "platform"),
      profile: readFlag.text(flags, "profile"),
      sheet: {
        ...(sheet !== undefined && { sheet }),
        ...(headerRow !== undefined && { headerRow }),
        ...(encoding !== undefined && { encoding }),
        ...(delimiter !== undefined && { delimiter }),
      },
    };
  },

  /**
   * The sheets to read, by name or number, or the path of the records of XML or JSON; `undefined`
   * where the file decides.
   */
  sheet(flags: Flags): string | readonly string[] | undefined {
    const record = readFlag.text(flags, "record") ?? "";
    if (record !== "") return record;
    const names = readFlag.texts(flags, "sheet").filter((name) => name !== "");
    // Schedules of the page store one name.
    return names.length > 1 ? names : (names[0] ?? readFlag.text(flags, "sheet"));
  },
};

/** An action of a command, and the flags of all its actions. */
interface ActionOfFlags {
  readonly command: string;
  readonly action: string;
  readonly tables: Readonly<Record<string, Readonly<Record<string, FlagDefinition>>>>;
}

const DECIMAL_SIGNS = ["comma", "point"] as const;

/** What flags say of how a file is read; what they leave out, the file decides. */
interface GivenReading {
  /** Field by header. */
  readonly columns: ReadonlyMap<string, string>;
  readonly decimal: (typeof DECIMAL_SIGNS)[number] | undefined;
  /** The name as it was given, which may be none. */
  readonly platform: string | undefined;
  readonly profile: string | undefined;
  readonly sheet: {
    readonly sheet?: string | readonly string[];
    readonly headerRow?: number;
    readonly encoding?: string;
    readonly delimiter?: string;
  };
}

/** Range of a count and the message for other values. */
interface CountFlagOptions {
  /** Maximum value. @default unlimited */
  readonly max?: number | undefined;
  /** Message for any other value. */
  readonly complaint?: Localized | undefined;
}

/** Makes the message for a refused value. */
type Complain = (value: string) => Localized;

/** The words of a value, which are separated by commas. */
export const splitWords = (value: string): readonly string[] =>
  value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

function parseDuration(text: string, flag: string): number {
  if (text === "0") return 0;
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/u.exec(text.trim().toLowerCase()) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (count !== undefined && unitMs !== undefined) return Number(count) * unitMs;
  throw new UsageError({
    tr: `--${flag} "${text}" anlaşılamadı. Şöyle yazın: 90m, 24h ya da 7d.`,
    en: `--${flag} "${text}" is not understood. Write it like 90m, 24h or 7d.`,
  });
}

const MAX_PORT = 65_535;

/** Says whether the number is that of a port; 0 stands for any free one. */
export const isPort = (port: unknown): port is number =>
  typeof port === "number" && Number.isInteger(port) && port >= 0 && port <= MAX_PORT;

/** Says whether a server could not listen on its port. */
export const isListenError = (error: unknown): error is Error =>
  error instanceof Error && "syscall" in error && error.syscall === "listen";

/** The flags that mean the same in every command. */
export const SHARED_FLAGS: SharedFlags = {
  reading: {
    sheet: {
      type: "string",
      many: true,
      describe: {
        tr: "Okunacak sayfa (ad ya da sıra); all: aynı başlıklı sayfaların hepsi",
        en: "Sheet to read (name or number); all: every sheet with the same headers",
      },
    },
    record: {
      type: "string",
      describe: {
        tr: "XML ya da JSON'da ürün kaydının yolu: Urunler/Urun, data.items",
        en: "Path of the product records of XML or JSON: Products/Product, data.items",
      },
    },
    "header-row": {
      type: "number",
      describe: { tr: "Başlıkların bulunduğu satır", en: "Row that holds the headers" },
    },
    encoding: {
      type: "string",
      describe: {
        tr: "CSV dosyasının karakter kodlaması (utf-8, windows-1254, cp857, macturkish …)",
        en: "Character encoding of a CSV file (utf-8, windows-1254, cp857, macturkish …)",
      },
    },
    delimiter: {
      type: "string",
      describe: {
        tr: "CSV ayırıcısı (; , | ya da tab)",
        en: "Delimiter of a CSV file (; , | or tab)",
      },
    },
    decimal: {
      type: "string",
      choices: DECIMAL_SIGNS,
      describe: {
        tr: "Fiyat metinlerinde ondalık ayırıcı: virgül (comma) ya da nokta (point)",
        en: "Decimal sign of prices in text cells",
      },
    },
    map: {
      type: "string",
      many: true,
      describe: {
        tr: 'Sütunu alana bağlar: "Başlık=alan"',
        en: 'Maps a column to a field: "Header=field"',
      },
    },
    platform: {
      type: "string",
      describe: {
        tr: "Dosyayı yazan platform, başlıklardan anlaşılmıyorsa: shopify, trendyol … ya da none",
        en: "Platform that wrote the file, if its headers don't show it: shopify, trendyol … or none",
      },
    },
    "host-key": {
      type: "string",
      describe: {
        tr: "SFTP sunucusunun anahtarının parmak izi (SHA256:…) [varsayılan: catalog feed login ile onaylanan]",
        en: "Fingerprint of the SFTP server's key (SHA256:…) [default: the one confirmed by catalog feed login]",
      },
    },
    "feed-auth": {
      type: "string",
      describe: {
        tr: "Adresin girişi nerede: basic:env:DEĞİŞKEN (kullanıcı:parola), bearer:env:DEĞİŞKEN, header:X-Api-Key:env:DEĞİŞKEN, env yerine file:YOL, SFTP'de key:KULLANICI:file:YOL [varsayılan: catalog feed login ile saklanan]",
        en: "Where the login of the address is: basic:env:NAME (user:password), bearer:env:NAME, header:X-Api-Key:env:NAME, file:PATH in place of env, for SFTP key:USER:file:PATH [default: the one that catalog feed login stored]",
      },
    },
  },
  store: {
    "price-unit": {
      type: "string",
      choices: ["minor", "major"],
      describe: {
        tr: "Mağaza listesindeki fiyatların birimi: kuruş (minor) ya da lira (major)",
        en: "Unit of the prices in the store's listing: minor (kuruş) or major (lira)",
      },
    },
    "try-refused": {
      type: "boolean",
      describe: {
        tr: "Mağazanın uygulamadığı görülen alanları yine de gönder",
        en: "Also send fields that the store has been seen to ignore",
      },
    },
    "requests-per-hour": {
      type: "number",
      describe: { tr: "Bir saatte en çok istek", en: "Maximum calls per hour" },
    },
  },
  allowHost: {
    type: "string",
    many: true,
    describe: {
      tr: "Özel ağdaki kendi besleme sunucunuz: sunucu (80 ve 443 portları) ya da sunucu:port",
      en: "Your own feed server in a private network: host (ports 80 and 443) or host:port",
    },
  },
  concurrency: {
    type: "string",
    // No default here: it would override the configuration file.
    describe: {
      tr: "Aynı anda en çok istek: bir sayı (verilmezse auto)",
      en: "Maximum calls at a time: a number (default: auto)",
    },
  },
  wait: {
    type: "string",
    describe: {
      tr: "Mağazada başka bir işlem sürüyorsa en çok bu kadar bekle (10m, 2h) [varsayılan: beklemez, 75 ile biter]",
      en: "Wait up to this long while another process works on the store (10m, 2h) [default: ends with 75 at once]",
    },
  },
  logFormat: {
    type: "string",
    choices: ["text", "json"],
    describe: {
      tr: "Satırları tarih ve saatle başlat (text) ya da her birini JSON nesnesi yap (json) [sürekli çalışırken ve terminal yokken varsayılan: text]",
      en: "Begin lines with date and time (text), or make each one a JSON object (json) [default while it keeps running without a terminal: text]",
    },
  },
};

interface SharedFlags {
  /** How a file is read. */
  readonly reading: Readonly<
    Record<
      | "sheet"
      | "record"
      | "header-row"
      | "encoding"
      | "delimiter"
      | "decimal"
      | "map"
      | "platform"
      | "feed-auth"
      | "host-key",
      FlagDefinition
    >
  >;
  /** How the store's prices and fields are understood, and how fast it is called. */
  readonly store: Readonly<
    Record<"price-unit" | "try-refused" | "requests-per-hour", FlagDefinition>
  >;
  /** A server in a private network that feeds may be fetched from. */
  readonly allowHost: FlagDefinition;
  /** The number of calls at a time, which `readFlag.concurrency` reads. */
  readonly concurrency: FlagDefinition;
  /** How long a command waits while another process works on the store. */
  readonly wait: FlagDefinition;
  /** How the lines of a command are written that is started by a program. */
  readonly logFormat: FlagDefinition;
}

const REFERENCE =
  /^(?<kind>basic|bearer|header:(?<header>[^:]+)|key:(?<user>[^:]+)):(?<source>env|file):(?<place>.+)$/u;

/** Where the login of a feed is, which is never the login itself. */
interface LoginReference {
  readonly kind: "basic" | "bearer" | "header" | "key";
  /** The name of the header, or the user of the private key. */
  readonly name: string | undefined;
  readonly source: "env" | "file";
  /** Name of the variable, or path of the file. */
  readonly place: string;
}

/** Reads `basic:env:NAME` and the like. Throws {@link UsageError}, and repeats nothing of the text. */
export function parseLoginReference(text: string): LoginReference {
  const { kind, header, user, source: named, place = "" } = REFERENCE.exec(text)?.groups ?? {};
  const source = named === "file" ? "file" : "env";
  if (kind === "basic" || kind === "bearer") return { kind, name: undefined, source, place };
  if (header !== undefined) return { kind: "header", name: header, source, place };
  if (user !== undefined && source === "file") return { kind: "key", name: user, source, place };
  throw new UsageError({
    tr: "--feed-auth anlaşılamadı. Gizli bilginin kendisini değil, nerede olduğunu yazın: basic:env:DEĞİŞKEN (içinde kullanıcı:parola), bearer:env:DEĞİŞKEN, header:X-Api-Key:env:DEĞİŞKEN; env yerine file ve bir yol da olur. SFTP'de key:KULLANICI:file:YOL da olur.",
    en: "--feed-auth is not understood. Name the place of the secret and not the secret: basic:env:NAME (with user:password in it), bearer:env:NAME, header:X-Api-Key:env:NAME; file and a path may stand in the place of env. For SFTP, key:USER:file:PATH works, too.",
  });
}

/** The same reference with the whole path of its file; a text that is no reference stays as it is. */
export function resolveLoginReference(text: string, resolve: (path: string) => string): string {
  const { source, place = "" } = REFERENCE.exec(text)?.groups ?? {};
  return source === "file" ? text.slice(0, -place.length) + resolve(place) : text;
}
