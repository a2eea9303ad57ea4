/**
 * Decodes images in separate processes; this process never decodes a byte of them. Each handles one
 * order at a time and is killed at the time limit.
 */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";

import { type Clock, systemClock } from "@catalog/clock";
import pLimit from "p-limit";

import { DEFAULT_IMAGE_LIMITS, type ImageLimits } from "../image-rules.ts";
import { problem } from "../problem.ts";
import {
  type DecodeAnswers,
  type Decoded,
  type DecodedFacts,
  type DecodeLimits,
  type DecodeOrder,
  detectType,
  type PreparedFacts,
  type PreparedImage,
  type PrepareOrder,
  type PrepareSettings,
} from "./decode-protocol.ts";

const PROGRAM = fileURLToPath(new URL("./decoder-process.ts", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../../../", import.meta.url));

const MAX_COMPLAINT_CHARS = 2000;

interface DecoderChildOptions {
  readonly clock: Clock;
  /** The only folder that the process may read and write. */
  readonly folder: string;
  readonly limits: Pick<ImageLimits, "decoderHeapMb" | "decoderSeconds">;
}

interface DecoderChild extends AsyncDisposable {
  /**
   * Sends an order. A process that dies or exceeds the time limit makes the image one that cannot
   * be opened; a process that does not start is a failure of this machine, and throws.
   */
  obey<Order extends DecodeOrder>(order: Order): Promise<DecodeAnswers[Order["kind"]]>;
  /** Whether the process has ended. */
  isGone(): boolean;
}

/** Starts the process. */
function startDecoder({ clock, folder, limits }: DecoderChildOptions): DecoderChild {
  const child = spawnChild(folder, limits);
  const lines = createInterface({ input: child.stdout });
  let isGone = false;
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      isGone = true;
      resolve();
    });
  });
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-MAX_COMPLAINT_CHARS);
  });
  const dead = ended.then(() => "dead" as const);
  const ready = Promise.race([nextLine(lines), dead]);

  return {
    isGone: () => isGone || child.killed,
    async obey(order) {
      if ((await ready) === "dead") {
        throw new Error(`The decoding process does not start. ${complaint}`);
      }
      const over = new AbortController();
      const late = clock.sleep(limits.decoderSeconds * 1000, over.signal).then(
        () => "late" as const,
        () => "over" as const,
      );
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const answer = await Promise.race([nextLine(lines), late, dead]);
      over.abort();
      if (typeof answer === "object") return JSON.parse(answer.line);
      child.kill("SIGKILL");
      return { ok: false, problem: problem(answer === "late" ? "E_IMG_SLOW" : "E_IMG_CORRUPT") };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
      lines.close();
    },
  };
}

function nextLine(lines: Interface): Promise<{ readonly line: string }> {
  return new Promise((resolve) => {
    lines.once("line", (line) => resolve({ line }));
  });
}

function spawnChild(
  folder: string,
  { decoderHeapMb }: DecoderChildOptions["limits"],
): ChildProcessWithoutNullStreams {
  const flags = [
    `--max-old-space-size=${decoderHeapMb}`,
    "--disable-proto=throw",
    "--permission",
    "--allow-addons",
    `--allow-fs-read=${PROGRAM.endsWith(".ts") ? PACKAGES : dirname(PROGRAM)}`,
    `--allow-fs-read=${modulesRoot()}`,
    `--allow-fs-read=${folder}`,
    `--allow-fs-write=${folder}`,
    "--no-warnings",
  ];
  return spawn(process.execPath, [...flags, PROGRAM], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { VIPS_BLOCK_UNTRUSTED: "1" },
    windowsHide: true,
  });
}

/** The outermost folder of installed packages, which holds the library and its dependencies. */
function modulesRoot(): string {
  const library = createRequire(import.meta.url).resolve("sharp");
  const folder = `${sep}node_modules${sep}`;
  return library.slice(0, library.indexOf(folder) + folder.length);
}

/** Settings of a decoder. */
export interface DecoderOptions {
  /** @default the machine's own */
  readonly clock?: Clock | undefined;
  /** Maximum number of processes; started when needed. @default 2 */
  readonly processes?: number | undefined;
  readonly limits?: Partial<ImageLimits> | undefined;
}

/** Decodes images. */
export interface Decoder extends AsyncDisposable {
  inspect(bytes: Uint8Array): Promise<Decoded<DecodedFacts>>;
  prepare(bytes: Uint8Array, settings: PrepareSettings): Promise<Decoded<PreparedImage>>;
}

const DEFAULT_PROCESSES = 2;

/** Makes a decoder; no process is started before the first image. */
export function createDecoder(options: DecoderOptions = {}): Decoder {
  const { clock = systemClock, processes = DEFAULT_PROCESSES } = options;
  const limits = { ...DEFAULT_IMAGE_LIMITS, ...options.limits };
  const decoding = toDecodeLimits(limits);
  const limit = pLimit(processes);
  const idle: DecoderChild[] = [];
  const all = new Set<DecoderChild>();
  let folder: Promise<string> | undefined;
  let isClosed = false;

  // Files are written and read outside of the semaphore, so that a process goes from one image to
  // the next without waiting for this one.
  async function obey<Order extends DecodeOrder>(
    order: Order,
  ): Promise<DecodeAnswers[Order["kind"]]> {
    return await limit(async () => {
      if (isClosed) throw new Error("The decoder is closed.");
      const child = idle.pop() ?? startDecoder({ clock, limits, folder: await openFolder() });
      all.add(child);
      try {
        return await child.obey(order);
      } finally {
        if (child.isGone()) await retire(child);
        else idle.push(child);
      }
    });
  }

  function openFolder(): Promise<string> {
    folder ??= mkdtemp(join(tmpdir(), "catalog-pictures-"));
    return folder;
  }

  async function retire(child: DecoderChild): Promise<void> {
    all.delete(child);
    await child[Symbol.asyncDispose]();
  }

  return {
    inspect: async (bytes) =>
      refuseByType(bytes) ??
      (await withFile(await openFolder(), bytes, (path) =>
        obey({ kind: "inspect", path, limits: decoding }),
      )),
    prepare: async (bytes, settings) =>
      refuseByType(bytes) ??
      (await prepareIn(await openFolder(), { bytes, settings, limits: decoding, obey })),
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.all([...all].map(retire));
      if (folder !== undefined) await rm(await folder, { recursive: true, force: true });
    },
  };
}

/** The library gets two thirds of the time, so that it is the one that gives up. */
const toDecodeLimits = ({ imageMegapixels, decoderSeconds }: ImageLimits): DecodeLimits => ({
  megapixels: imageMegapixels,
  seconds: Math.max(1, Math.round((decoderSeconds * 2) / 3)),
});

/** Refuses bytes by their type, without decoding. */
function refuseByType(
  bytes: Uint8Array,
): { ok: false; problem: ReturnType<typeof problem> } | undefined {
  if (bytes.byteLength === 0) return { ok: false, problem: problem("E_IMG_EMPTY") };
  if (detectType(bytes) === undefined) return { ok: false, problem: problem("E_IMG_TYPE") };
  return undefined;
}

async function withFile<T>(
  base: string,
  bytes: Uint8Array,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(base, randomUUID());
  try {
    await writeFile(path, bytes, { flag: "wx", mode: 0o600 });
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

interface PrepareInput {
  readonly bytes: Uint8Array;
  readonly settings: PrepareSettings;
  readonly limits: DecodeLimits;
  readonly obey: (order: PrepareOrder) => Promise<Decoded<PreparedFacts>>;
}

async function prepareIn(
  base: string,
  { bytes, settings, limits, obey }: PrepareInput,
): Promise<Decoded<PreparedImage>> {
  const outPath = join(base, randomUUID());
  try {
    const order = { kind: "prepare", outPath, settings, limits } as const;
    const made = await withFile(base, bytes, (path) => obey({ ...order, path }));
    if (!made.ok) return made;
    return { ok: true, value: { facts: made.value, bytes: await readFile(outPath) } };
  } finally {
    await rm(outPath, { force: true });
  }
}
