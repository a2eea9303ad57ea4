/**
 * Whether there is a newer version of the program: asked of the registry that it was installed from,
 * once a day at most. Whatever goes wrong, there is nothing to say.
 */

import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { Clock } from "@catalog/clock";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import type { UpdateView } from "../api/session.ts";
import { needs } from "./needs.ts";

/** The program as it was installed. */
export interface InstalledProgram {
  readonly name: string;
  readonly version: string;
  /** Address of the registry, without a slash at its end. */
  readonly registry: string;
  /** Words that install a version, but for the version. */
  readonly command: string;
}

interface UpdateOptions {
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  /** `undefined` where it was not installed from a registry, or nobody wants to know. */
  readonly installed: InstalledProgram | undefined;
  /** File of the last answer. */
  readonly path: string;
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_WAIT_MS = 3_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** What the registry answered last; an asking that failed counts as well, with no versions. */
interface Answer {
  readonly askedAtMs: number;
  readonly tags: Readonly<Record<string, string>>;
}

const answerSchema: z.ZodType<Answer> = z.object({
  askedAtMs: z.number(),
  tags: z.record(z.string(), z.string()),
});

const tagsSchema = z.record(z.string(), z.unknown());

/** Adds `GET /api/update`. */
export function addUpdateRoute(app: FastifyInstance, options: UpdateOptions): void {
  let asking: Promise<Answer> | undefined;
  app.get("/update", needs("viewer"), async (): Promise<UpdateView | null> => {
    const { installed, path, clock } = options;
    if (installed === undefined) return null;
    let answer = await readAnswer(path);
    const ageMs = clock.now() - (answer?.askedAtMs ?? -Infinity);
    if (answer === undefined || ageMs < 0 || ageMs >= DAY_MS) {
      asking ??= askRegistry(options, installed).finally(() => {
        asking = undefined;
      });
      answer = await asking;
    }
    const version = findNewer(installed.version, answer.tags);
    return version === undefined ? null : { version, command: `${installed.command}@${version}` };
  });
}

async function readAnswer(path: string): Promise<Answer | undefined> {
  try {
    return answerSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

async function askRegistry(
  { fetch: send, clock, path }: UpdateOptions,
  { registry, name }: InstalledProgram,
): Promise<Answer> {
  const tags = await readTags(send, `${registry}/-/package/${encodeURIComponent(name)}/dist-tags`);
  const answer = { askedAtMs: clock.now(), tags };
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.new`, JSON.stringify(answer), { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch {
    // It is asked again when the page is opened the next time.
  }
  return answer;
}

async function readTags(
  send: typeof fetch,
  address: string,
): Promise<Readonly<Record<string, string>>> {
  try {
    const response = await send(address, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    });
    if (!response.ok) return {};
    const tags = tagsSchema.parse(JSON.parse(await readText(response)));
    return Object.fromEntries(
      Object.entries(tags).flatMap(([tag, version]) =>
        typeof version === "string" && VERSION.test(version) ? [[tag, version] as const] : [],
      ),
    );
  } catch {
    return {};
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new RangeError("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A version as people may see it and type it: numbers, and the mark of a candidate. */
const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([\da-z.-]{1,40}))?$/iu;

/** The newest version; candidates are offered only to those who use one. */
function findNewer(
  current: string,
  { latest, next }: Readonly<Record<string, string>>,
): string | undefined {
  const [own = ""] = current.split(" ");
  if (!VERSION.test(own)) return undefined;
  const offered = [latest, own.includes("-") ? next : undefined];
  return offered
    .filter((version) => version !== undefined)
    .filter((version) => compareVersions(version, own) > 0)
    .toSorted((one, other) => compareVersions(other, one))[0];
}

/** As semantic versioning orders them; a candidate comes before its version. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [VERSION.exec(one) ?? [], VERSION.exec(other) ?? []];
  for (const at of [1, 2, 3]) {
    const difference = Number(a[at]) - Number(b[at]);
    if (difference !== 0) return difference;
  }
  const [left, right] = [a[4], b[4]];
  if (left === undefined || right === undefined)
    return Number(right !== undefined) - Number(left !== undefined);
  return compareMarks(left.split("."), right.split("."));
}

function compareMarks(left: readonly string[], right: readonly string[]): number {
  for (const [at, mine] of left.entries()) {
    const yours = right[at];
    if (yours === undefined) return 1;
    if (mine === yours) continue;
    const [isNumber, isOther] = [/^\d+$/u.test(mine), /^\d+$/u.test(yours)];
    if (isNumber && isOther) return Number(mine) - Number(yours);
    if (isNumber !== isOther) return isNumber ? -1 : 1;
    return mine < yours ? -1 : 1;
  }
  return left.length - right.length;
}
