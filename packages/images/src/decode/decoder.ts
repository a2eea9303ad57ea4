/** Decodes images in separate processes; this process never decodes a byte of them. */

import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Clock, systemClock } from "@catalog/clock";
import pLimit from "p-limit";

import { DEFAULT_IMAGE_LIMITS, type ImageLimits } from "../image-limits.ts";
import { problem } from "../problem.ts";
import type {
  DecodeAnswers,
  Decoded,
  DecodedFacts,
  DecodeLimits,
  DecodeOrder,
  PreparedFacts,
  PrepareOrder,
  PreparedImage,
  PrepareSettings,
} from "./decode-protocol.ts";
import { type DecoderChild, startDecoder } from "./decoder-child.ts";
import { detectType } from "./image-type.ts";

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
