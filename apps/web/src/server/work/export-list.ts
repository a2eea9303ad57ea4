/** Exports that were started on the page: their files, and how far they are. */

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Clock } from "@catalog/clock";
import { formatDateTime, type Lang } from "@catalog/i18n";
import type { StartedCommand } from "@catalog/jobs";
import { z } from "zod";

import type { Problem } from "../../api/problem.ts";
import { type ExportBody, EXPORT_KINDS, type ExportView } from "../../api/work.ts";
import { readKey, toProblem } from "../commands/command-document.ts";
import { plainText } from "../plain-advice.ts";
import type { Site } from "../site.ts";
import { describeExport, toFilterWords } from "./export-kinds.ts";
import { makeFileFolder } from "./made-files.ts";

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

export interface ExportList {
  /** Starts an export, and returns it. */
  start(body: ExportBody, lang: Lang): ExportView;
  list(lang: Lang): readonly ExportView[];
  /** Path and name of a finished file; `undefined` where there is none. */
  find(id: string): { readonly path: string; readonly name: string } | undefined;
  remove(id: string): void;
}

/** Creates the list of a page; its files are kept in the folder of the page. */
export function createExportList({
  folder,
  clock,
  startCommand,
}: Pick<Site, "folder" | "clock" | "startCommand">): ExportList {
  const root = join(folder, "exports");
  const running = new Map<string, StartedCommand>();
  return {
    start(body, lang) {
      removeOld(root, running);
      const { id, path } = makeFileFolder(root);
      const note = toNote(body, lang, clock);
      saveNote(path, note);
      const columns = body.columns.length === 0 ? [] : [`--columns=${body.columns.join(",")}`];
      const out = join(path, `file.${body.format}`);
      const flags = [`--out=${out}`, `--format=${body.format}`, "--overwrite", `--lang=${lang}`];
      const filters = toFilterWords(body.kind, body.filters);
      const words = ["export", ...flags, ...filters, ...columns];
      const started = startCommand([...words, "--", body.kind]);
      running.set(id, started);
      const settle = async (): Promise<void> => {
        const ended = await started.ended;
        running.delete(id);
        const rows = readKey(readKey(ended.document, "counts"), "rows");
        const problem = toProblem(ended, lang);
        const notes = readTexts(readKey(ended.document, "warnings")).map(plainText);
        const count = typeof rows === "number" ? rows : null;
        saveNote(path, { ...note, rows: count, notes, problem });
      };
      void settle();
      return toView(id, note, { isRunning: true, bytes: null, lang });
    },
    list: (lang) =>
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
