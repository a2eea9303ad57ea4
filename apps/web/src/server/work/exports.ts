/**
 * What can be exported, with filters that are flags of `catalog export`, and the exports that were
 * started on the page.
 */

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { listExportColumns } from "@catalog/exporter/columns";
import { formatDateTime, type Lang, type Localized } from "@catalog/i18n";
import type { StartedCommand } from "@catalog/jobs";
import type { NamedPerson } from "@catalog/runs";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import type { Problem } from "../../api/session.ts";
import {
  EXPORT_KINDS,
  exportBody,
  type ExportBody,
  type ExportKind,
  type ExportKindView,
  type ExportView,
} from "../../api/work.ts";
import { readKey, toProblem } from "../failures.ts";
import { makeFileFolder, sendFile } from "../files.ts";
import { makerOf, needs } from "../needs.ts";
import { plainText } from "../plain-advice.ts";
import { parseInput, requestLang, type Site } from "../site.ts";

interface Filter {
  /** The flag, which is the key as well. */
  readonly flag: string;
  readonly label: Localized;
  readonly type: ExportKindView["filters"][number]["type"];
  readonly choices?: readonly (readonly [value: string, tr: string, en: string])[];
  /** What no choice means. @default any value */
  readonly empty?: Localized | "first";
}

const ANY: Localized = { tr: "Fark etmez", en: "Any" };

const filter = (
  type: Filter["type"],
  flag: string,
  [tr, en]: readonly [tr: string, en: string],
  more: Pick<Filter, "choices" | "empty"> = {},
): Filter => ({ flag, type, label: { tr, en }, ...more });

const SINCE = filter("yes", "since", [
  "Yalnız son dışa aktarmadan sonra yeni olanlar",
  "Only what is new since the last export",
]);
const START = filter("day", "start-date", ["Başlangıç günü", "From"]);
const END = filter("day", "end-date", ["Bitiş günü", "To"]);
const NAMES = filter("yes", "with-names", [
  "Adları açık yaz (kişisel veri)",
  "Write names in full (personal data)",
]);
const UNIT = filter("choice", "price-unit", ["Tutarların birimi", "Unit of amounts"], {
  choices: [
    ["minor", "Kuruş", "Minor units (kuruş)"],
    ["major", "Lira", "Whole currency (lira)"],
  ],
  empty: { tr: "Bilinen birim", en: "The known unit" },
});

const KINDS: Readonly<
  Record<ExportKind, { readonly label: Localized; readonly filters: readonly Filter[] }>
> = {
  products: {
    label: { tr: "Ürünler", en: "Products" },
    filters: [
      filter("choice", "template", ["Kapsam", "Scope"], {
        empty: "first",
        choices: [
          ["import", "Yeniden yüklenebilen sütunlar", "Columns that can be uploaded again"],
          ["full", "Mağazanın verdiği her şey", "All that the store gives"],
        ],
      }),
      filter("choice", "status", ["Durum", "Status"], {
        choices: [
          ["approved", "Onaylı", "Approved"],
          ["passive", "Pasif", "Passive"],
          ["veto", "Reddedilmiş", "Vetoed"],
        ],
      }),
      filter("text", "code", ["Ürün kodları", "Product codes"]),
      filter("text", "title", ["Başlık", "Title"]),
      START,
      END,
      UNIT,
      SINCE,
    ],
  },
  comments: {
    label: { tr: "Yorumlar", en: "Comments" },
    filters: [
      filter("yes", "store-wide", [
        "Tek listeden oku: az istek, ürün adı yok",
        "Read as one list: few calls, no products",
      ]),
      filter("text", "product", ["Ürün kodları ya da kimlikleri", "Product codes or ids"]),
      filter("choice", "satisfaction", ["Memnuniyet", "Satisfaction"], {
        choices: [
          ["happy", "Memnun", "Happy"],
          ["neutral", "Kararsız", "Neutral"],
          ["unhappy", "Memnun değil", "Unhappy"],
        ],
      }),
      filter("number", "min-rate", ["En az puan", "Lowest rating"]),
      filter("number", "max-rate", ["En çok puan", "Highest rating"]),
      START,
      END,
      NAMES,
      SINCE,
    ],
  },
  orders: {
    label: { tr: "Siparişler", en: "Orders" },
    filters: [
      filter("number", "days", ["Son kaç gün", "Days up to now"]),
      START,
      END,
      filter("yes", "all", ["Bütün günler", "All days"]),
      filter("yes", "with-contact", [
        "E-posta ve adresleri açık yaz (kişisel veri)",
        "Write e-mail and addresses in full (personal data)",
      ]),
      UNIT,
      SINCE,
    ],
  },
  questions: {
    label: { tr: "Sorular", en: "Questions" },
    filters: [
      filter("yes", "answered", ["Yalnız yanıtlananlar", "Answered only"]),
      filter("yes", "unanswered", ["Yalnız yanıt bekleyenler", "Unanswered only"]),
      START,
      END,
      NAMES,
      SINCE,
    ],
  },
  payments: {
    label: { tr: "Ödemeler", en: "Payments" },
    filters: [
      filter("choice", "status", ["Durum", "Status"], {
        choices: [
          ["1", "Hesaba geçmeyi bekliyor", "Awaiting transfer"],
          ["2", "Hesaba geçti", "Transferred"],
          ["3", "İptal", "Cancelled"],
        ],
      }),
      filter("text", "order", ["Sipariş kodu", "Order code"]),
      START,
      END,
      NAMES,
      UNIT,
      SINCE,
    ],
  },
};

const listExportKinds = (lang: Lang): readonly ExportKindView[] =>
  EXPORT_KINDS.map((kind) => ({
    kind,
    label: KINDS[kind].label[lang],
    filters: KINDS[kind].filters.map(({ flag, label: name, type, choices = [], empty = ANY }) => ({
      key: flag,
      label: name[lang],
      type,
      choices: choices.map(([value, tr, en]) => ({ value, label: { tr, en }[lang] })),
      empty: empty === "first" ? null : empty[lang],
    })),
    columns: listExportColumns(kind, lang),
  }));

/**
 * The words of the command line for chosen filters; a key that is no filter of the kind is left out.
 * Each value stands in the word of its flag, so that it is never read as a flag of its own.
 */
function toFilterWords(
  kind: ExportKind,
  chosen: Readonly<Record<string, string>>,
): readonly string[] {
  return KINDS[kind].filters.flatMap(({ flag, type }) => {
    const value = chosen[flag] ?? "";
    if (value === "") return [];
    if (flag === "since") return ["--since=last"];
    return [type === "yes" ? `--${flag}` : `--${flag}=${value}`];
  });
}

/** The kind and the chosen filters as one line. */
function describeExport(
  kind: ExportKind,
  chosen: Readonly<Record<string, string>>,
  lang: Lang,
): string {
  const filters = KINDS[kind].filters.flatMap(({ flag, label, type, choices = [] }) => {
    const value = chosen[flag] ?? "";
    if (value === "") return [];
    if (type === "yes") return [label[lang]];
    const [, tr, en] = choices.find(([one]) => one === value) ?? [];
    return [`${label[lang]}: ${{ tr, en }[lang] ?? value}`];
  });
  return [KINDS[kind].label[lang], ...filters].join(" · ");
}

const NOTE = "export.json";
/** Exports kept; older files are removed when another one is started. */
const MAX_KEPT = 30;

const noteSchema = z.object({
  kind: z.enum(EXPORT_KINDS),
  name: z.string(),
  text: z.string(),
  createdAt: z.string(),
  rows: z.number().nullable(),
  notes: z.array(z.string()).default([]),
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
});

type Note = z.infer<typeof noteSchema>;

/** What an export has come to. */
interface ExportEnd {
  /** `null` where it has failed. */
  readonly rows: number | null;
  readonly notes: readonly string[];
  readonly problem: Problem | null;
}

/** An export that writes its file. */
interface StartedExport {
  /** Never rejects. */
  readonly ended: Promise<ExportEnd>;
  stop(): void;
}

/** The exports that were started on the page. */
export interface Exports {
  /** Starts the command that reads and writes, for the person. */
  start(body: ExportBody, lang: Lang, by: NamedPerson): ExportView;
  /** Starts work of this process that writes the file; `text` says what is in it. */
  startHere(
    made: Pick<ExportBody, "kind" | "format"> & { readonly text: string },
    lang: Lang,
    write: (path: string) => StartedExport,
  ): ExportView;
  list(lang: Lang): readonly ExportView[];
  /** Path and name of a finished file; `undefined` where there is none. */
  find(id: string): { readonly path: string; readonly name: string } | undefined;
  remove(id: string): void;
  /** Whether an export is under way. */
  isBusy(): boolean;
}

/** Opens the exports of the site. */
export function createExports({
  folder,
  clock,
  startCommand,
}: Pick<Site, "folder" | "clock" | "startCommand">): Exports {
  const root = join(folder, "exports");
  const running = new Map<string, StartedExport>();
  const begin = (
    note: Note,
    { format, lang }: { readonly format: ExportBody["format"]; readonly lang: Lang },
    write: (path: string) => StartedExport,
  ): ExportView => {
    removeOld(root, running);
    const { id, path } = makeFileFolder(root);
    saveNote(path, note);
    const started = write(join(path, `file.${format}`));
    running.set(id, started);
    const settle = async (): Promise<void> => {
      const end = await started.ended;
      running.delete(id);
      saveNote(path, { ...note, ...end, notes: [...end.notes] });
    };
    void settle();
    return toView(id, note, { isRunning: true, bytes: null, lang });
  };
  return {
    start: (body, lang, by) =>
      begin(toNote(body, lang, clock), { format: body.format, lang }, (out) => {
        const columns = body.columns.length === 0 ? [] : [`--columns=${body.columns.join(",")}`];
        const flags = [`--out=${out}`, `--format=${body.format}`, "--overwrite", `--lang=${lang}`];
        const filters = toFilterWords(body.kind, body.filters);
        const words = ["export", ...flags, ...filters, ...columns];
        const started = startCommand([...words, "--", body.kind], by);
        return { ended: readEnd(started, lang), stop: () => started.stop() };
      }),
    startHere({ kind, format, text }, lang, write) {
      const note = toNote({ kind, format, filters: {}, columns: [] }, lang, clock);
      return begin({ ...note, text }, { format, lang }, write);
    },
    list: (lang: Lang): readonly ExportView[] =>
      readAll(root)
        .map(({ id, note, bytes }) => toView(id, note, { isRunning: running.has(id), bytes, lang }))
        .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)),
    find(id) {
      const path = join(root, id);
      const note = readNote(path);
      const file = note && fileOf(path);
      return file === undefined || note === undefined ? undefined : { path: file, name: note.name };
    },
    remove(id) {
      running.get(id)?.stop();
      rmSync(join(root, id), { recursive: true, force: true });
    },
    isBusy: () => running.size > 0,
  };
}

async function readEnd(started: StartedCommand, lang: Lang): Promise<ExportEnd> {
  const ended = await started.ended;
  const rows = readKey(readKey(ended.document, "counts"), "rows");
  return {
    rows: typeof rows === "number" ? rows : null,
    notes: readTexts(readKey(ended.document, "warnings")).map(plainText),
    problem: toProblem(ended, lang),
  };
}

const COLUMNS: Readonly<Record<Lang, (count: number) => string>> = {
  tr: (count) => `${count} sütun`,
  en: (count) => (count === 1 ? "1 column" : `${count} columns`),
};

function toNote({ kind, format, filters, columns }: ExportBody, lang: Lang, clock: Clock): Note {
  const at = clock.now();
  const [label = kind, ...facts] = describeExport(kind, filters, lang).split(" · ");
  const chosen = columns.length === 0 ? [] : [COLUMNS[lang](columns.length)];
  const day = formatDateTime(at, "en", { dateStyle: "short", timeStyle: "medium" });
  const stamp = day.replaceAll(/[^0-9]+/gu, "-");
  return {
    kind,
    name: `${label.toLocaleLowerCase(lang)}-${stamp}.${format}`,
    text: [label, ...chosen, ...facts].join(" · "),
    createdAt: new Date(at).toISOString(),
    rows: null,
    problem: null,
    notes: [],
  };
}

const readTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((text) => typeof text === "string") : [];

const LOST: Readonly<Record<Lang, Problem>> = {
  tr: {
    code: "E_EXPORT_LOST",
    message: "Dışa aktarma yarıda kaldı. Silip yeniden başlatın.",
  },
  en: { code: "E_EXPORT_LOST", message: "The export was cut off. Remove it and start it again." },
};

interface ExportFacts {
  readonly isRunning: boolean;
  readonly bytes: number | null;
  readonly lang: Lang;
}

function toView(id: string, note: Note, { isRunning, bytes, lang }: ExportFacts): ExportView {
  // A file is put in its place whole; its command may have outlived the page that noted its end.
  const isWhole = note.problem === null && bytes !== null;
  const state = isRunning ? "running" : isWhole ? "done" : "failed";
  const problem = state === "failed" ? (note.problem ?? LOST[lang]) : null;
  const { kind, name, text, createdAt, rows, notes } = note;
  const shown = { id, kind, name, text, createdAt, rows, notes, problem };
  return { ...shown, state, bytes: state === "done" ? bytes : null };
}

const saveNote = (folder: string, note: Note): void => {
  // The folder may have been removed while the command ran.
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  writeFileSync(join(folder, NOTE), JSON.stringify(note), { mode: 0o600 });
};

function readNote(folder: string): Note | undefined {
  try {
    return noteSchema.safeParse(JSON.parse(readFileSync(join(folder, NOTE), "utf8"))).data;
  } catch {
    return undefined;
  }
}

const fileOf = (folder: string): string | undefined => {
  const name = readdirSync(folder).find((file) => file.startsWith("file."));
  return name === undefined ? undefined : join(folder, name);
};

interface Kept {
  readonly id: string;
  readonly note: Note;
  readonly bytes: number | null;
}

function readAll(root: string): readonly Kept[] {
  if (statSync(root, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(root).flatMap((id) => {
    const note = readNote(join(root, id));
    if (note === undefined) return [];
    const file = fileOf(join(root, id));
    return [{ id, note, bytes: file === undefined ? null : statSync(file).size }];
  });
}

function removeOld(root: string, running: ReadonlyMap<string, unknown>): void {
  const old = readAll(root)
    .filter(({ id }) => !running.has(id))
    .toSorted((a, b) => (a.note.createdAt < b.note.createdAt ? 1 : -1))
    .slice(MAX_KEPT - 1);
  for (const { id } of old) rmSync(join(root, id), { recursive: true, force: true });
}

interface ExportPath {
  readonly Params: { readonly export: string };
}

export function addExports(app: FastifyInstance, exports: Exports): void {
  app.get("/exports/kinds", needs("viewer"), async (request) =>
    listExportKinds(requestLang(request)),
  );
  app.get("/exports", needs("viewer"), async (request) => exports.list(requestLang(request)));
  app.post("/exports", needs("editor"), async (request, reply) => {
    const body = parseInput(exportBody, request.body);
    return await reply.code(202).send(exports.start(body, requestLang(request), makerOf(request)));
  });
  app.delete<ExportPath>("/exports/:export", needs("editor"), async (request, reply) => {
    exports.remove(request.params.export);
    return await reply.code(204).send();
  });
  app.get<ExportPath>("/exports/:export/file", needs("editor"), async (request, reply) => {
    const found = exports.find(request.params.export);
    return await sendFile(reply, found ?? { path: "", name: "" });
  });
}
