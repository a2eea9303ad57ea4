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
import { fileGone, sendFile } from "../files.ts";
import { notUnderstood, parseInput, requestLang } from "../requests.ts";
import { type Drafts, rowsOfFile } from "./drafts.ts";

/** Room for the cells that one request may change, which are short but for descriptions. */
const EDIT_BYTES = 32 * 1024 * 1024;

interface DraftPath {
  readonly Params: { readonly draft: string };
}

interface DraftFilePath {
  readonly Params: { readonly draft: string; readonly name: string };
}

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

export function addDraftRoutes(app: FastifyInstance, drafts: Drafts): void {
  addDraftListRoutes(app, drafts);
  addRowRoutes(app, drafts);
  addChangeRoutes(app, drafts);
  addNameRoutes(app, drafts);
}

function addDraftListRoutes(app: FastifyInstance, drafts: Drafts): void {
  app.get("/drafts", (request) => drafts.list(requestLang(request)));
  app.get<DraftPath>("/drafts/:draft", (request) =>
    drafts.view(request.params.draft, requestLang(request)),
  );
  app.delete<DraftPath>("/drafts/:draft", async (request, reply) => {
    await drafts.remove(request.params.draft);
    await reply.status(204).send();
  });
  app.patch<DraftPath>("/drafts/:draft/reading", (request) =>
    drafts.setReading(
      request.params.draft,
      parseInput(readingBody, request.body),
      requestLang(request),
    ),
  );
  app.put<DraftPath>("/drafts/:draft/columns", (request) =>
    drafts.setColumns(
      request.params.draft,
      parseInput(columnsBody, request.body),
      requestLang(request),
    ),
  );
  app.post<DraftPath>("/drafts/:draft/plan", async (request, reply) => {
    const body = parseInput(planBody, request.body);
    await reply
      .status(202)
      .send(await drafts.plan(request.params.draft, body, requestLang(request)));
  });
}

function addRowRoutes(app: FastifyInstance, drafts: Drafts): void {
  app.get<DraftFilePath>("/drafts/:draft/files/:name", async (request, reply) => {
    const { draft: id, name } = request.params;
    const rows = rowsOfFile(name);
    if (rows === undefined) throw fileGone();
    return await sendFile(reply, await drafts.writeFile(id, rows, requestLang(request)));
  });
  app.get<DraftPath>("/drafts/:draft/order", async (request, reply) => {
    const { sort: column, direction, ...filter } = parseInput(filterSchema, request.query);
    const sort = column === undefined ? undefined : { column, isDescending: direction === "down" };
    const numbers = await drafts.order(request.params.draft, { ...filter, sort });
    return await sendNumbers(reply, numbers);
  });
  app.get<DraftPath>("/drafts/:draft/rows", (request) =>
    drafts.rows(request.params.draft, readNumbers(request), requestLang(request)),
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
  app.post<DraftPath>("/drafts/:draft/edits", { bodyLimit: EDIT_BYTES }, (request) =>
    drafts.edit(request.params.draft, parseInput(editBody, request.body), requestLang(request)),
  );
  app.post<DraftPath>("/drafts/:draft/columns", (request) =>
    drafts.addColumn(
      request.params.draft,
      parseInput(addColumnBody, request.body),
      requestLang(request),
    ),
  );
  app.post<DraftPath>("/drafts/:draft/undo", (request) => {
    const { version } = parseInput(versionBody, request.body);
    return drafts.undo(request.params.draft, version, requestLang(request));
  });
  app.post<DraftPath>("/drafts/:draft/redo", (request) => {
    const { version } = parseInput(versionBody, request.body);
    return drafts.redo(request.params.draft, version, requestLang(request));
  });
  app.post<DraftPath>("/drafts/:draft/exclude", (request) =>
    drafts.exclude(
      request.params.draft,
      parseInput(excludeBody, request.body),
      requestLang(request),
    ),
  );
  app.post<DraftPath>("/drafts/:draft/replace", (request) =>
    drafts.replace(
      request.params.draft,
      parseInput(replaceBody, request.body),
      requestLang(request),
    ),
  );
}

function addNameRoutes(app: FastifyInstance, drafts: Drafts): void {
  app.get<DraftPath>("/drafts/:draft/names", (request) =>
    drafts.names(request.params.draft, requestLang(request)),
  );
  app.post<DraftPath>("/drafts/:draft/names", (request) =>
    drafts.answerName(
      request.params.draft,
      parseInput(nameBody, request.body),
      requestLang(request),
    ),
  );
  app.get<DraftPath>("/drafts/:draft/lookup", (request) =>
    drafts.lookup(
      request.params.draft,
      parseInput(lookupSchema, request.query),
      requestLang(request),
    ),
  );
}
