/** The routes of drafts. */

import { endianness } from "node:os";

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import {
  addColumnBody,
  columnsBody,
  editBody,
  excludeBody,
  MAX_ROWS_READ,
  nameBody,
  planBody,
  readingBody,
  replaceBody,
  versionBody,
} from "../../api/drafts.ts";
import { requestLang } from "../access/request-lang.ts";
import { notUnderstood, parseInput } from "../parse-input.ts";
import { fileGone, sendFile } from "../work/made-files.ts";
import { rowsOfFile } from "./draft-files.ts";
import type { Drafts } from "./drafts.ts";

/** Room for the cells that one request may change, which are short but for descriptions. */
const EDIT_BYTES = 32 * 1024 * 1024;

const paramsSchema = z.object({ id: z.string().min(1).max(100) });

const filterSchema = z.object({
  show: z.enum(["errors", "warnings", "edited", "excluded"]).optional(),
  code: z.string().max(100).optional(),
  text: z.string().max(1_000).optional(),
  sort: z.coerce.number().int().nonnegative().max(16_383).optional(),
  direction: z.enum(["up", "down"]).default("up"),
});

const rowsSchema = z.object({ n: z.string().max(MAX_ROWS_READ * 8) });

const lookupSchema = z.object({
  column: z.coerce.number().int().nonnegative().optional(),
  row: z.coerce.number().int().positive().optional(),
  field: z.string().max(200).optional(),
  text: z.string().max(1_000).default(""),
});

const idOf = (request: FastifyRequest): string => parseInput(paramsSchema, request.params).id;

export function addDraftRoutes(app: FastifyInstance, drafts: Drafts): void {
  addDraftListRoutes(app, drafts);
  addRowRoutes(app, drafts);
  addChangeRoutes(app, drafts);
  addNameRoutes(app, drafts);
}

function addDraftListRoutes(app: FastifyInstance, drafts: Drafts): void {
  app.get("/drafts", (request) => drafts.list(requestLang(request)));
  app.get("/drafts/:id", (request) => drafts.view(idOf(request), requestLang(request)));
  app.delete("/drafts/:id", async (request, reply) => {
    await drafts.remove(idOf(request));
    await reply.status(204).send();
  });
  app.patch("/drafts/:id/reading", (request) =>
    drafts.setReading(idOf(request), parseInput(readingBody, request.body), requestLang(request)),
  );
  app.put("/drafts/:id/columns", (request) =>
    drafts.setColumns(idOf(request), parseInput(columnsBody, request.body), requestLang(request)),
  );
  app.post("/drafts/:id/plan", async (request, reply) => {
    const body = parseInput(planBody, request.body);
    await reply.status(202).send(await drafts.plan(idOf(request), body, requestLang(request)));
  });
}

const fileSchema = paramsSchema.extend({ name: z.string().max(100) });

function addRowRoutes(app: FastifyInstance, drafts: Drafts): void {
  app.get("/drafts/:id/files/:name", async (request, reply) => {
    const { id, name } = parseInput(fileSchema, request.params);
    const rows = rowsOfFile(name);
    if (rows === undefined) throw fileGone();
    return await sendFile(reply, await drafts.writeFile(id, rows, requestLang(request)));
  });
  app.get("/drafts/:id/order", async (request, reply) => {
    const { sort: column, direction, ...filter } = parseInput(filterSchema, request.query);
    const sort = column === undefined ? undefined : { column, isDescending: direction === "down" };
    const numbers = await drafts.order(idOf(request), { ...filter, sort });
    return await sendNumbers(reply, numbers);
  });
  app.get("/drafts/:id/rows", (request) =>
    drafts.rows(idOf(request), readNumbers(request), requestLang(request)),
  );
}

/** Sends 32-bit numbers, the lowest byte first. */
async function sendNumbers(reply: FastifyReply, numbers: Uint32Array): Promise<FastifyReply> {
  const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const ordered = endianness() === "LE" ? bytes : Buffer.from(bytes).swap32();
  return await reply.type("application/octet-stream").send(ordered);
}

function readNumbers(request: FastifyRequest): readonly number[] {
  const { n } = parseInput(rowsSchema, request.query);
  const numbers = n.split(",").map(Number);
  const isSound = numbers.every((number) => Number.isInteger(number) && number > 0);
  if (!isSound || numbers.length > MAX_ROWS_READ) throw notUnderstood();
  return numbers;
}

function addChangeRoutes(app: FastifyInstance, drafts: Drafts): void {
  app.post("/drafts/:id/edits", { bodyLimit: EDIT_BYTES }, (request) =>
    drafts.edit(idOf(request), parseInput(editBody, request.body), requestLang(request)),
  );
  app.post("/drafts/:id/columns", (request) =>
    drafts.addColumn(idOf(request), parseInput(addColumnBody, request.body), requestLang(request)),
  );
  app.post("/drafts/:id/undo", (request) => {
    const { version } = parseInput(versionBody, request.body);
    return drafts.undo(idOf(request), version, requestLang(request));
  });
  app.post("/drafts/:id/redo", (request) => {
    const { version } = parseInput(versionBody, request.body);
    return drafts.redo(idOf(request), version, requestLang(request));
  });
  app.post("/drafts/:id/exclude", (request) =>
    drafts.exclude(idOf(request), parseInput(excludeBody, request.body), requestLang(request)),
  );
  app.post("/drafts/:id/replace", (request) =>
    drafts.replace(idOf(request), parseInput(replaceBody, request.body), requestLang(request)),
  );
}

function addNameRoutes(app: FastifyInstance, drafts: Drafts): void {
  app.get("/drafts/:id/names", (request) => drafts.names(idOf(request), requestLang(request)));
  app.post("/drafts/:id/names", (request) =>
    drafts.answerName(idOf(request), parseInput(nameBody, request.body), requestLang(request)),
  );
  app.get("/drafts/:id/lookup", (request) =>
    drafts.lookup(idOf(request), parseInput(lookupSchema, request.query), requestLang(request)),
  );
}
