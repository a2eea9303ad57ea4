/**
 * Small copies of images, for people to look at. An image is downloaded and decoded as that of an
 * import is: guarded addresses, limited sizes, another process. What leaves is always a JPEG that
 * this program has made, whatever the original claims to be.
 */

import { type Clock, systemClock } from "@catalog/clock";
import { isFileError } from "@catalog/i18n";
import pLimit from "p-limit";

import {
  createSingleFlight,
  hashBytes,
  type ImageReference,
  isTransient,
} from "../check/image-checker.ts";
import type { Decoded, PrepareSettings } from "../decode/decode-protocol.ts";
import { createDecoder, type Decoder } from "../decode/decoder.ts";
import type { ResolveHost } from "../guard/check-address.ts";
import { FetchError } from "../guard/fetch-error.ts";
import {
  type GuardedFetch,
  imageDownloadLimits,
  openGuardedFetch,
} from "../guard/guarded-fetch.ts";
import { DEFAULT_IMAGE_LIMITS, type ImageLimits, MB } from "../image-rules.ts";
import { type ImageSource, ImageSourceError, openImageSource } from "../sources/image-source.ts";
import { createThumbnailFiles, type ThumbnailBounds, thumbnailKey } from "./thumbnail-files.ts";

/** `small` is for a row of a table, `large` for a look at the image. */
export type ThumbnailSize = "small" | "large";

/** An image as stored data name it. */
export interface ThumbnailImage extends ImageReference {
  /** Absolute path of the folder or zip that a file name is looked for in. @default nowhere */
  readonly source?: string | undefined;
}

/**
 * `none`: the image cannot be shown, which is remembered for some minutes. `later`: it is still being
 * made; the work goes on, and a later call finds it.
 */
export type Thumbnail =
  | { readonly state: "made"; readonly bytes: Uint8Array; readonly etag: string }
  | { readonly state: "none" | "later" };

export interface Thumbnails extends AsyncDisposable {
  /**
   * Answers within `waitMs`, or at once where others wait already. Rejects only when this machine
   * fails, never because of the image.
   */
  read(
    image: ThumbnailImage,
    asked: { readonly size: ThumbnailSize; readonly waitMs: number },
  ): Promise<Thumbnail>;
}

/** Settings of thumbnails. */
export interface ThumbnailsOptions extends Partial<ThumbnailBounds> {
  /** Where they are kept; made when it is missing. */
  readonly folder: string;
  /** @default the machine's own */
  readonly clock?: Clock | undefined;
  /** The company's own servers in a private network, as `host` or `host:port`. */
  readonly allowHosts?: readonly string[] | undefined;
  readonly limits?: Partial<ImageLimits> | undefined;
  /** @default the system's resolver */
  readonly resolve?: ResolveHost | undefined;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

const DEFAULT_BOUNDS: ThumbnailBounds = { maxBytes: 300 * MB, maxAgeMs: 60 * DAY_MS };

/** Twice the pixels of the boxes that they are shown in, and one try of compression. */
const SETTINGS: Readonly<Record<ThumbnailSize, PrepareSettings>> = {
  small: { maxEdge: 96, quality: 78, targetBytes: Number.MAX_SAFE_INTEGER },
  large: { maxEdge: 960, quality: 80, targetBytes: Number.MAX_SAFE_INTEGER },
};

/** Images that are loaded at a time; each may take the bytes of an original in memory. */
const MAX_LOADS = 4;
/** Images that wait for their turn. A person has scrolled on from more; they are asked for again. */
const MAX_WAITING = 200;
/** Callers that wait at a time: a browser has six connections, which its page needs for more. */
const MAX_CALLERS = 3;
const MAX_DOWNLOAD_SECONDS = 10;
const MAX_DECODER_SECONDS = 10;

/** How long a thumbnail is used before the image is loaded again. A file may be edited any minute. */
const FRESH_MS: Readonly<Record<ImageReference["kind"], number>> = {
  address: 7 * DAY_MS,
  file: 10 * MINUTE_MS,
};

/** Opens thumbnails; no folder is made and no process started before the first image. */
export function openThumbnails(options: ThumbnailsOptions): Thumbnails {
  const { folder, clock = systemClock } = options;
  const closing = new AbortController();
  const loader = createLoader(options, closing.signal);
  const files = createThumbnailFiles({ ...DEFAULT_BOUNDS, ...options, folder, clock });
  const failures = createMemory(clock);
  const limit = pLimit(MAX_LOADS);
  const once = createSingleFlight<Thumbnail>();
  const underWay = new Set<Promise<Thumbnail>>();
  let callers = 0;

  /** What is known without loading anything; `old` is shown where the image cannot be loaded again. */
  async function recall(
    { kind }: ThumbnailImage,
    key: string,
  ): Promise<{ readonly found: Thumbnail | undefined; readonly old: Thumbnail }> {
    const known = await files.read(key);
    const old = known === undefined ? NONE : toThumbnail(known.bytes);
    const isFresh = known !== undefined && clock.now() - known.madeAtMs < FRESH_MS[kind];
    return { found: isFresh || failures.has(key) ? old : undefined, old };
  }

  async function make(image: ThumbnailImage, size: ThumbnailSize, key: string): Promise<Thumbnail> {
    const { found, old } = await recall(image, key);
    if (found !== undefined) return found;
    if (limit.pendingCount >= MAX_WAITING) return LATER;
    const loaded = await limit(() => loader.load(image, SETTINGS[size])).catch((error: unknown) => {
      // This machine fails; it is not asked again for each image of a page.
      failures.note(key, MINUTE_MS);
      throw error;
    });
    if (!loaded.ok) {
      failures.note(key, loaded.forgetAfterMs);
      // A server that is away for a moment does not empty the table.
      return loaded.isPassing ? old : NONE;
    }
    await files.write(key, loaded.bytes);
    return toThumbnail(loaded.bytes);
  }

  async function wait(work: Promise<Thumbnail>, waitMs: number): Promise<Thumbnail> {
    if (callers >= MAX_CALLERS) return LATER;
    callers += 1;
    const over = new AbortController();
    const late = clock.sleep(waitMs, over.signal).then(
      () => LATER,
      () => LATER,
    );
    try {
      return await Promise.race([work, late]);
    } finally {
      callers -= 1;
      over.abort();
    }
  }

  return {
    async read(image, { size, waitMs }) {
      if (closing.signal.aborted) return NONE;
      const key = thumbnailKey(size, image.kind, image.source ?? "", image.text);
      const { found } = await recall(image, key);
      if (found !== undefined) return found;
      const work = once(key, () => make(image, size, key));
      underWay.add(work);
      void work.catch(() => undefined).finally(() => underWay.delete(work));
      return await wait(work, waitMs);
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error("the thumbnails are closed"));
      await loader[Symbol.asyncDispose]();
      await Promise.allSettled(underWay);
      await files.settle();
    },
  };
}

const NONE: Thumbnail = { state: "none" };
const LATER: Thumbnail = { state: "later" };

const ETAG_DIGITS = 32;

const toThumbnail = (bytes: Uint8Array): Thumbnail => ({
  state: "made",
  bytes,
  etag: `"${hashBytes(bytes).slice(0, ETAG_DIGITS)}"`,
});

interface Memory {
  has(key: string): boolean;
  note(key: string, forMs: number): void;
}

const MAX_REMEMBERED = 20_000;

/** Remembers keys for a time; the oldest give way to further ones. */
function createMemory(clock: Clock): Memory {
  const untilMs = new Map<string, number>();
  return {
    has: (key) => (untilMs.get(key) ?? 0) > clock.now(),
    note(key, forMs) {
      untilMs.delete(key);
      untilMs.set(key, clock.now() + forMs);
      const [oldest] = untilMs.keys();
      if (untilMs.size > MAX_REMEMBERED && oldest !== undefined) untilMs.delete(oldest);
    },
  };
}

type Loaded =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly isPassing: boolean; readonly forgetAfterMs: number };

/** What may be gone soon, and what only a change of the image or of its name mends. */
const PASSING: Loaded = { ok: false, isPassing: true, forgetAfterMs: 2 * MINUTE_MS };
const BROKEN: Loaded = { ok: false, isPassing: false, forgetAfterMs: 15 * MINUTE_MS };
const MISSING_FILE: Loaded = { ok: false, isPassing: false, forgetAfterMs: MINUTE_MS };

interface Loader extends AsyncDisposable {
  load(image: ThumbnailImage, settings: PrepareSettings): Promise<Loaded>;
}

function createLoader(options: ThumbnailsOptions, signal: AbortSignal): Loader {
  const { clock = systemClock, allowHosts, resolve } = options;
  const limits = capLimits({ ...DEFAULT_IMAGE_LIMITS, ...options.limits });
  const fetcher = openGuardedFetch({
    clock,
    allowHosts,
    resolve,
    limits: imageDownloadLimits(limits),
  });
  const decoder = createDecoder({ clock, limits, processes: 1 });
  const download = createDownload(fetcher, clock, signal);
  const sources = createSources(clock, limits);

  const readOriginal = async (image: ThumbnailImage): Promise<Uint8Array | Loaded> => {
    if (image.kind === "address") {
      return readDataAddress(image.text, limits) ?? (await download(image.text));
    }
    const found = await sources.read(image);
    return found?.ok === true ? found.value : MISSING_FILE;
  };

  return {
    async load(image, settings) {
      if (signal.aborted) return PASSING;
      const original = await readOriginal(image);
      if ("ok" in original) return original;
      return await shrink(decoder, original, { settings, signal });
    },
    async [Symbol.asyncDispose]() {
      await fetcher[Symbol.asyncDispose]();
      await decoder[Symbol.asyncDispose]();
      await sources[Symbol.asyncDispose]();
    },
  };
}

/** A person waits for it, and a run does not: less patience than for an import. */
const capLimits = (limits: ImageLimits): ImageLimits => ({
  ...limits,
  imageDownloadSeconds: Math.min(limits.imageDownloadSeconds, MAX_DOWNLOAD_SECONDS),
  decoderSeconds: Math.min(limits.decoderSeconds, MAX_DECODER_SECONDS),
});

async function shrink(
  decoder: Pick<Decoder, "prepare">,
  original: Uint8Array,
  { settings, signal }: { readonly settings: PrepareSettings; readonly signal: AbortSignal },
): Promise<Loaded> {
  try {
    const made = await decoder.prepare(original, settings);
    if (made.ok) return { ok: true, bytes: made.value.bytes };
    return made.problem.code === "E_IMG_SLOW" ? PASSING : BROKEN;
  } catch (error) {
    if (signal.aborted) return PASSING;
    throw error;
  }
}

const DATA_ADDRESS = /^data:image\/[a-z.+-]{1,20};base64,/u;

/** The bytes of an image that was sent as a data address; `undefined` for another address. */
function readDataAddress(
  address: string,
  { imageDownloadMb }: Pick<ImageLimits, "imageDownloadMb">,
): Uint8Array | Loaded | undefined {
  const [head] = DATA_ADDRESS.exec(address) ?? [];
  if (head === undefined) return undefined;
  const bytes = Buffer.from(address.slice(head.length), "base64");
  return bytes.byteLength > imageDownloadMb * MB ? BROKEN : bytes;
}

/** After so many failures in a row, a server is not asked for a while, so that it delays no others. */
const MAX_HOST_FAILURES = 3;
const HOST_REST_MS = 2 * MINUTE_MS;
const MAX_HOSTS = 1_000;
const HOST_FAILURES: ReadonlySet<string> = new Set(["E_FETCH_SLOW", "E_FETCH_FAILED"]);

function createDownload(
  fetcher: Pick<GuardedFetch, "fetch">,
  clock: Clock,
  signal: AbortSignal,
): (address: string) => Promise<Uint8Array | Loaded> {
  const resting = createMemory(clock);
  const failedInARow = new Map<string, number>();

  const noteFailure = (host: string, error: FetchError): void => {
    if (!HOST_FAILURES.has(error.code)) return;
    const failures = (failedInARow.get(host) ?? 0) + 1;
    if (failedInARow.size >= MAX_HOSTS) failedInARow.clear();
    failedInARow.set(host, failures);
    if (failures < MAX_HOST_FAILURES) return;
    failedInARow.delete(host);
    resting.note(host, HOST_REST_MS);
  };

  return async (address) => {
    const host = URL.parse(address)?.host ?? "";
    if (resting.has(host)) return PASSING;
    try {
      const { body } = await fetcher.fetch(address, { signal });
      failedInARow.delete(host);
      return body;
    } catch (error) {
      if (signal.aborted) return PASSING;
      if (!(error instanceof FetchError)) throw error;
      noteFailure(host, error);
      return isTransient(error) ? PASSING : BROKEN;
    }
  };
}

/** A source is listed anew after this time, as files come and go. */
const SOURCE_MS = MINUTE_MS;

interface Sources extends AsyncDisposable {
  /** `undefined` where the source is gone or cannot be used. */
  read(image: ThumbnailImage): Promise<Decoded<Uint8Array> | undefined>;
}

/** Keeps the source that was used last open, one reading at a time. */
function createSources(clock: Clock, limits: ImageLimits): Sources {
  const limit = pLimit(1);
  let open: { path: string; atMs: number; source: ImageSource } | undefined;

  const close = async (): Promise<void> => {
    const last = open;
    open = undefined;
    await last?.source[Symbol.asyncDispose]();
  };
  const openAt = async (path: string): Promise<ImageSource> => {
    if (open?.path === path && clock.now() - open.atMs < SOURCE_MS) return open.source;
    await close();
    const source = await openImageSource(path, limits);
    open = { path, atMs: clock.now(), source };
    return source;
  };

  return {
    read: ({ source, text }) =>
      limit(async () => {
        if (source === undefined) return undefined;
        try {
          return await (await openAt(source)).read(text);
        } catch (error) {
          if (error instanceof ImageSourceError || isFileError(error)) return undefined;
          throw error;
        }
      }),
    [Symbol.asyncDispose]: () => limit(close),
  };
}
