/** Checks images, each distinct one once per run however many rows name it. */

import { type Clock, systemClock } from "@catalog/clock";
import pLimit from "p-limit";

import type { Decoded } from "../decode/decode-protocol.ts";
import type { Decoder } from "../decode/decoder.ts";
import { FetchError } from "../guard/fetch-error.ts";
import type { GuardedFetch } from "../guard/guarded-fetch.ts";
import type { ImageFacts } from "../image-rules.ts";
import { problem } from "../problem.ts";
import type { ImageSource } from "../sources/image-source.ts";
import { toImageProblem } from "./fetch-problem.ts";
import type { ImageCheckCache } from "./image-check-cache.ts";
import { readContent } from "./read-content.ts";
import { createSingleFlight } from "./single-flight.ts";
import {
  checkUrl,
  type CheckedUrl,
  createUrlChecker,
  type ImageCounts,
  readStoredUrlCheck,
} from "./url-checker.ts";

/** How a sheet names an image. */
export interface ImageReference {
  readonly kind: "address" | "file";
  /** The address, or the name of the file. */
  readonly text: string;
}

/** What an image checker works with. */
export interface ImageCheckerOptions {
  readonly fetcher: Pick<GuardedFetch, "fetch">;
  readonly decoder: Pick<Decoder, "inspect">;
  readonly cache: ImageCheckCache;
  /** Source of images named by file name. @default none */
  readonly source?: ImageSource | undefined;
  /** @default the machine's own */
  readonly clock?: Clock | undefined;
  /** Maximum number of images checked at a time. @default 6 */
  readonly concurrency?: number | undefined;
  /** How long a good check stays valid, in milliseconds. @default 24 h */
  readonly freshMs?: number | undefined;
  /** How long a failed check stays valid, in milliseconds. @default 15 min */
  readonly brokenFreshMs?: number | undefined;
  /** Requests every address again, without using stored checks. @default false */
  readonly isAgain?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Checks the images of one run. */
export interface ImageChecker {
  /**
   * Checks an image. Rejects only when the run is stopped or this machine fails, never because of
   * the image.
   */
  check(source: ImageReference): Promise<Decoded<ImageFacts>>;
  /** Reads the bytes of an image, to prepare it; an address is downloaded again. */
  readBytes(source: ImageReference): Promise<Decoded<Uint8Array>>;
  counts(): ImageCounts;
}

const HOUR_MS = 3_600_000;
const DEFAULT_FRESH_MS = 24 * HOUR_MS;
const DEFAULT_BROKEN_FRESH_MS = HOUR_MS / 4;
const DEFAULT_CONCURRENCY = 6;

/** Makes the checker of one run. */
export function createImageChecker(options: ImageCheckerOptions): ImageChecker {
  const { fetcher, decoder, cache, source, clock = systemClock, signal } = options;
  const { freshMs = DEFAULT_FRESH_MS, brokenFreshMs = DEFAULT_BROKEN_FRESH_MS } = options;
  const { isAgain = false } = options;
  const limit = pLimit(options.concurrency ?? DEFAULT_CONCURRENCY);
  const once = createSingleFlight<CheckedUrl>();
  const memoryTools = { decoder, cache };
  const times = { clock, freshMs, brokenFreshMs, isAgain };
  const checker = createUrlChecker({ ...memoryTools, ...times, fetcher, signal });

  const readFile = async (name: string): Promise<Decoded<Uint8Array>> =>
    source === undefined ? missing(name) : await source.read(name);

  const checkFile = async (name: string): Promise<CheckedUrl> => {
    const bytes = await readFile(name);
    return bytes.ok ? await readContent(memoryTools, bytes.value) : bytes;
  };

  return {
    counts: () => ({ ...checker.counts }),
    check: ({ kind, text }) =>
      once(`${kind}:${text}`, async () => {
        if (kind === "file") return await limit(() => checkFile(text));
        const known = await readStoredUrlCheck(checker, text);
        return known ?? (await limit(() => checkUrl(checker, text)));
      }),
    readBytes: ({ kind, text }) =>
      limit(() => (kind === "file" ? readFile(text) : download({ fetcher, signal }, text))),
  };
}

function missing(name: string): Decoded<never> {
  return { ok: false, problem: problem("E_IMG_MISSING", { value: name, source: "—" }) };
}

async function download(
  { fetcher, signal }: Pick<ImageCheckerOptions, "fetcher" | "signal">,
  address: string,
): Promise<Decoded<Uint8Array>> {
  try {
    return { ok: true, value: (await fetcher.fetch(address, { signal })).body };
  } catch (error) {
    if (error instanceof FetchError) return { ok: false, problem: toImageProblem(error, address) };
    throw error;
  }
}
