/** The audit of the server or of one store, as pages and as a file. */

import { Readable } from "node:stream";

import type { AuditRecord, Team } from "@catalog/team";
import type { FastifyInstance } from "fastify";

import { type AuditPage, auditQuery, type AuditView } from "../../api/team.ts";
import { needs } from "../needs.ts";
import { parseInput } from "../site.ts";

interface AuditRoutes {
  readonly team: Team;
  /** Id of the store; `null` for all of the server. */
  readonly store: number | null;
}

const PAGE = 100;
const BATCH = 1_000;

export function addAuditRoutes(app: FastifyInstance, { team, store }: AuditRoutes): void {
  const of = store === null ? {} : { store };
  app.get("/audit", needs("administrator"), async (request): Promise<AuditPage> => {
    const { before } = parseInput(auditQuery, request.query);
    const records = await team.audit.list({ ...of, before, limit: PAGE });
    const last = records.length < PAGE ? undefined : records.at(-1);
    return { entries: await toViews(team, records), before: last?.seq ?? null };
  });
  app.get("/audit/file", needs("administrator"), async (_request, reply) => {
    return await reply
      .type("application/octet-stream")
      .header("content-disposition", 'attachment; filename="audit.jsonl"')
      .send(Readable.from(readLines(team, of)));
  });
}

async function* readLines(
  { audit }: Pick<Team, "audit">,
  of: { readonly store?: number },
): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const records = await audit.list({ ...of, after, limit: BATCH });
    for (const record of records) yield `${JSON.stringify(record)}\n`;
    if (records.length < BATCH) return;
    after = records.at(-1)?.seq ?? after;
  }
}

type Names = ReadonlyMap<number, string>;

const nameOf = (names: Names, id: number | null): string | null =>
  id === null ? null : (names.get(id) ?? String(id));

/** Puts names in the place of ids; a person and a store keep theirs when they are gone. */
async function toViews(
  { people, stores, keys }: Team,
  records: readonly AuditRecord[],
): Promise<readonly AuditView[]> {
  const persons = new Map((await people.list()).map(({ id, name }) => [id, name]));
  const known = await stores.list();
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const ofStores = new Set(
    records.flatMap(
      ({ actor, action, store }) =>
        (actor.key !== null || IS_OF_KEY.test(action) ? store : null) ?? [],
    ),
  );
  const keyNames = new Map<number, string>();
  for (const id of ofStores) {
    for (const key of await keys.list(id)) keyNames.set(key.id, key.name);
  }
  return records.map(({ seq, atMs, actor, action, store, subject, before, after }) => ({
    seq,
    at: new Date(atMs).toISOString(),
    person: nameOf(persons, actor.person),
    key: nameOf(keyNames, actor.key),
    address: actor.address,
    action,
    store: nameOf(names, store),
    subject: nameSubject({ action, subject }, { persons, keyNames }),
    before,
    after,
  }));
}

const IS_OF_PERSON = /^(?:invitation|password|person|role)\./u;
const IS_OF_KEY = /^key\./u;

interface SubjectNames {
  readonly persons: ReadonlyMap<number, string>;
  readonly keyNames: ReadonlyMap<number, string>;
}

/** Puts a name in the place of an id that nobody knows; a store is named beside it anyway. */
function nameSubject(
  { action, subject }: Pick<AuditRecord, "action" | "subject">,
  { persons, keyNames }: SubjectNames,
): string | null {
  // The id of a store, which is named beside it.
  if (subject === null || action === "four-eyes.set") return null;
  if (IS_OF_PERSON.test(action)) return persons.get(Number(subject)) ?? subject;
  return IS_OF_KEY.test(action) ? (keyNames.get(Number(subject)) ?? subject) : subject;
}
