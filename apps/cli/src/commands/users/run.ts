/** Runs `catalog users`. A password is never a flag, and never printed. */

import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { formatDateTime, isFileError, type Lang } from "@catalog/i18n";
import {
  assertStrongPassword,
  createRecordCheck,
  type Membership,
  type Person,
  type RecordCheck,
  type Role,
  ROLES,
  type Team,
} from "@catalog/team";

import type { CommandContext } from "../../context.ts";
import { openTeamOf, TERMINAL } from "../../open-team.ts";
import { findUsableConfig } from "../../settings/config-trust.ts";
import { NO_ROLE, type UsersParts } from "./index.ts";
import { ROLE_NAMES, USERS_TEXTS, USES } from "./texts.ts";

interface Request extends UsersParts {
  readonly context: CommandContext;
  readonly team: Team;
  readonly flags: Flags;
}

type Action = (request: Request) => Promise<number>;

/** Returns the exit code. */
export async function runUsersCommand(
  context: CommandContext,
  parts: UsersParts,
  flags: Flags,
): Promise<number> {
  const action = ACTIONS[String(flags["action"])];
  if (action === undefined) throw new UsageError(USES.action);
  const { env } = parts;
  const { config } = await findUsableConfig({ ...parts.configLocations, ...parts });
  const session = { ...context, command: "catalog users" };
  await using team = await openTeamOf({ env, config }, session);
  return await action({ ...parts, context, team, flags });
}

const ACTIONS: Readonly<Record<string, Action>> = {
  add: addPerson,
  list: listPeople,
  role: setRole,
  password: setPassword,
  sessions: showSessions,
  audit: exportAudit,
  remove: (request) => setActive(request, false),
  restore: (request) => setActive(request, true),
};

async function addPerson(request: Request): Promise<number> {
  const { team, flags, context } = request;
  const login = readLogin(flags);
  const name = readFlag.text(flags, "name") ?? login;
  const role = readNewRole(flags);
  const store = await readStore(request);
  const isLead = flags["admin"] === true;
  if (isLead && (role !== undefined || store !== null)) throw new UsageError(USES.adminOnly);
  if (!isLead && role === undefined) throw new UsageError(USES.noRole);
  const password = await readPassword(request);
  if (password === GIVEN_UP) return giveUp(context);
  // Nobody is added whose password is refused.
  if (password !== undefined) assertStrongPassword(password, { login, name });
  const person = await team.people.add({ login, name }, TERMINAL);
  await team.people.setRole(
    { person: person.id, store },
    isLead ? "administrator" : role,
    TERMINAL,
  );
  const link = await setOrInvite(request, person, password);
  return await show(request, { action: "add", person, link });
}

/** Writes the whole record, the oldest entry first, to a new file that only its owner may read. */
async function exportAudit({ team, flags, context }: Request): Promise<number> {
  const out = readFlag.text(flags, "out");
  if (out === undefined || readFlag.text(flags, "login") !== undefined) {
    throw new UsageError(USES.audit);
  }
  const file = context.resolve(out);
  const check = createRecordCheck();
  try {
    await pipeline(
      Readable.from(readRecord(team, check)),
      createWriteStream(file, { mode: 0o600, flags: "wx" }),
    );
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(USES.auditFile(file), { cause: error });
  }
  const { seq: entries, hash } = check.end;
  const exit = EXIT.done;
  const { terminal, json, lang } = context;
  if (json) {
    printJson(terminal, { command: "users", action: "audit", file, entries, hash, exit });
  } else terminal.out(`${USERS_TEXTS[lang].exported({ file, entries, hash })}\n`);
  return exit;
}

const BATCH = 1_000;

async function* readRecord({ audit }: Team, check: RecordCheck): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const records = await audit.list({ after, limit: BATCH });
    for (const record of records) {
      // What does not follow is written all the same, as it is the evidence.
      check.take(record);
      yield `${JSON.stringify(record)}\n`;
    }
    if (records.length < BATCH) return;
    after = records.at(-1)?.seq ?? after;
  }
}

async function setPassword(request: Request): Promise<number> {
  const person = await findPerson(request);
  const password = await readPassword(request);
  if (password === GIVEN_UP) return giveUp(request.context);
  const link = await setOrInvite(request, person, password);
  return await show(request, { action: "password", person, link });
}

/** Sets the password, or returns the link of an invitation. */
async function setOrInvite(
  { team, flags }: Request,
  { id }: Person,
  password: string | undefined,
): Promise<string | undefined> {
  if (password !== undefined) {
    await team.people.setPassword(id, password, TERMINAL);
    return undefined;
  }
  const path = `/#i=${await team.invitations.create(id, TERMINAL)}`;
  const url = readFlag.text(flags, "url");
  return url === undefined ? path : new URL(path, url).href;
}

async function setRole(request: Request): Promise<number> {
  const { team, flags } = request;
  const typed = readFlag.text(flags, "newRole");
  if (typed === undefined) throw new UsageError(USES.noRole);
  const person = await findPerson(request);
  const role = typed === NO_ROLE ? undefined : toRole(typed);
  await team.people.setRole({ person: person.id, store: await readStore(request) }, role, TERMINAL);
  return await show(request, { action: "role", person });
}

async function setActive(request: Request, isActive: boolean): Promise<number> {
  const { id } = await findPerson(request);
  await request.team.people.setActive(id, isActive, TERMINAL);
  const person = await findPerson(request);
  return await show(request, { action: isActive ? "restore" : "remove", person });
}

async function listPeople(request: Request): Promise<number> {
  const { team, context } = request;
  const { terminal, json, lang } = context;
  const people = await team.people.list();
  const describe = await createDescriber(team);
  const exit = EXIT.done;
  if (json) {
    const documents = people.map((person) => describe.toDocument(person));
    printJson(terminal, { command: "users", action: "list", people: documents, exit });
  } else if (people.length === 0) terminal.out(`${USERS_TEXTS[lang].nobody}\n`);
  else for (const person of people) terminal.out(`${describe.toLine(person, lang)}\n`);
  return exit;
}

async function showSessions(request: Request): Promise<number> {
  const { team, flags, context } = request;
  const { terminal, json, lang } = context;
  const person = await findPerson(request);
  const open = await team.sessions.list(person.id);
  const which = readFlag.text(flags, "end");
  const ended = open.filter(({ id }) => which === "all" || which === String(id));
  if (which !== undefined && which !== "all" && ended.length === 0) {
    throw new UsageError(USES.noSession(which));
  }
  for (const { id } of ended) await team.sessions.end(id, TERMINAL);
  const left = open.filter((session) => !ended.includes(session));
  const exit = EXIT.done;
  if (json) {
    const sessions = left.map(({ id, address, browser, createdAtMs, seenAtMs }) => ({
      id,
      address,
      browser,
      created_at: new Date(createdAtMs).toISOString(),
      seen_at: new Date(seenAtMs).toISOString(),
    }));
    const document = { login: person.login, ended: ended.map(({ id }) => id), sessions };
    printJson(terminal, { command: "users", action: "sessions", ...document, exit });
    return exit;
  }
  const texts = USERS_TEXTS[lang];
  if (ended.length > 0) terminal.out(`${texts.ended(ended.length)}\n`);
  if (left.length === 0) terminal.out(`${texts.noSessions(person.login)}\n`);
  for (const { id, address, browser, seenAtMs } of left) {
    const seen = formatDateTime(seenAtMs, lang, { dateStyle: "short", timeStyle: "short" });
    terminal.out(`${id}  ${texts.seen(seen)}  ${address}  ${browser}\n`);
  }
  return exit;
}

interface Done {
  readonly action: "add" | "password" | "role" | "remove" | "restore";
  readonly person: Person;
  /** Link of an invitation, which is printed once. */
  readonly link?: string | undefined;
}

async function show({ team, context }: Request, { action, person, link }: Done): Promise<number> {
  const { terminal, json, lang } = context;
  const describe = await createDescriber(team);
  const exit = EXIT.done;
  if (json) {
    const document = { person: describe.toDocument(person), invitation: link ?? null };
    printJson(terminal, { command: "users", action, ...document, exit });
    return exit;
  }
  const texts = USERS_TEXTS[lang];
  terminal.out(`${texts.done[action]}\n${describe.toLine(person, lang)}\n`);
  if (link !== undefined) {
    terminal.out(`${texts.invitation}\n${link}\n`);
    if (link.startsWith("/")) terminal.err(`${texts.withoutUrl}\n`);
  }
  return exit;
}

interface Describer {
  readonly toDocument: (person: Person) => object;
  readonly toLine: (person: Person, lang: Lang) => string;
}

async function createDescriber({ people, stores }: Team): Promise<Describer> {
  const memberships = await people.memberships();
  const names = new Map((await stores.list()).map(({ id, name }) => [id, name] as const));
  const nameOf = ({ store }: Membership): string | null =>
    store === null ? null : (names.get(store) ?? String(store));
  const rolesOf = ({ id }: Person): readonly Membership[] =>
    memberships.filter(({ person }) => person === id);
  return {
    toDocument: (person) => ({
      id: person.id,
      login: person.login,
      name: person.name,
      active: person.isActive,
      roles: rolesOf(person).map((member) => ({ store: nameOf(member), role: member.role })),
    }),
    toLine(person, lang) {
      const texts = USERS_TEXTS[lang];
      const roles = rolesOf(person).map(
        (member) => `${nameOf(member) ?? texts.allStores}: ${ROLE_NAMES[lang][member.role]}`,
      );
      const shown = roles.length === 0 ? texts.noRoles : roles.join(", ");
      const state = person.isActive ? "" : `  (${texts.removed})`;
      return `${person.login}  ${person.name}  ${shown}${state}`;
    },
  };
}

function giveUp({ terminal, lang }: CommandContext): number {
  terminal.err(`${USERS_TEXTS[lang].givenUp}\n`);
  return EXIT.interrupted;
}

function readLogin(flags: Flags): string {
  const login = readFlag.text(flags, "login");
  if (login === undefined) throw new UsageError(USES.noLogin(String(flags["action"])));
  return login;
}

async function findPerson({ team, flags }: Request): Promise<Person> {
  const login = readLogin(flags);
  const found = await team.people.find(login);
  if (found === undefined) throw new UsageError(USES.unknownPerson(login));
  return found;
}

/** The store of `--store`; `null` for all. */
async function readStore({ team, flags }: Request): Promise<number | null> {
  const name = readFlag.text(flags, "store");
  if (name === undefined) return null;
  const found = await team.stores.find(name);
  if (found === undefined) throw new UsageError(USES.unknownStore(name));
  return found.id;
}

function readNewRole(flags: Flags): Role | undefined {
  const text = readFlag.text(flags, "role");
  return text === undefined ? undefined : toRole(text);
}

function toRole(text: string): Role {
  const role = ROLES.find((each) => each === text);
  if (role === undefined) throw new UsageError(USES.unknownRole(text));
  return role;
}

/** The person has cancelled a question. */
const GIVEN_UP = Symbol("given up");

/** A password of the terminal or the standard input; `undefined` where the person is to be invited. */
async function readPassword({
  context: { terminal, lang },
  flags,
  prompts,
  readInput,
}: Request): Promise<string | typeof GIVEN_UP | undefined> {
  if (flags["password-stdin"] === true) {
    const input = await readInput();
    // A terminal would show the typed password.
    if (input === undefined) throw new UsageError(USES.passwordFromTerminal);
    return input.replace(/\r?\n$/u, "");
  }
  if (flags["ask"] !== true) return undefined;
  if (!terminal.canAsk) throw new UsageError(USES.needsTerminal);
  const texts = USERS_TEXTS[lang];
  const password = await prompts.askSecret(texts.password);
  if (password === undefined) return GIVEN_UP;
  const again = await prompts.askSecret(texts.passwordAgain);
  if (again === undefined) return GIVEN_UP;
  if (again !== password) throw new UsageError(USES.different);
  return password;
}
