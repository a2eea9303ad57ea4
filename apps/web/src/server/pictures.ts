/**
 * Thumbnails of products, of cells of drafts and of rows of runs. A request names a place, never an
 * address: which image belongs there is read from what is stored, so that this server fetches nothing
 * that a page, or another site through it, has chosen.
 */

import { join } from "node:path";

import type { Connection } from "@catalog/connection";
import type { ImageOptions, ThumbnailImage, Thumbnails, ThumbnailSize } from "@catalog/images";
import type { LiveDraft } from "@catalog/importer";
import type { RowRecord } from "@catalog/runs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { cellVersion } from "../api/cell-version.ts";
import { needs } from "./needs.ts";
import { parseInput, type Site, unknownId } from "./site.ts";

type ImageSettings = Pick<ImageOptions, "mode" | "source" | "allowHosts" | "limits">;

interface PicturesOptions {
  /** How the images of a file are found and loaded. */
  readonly images: () => ImageSettings | undefined;
  readonly drafts: {
    readonly open: (id: string) => Promise<{ readonly live: Pick<LiveDraft, "images"> }>;
  };
  /** Address of the local marketplace that the page works on; `undefined` for another store. */
  readonly sandboxUrl: () => string | undefined;
}

export interface Pictures extends AsyncDisposable {
  readonly addRoutes: (app: FastifyInstance, site: Site) => void;
}

/** After this time a request is answered with nothing; the page asks again. */
const WAIT_MS = 1_500;

const MAX_IMAGES = 50;
const MAX_AGE_SECONDS = 24 * 60 * 60;

interface Asked {
  readonly size: ThumbnailSize;
  /** Which of the images, the first being 0. */
  readonly n: number;
  /** Something that changes with the image, so that the browser may keep it. */
  readonly v?: string | undefined;
}

const asked = {
  size: z.enum(["small", "large"]).default("small"),
  n: z.coerce.number().int().min(0).max(MAX_IMAGES).default(0),
  v: z.string().max(100).optional(),
};
const rowNumber = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

const productQuery: z.ZodType<Asked> = z.object(asked);
const runQuery: z.ZodType<Asked & { readonly row: number }> = z.object({
  ...asked,
  row: rowNumber,
});
const draftQuery: z.ZodType<
  Asked & { readonly row: number; readonly column?: number | undefined }
> = z.object({
  ...asked,
  row: rowNumber,
  /** All images of the row where there is none. */
  column: z.coerce.number().int().min(0).max(16_383).optional(),
});

/** Creates the routes; nothing is opened before the first image. */
export function createPictures({ images, drafts, sandboxUrl }: PicturesOptions): Pictures {
  const opened = new Map<string, Promise<Thumbnails>>();

  const openIn = async (site: Site): Promise<Thumbnails> => {
    const local = URL.parse(sandboxUrl() ?? "");
    const folder = join(site.folder, "thumbnails");
    const hosts = local === null ? [] : [local.host];
    const { allowHosts: own = [], limits } = images() ?? {};
    const allowHosts = [...own, ...hosts];
    const key = JSON.stringify([folder, hosts]);
    const known = opened.get(key);
    if (known !== undefined) return await known;
    const opening = import("@catalog/images").then(({ openThumbnails }) =>
      openThumbnails({ folder, clock: site.clock, allowHosts, limits }),
    );
    opened.set(key, opening);
    return await opening;
  };

  const send = async (
    { request, reply, site }: Answering,
    { size, n, v }: Asked,
    named: readonly ThumbnailImage[],
  ): Promise<FastifyReply> => {
    const image = named[n];
    if (image === undefined) return await sendNone(reply);
    const thumbnails = await openIn(site);
    const found = await thumbnails.read(toServed(image, sandboxUrl()), { size, waitMs: WAIT_MS });
    if (found.state !== "made") return await sendNone(reply);
    const cache = v === undefined ? "no-cache" : `max-age=${MAX_AGE_SECONDS}, immutable`;
    reply.header("cache-control", `private, ${cache}`).header("etag", found.etag);
    if (request.headers["if-none-match"] === found.etag) return await reply.status(304).send();
    return await reply.type("image/jpeg").send(found.bytes);
  };

  return {
    addRoutes(app, site) {
      app.get<{ Params: { product: string } }>(
        "/products/:product/image",
        needs("viewer"),
        async (request, reply) => {
          const query = parseInput(productQuery, request.query);
          const { memory } = await site.store.connection();
          const number = Number(request.params.product);
          const [listed] = await memory.storeProducts.readByNumber([number]);
          if (listed === undefined) throw unknownId("E_PRODUCT_UNKNOWN");
          return await send({ request, reply, site }, query, toImages(listed.product));
        },
      );
      app.get<{ Params: { draft: string } }>(
        "/drafts/:draft/image",
        needs("viewer"),
        async (request, reply) => {
          const query = parseInput(draftQuery, request.query);
          const { live } = await drafts.open(request.params.draft);
          const { row, column } = query;
          const found = await live.images({ row, column, options: images() });
          const { text } = found ?? {};
          // The page may ask before its correction is stored.
          const isOther =
            query.v !== undefined && text !== undefined && cellVersion(text) !== query.v;
          if (isOther) return await sendNone(reply);
          const own = found?.images ?? [];
          const isOwn = found === undefined || own.length > 0 || column !== undefined;
          const named = isOwn ? own : await readShown(await site.store.connection(), found);
          return await send({ request, reply, site }, query, named);
        },
      );
      app.get<{ Params: { run: string } }>(
        "/runs/:run/image",
        needs("viewer"),
        async (request, reply) => {
          const query = parseInput(runQuery, request.query);
          const connection = await site.store.connection();
          const named = await readOfRow(connection, request.params.run, query.row);
          return await send({ request, reply, site }, query, named);
        },
      );
    },
    async [Symbol.asyncDispose]() {
      const all = [...opened.values()];
      opened.clear();
      for (const each of all) await (await each)[Symbol.asyncDispose]();
    },
  };
}

interface Answering {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly site: Site;
}

/**
 * The page shows its own sign for an image that is missing, broken or not there yet. A browser counts
 * an answer of 404 as an error of the page.
 */
const sendNone = async (reply: FastifyReply): Promise<FastifyReply> =>
  await reply.status(204).header("cache-control", "no-store").send();

interface ImageHolder {
  readonly images?: readonly unknown[] | null | undefined;
}

/** The images of a listed product or of a request, in either of the two shapes. */
const toImages = (holder: ImageHolder | null | undefined): readonly ThumbnailImage[] =>
  (holder?.images ?? []).flatMap((image) => {
    const url = typeof image === "object" && image !== null && "url" in image ? image.url : image;
    return typeof url === "string" ? [{ kind: "address" as const, text: url }] : [];
  });

/** What the store shows for the product of a row that names no image. */
async function readShown(
  { journal, memory }: Pick<Connection, "journal" | "memory">,
  { codeKey, made, productId = null }: ShownRow,
): Promise<readonly ThumbnailImage[]> {
  if (made !== undefined) return toImages(made);
  // The list of products stays; what plans have seen is cleared by the next one.
  const ids = productId === null ? [] : [productId];
  const [listed] = await memory.storeProducts.readById(ids);
  if (listed !== undefined) return toImages(listed.product);
  const [seen] = codeKey === null ? [] : await journal.readSeenByCode([codeKey]);
  return toImages(seen?.product);
}

interface ShownRow {
  readonly codeKey: string | null;
  readonly made?: ImageHolder | undefined;
  readonly productId?: RowRecord["productId"];
}

/** What the run sends, or else what the store shows for the product. */
async function readOfRow(
  connection: Pick<Connection, "journal" | "memory">,
  run: string,
  row: number,
): Promise<readonly ThumbnailImage[]> {
  const [record] = await connection.journal.readRows(run, { after: row - 1, limit: 1 });
  if (record?.row !== row) return [];
  const sent = toImages(record.payload);
  return sent.length > 0 ? sent : await readShown(connection, record);
}

/** Names below it belong to nobody (RFC 2606); the products of the local marketplace have such images. */
const NOBODY = /\.example$/u;

/** The local marketplace draws the images of its own products, and of the sample file. */
function toServed(image: ThumbnailImage, sandboxUrl: string | undefined): ThumbnailImage {
  const url = image.kind === "address" ? URL.parse(image.text) : null;
  if (sandboxUrl === undefined || url === null || !NOBODY.test(url.hostname)) return image;
  const path = `/images${url.pathname.replace(/^\/images(?=\/)/u, "")}`;
  return { kind: "address", text: new URL(path, sandboxUrl).href };
}
