/** Routes of the other work: exports, rules, templates, settings. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import type { Lang } from "@catalog/i18n";
import {
  addRules,
  exportRules,
  forgetReadings,
  importRules,
  removeDefaultValue,
  removeRule,
} from "@catalog/importer";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

import {
  exportBody,
  forgetBody,
  type MadeFile,
  removeDefaultBody,
  removeRuleBody,
  ruleBody,
  templateBody,
} from "../../api/work.ts";
import { requestLang } from "../access/request-lang.ts";
import { toProblem, toRefusal } from "../commands/command-document.ts";
import { findCategories } from "../drafts/find-values.ts";
import { parseInput } from "../parse-input.ts";
import type { AddRoutes, Site } from "../site.ts";
import { readFileName } from "../uploads/file-name.ts";
import { receiveFile } from "../uploads/receive-file.ts";
import { listExportKinds } from "./export-kinds.ts";
import { createExportList } from "./export-list.ts";
import { makeFileFolder, sendFile } from "./made-files.ts";
import { readRulesView } from "./rules.ts";
import { addSettings } from "./settings-routes.ts";

/** Adds the routes. */
export const addWorkRoutes: AddRoutes = (app, site) => {
  addExports(app, site);
  addRuleRoutes(app, site);
  addTemplates(app, site);
  addSettings(app, site);
};

interface ExportPath {
  readonly Params: { readonly export: string };
}

function addExports(app: FastifyInstance, site: Site): void {
  const exports = createExportList(site);
  app.get("/exports/kinds", async (request) => listExportKinds(requestLang(request)));
  app.get("/exports", async (request) => exports.list(requestLang(request)));
  app.post("/exports", async (request, reply) => {
    const body = parseInput(exportBody, request.body);
    return await reply.code(202).send(exports.start(body, requestLang(request)));
  });
  app.delete<ExportPath>("/exports/:export", async (request, reply) => {
    exports.remove(request.params.export);
    return await reply.code(204).send();
  });
  app.get<ExportPath>("/exports/:export/file", async (request, reply) => {
    const found = exports.find(request.params.export);
    return await sendFile(reply, found ?? { path: "", name: "" });
  });
}

function addRuleRoutes(app: FastifyInstance, site: Site): void {
  const open = async () => await site.store.connection();
  app.get("/rules", async (request) => readRulesView(await open(), requestLang(request)));
  app.post("/rules", async (request) => {
    const connection = await open();
    await addRules(connection.memory, [parseInput(ruleBody, request.body)]);
    return await readRulesView(connection, requestLang(request));
  });
  app.post("/rules/remove", async (request) => {
    const connection = await open();
    await removeRule(connection.memory, parseInput(removeRuleBody, request.body));
    return await readRulesView(connection, requestLang(request));
  });
  app.post("/rules/forget", async (request) => {
    const connection = await open();
    await forgetReadings(connection, parseInput(forgetBody, request.body).id);
    return await readRulesView(connection, requestLang(request));
  });
  app.post("/rules/default/remove", async (request) => {
    const connection = await open();
    const { id } = parseInput(removeDefaultBody, request.body);
    await removeDefaultValue(connection.memory.profiles, id);
    return await readRulesView(connection, requestLang(request));
  });
  app.get("/rules/file", async (request, reply) => {
    const { path } = makeFileFolder(join(site.folder, "files"));
    const lang = requestLang(request);
    const name = lang === "tr" ? "kurallar.xlsx" : "rules.xlsx";
    const file = join(path, name);
    await exportRules((await open()).memory, { path: file, lang });
    return await sendFile(reply, { path: file, name });
  });
  // The parser of uploads hands the body on unread; its length is counted while it is written.
  app.post("/rules/file", { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request) => {
    const connection = await open();
    const name = readFileName(request.headers["x-file-name"], "rules.csv");
    const folder = join(site.folder, "files");
    const body = parseInput(z.instanceof(Readable), request.body);
    const { path } = await receiveFile(body, { folder, name, maxBytes: RULE_FILE_BYTES });
    try {
      await importRules(connection.memory, { path });
    } finally {
      await rm(path, { force: true });
    }
    return await readRulesView(connection, requestLang(request));
  });
}

const RULE_FILE_BYTES = 20 * 1024 * 1024;

interface FilePath {
  readonly Params: { readonly file: string; readonly name: string };
}

const TEMPLATE_NAMES: Readonly<Record<"products" | "stock-price", Readonly<Record<Lang, string>>>> =
  {
    products: { tr: "urun-sablonu.xlsx", en: "product-template.xlsx" },
    "stock-price": { tr: "stok-fiyat.xlsx", en: "stock-price.xlsx" },
  };

const lookupSchema = z.object({ text: z.string().max(1_000).default("") });

function addTemplates(app: FastifyInstance, site: Site): void {
  const root = join(site.folder, "files");
  app.post("/templates", async (request): Promise<MadeFile> => {
    const { kind, categories } = parseInput(templateBody, request.body);
    const lang = requestLang(request);
    const { id, path } = makeFileFolder(root);
    const name = TEMPLATE_NAMES[kind][lang];
    const words = ["template", `--kind=${kind}`, `--out=${join(path, name)}`, `--lang=${lang}`];
    const chosen = categories.map((category) => `--category=${category}`);
    const ended = await site.startCommand([...words, ...chosen]).ended;
    const problem = toProblem(ended, lang);
    if (problem === null) return { id, name };
    throw toRefusal(problem, 400);
  });
  app.get("/lookup/categories", async (request) => {
    const { text } = parseInput(lookupSchema, request.query);
    return await findCategories(await site.store.connection(), text);
  });
  app.get<FilePath>("/files/:file/:name", async (request, reply) => {
    const name = Object.values(TEMPLATE_NAMES)
      .flatMap((names) => Object.values(names))
      .find((known) => known === request.params.name);
    const folder = join(root, request.params.file);
    return await sendFile(reply, { path: join(folder, name ?? ""), name: name ?? "" });
  });
}
