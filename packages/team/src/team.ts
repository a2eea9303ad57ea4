/**
 * The people of a server, over all its stores. Secrets come in and go out once; only their hashes are
 * kept, so that a stolen database opens nothing.
 */

import type { Role } from "./roles.ts";

/** A person who may sign in. */
export interface Person {
  readonly id: number;
  /** E-mail address or short name, lower case; unique. */
  readonly login: string;
  /** Name that others see. */
  readonly name: string;
  /** A person who was removed keeps the record, and cannot sign in. */
  readonly isActive: boolean;
  readonly createdAtMs: number;
}

/** The role of a person in a store; `store` is `null` for all stores, those of the future included. */
export interface Membership {
  readonly person: number;
  /** Id of a {@link TeamStore}. */
  readonly store: number | null;
  readonly role: Role;
}

/** A store that the server works on. */
export interface TeamStore {
  readonly id: number;
  /** As it was typed. Unique without regard to case; it is part of addresses, `[a-z0-9-]{1,40}`. */
  readonly name: string;
  readonly baseUrl: string;
  readonly storeId: string;
}

/** Credentials of a store. They are kept encrypted, and leave the server only to the marketplace. */
export interface StoreCredentials {
  readonly baseUrl: string;
  readonly storeId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
}

/** When somebody else than the person who uploaded a plan must approve it. */
export interface FourEyes {
  readonly mode: "never" | "guarded" | "always";
  /** With `guarded`: also where more rows than this change. @default only held rows count */
  readonly moreThanRows: number | null;
}

/** Who asks, and from where, in every entry of the record. */
export interface Actor {
  /** A person; a key acts as one, too. `null` for the server itself and for failed sign-ins. */
  readonly person: number | null;
  /** Of a key that a program has used; `null` for a person at the page or the terminal. */
  readonly key: number | null;
  /** Address that the request came from; `null` at the terminal. */
  readonly address: string | null;
}

/** What somebody has done, or tried to do. */
export interface AuditEntry {
  /** Such as `run.approve`, `session.refused`. */
  readonly action: string;
  /** Id of the store; `null` for what belongs to none. */
  readonly store: number | null;
  /** To what, such as a run's id. */
  readonly subject: string | null;
  /** Values before and after, without secrets. */
  readonly before: unknown;
  readonly after: unknown;
}

/** An entry as it is kept, chained to the one before it. */
export interface AuditRecord extends AuditEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly actor: Actor;
  /** SHA-256 over the entry and the hash before it, in hex. */
  readonly hash: string;
}

/** A session of a person at the page. */
export interface Session {
  readonly id: number;
  readonly person: number;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  /** Address and browser at sign-in, for the list of sessions. */
  readonly address: string;
  readonly browser: string;
}

/** Secrets of a new session: one for the cookie, one that every change is sent with. */
export interface NewSession {
  readonly session: Session;
  readonly cookie: string;
  readonly writeKey: string;
}

/** A key of a program. */
export interface ApiKey {
  readonly id: number;
  readonly name: string;
  /** Who made it. What it does is done in that person's name, with at most that person's role. */
  readonly person: number;
  readonly store: number;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly usedAtMs: number | null;
  readonly endedAtMs: number | null;
}

/** Why a sign-in was refused. `tries`: five failed in a quarter of an hour. */
export type SignInRefusal = "wrong" | "tries";

/** An account at an identity provider. */
export interface ProviderAccount {
  readonly issuer: string;
  /** The provider's name for it, which never passes to somebody else. */
  readonly subject: string;
  /** Address that the provider has verified. */
  readonly email: string;
}

export interface People {
  list(): Promise<readonly Person[]>;
  read(id: number): Promise<Person | undefined>;
  find(login: string): Promise<Person | undefined>;
  /** Throws `TeamError` `E_LOGIN_TAKEN`, or `E_LOGIN_INVALID` for a login or a name that is none. */
  add(person: Pick<Person, "login" | "name">, by: Actor): Promise<Person>;
  /** Throws `E_LOGIN_INVALID` for a name that is none. */
  setName(id: number, name: string, by: Actor): Promise<void>;
  /**
   * The active person whom an account of an identity provider is for. The first time that is who was
   * invited with the address; from then on the account alone decides, so that whoever gets the address
   * later is nobody. A new invitation lets another account in.
   */
  recognize(account: ProviderAccount, from: Pick<Actor, "address">): Promise<Person | undefined>;
  /**
   * Ends all sessions, keys and invitations of a person who is made inactive. The last administrator
   * of all stores stays (`E_LAST_ADMIN`).
   */
  setActive(id: number, isActive: boolean, by: Actor): Promise<void>;
  /**
   * Sets the password, and ends all sessions of the person but `keep`, and the invitations. Throws
   * `E_PASSWORD_WEAK`.
   */
  setPassword(id: number, password: string, by: Actor, keep?: number): Promise<void>;
  memberships(person?: number): Promise<readonly Membership[]>;
  /** `undefined` takes the role away. The last administrator of all stores stays (`E_LAST_ADMIN`). */
  setRole(member: Omit<Membership, "role">, role: Role | undefined, by: Actor): Promise<void>;
  /** The role in a store; the greater one where the person also has one in all stores. */
  roleIn(person: number, store: number): Promise<Role | undefined>;
}

/**
 * What has become of a person's link. `open`, `over`: it was not used, and the person never came in.
 * `joined`: the person has a password, or came in by an identity provider. `renewing`: a person who has
 * joined can still use a link for a new password. `none`: the person never came in, and has no link.
 */
export interface InvitationState {
  readonly person: number;
  readonly state: "open" | "over" | "joined" | "renewing" | "none";
  /** When the link ends, or has ended; `null` without one. */
  readonly endsAtMs: number | null;
}

/** Invitations and new passwords: links of one use, three days long. */
export interface Invitations {
  /** Of all people, or of one. */
  list(person?: number): Promise<readonly InvitationState[]>;
  /** Returns the secret for the link, once. */
  create(person: number, by: Actor): Promise<string>;
  /** The person whom the secret is for, while it is open. */
  find(secret: string): Promise<Person | undefined>;
  /** Sets the password and uses the secret up. Throws `E_INVITATION_USED`, `E_PASSWORD_WEAK`. */
  accept(secret: string, password: string, from: Pick<Actor, "address">): Promise<Person>;
}

/** Where a session is opened. */
export interface SignInPlace {
  readonly address: string;
  readonly browser: string;
  /** Cookie that the browser has sent: that session ends as the new one begins. @default none */
  readonly replaces?: string | undefined;
}

export interface Sessions {
  /**
   * Takes the same time for an unknown login. Failures are counted by login and by address; after five
   * of them the right password is refused as well, until the first is a quarter of an hour old.
   */
  signIn(
    given: { readonly login: string; readonly password: string },
    from: SignInPlace,
  ): Promise<NewSession | SignInRefusal>;
  /**
   * Opens a session for a person whom an identity provider has named, or who has just accepted an
   * invitation; `undefined` where the person is not active.
   */
  open(person: number, from: SignInPlace): Promise<NewSession | undefined>;
  /** The session of a cookie, unless it is over: 8 hours unused, or 7 days old. Notes its use. */
  find(cookie: string): Promise<Session | undefined>;
  isWriteKey(session: number, writeKey: string): Promise<boolean>;
  list(person: number): Promise<readonly Session[]>;
  end(session: number, by: Actor): Promise<void>;
}

export interface ApiKeys {
  /** Returns the key itself, once. */
  create(
    key: Pick<ApiKey, "name" | "person" | "store" | "role">,
    by: Actor,
  ): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  /**
   * The key, with the role that it has now: no more than its person has in the store. `undefined` where
   * it has ended, or its person has no role there any more. Notes its use.
   */
  find(secret: string): Promise<ApiKey | undefined>;
  list(store: number): Promise<readonly ApiKey[]>;
  end(id: number, by: Actor): Promise<void>;
}

/** What was done; nothing of it is ever changed. */
export interface Audit {
  write(entry: AuditEntry, by: Actor): Promise<void>;
  /** The newest first, unless those after an entry are asked for. */
  list(query: {
    readonly store?: number | undefined;
    readonly before?: number | undefined;
    /** Entries after this one, the oldest first. */
    readonly after?: number | undefined;
    readonly limit: number;
  }): Promise<readonly AuditRecord[]>;
  /** The first entry that does not follow from those before it; `undefined` for a sound record. */
  findBreak(): Promise<number | undefined>;
}

export interface Stores {
  list(): Promise<readonly TeamStore[]>;
  find(name: string): Promise<TeamStore | undefined>;
  /**
   * Adds a store, or replaces its credentials. A name stays with its address, and an address with its
   * name (`E_STORE_NAME_TAKEN`). Throws `E_STORE_NAME` and `E_KEY_MISSING`.
   */
  save(store: { readonly name: string } & StoreCredentials, by: Actor): Promise<TeamStore>;
  credentials(store: number): Promise<StoreCredentials>;
  fourEyes(store: number): Promise<FourEyes>;
  setFourEyes(store: number, value: FourEyes, by: Actor): Promise<void>;
  /** Encrypts all credentials with the newest key; returns how many were encrypted anew. */
  rotate(by: Actor): Promise<number>;
}

/** What people say of the held rows of a run. */
export interface Comment {
  readonly id: number;
  readonly run: string;
  readonly row: number | null;
  readonly person: number;
  readonly text: string;
  readonly atMs: number;
}

export interface Comments {
  /** Throws `E_RUN_UNKNOWN` where the store has no such run. */
  add(store: number, comment: Pick<Comment, "run" | "row" | "text">, by: Actor): Promise<Comment>;
  list(store: number, run: string): Promise<readonly Comment[]>;
  /** Comments on runs as a whole, of all runs of the store; the newest come first. */
  listNewest(store: number, limit: number): Promise<readonly Comment[]>;
}

/** A draft that was made of a shared file for one store. */
export interface SharedDraft {
  /** Id of a {@link TeamStore}. */
  readonly store: number;
  readonly draft: string;
}

/** A file that was uploaded once for several stores; each has its own draft of it. */
export interface SharedFile {
  readonly id: number;
  /** As its person knows it. */
  readonly name: string;
  /** Who has uploaded it. */
  readonly person: number;
  readonly createdAtMs: number;
  /** One of each store; those that were deleted are not among them. */
  readonly drafts: readonly SharedDraft[];
}

export interface SharedFiles {
  /** Notes which drafts belong together. Throws `E_PERSON_UNKNOWN` where nobody has signed in. */
  add(file: Pick<SharedFile, "name" | "drafts">, by: Actor): Promise<SharedFile>;
  /** `undefined` where there is none, or all its drafts are deleted. */
  read(id: number): Promise<SharedFile | undefined>;
  /** That of a draft. */
  find(draft: SharedDraft): Promise<SharedFile | undefined>;
  /** Those with a draft in one of the stores, the newest first. */
  list(stores: readonly number[], limit: number): Promise<readonly SharedFile[]>;
}

/** How many of each were ended. */
export interface EndedAccess {
  readonly sessions: number;
  readonly invitations: number;
  readonly keys: number;
}

/** Everything of a server's people. */
export interface Team extends AsyncDisposable {
  /**
   * Ends all sessions, invitations and keys where a backup has taken the place of the database, as it
   * brings back those that have ended since; returns how many, and `undefined` for none. It is done
   * when the team is opened, and again whenever this is called.
   */
  endRevived(): Promise<EndedAccess | undefined>;
  readonly people: People;
  readonly invitations: Invitations;
  readonly sessions: Sessions;
  readonly keys: ApiKeys;
  readonly audit: Audit;
  readonly stores: Stores;
  readonly comments: Comments;
  readonly sharedFiles: SharedFiles;
}
