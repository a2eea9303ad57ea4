/** Serves the built page: its files, and `index.html` for the addresses of its steps. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

import { RequestError } from "./site.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Adds the files of the folder; names below `assets` hold a hash and never change. */
export async function addPageFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    cacheControl: false,
    setHeaders(response, path) {
      const isAsset = path.startsWith(join(folder, "assets"));
      response.header(
        "cache-control",
        isAsset ? `public, max-age=${YEAR_SECONDS}, immutable` : "no-cache",
      );
    },
  });
  const page = await readFile(join(folder, "index.html"), "utf8");
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = request.method === "GET" && !/^\/(?:api|assets)(?:\/|$)/u.test(request.url);
    if (!isPage) throw notFound();
    await reply.header("cache-control", "no-cache").type("text/html; charset=utf-8").send(page);
  });
}

const notFound = (): RequestError =>
  new RequestError(404, "E_NOT_FOUND", {
    tr: "Burada bir şey yok. Sayfayı yenileyin.",
    en: "There is nothing here. Reload the page.",
  });
