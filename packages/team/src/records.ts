/**
 * What a team needs of a database. Each method that writes is one commit together with its entries of
 * the audit; those of one database exclude each other, over all its processes.
 */

import type { ChainedEntry, NewAuditRecord } from "./chain.ts";
import type { Role } from "./roles.ts";
import type {
  ApiKey,
  Comment,
  EndedAccess,
  FourEyes,
  Membership,
  Person,
  Session,
  SharedDraft,
  SharedFile,
  StoreCredentials,
  TeamStore,
} from "./team.ts";

/** A person who tries to sign in. */
export interface PersonWithPassword extends Person {
  /** PHC string of argon2id; `null` for a person who has set none. */
  readonly passwordHash: string | null;
}

export interface PersonRecords {
  list(): Promise<readonly Person[]>;
  read(id: number): Promise<Person | undefined>;
  findLogin(login: string): Promise<PersonWithPassword | undefined>;
  /** `undefined` where the login is taken. */
  add(
    person: Pick<Person, "login" | "name" | "createdAtMs">,
    toEntry: (added: Person) => NewAuditRecord,
  ): Promise<Person | undefined>;
  /**
   * The person of an account; else the one of the login, who has this account from then on, unless
   * that person has another one of the same issuer.
   */
  recognize(
    account: { readonly issuer: string; readonly subject: string; readonly login: string },
    toEntry: (person: Person) => NewAuditRecord,
  ): Promise<Person | undefined>;
  /** Writes nothing where it is the name already. */
  setName(id: number, name: string, toEntry: (before: string) => NewAuditRecord): Promise<void>;
  /**
   * Ends all sessions, keys and invitations of a person who is made inactive. False where that is the
   * last administrator.
   */
  setActive(id: number, isActive: boolean, entry: NewAuditRecord): Promise<boolean>;
  /** Ends all sessions but `keep`, and all invitations. */
  setPassword(
    change: {
      readonly id: number;
      readonly passwordHash: string;
      readonly keep: number | undefined;
    },
    entry: NewAuditRecord,
  ): Promise<void>;
  memberships(person: number | undefined): Promise<readonly Membership[]>;
  /** False where that takes the role of the last administrator of all stores. */
  setRole(
    member: Omit<Membership, "role">,
    role: Role | undefined,
    toEntry: (before: Role | undefined) => NewAuditRecord,
  ): Promise<boolean>;
  /** Roles of an active person in a store, and in all. */
  rolesIn(person: number, store: number): Promise<readonly Role[]>;
}

export interface InvitationRecords {
  /** Of all people, or of one, whether they can come in by now, and until when they have a link. */
  list(person?: number): Promise<
    readonly {
      readonly person: number;
      /** Whether there is a password, an account at an identity provider, or a session. */
      readonly hasJoined: boolean;
      readonly endsAtMs: number | null;
    }[]
  >;
  /** Ends the earlier ones of the person, and forgets the account at an identity provider. */
  add(
    invitation: {
      readonly person: number;
      readonly hash: string;
      readonly createdAtMs: number;
      readonly endsAtMs: number;
    },
    entry: NewAuditRecord,
  ): Promise<void>;
  /** The active person of an invitation that is open at this time. */
  find(hash: string, atMs: number): Promise<Person | undefined>;
  /** Uses it up, sets the password and ends all sessions; `undefined` where it is not open any more. */
  accept(
    use: { readonly hash: string; readonly passwordHash: string; readonly atMs: number },
    toEntry: (person: Person) => NewAuditRecord,
  ): Promise<Person | undefined>;
}

/** A session that is about to begin. */
export interface NewSessionRecord extends Omit<Session, "id"> {
  readonly cookieHash: string;
  readonly writeKeyHash: string;
  /** Hash of the cookie of the session that this one takes the place of. */
  readonly replaces: string | undefined;
  /** Its password as it was checked: the session begins only while it is still that. */
  readonly passwordHash?: string | undefined;
}

/** Who tries to sign in, and how often that may fail. */
export interface SignInTry {
  /** Only its hash is kept, as it may be a password in the wrong field. */
  readonly loginHash: string;
  /** Part of the address that is counted. */
  readonly network: string;
  readonly atMs: number;
  /** Failures before this time are forgotten. */
  readonly sinceMs: number;
  readonly maxFailures: number;
}

export type SignInOutcome = "opened" | "wrong" | "tries";

export interface SessionRecords {
  /** Whether there are too many failures already, so that no password needs to be compared. */
  isBlocked(attempt: SignInTry): Promise<boolean>;
  /**
   * Decides after the password was compared, so that tries at the same time are counted as if they came
   * one after the other: refuses where there are too many failures; else notes one, or begins the
   * session. A refusal of a login or network is written to the audit once in the time that is counted.
   */
  settle(
    attempt: SignInTry,
    session: NewSessionRecord | undefined,
    toEntry: (outcome: SignInOutcome, session: number | undefined) => NewAuditRecord,
  ): Promise<Session | "wrong" | "tries">;
  /** `undefined` where the person is not active. */
  open(
    session: NewSessionRecord,
    toEntry: (id: number) => NewAuditRecord,
  ): Promise<Session | undefined>;
  /** The session of an active person. */
  find(cookieHash: string): Promise<Session | undefined>;
  /** Notes that it was used, and removes those that are over. */
  touch(id: number, seenAtMs: number, over: SessionLimits): Promise<void>;
  hasWriteKey(id: number, writeKeyHash: string): Promise<boolean>;
  list(person: number): Promise<readonly Session[]>;
  /** Writes nothing where there is no such session. */
  end(id: number, toEntry: (session: Session) => NewAuditRecord): Promise<void>;
}

/** Sessions that were begun or used before these times are over. */
export interface SessionLimits {
  readonly createdAfterMs: number;
  readonly seenAfterMs: number;
}

export interface KeyRecords {
  add(
    key: Omit<ApiKey, "id" | "usedAtMs" | "endedAtMs"> & { readonly hash: string },
    toEntry: (id: number) => NewAuditRecord,
  ): Promise<ApiKey>;
  /** The key, while it has not ended. */
  find(hash: string): Promise<ApiKey | undefined>;
  touch(id: number, usedAtMs: number): Promise<void>;
  list(store: number): Promise<readonly ApiKey[]>;
  /** Writes nothing where the key has ended. */
  end(id: number, atMs: number, toEntry: (key: ApiKey) => NewAuditRecord): Promise<void>;
}

export interface AuditRecords {
  append(entry: NewAuditRecord): Promise<void>;
  /** The newest first, unless those after an entry are asked for. */
  list(query: {
    readonly store?: number | undefined;
    readonly before?: number | undefined;
    /** Entries after this one, the oldest first. */
    readonly after?: number | undefined;
    readonly limit: number;
  }): Promise<readonly ChainedEntry[]>;
  /** The number of the first entry that does not follow; `undefined` for a sound chain. */
  findBreak(): Promise<number | undefined>;
}

/** Encrypted credentials. */
export interface Sealed {
  /** Id of the key that they are encrypted with. */
  readonly keyId: string;
  readonly text: string;
}

/** A store with its encrypted credentials. */
export interface SealedStore extends TeamStore {
  readonly sealed: Sealed;
}

export interface StoreRecords {
  list(): Promise<readonly SealedStore[]>;
  find(name: string): Promise<TeamStore | undefined>;
  read(id: number): Promise<SealedStore | undefined>;
  /** Adds it, or replaces the credentials; returns what it stands in conflict with, if anything. */
  save(
    store: Pick<StoreCredentials, "baseUrl" | "storeId"> & { readonly name: string },
    seal: (stored: TeamStore) => Sealed,
    toEntry: (stored: TeamStore, isNew: boolean) => NewAuditRecord,
  ): Promise<TeamStore | { readonly taken: TeamStore }>;
  fourEyes(id: number): Promise<FourEyes | undefined>;
  setFourEyes(
    id: number,
    value: FourEyes,
    toEntry: (before: FourEyes) => NewAuditRecord,
  ): Promise<void>;
  /** Replaces those that are still as they were read; returns how many. */
  reseal(
    changes: readonly { readonly id: number; readonly from: Sealed; readonly to: Sealed }[],
    toEntry: (count: number) => NewAuditRecord,
  ): Promise<number>;
}

export interface CommentRecords {
  /** `undefined` where the store has no such run. */
  add(
    comment: Omit<Comment, "id"> & { readonly store: number },
    toEntry: (id: number) => NewAuditRecord,
  ): Promise<Comment | undefined>;
  list(store: number, run: string): Promise<readonly Comment[]>;
  /** Those on runs as a whole, the newest first. */
  listNewest(store: number, limit: number): Promise<readonly Comment[]>;
}

export interface SharedFileRecords {
  /** Removes those whose drafts are all deleted. */
  add(
    file: Omit<SharedFile, "id">,
    toEntries: (id: number) => readonly NewAuditRecord[],
  ): Promise<SharedFile>;
  read(id: number): Promise<SharedFile | undefined>;
  find(draft: SharedDraft): Promise<SharedFile | undefined>;
  list(stores: readonly number[], limit: number): Promise<readonly SharedFile[]>;
}

/** All of it, on one database. */
export interface TeamRecords extends AsyncDisposable {
  /** Ends all of them where the database is an older copy of what was seen here. */
  endRevived(
    atMs: number,
    toEntry: (ended: EndedAccess) => NewAuditRecord,
  ): Promise<EndedAccess | undefined>;
  readonly people: PersonRecords;
  readonly invitations: InvitationRecords;
  readonly sessions: SessionRecords;
  readonly keys: KeyRecords;
  readonly audit: AuditRecords;
  readonly stores: StoreRecords;
  readonly comments: CommentRecords;
  readonly sharedFiles: SharedFileRecords;
}
