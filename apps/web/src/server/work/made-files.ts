/** Files that were made for the page, each under an id of its own. */

import { randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";

import { makeFolder } from "@catalog/i18n";
import type { FastifyReply } from "fastify";

import { RequestError } from "../site.ts";

/** Makes a folder for a file, and returns its id. */
export function makeFileFolder(folder: string): { readonly id: string; readonly path: string } {
  const id = randomUUID();
  const path = join(folder, id);
  makeFolder(path);
  return { id, path };
}

/** Sends a file as a download. Throws {@link RequestError} 404 where it is gone. */
export async function sendFile(
  reply: FastifyReply,
  { path, name }: { readonly path: string; readonly name: string },
): Promise<FastifyReply> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw fileGone();
  const plain = name.replaceAll(/[^\w.-]+/gu, "_");
  return await reply
    .header("content-type", "application/octet-stream")
    .header("content-length", found.size)
    .header(
      "content-disposition",
      `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    .send(createReadStream(path));
}

/** The answer for a file that is not there. */
export const fileGone = (): RequestError =>
  new RequestError(404, "E_FILE_GONE", {
    tr: "Bu dosya artık yok; yeniden oluşturun.",
    en: "This file is gone; make it again.",
  });
