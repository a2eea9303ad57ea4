/**
 * Requests that a program sends again because it does not know whether they have arrived
 * (`Idempotency-Key`). A request is written before it is carried out, and its answer when it is known;
 * both are kept for a day. A request that a killed server has left open is carried out again with what
 * it had noted, so that it makes no second plan.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isFileError, makeFolder } from "@catalog/i18n";
import { z } from "zod";

import { RequestError, type Site } from "../site.ts";

/** Names a request: who has sent it, to which address, and by which key of its own. */
export interface RequestName {
  readonly key: number;
  /** Method and address. */
  readonly route: string;
  /** What the program has called it. */
  readonly name: string;
}

/** What was answered. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly location: string | null;
}

const answerSchema: z.ZodType<KeptAnswer> = z.object({
  status: z.number(),
  body: z.unknown(),
  location: z.string().nullable(),
});

const noteSchema = z.object({
  bodyHash: z.string(),
  atMs: z.number(),
  subject: z.string().nullable(),
  answer: answerSchema.nullable(),
});

type Note = z.infer<typeof noteSchema>;

/** A request that is carried out. */
export interface OpenRequest {
  /** What a request that was cut off had noted. */
  readonly subject: string | undefined;
  note(subject: string): void;
  /** Keeps the answer for requests that come again. */
  answer(answer: KeptAnswer): void;
  /** Forgets the request, as nothing was done. */
  forget(): void;
  /** To be called at its end in any case. */
  close(): void;
}

export interface Repeats {
  /**
   * Returns the kept answer, or opens the request. Throws {@link RequestError} 422 where the same name
   * had another body, and 409 while the first request is carried out.
   */
  open(name: RequestName, bodyHash: string): KeptAnswer | OpenRequest;
}

const DAY_MS = 24 * 60 * 60_000;

export function openRepeats(site: Pick<Site, "folder" | "clock">): Repeats {
  const { clock } = site;
  /** Those of this process; one that is open without being here was cut off. */
  const open = new Set<string>();
  let sweptAtMs = -Infinity;
  return {
    open(name, bodyHash) {
      const root = join(site.folder, "programs", "requests");
      makeFolder(root);
      const nowMs = clock.now();
      if (nowMs - sweptAtMs > DAY_MS / 24) removeOld(root, nowMs);
      sweptAtMs = nowMs;
      const path = join(root, `${toId(name)}.json`);
      const found = readNote(path);
      const known = found !== undefined && nowMs - found.atMs < DAY_MS ? found : undefined;
      if (known !== undefined && known.bodyHash !== bodyHash) throw otherBody();
      if (known?.answer) return known.answer;
      if (open.has(path)) throw stillRunning();
      open.add(path);
      let note: Note = known ?? { bodyHash, atMs: nowMs, subject: null, answer: null };
      const save = (change: Partial<Note>): void => {
        note = { ...note, ...change };
        writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600, flush: true });
        renameSync(`${path}.new`, path);
      };
      if (known === undefined) save({});
      return {
        subject: note.subject ?? undefined,
        note: (subject) => save({ subject }),
        answer: (answer) => save({ answer }),
        forget: () => rmSync(path, { force: true }),
        close: () => void open.delete(path),
      };
    },
  };
}

const toId = ({ key, route, name }: RequestName): string =>
  createHash("sha256").update([key, route, name].join("\n")).digest("hex");

function readNote(path: string): Note | undefined {
  try {
    return noteSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data;
  } catch (error) {
    if (isFileError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function removeOld(root: string, nowMs: number): void {
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    const found = statSync(path, { throwIfNoEntry: false });
    // By the note where it is read, as the clock of the disk may be another.
    const atMs = readNote(path)?.atMs ?? found?.mtimeMs ?? nowMs;
    if (nowMs - atMs > DAY_MS) rmSync(path, { force: true });
  }
}

const otherBody = (): RequestError =>
  new RequestError(422, "E_IDEMPOTENCY_BODY", {
    tr: "Bu Idempotency-Key başka bir içerikle kullanılmış. Yeni bir istek için yeni bir anahtar verin.",
    en: "This Idempotency-Key was used with another body. Give a new request a new key.",
  });

const stillRunning = (): RequestError =>
  new RequestError(409, "E_IDEMPOTENCY_RUNNING", {
    tr: "Bu Idempotency-Key ile gelen ilk istek sürüyor. Biraz sonra yeniden deneyin.",
    en: "The first request with this Idempotency-Key is still being carried out. Try again shortly.",
  });
