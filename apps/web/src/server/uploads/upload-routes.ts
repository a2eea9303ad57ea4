/** Takes files, links and pasted cells; each becomes a draft. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import type { Lang } from "@catalog/i18n";
import { createTableDownload } from "@catalog/importer";
import { resolveSheetLink } from "@catalog/sheets";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { DraftView } from "../../api/drafts.ts";
import {
  cellsBody,
  linkBody,
  MAX_PASTED_LENGTH,
  MAX_UPLOAD_BYTES,
  MAX_UPLOADS_BYTES,
} from "../../api/uploads.ts";
import { requestLang } from "../access/request-lang.ts";
import type { CreateDraft } from "../drafts/create-draft.ts";
import { parseInput } from "../parse-input.ts";
import { RequestError, type Site } from "../site.ts";
import { readFileName, toFileName } from "./file-name.ts";
import { toCsv } from "./pasted-cells.ts";
import { receiveFile, tooLarge } from "./receive-file.ts";
import { resaveFile } from "./resave-file.ts";
import { makeRoom, type UploadRoomOptions } from "./upload-room.ts";

export interface UploadOptions {
  readonly createDraft: CreateDraft;
  /** Files of drafts that were sent, those to remove first at the beginning. */
  readonly readSentFiles: () => Promise<readonly string[]>;
  /** @default 200 MB */
  readonly maxBytes?: number | undefined;
  /** Limit of all uploads together. @default 500 MB */
  readonly maxTotalBytes?: number | undefined;
  /** Private servers that links may name. @default none */
  readonly allowHosts?: readonly string[] | undefined;
}

/** Uploads that are received at the same time. */
const MAX_UPLOADS = 2;

/** A character of a JSON text may take six bytes. */
const CELLS_BYTES = 6 * MAX_PASTED_LENGTH;

export function addUploadRoutes(app: FastifyInstance, site: Site, options: UploadOptions): void {
  const { maxBytes = MAX_UPLOAD_BYTES } = options;
  const take = createTaker(site, options);
  const enter = createGate(MAX_UPLOADS);

  // The body stays a stream; the route reads it and counts its bytes.
  app.addContentTypeParser("application/octet-stream", (_request, body, done) => done(null, body));

  app.post("/uploads", async (request, reply) => {
    const bytes = Number(request.headers["content-length"] ?? 0);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    const { body } = request;
    if (!(body instanceof Readable)) throw notAFile();
    using _lock = enter();
    const lang = requestLang(request);
    const name = readFileName(request.headers["x-file-name"], DEFAULT_NAME[lang]);
    await makeRoom(bytes, roomOf(site, options));
    return await reply.status(201).send(await take({ body, name, lang }));
  });

  app.post("/uploads/cells", { bodyLimit: CELLS_BYTES }, async (request, reply) => {
    using _lock = enter();
    const { text, name } = parseInput(cellsBody, request.body);
    const lang = requestLang(request);
    const csv = { body: Readable.from([Buffer.from(toCsv(text))]), lang };
    const shown = toFileName(name, PASTED_NAME[lang]);
    return await reply.status(201).send(await take({ ...csv, name: withCsvEnding(shown) }));
  });

  app.post("/uploads/link", async (request, reply) => {
    using _lock = enter();
    const view = await takeLink(request, site, options);
    return await reply.status(201).send(view);
  });
}

const DEFAULT_NAME: Readonly<Record<Lang, string>> = { tr: "dosya", en: "file" };
const PASTED_NAME: Readonly<Record<Lang, string>> = {
  tr: "yapıştırılan hücreler.csv",
  en: "pasted cells.csv",
};

const withCsvEnding = (name: string): string => (/\.csv$/iu.test(name) ? name : `${name}.csv`);

const roomOf = (
  site: Site,
  { maxTotalBytes = MAX_UPLOADS_BYTES, readSentFiles }: UploadOptions,
): UploadRoomOptions => ({ folder: uploadFolder(site), maxTotalBytes, readSentFiles });

const uploadFolder = ({ folder }: Site): string => join(folder, "uploads");

interface Upload {
  readonly body: Readable;
  readonly name: string;
  readonly lang: Lang;
}

function createTaker(site: Site, options: UploadOptions): (upload: Upload) => Promise<DraftView> {
  const { createDraft, maxBytes = MAX_UPLOAD_BYTES } = options;
  return async ({ body, name, lang }) => {
    // Without a store there is nobody to check the rows for, so nothing is received.
    await site.store.connection();
    const file = await receiveFile(body, { folder: uploadFolder(site), name, maxBytes });
    try {
      // The length of a body need not be declared.
      await makeRoom(0, roomOf(site, options));
      return await createDraft({ ...file, name, by: site.user }, lang);
    } catch (error) {
      await rm(file.path, { force: true });
      throw error;
    }
  };
}

async function takeLink(
  request: FastifyRequest,
  site: Site,
  options: UploadOptions,
): Promise<DraftView> {
  const { createDraft, allowHosts } = options;
  const lang = requestLang(request);
  const link = resolveSheetLink(parseInput(linkBody, request.body).url);
  if (link === undefined) throw notALink();
  const { memory, clock } = await site.store.connection();
  const download = createTableDownload({
    folder: memory.tableFolder,
    clock,
    allowHosts,
    // A person waits for the answer, and can try again.
    retries: 0,
  });
  // A later download of the same link replaces that file, and the draft needs its own.
  const file = await resaveFile(await download(link), uploadFolder(site));
  try {
    await makeRoom(0, roomOf(site, options));
    const name = toFileName(decodeName(link.name), DEFAULT_NAME[lang]);
    return await createDraft({ ...file, name, by: site.user }, lang);
  } catch (error) {
    await rm(file.path, { force: true });
    throw error;
  }
}

/** The last part of an address, without its query. */
const decodeName = (name: string): string => {
  if (!URL.canParse(name)) return name;
  return readFileName(new URL(name).pathname, "");
};

/** Lets a number of callers in at a time, and refuses the others. */
function createGate(places: number): () => Disposable {
  let taken = 0;
  return () => {
    if (taken >= places) throw tooMany();
    taken += 1;
    return {
      [Symbol.dispose]: () => {
        taken -= 1;
      },
    };
  };
}

const tooMany = (): RequestError =>
  new RequestError(429, "E_UPLOADS_BUSY", {
    tr: "İki dosya zaten yükleniyor. Biri bitince yeniden deneyin.",
    en: "Two files are being uploaded already. Try again when one of them is done.",
  });

const notAFile = (): RequestError =>
  new RequestError(400, "E_UPLOAD_EMPTY", {
    tr: "Dosya boş geldi. Dosyayı seçip yeniden yükleyin.",
    en: "The file came empty. Choose the file and upload it again.",
  });

const notALink = (): RequestError =>
  new RequestError(400, "E_LINK", {
    tr: "Bu bir bağlantı değil. http:// ya da https:// ile başlayan adresi yapıştırın.",
    en: "This is no link. Paste the address that starts with http:// or https://.",
  });
