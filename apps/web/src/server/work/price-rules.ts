/** Routes of the price rules and costs of the store: their sheets, and a try on a file. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import type { Connection } from "@catalog/connection";
import { formatMinor, type Lang } from "@catalog/i18n";
import {
  createFeedFetch,
  exportPriceRules,
  importCosts,
  importPriceRules,
  readPriceRules,
  type TriedRow,
  tryRules,
} from "@catalog/importer";
import { describeRule, nameRule } from "@catalog/pricing";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";

import type { PriceRulesView, RulesView, TriedRulesView } from "../../api/work.ts";
import { makeFileFolder, receiveFile, sendFile } from "../files.ts";
import { needs } from "../needs.ts";
import { parseInput, RequestError, requestLang, type Site } from "../site.ts";
import { readFileName } from "../uploads.ts";

/** Reads the rules in the words of a language. */
export async function readPriceRulesView(
  connection: Connection,
  lang: Lang,
): Promise<PriceRulesView> {
  const { version, rules, costs, isShared } = await readPriceRules(connection);
  return {
    version,
    isShared,
    costs: costs.size,
    rules: rules.map((rule) => {
      const { products, does } = describeRule(rule);
      return { name: nameRule(rule), products: products[lang], does: does[lang] };
    }),
  };
}

/** The version that the person has seen; rules that were changed since are not removed. */
const removeBody = z.strictObject({ version: z.int() });

const rulesChanged = (): RequestError =>
  new RequestError(409, "E_RULES_CHANGED", {
    tr: "Fiyat kuralları bu arada değişti; hiçbiri kaldırılmadı. Sayfayı yenileyip yeni kurallara bakın.",
    en: "The price rules have changed meanwhile; none was removed. Reload the page and look at the new ones.",
  });

interface UploadedFile {
  readonly path: string;
  /** The person's own name for it. */
  readonly name: string;
}

const SHEET_BYTES = 20 * 1024 * 1024;
const TRIED_BYTES = 200 * 1024 * 1024;
const SHOWN_ROWS = 20;

const NAMES: Readonly<Record<Lang, string>> = {
  tr: "fiyat-kurallari.xlsx",
  en: "price-rules.xlsx",
};

/** Adds the routes; `view` is all that is remembered after a change. */
export function addPriceRules(
  app: FastifyInstance,
  site: Site,
  view: (request: FastifyRequest) => Promise<RulesView>,
): void {
  const folder = join(site.folder, "files");
  /** Works with an uploaded file, which is deleted afterwards. */
  const upload = async <Result>(
    request: FastifyRequest,
    maxBytes: number,
    work: (connection: Connection, file: UploadedFile) => Promise<Result>,
  ): Promise<Result> => {
    const name = readFileName(request.headers["x-file-name"], "rules.csv");
    const body = parseInput(z.instanceof(Readable), request.body);
    const { path } = await receiveFile(body, { folder, name, maxBytes });
    try {
      return await work(await site.store.connection(), { path, name });
    } finally {
      await rm(path, { force: true });
    }
  };
  // The parser of uploads hands the body on unread; its length is counted while it is written.
  const unread = { bodyLimit: Number.MAX_SAFE_INTEGER };
  app.get("/rules/prices/file", needs("viewer"), async (request, reply) => {
    const { path } = makeFileFolder(folder);
    const lang = requestLang(request);
    const file = join(path, NAMES[lang]);
    const { rules } = await readPriceRules(await site.store.connection());
    await exportPriceRules(rules, { path: file, lang });
    return await sendFile(reply, { path: file, name: NAMES[lang] });
  });
  app.post("/rules/prices/file", { ...needs("approver"), ...unread }, async (request) => {
    await upload(request, SHEET_BYTES, ({ memory }, { path }) =>
      importPriceRules(memory, { path }),
    );
    return await view(request);
  });
  app.post("/rules/costs/file", { ...needs("approver"), ...unread }, async (request) => {
    await upload(request, SHEET_BYTES, ({ memory }, { path }) => importCosts(memory, { path }));
    return await view(request);
  });
  app.post("/rules/prices/remove", needs("approver"), async (request) => {
    const { version } = parseInput(removeBody, request.body);
    const { prices } = (await site.store.connection()).memory;
    if ((await prices.readRules()).version !== version) throw rulesChanged();
    await prices.saveRules([]);
    return await view(request);
  });
  app.post(
    "/rules/prices/try",
    { ...needs("editor"), ...unread },
    async (request): Promise<TriedRulesView> => {
      const lang = requestLang(request);
      const { rows, notes, ...counts } = await upload(
        request,
        TRIED_BYTES,
        (connection, { path, name }) => {
          const fetch = createFeedFetch({ clock: connection.clock, allowHosts: [] });
          return tryRules(connection, { feed: path, name, fetch, max: SHOWN_ROWS });
        },
      );
      const { total, ruled, belowCost, left } = counts;
      return {
        total,
        ruled,
        belowCost,
        left,
        notes: notes.map((note) => note[lang]),
        rows: rows.map((row) => toView(row, lang)),
      };
    },
  );
}

function toView(
  { row, code, before, after, rules, isHeld }: TriedRow,
  lang: Lang,
): TriedRulesView["rows"][number] {
  const write = ({ price, stock }: TriedRow["before"]): string =>
    [
      ...(price === undefined ? [] : [formatMinor(price, lang)]),
      ...(stock === undefined ? [] : [STOCK[lang](stock)]),
    ].join(" · ");
  return {
    row,
    code: code ?? "",
    before: write(before),
    after: write(after),
    rules: rules.map((text) => text[lang]),
    isHeld,
  };
}

const STOCK: Readonly<Record<Lang, (stock: number) => string>> = {
  tr: (stock) => `stok ${stock}`,
  en: (stock) => `stock ${stock}`,
};
