/**
 * Plans that programs have asked for. The id of the run is chosen and the request written before the
 * command starts that plans it, so that a server that was killed goes on with it: the database takes
 * each id once, and no second plan is made. Plans of a store are made one after the other.
 */

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { isFileError, type Lang, makeFolder } from "@catalog/i18n";
import { createRunId, type NamedPerson } from "@catalog/runs";
import { z } from "zod";

import { MAX_UPLOADS_BYTES, type Problem, runId } from "../../api/session.ts";
import { toProblem } from "../failures.ts";
import { RequestError, type Site } from "../site.ts";

/** How a file is planned. */
export interface AskedPlan {
  /** Name of the file for people. */
  readonly name: string;
  readonly mode: "upsert" | "add" | "update";
  readonly profile?: string | undefined;
  readonly lang: Lang;
  /** Who is told as its maker. */
  readonly by: NamedPerson;
}

const requestSchema = z.object({
  name: z.string(),
  mode: z.enum(["upsert", "add", "update"]),
  profile: z.string().optional(),
  lang: z.enum(["tr", "en"]),
  by: z.object({ name: z.string(), id: z.number().optional() }),
  createdAtMs: z.number(),
  isEnded: z.boolean(),
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
});

/** What is known of a plan that was asked for, beside its run. */
export interface PlanRequest extends AskedPlan {
  readonly createdAtMs: number;
  /** Whether the command has ended. */
  readonly isEnded: boolean;
  /** Why no plan was made. */
  readonly problem: Problem | null;
}

export interface PlanRequests {
  /** An id that no plan has that was asked for here. */
  chooseId(): string;
  /** Writes the request with the file, which is moved; begins to plan. Does nothing for a known id. */
  create(id: string, file: string, asked: AskedPlan): void;
  /** `undefined` where no program has asked for it. */
  read(id: string): PlanRequest | undefined;
  /** Resolves when the plan is made or has failed, and after the time at the latest. */
  settled(id: string, waitMs: number): Promise<void>;
  /** Goes on with what an earlier process was asked for. */
  goOn(): void;
  /** Whether a plan is being made, or waits for its turn. */
  isBusy(): boolean;
}

const NOTE = "request.json";
/** A file can be planned anew for so long. */
const KEPT_MS = 30 * 24 * 60 * 60_000;
/** A store that is at work is asked again so often, and for so long. */
const BUSY_MS = 3_000;
const MAX_BUSY_MS = 30 * 60_000;
const BUSY: ReadonlySet<string> = new Set(["E_STORE_BUSY", "E_DATABASE_BUSY"]);

export function createPlanRequests(site: Site): PlanRequests {
  const { clock } = site;
  const root = (): string => join(site.folder, "programs", "plans");
  const pending = new Map<string, Promise<void>>();
  let last: Promise<void> = Promise.resolve();

  const read = (id: string): PlanRequest | undefined => readRequest(join(root(), id));
  const plan = async (id: string): Promise<void> => {
    const asked = read(id);
    if (asked === undefined || asked.isEnded) return;
    const problem = await runPlan(site, { id, asked, file: findFile(join(root(), id)) });
    saveRequest(join(root(), id), { ...asked, isEnded: true, problem });
  };
  const begin = (id: string): void => {
    if (pending.has(id)) return;
    // What fails here was not planned, and is tried again by the next process.
    const ended = last.then(() => plan(id)).catch(() => undefined);
    last = ended;
    pending.set(id, ended);
    void ended.then(() => pending.delete(id));
  };

  return {
    chooseId() {
      for (;;) {
        const id = createRunId(clock.now());
        if (read(id) === undefined) return id;
      }
    },
    create(id, file, asked) {
      makeFolder(root());
      const { maxUploadsBytes: maxBytes = MAX_UPLOADS_BYTES } = site;
      makeRoom(root(), { nowMs: clock.now(), newBytes: statSync(file).size, maxBytes });
      const folder = join(root(), id);
      if (readRequest(folder) === undefined) {
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(join(folder, "file"), { recursive: true, mode: 0o700 });
        renameSync(file, join(folder, "file", asked.name));
        const state = { createdAtMs: clock.now(), isEnded: false, problem: null };
        saveRequest(folder, { ...asked, ...state });
      }
      begin(id);
    },
    read,
    async settled(id, waitMs) {
      const over = new AbortController();
      const waited = clock.sleep(waitMs, over.signal).catch(() => undefined);
      await Promise.race([pending.get(id) ?? Promise.resolve(), waited]);
      over.abort(new Error("it has ended"));
    },
    isBusy: () => pending.size > 0,
    goOn() {
      for (const id of listIds(root())) if (read(id)?.isEnded === false) begin(id);
    },
  };
}

interface PlannedFile {
  readonly id: string;
  readonly asked: PlanRequest;
  readonly file: string;
}

/** Plans by a command; returns why there is no plan, `null` where there is one. */
async function runPlan(site: Site, { id, asked, file }: PlannedFile): Promise<Problem | null> {
  const { mode, profile, lang } = asked;
  const words = [
    "plan",
    `--run-id=${id}`,
    `--lang=${lang}`,
    `--mode=${mode}`,
    `--report=${join(site.folder, "results", "{run}")}`,
    ...(profile === undefined ? [] : [`--profile=${profile}`]),
    "--",
    file,
  ];
  const startedMs = site.clock.now();
  for (;;) {
    const ended = await site.startCommand(words, asked.by).ended;
    const problem = toProblem(ended, lang);
    // The command of a process before this one was first.
    if (problem === null || problem.code === "E_RUN_KNOWN") return null;
    const isOver = site.clock.now() - startedMs > MAX_BUSY_MS;
    if (!BUSY.has(problem.code) || isOver) return problem;
    await site.clock.sleep(BUSY_MS);
  }
}

function readRequest(folder: string): PlanRequest | undefined {
  try {
    return requestSchema.safeParse(JSON.parse(readFileSync(join(folder, NOTE), "utf8"))).data;
  } catch {
    return undefined;
  }
}

/** Written last, so that a request that can be read has its file. */
function saveRequest(folder: string, request: PlanRequest): void {
  const path = join(folder, NOTE);
  writeFileSync(`${path}.new`, JSON.stringify(request), { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

const findFile = (folder: string): string => {
  const [name = ""] = readdirSync(join(folder, "file"));
  return join(folder, "file", name);
};

const listIds = (root: string): readonly string[] => {
  try {
    return readdirSync(root).filter((name) => runId.safeParse(name).success);
  } catch (error) {
    if (isFileError(error)) return [];
    throw error;
  }
};

interface Room {
  readonly nowMs: number;
  readonly newBytes: number;
  readonly maxBytes: number;
}

/** Removes old files, and throws {@link RequestError} 507 where the others leave no room. */
function makeRoom(root: string, { nowMs, newBytes, maxBytes }: Room): void {
  let bytes = newBytes;
  for (const id of listIds(root)) {
    const folder = join(root, id);
    const request = readRequest(folder);
    if (request !== undefined && request.isEnded && nowMs - request.createdAtMs > KEPT_MS) {
      rmSync(folder, { recursive: true, force: true });
    } else if (request !== undefined) bytes += statSync(findFile(folder)).size;
  }
  if (bytes <= maxBytes) return;
  throw new RequestError(507, "E_UPLOADS_FULL", {
    tr: "Programların gönderdiği dosyalara ayrılan yer doldu. Eskiler 30 gün sonra kendiliğinden silinir.",
    en: "The room for files that programs have sent is used up. Old ones are removed after 30 days.",
  });
}
