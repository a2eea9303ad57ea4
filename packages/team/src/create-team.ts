/** The rules of a team: what ends when, what is refused, and what is written of it. */

import type { Clock } from "@catalog/clock";

import { parseEntry } from "./chain.ts";
import { isLogin, isPersonName, toLogin } from "./logins.ts";
import { assertStrongPassword, createPasswordHasher } from "./passwords.ts";
import type { SealedStore, TeamRecords } from "./records.ts";
import { type Role, ROLES } from "./roles.ts";
import { createSecret, hashSecret } from "./secrets.ts";
import { createSessions } from "./sessions.ts";
import { TeamError } from "./team-error.ts";
import type { TeamParts } from "./team-parts.ts";
import type {
  ApiKeys,
  Comments,
  Invitations,
  InvitationState,
  People,
  Person,
  SharedFiles,
  Stores,
  Team,
  TeamStore,
} from "./team.ts";
import { createVault, type SecretKey } from "./vault.ts";

const HOUR_MS = 3_600_000;
const INVITATION_MS = 72 * HOUR_MS;
/** The use of a key is noted once in this time. */
const TOUCH_MS = 60_000;
const KEY_PREFIX = "ctk_";

export interface TeamOptions {
  readonly records: TeamRecords;
  readonly clock: Pick<Clock, "now">;
  /** Keys for credentials, the newest first. @default credentials can be neither saved nor read */
  readonly secretKeys?: readonly SecretKey[] | undefined;
}

/** Creates the team of a database, and closes the database with it. */
export function createTeam({ records, clock, secretKeys = [] }: TeamOptions): Team {
  const parts: TeamParts = {
    records,
    clock,
    hasher: createPasswordHasher(),
    entry: (entry, actor) => ({
      store: null,
      subject: null,
      before: null,
      after: null,
      ...entry,
      actor,
      atMs: clock.now(),
    }),
  };
  return {
    people: createPeople(parts),
    invitations: createInvitations(parts),
    sessions: createSessions(parts),
    keys: createKeys(parts),
    audit: {
      write: (entry, by) => records.audit.append(parts.entry(entry, by)),
      list: async (query) => (await records.audit.list(query)).map(parseEntry),
      findBreak: () => records.audit.findBreak(),
    },
    stores: createStores(parts, secretKeys),
    comments: createComments(parts),
    sharedFiles: createSharedFiles(parts),
    endRevived: () =>
      records.endRevived(clock.now(), (ended) =>
        parts.entry({ action: "backup.restored", after: ended }, NOBODY),
      ),
    [Symbol.asyncDispose]: () => records[Symbol.asyncDispose](),
  };
}

/** The server itself. */
const NOBODY = { person: null, key: null, address: null } as const;

function createPeople({ records: { people }, clock, hasher, entry }: TeamParts): People {
  return {
    list: () => people.list(),
    read: (id) => people.read(id),
    find: (login) => people.findLogin(toLogin(login)).then(withoutPassword),
    async add(typed, by) {
      const login = toLogin(typed.login);
      const name = toPersonName(typed.name);
      if (!isLogin(login) || !isPersonName(name)) throw invalidLogin();
      const added = await people.add({ login, name, createdAtMs: clock.now() }, ({ id }) =>
        entry({ action: "person.add", subject: String(id), after: { login, name } }, by),
      );
      if (added === undefined) throw takenLogin(login);
      return added;
    },
    async recognize({ issuer, subject, email }, { address }) {
      const login = toLogin(email);
      const person = await people.recognize({ issuer, subject, login }, ({ id }) =>
        entry(
          { action: "person.account", subject: String(id), after: { issuer, subject } },
          { person: id, key: null, address },
        ),
      );
      return person?.isActive === true ? person : undefined;
    },
    async setName(id, typed, by) {
      const name = toPersonName(typed);
      if (!isPersonName(name)) throw invalidLogin();
      await readPerson(people, id);
      await people.setName(id, name, (before) =>
        entry({ action: "person.rename", subject: String(id), before, after: name }, by),
      );
    },
    async setActive(id, isActive, by) {
      await readPerson(people, id);
      const action = isActive ? "person.restore" : "person.remove";
      const isDone = await people.setActive(
        id,
        isActive,
        entry({ action, subject: String(id), before: !isActive, after: isActive }, by),
      );
      if (!isDone) throw lastAdministrator();
    },
    async setPassword(id, password, by, keep) {
      assertStrongPassword(password, await readPerson(people, id));
      const passwordHash = await hasher.hash(password);
      await people.setPassword(
        { id, passwordHash, keep },
        entry({ action: "password.set", subject: String(id) }, by),
      );
    },
    memberships: (person) => people.memberships(person),
    async setRole(member, role, by) {
      await readPerson(people, member.person);
      const isDone = await people.setRole(member, role, (before) =>
        entry(
          {
            action: "role.set",
            store: member.store,
            subject: String(member.person),
            before,
            after: role,
          },
          by,
        ),
      );
      if (!isDone) throw lastAdministrator();
    },
    roleIn: async (person, store) => toGreatest(await people.rolesIn(person, store)),
  };
}

const toPersonName = (typed: string): string => typed.normalize("NFC").trim();

function withoutPassword(found: Person | undefined): Person | undefined {
  if (found === undefined) return undefined;
  const { id, login, name, isActive, createdAtMs } = found;
  return { id, login, name, isActive, createdAtMs };
}

const toGreatest = (roles: readonly Role[]): Role | undefined =>
  ROLES.findLast((role) => roles.includes(role));

async function readPerson(people: TeamRecords["people"], id: number): Promise<Person> {
  const found = await people.read(id);
  if (found === undefined) throw unknownPerson();
  return found;
}

function createInvitations({ records, clock, hasher, entry }: TeamParts): Invitations {
  const { invitations, people } = records;
  const find = (secret: string): Promise<Person | undefined> =>
    invitations.find(hashSecret(secret), clock.now());
  return {
    async create(person, by) {
      const found = await readPerson(people, person);
      if (!found.isActive) throw unknownPerson();
      const secret = createSecret();
      const createdAtMs = clock.now();
      const endsAtMs = createdAtMs + INVITATION_MS;
      await invitations.add(
        { person, hash: hashSecret(secret), createdAtMs, endsAtMs },
        entry({ action: "invitation.create", subject: String(person), after: { endsAtMs } }, by),
      );
      return secret;
    },
    list: async (person) =>
      (await invitations.list(person)).map((link) => ({
        person: link.person,
        state: toInvitationState(link, clock.now()),
        endsAtMs: link.endsAtMs,
      })),
    find,
    async accept(secret, password, { address }) {
      const invited = await find(secret);
      if (invited === undefined) throw usedInvitation();
      assertStrongPassword(password, invited);
      const passwordHash = await hasher.hash(password);
      const accepted = await invitations.accept(
        { hash: hashSecret(secret), passwordHash, atMs: clock.now() },
        ({ id }) =>
          entry(
            { action: "invitation.accept", subject: String(id) },
            { person: id, key: null, address },
          ),
      );
      if (accepted === undefined) throw usedInvitation();
      return accepted;
    },
  };
}

function toInvitationState(
  { hasJoined, endsAtMs }: { readonly hasJoined: boolean; readonly endsAtMs: number | null },
  nowMs: number,
): InvitationState["state"] {
  const isOpen = endsAtMs !== null && endsAtMs > nowMs;
  if (hasJoined) return isOpen ? "renewing" : "joined";
  if (endsAtMs === null) return "none";
  return isOpen ? "open" : "over";
}

function createKeys({ records, clock, entry }: TeamParts): ApiKeys {
  const { keys, people } = records;
  return {
    async create({ name, person, store, role }, by) {
      const secret = KEY_PREFIX + createSecret();
      const made = { name, person, store, role, createdAtMs: clock.now() };
      const key = await keys.add({ ...made, hash: hashSecret(secret) }, (id) =>
        entry(
          { action: "key.create", store, subject: String(id), after: { name, person, role } },
          by,
        ),
      );
      return { key, secret };
    },
    async find(secret) {
      if (!secret.startsWith(KEY_PREFIX)) return undefined;
      const key = await keys.find(hashSecret(secret));
      if (key === undefined) return undefined;
      const own = toGreatest(await people.rolesIn(key.person, key.store));
      if (own === undefined) return undefined;
      const now = clock.now();
      if (now - (key.usedAtMs ?? 0) >= TOUCH_MS) await keys.touch(key.id, now);
      return { ...key, role: toLesser(key.role, own) };
    },
    list: (store) => keys.list(store),
    end: (id, by) =>
      keys.end(id, clock.now(), ({ name, person, store, role }) =>
        entry(
          { action: "key.end", store, subject: String(id), before: { name, person, role } },
          by,
        ),
      ),
  };
}

const toLesser = (a: Role, b: Role): Role => (ROLES.indexOf(a) < ROLES.indexOf(b) ? a : b);

const STORE_NAME = /^[a-z0-9-]{1,40}$/u;

function createStores(
  { records: { stores }, entry }: TeamParts,
  secretKeys: readonly SecretKey[],
): Stores {
  const vault = createVault(secretKeys);
  const read = async (id: number): Promise<SealedStore> => {
    const found = await stores.read(id);
    if (found === undefined) throw unknownStore();
    return found;
  };
  return {
    list: async () => (await stores.list()).map(withoutSecrets),
    find: (name) => stores.find(name.toLowerCase()),
    async save({ name: typed, baseUrl, storeId, clientKey, clientSecret }, by) {
      const name = typed.toLowerCase();
      if (!STORE_NAME.test(name)) throw invalidStoreName();
      const saved = await stores.save(
        { name, baseUrl, storeId },
        (stored) => vault.seal(stored, { clientKey, clientSecret }),
        (stored, isNew) =>
          entry(
            {
              action: isNew ? "store.add" : "store.credentials",
              store: stored.id,
              subject: stored.name,
              after: { baseUrl: stored.baseUrl, storeId: stored.storeId },
            },
            by,
          ),
      );
      if ("taken" in saved) throw takenStore(saved.taken);
      return saved;
    },
    async credentials(id) {
      const store = await read(id);
      const { baseUrl, storeId } = store;
      return { baseUrl, storeId, ...vault.open(store, store.sealed) };
    },
    async fourEyes(id) {
      const found = await stores.fourEyes(id);
      if (found === undefined) throw unknownStore();
      return found;
    },
    async setFourEyes(id, value, by) {
      await read(id);
      await stores.setFourEyes(id, value, (before) =>
        entry(
          { action: "four-eyes.set", store: id, subject: String(id), before, after: value },
          by,
        ),
      );
    },
    async rotate(by) {
      const old = (await stores.list()).filter(({ sealed }) => !vault.isNewest(sealed));
      const changes = old.map((store) => ({
        id: store.id,
        from: store.sealed,
        to: vault.seal(store, vault.open(store, store.sealed)),
      }));
      return await stores.reseal(changes, (count) =>
        entry({ action: "credentials.rotate", after: { count, key: changes[0]?.to.keyId } }, by),
      );
    },
  };
}

const withoutSecrets = ({ id, name, baseUrl, storeId }: TeamStore): TeamStore => ({
  id,
  name,
  baseUrl,
  storeId,
});

function createComments({ records: { comments }, clock, entry }: TeamParts): Comments {
  return {
    async add(store, { run, row, text }, by) {
      const { person } = by;
      if (person === null) throw unknownPerson();
      const comment = { store, run, row, text, person, atMs: clock.now() };
      const added = await comments.add(comment, () =>
        entry({ action: "comment.add", store, subject: run, after: { row, text } }, by),
      );
      if (added === undefined) throw unknownRun(run);
      return added;
    },
    list: (store, run) => comments.list(store, run),
    listNewest: (store, limit) => comments.listNewest(store, limit),
  };
}

function createSharedFiles({ records: { sharedFiles }, clock, entry }: TeamParts): SharedFiles {
  return {
    async add({ name, drafts }, by) {
      const { person } = by;
      if (person === null) throw unknownPerson();
      return await sharedFiles.add({ name, drafts, person, createdAtMs: clock.now() }, (id) =>
        // Each store's own record says where its draft came from.
        drafts.map(({ store, draft }) =>
          entry(
            { action: "shared-file.add", store, subject: draft, after: { file: id, name } },
            by,
          ),
        ),
      );
    },
    read: (id) => sharedFiles.read(id),
    find: (draft) => sharedFiles.find(draft),
    list: (stores, limit) => sharedFiles.list(stores, limit),
  };
}

const invalidLogin = (): TeamError =>
  new TeamError("E_LOGIN_INVALID", {
    tr: "Kullanıcı adı boşluk içermeyen en çok 254 karakter, ad en çok 100 karakter olmalı; ikisi de boş olamaz.",
    en: "A login is up to 254 characters without blanks, and a name up to 100 characters; neither may be empty.",
  });

const takenLogin = (login: string): TeamError =>
  new TeamError("E_LOGIN_TAKEN", {
    tr: `Bu kullanıcı adı zaten var: ${login}`,
    en: `This login is taken: ${login}`,
  });

const lastAdministrator = (): TeamError =>
  new TeamError("E_LAST_ADMIN", {
    tr: "Bu kişi bütün mağazaların son yöneticisi. Önce başka birini yönetici yapın.",
    en: "This person is the last administrator of all stores. Make somebody else one first.",
  });

const unknownPerson = (): TeamError =>
  new TeamError("E_PERSON_UNKNOWN", { tr: "Böyle bir kişi yok.", en: "There is no such person." });

const usedInvitation = (): TeamError =>
  new TeamError("E_INVITATION_USED", {
    tr: "Bu davet kullanılmış ya da süresi dolmuş. Yöneticinizden yenisini isteyin.",
    en: "This invitation has been used, or its time is over. Ask your administrator for a new one.",
  });

const invalidStoreName = (): TeamError =>
  new TeamError("E_STORE_NAME", {
    tr: "Mağaza adı 1-40 karakter olmalı: küçük harf (a-z), rakam ve tire.",
    en: "A store's name is 1 to 40 characters: small letters (a-z), digits and hyphens.",
  });

const takenStore = ({ name, baseUrl, storeId }: TeamStore): TeamError =>
  new TeamError("E_STORE_NAME_TAKEN", {
    tr: `"${name}" adı şu mağazanın: ${storeId}, ${baseUrl}. Bir ad bir mağazada, bir mağaza bir adda kalır.`,
    en: `The name "${name}" belongs to this store: ${storeId}, ${baseUrl}. A name stays with its store, and a store with its name.`,
  });

const unknownStore = (): TeamError =>
  new TeamError("E_STORE_UNKNOWN", { tr: "Böyle bir mağaza yok.", en: "There is no such store." });

const unknownRun = (run: string): TeamError =>
  new TeamError("E_RUN_UNKNOWN", {
    tr: `Bu mağazada böyle bir çalıştırma yok: ${run}`,
    en: `This store has no such run: ${run}`,
  });
