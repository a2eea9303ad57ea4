/**
 * People, sign-in, sessions, invitations, stores, keys, the audit and comments: all that only a server
 * of several people has. Addresses without a store start with `/api`, those of a store with
 * `/s/<name>/api`. Where a route needs a person only, it is told here; else its role is.
 */

import type { FourEyes, InvitationState } from "@catalog/team";
import { type Role, ROLES } from "@catalog/team/roles";
import { z } from "zod";

const role: z.ZodType<Role> = z.enum(ROLES);
const secret = z.string().min(1).max(200);
const password = z.string().min(1).max(1_000);

/** Id of a person, a session, a key, or an entry of the audit. */
export const recordId: z.ZodString = z.string().regex(/^[1-9]\d{0,14}$/u);
/** Name of a store in addresses. */
export const storeName: z.ZodString = z.string().regex(/^[a-z0-9-]{1,40}$/u);

/** `GET /api/sign-in`, without a session: how people sign in. */
export interface SignInView {
  /** Name of the identity provider, for its button; `null` where there is none. */
  readonly openId: string | null;
}

/**
 * `POST /api/sign-in` → `OpenedSession`, without a session. Refused with 403 `E_SIGN_IN`, and with 429
 * `E_TOO_MANY_TRIES` after five failures in a quarter of an hour.
 *
 * The identity provider's way is `GET /api/openid`, an address that the browser goes to. It comes back
 * to `/#k=openid`, whose key `POST /api/session {key}` exchanges for an `OpenedSession`, or to
 * `/#e=CODE`: `E_OPENID_REFUSED` where the provider has named nobody who was invited, `E_OPENID_AWAY`
 * where it cannot be reached.
 */
export interface SignInBody {
  readonly login: string;
  readonly password: string;
}

export const signInBody: z.ZodType<SignInBody> = z.object({
  login: z.string().min(1).max(200),
  password,
});

/**
 * `GET /api/account`, for each person: who has signed in, and where to. Without a session all routes
 * answer 401 `E_SIGN_IN_NEEDED`, and `DELETE /api/session` signs out.
 */
export interface AccountView {
  readonly version: string;
  readonly person: PersonName;
  /** Whether the person is administrator of all stores, and so of people and stores. */
  readonly isAdministrator: boolean;
  /** The stores in which the person has a role, by name. */
  readonly stores: readonly AccountStore[];
}

export interface PersonName {
  readonly id: number;
  readonly login: string;
  readonly name: string;
}

/** `PUT /api/account`, for each person → {@link PersonName}: the own name, as others see it. */
export interface AccountBody {
  readonly name: string;
}

const personName = z.string().trim().min(1).max(200);

export const accountBody: z.ZodType<AccountBody> = z.object({ name: personName });

export interface AccountStore {
  readonly name: string;
  readonly baseUrl: string;
  readonly storeId: string;
  readonly role: Role;
}

/**
 * `PUT /api/password`, for each person → `OpenedSession`: the session is a new one, and all others are
 * over. Refused with 403 `E_SIGN_IN` for a wrong current password, 400 `E_PASSWORD_WEAK`.
 */
export interface PasswordBody {
  readonly current: string;
  readonly next: string;
}

export const passwordBody: z.ZodType<PasswordBody> = z.object({
  current: password,
  next: password,
});

/**
 * `GET /api/sessions`: those of the person; `DELETE /api/sessions/:session` ends one of them.
 * `GET /api/people/:person/sessions` and `DELETE /api/people/:person/sessions/:session` do it for
 * administrators of all stores.
 */
export interface SessionView {
  readonly id: number;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly address: string;
  /** What the browser calls itself. */
  readonly browser: string;
  /** Whether this request was made in it. */
  readonly isCurrent: boolean;
}

/**
 * `POST /api/invitations/find {secret}` → {@link InvitationView}, without a session: whose link
 * `/#i=SECRET` it is. 404 `E_INVITATION_USED` where it is used or older than three days.
 */
export interface InvitationBody {
  readonly secret: string;
}

export const invitationBody: z.ZodType<InvitationBody> = z.object({ secret });

export interface InvitationView {
  readonly login: string;
  readonly name: string;
}

/**
 * `POST /api/invitations/accept` → `OpenedSession`, without a session. Refused with 404
 * `E_INVITATION_USED`, 400 `E_PASSWORD_WEAK`.
 */
export interface AcceptBody {
  readonly secret: string;
  readonly password: string;
}

export const acceptBody: z.ZodType<AcceptBody> = z.object({ secret, password });

/** `GET /api/people`, for administrators of all stores. */
export interface PersonView extends PersonName {
  /** Whether the person may sign in; one who was removed may not. */
  readonly isActive: boolean;
  readonly roles: readonly PersonRole[];
  readonly invitation: InvitationStateView;
}

/** What has become of a person's link. */
export interface InvitationStateView extends Pick<InvitationState, "state"> {
  /** When the link ends, or has ended; `null` without one. */
  readonly endsAt: string | null;
}

export interface PersonRole {
  /** Name of a store; `null` for all stores, those of the future included. */
  readonly store: string | null;
  readonly role: Role;
}

/** `POST /api/people` → {@link InvitedPerson}. Refused with 409 `E_LOGIN_TAKEN`. */
export interface PersonBody {
  /** E-mail address or short name. */
  readonly login: string;
  readonly name: string;
  readonly roles: readonly PersonRole[];
}

const personRole = z.object({ store: storeName.nullable(), role });

export const personBody: z.ZodType<PersonBody> = z.object({
  login: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  roles: z.array(personRole).max(1_000),
});

export interface InvitedPerson {
  readonly person: PersonView;
  /** The link that the person sets a password with; it is shown this once. */
  readonly link: string;
}

/** `POST /api/people/:person/invitation`: another link, also for a password that was forgotten. */
export interface InvitationLink {
  readonly link: string;
}

/** `PUT /api/people/:person/active` → {@link PersonView}. Refused with 409 `E_LAST_ADMIN`. */
export interface ActiveBody {
  readonly isActive: boolean;
}

export const activeBody: z.ZodType<ActiveBody> = z.object({ isActive: z.boolean() });

/** `PUT /api/people/:person/role` → {@link PersonView}. Refused with 409 `E_LAST_ADMIN`. */
export interface RoleBody {
  readonly store: string | null;
  /** `null` takes the role away. */
  readonly role: Role | null;
}

export const roleBody: z.ZodType<RoleBody> = z.object({
  store: storeName.nullable(),
  role: role.nullable(),
});

/**
 * `POST /api/stores` → {@link AccountStore}, for administrators of all stores: adds a store, or
 * replaces the credentials of the one with this name. They are tried with real calls. Refused with 400
 * `E_LOGIN` where the marketplace refuses them, 409 `E_STORE_NAME_TAKEN` where the name is that of
 * another store.
 */
export interface StoreBody {
  readonly name: string;
  readonly baseUrl: string;
  readonly storeId: string;
  readonly clientKey: string;
  readonly clientSecret: string;
}

export const storeBody: z.ZodType<StoreBody> = z.object({
  name: storeName,
  baseUrl: z.string().min(1).max(2_000),
  storeId: z.string().min(1).max(200),
  clientKey: z.string().min(1).max(2_000),
  clientSecret: z.string().min(1).max(2_000),
});

/**
 * `GET /s/:store/api/members`, for viewers: who may be asked for what. Logins are for administrators of
 * the store, and empty for others.
 */
export interface MemberView extends PersonName {
  readonly role: Role;
  /** Whether the role is one in all stores, which only their administrators change. */
  readonly isOfAllStores: boolean;
}

/**
 * `PUT /s/:store/api/schedules/:schedule/owner`, for approvers: hands a schedule over to a member who may
 * approve. Refused with 404 `E_PERSON_UNKNOWN` for anybody else.
 */
export interface OwnerBody {
  readonly person: number;
}

export const ownerBody: z.ZodType<OwnerBody> = z.object({
  person: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
});

/**
 * `GET /s/:store/api/keys`, for administrators of the store. `DELETE /s/:store/api/keys/:key` ends one.
 */
export interface KeyView {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  /** Name of the person who made it, in whose name it acts. */
  readonly by: string;
  readonly createdAt: string;
  readonly usedAt: string | null;
  readonly endedAt: string | null;
}

/** `POST /s/:store/api/keys` → {@link NewKey}. */
export interface KeyBody {
  readonly name: string;
  readonly role: Role;
}

export const keyBody: z.ZodType<KeyBody> = z.object({ name: z.string().min(1).max(100), role });

export interface NewKey {
  readonly key: KeyView;
  /** The key itself; it is shown this once. */
  readonly secret: string;
}

/**
 * `GET /api/audit`, for administrators of all stores; `GET /s/:store/api/audit` for those of a store.
 * `GET /api/audit/file` and `GET /s/:store/api/audit/file` are all entries as lines of JSON, the
 * oldest first; those of the whole server are checked by `catalog db check --audit`.
 */
export interface AuditQuery {
  /** Entries before this one. @default the newest */
  readonly before?: number | undefined;
}

export const auditQuery: z.ZodType<AuditQuery> = z.object({
  before: recordId.transform(Number).optional(),
});

export interface AuditPage {
  /** The newest first. */
  readonly entries: readonly AuditView[];
  /** `before` of the next page; `null` where there is none. */
  readonly before: number | null;
}

export interface AuditView {
  readonly seq: number;
  readonly at: string;
  /** Name of the person; `null` for the server itself and for sign-ins that failed. */
  readonly person: string | null;
  /** Name of the key that a program has used. */
  readonly key: string | null;
  /** `null` at the terminal. */
  readonly address: string | null;
  /** Such as `run.send`, `role.refused`. */
  readonly action: string;
  readonly store: string | null;
  /** To what, such as a run's id. */
  readonly subject: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * `GET /s/:store/api/four-eyes` → `FourEyes`, for viewers; `PUT /s/:store/api/four-eyes` changes it, for
 * administrators of the store.
 */
export const fourEyesBody: z.ZodType<FourEyes> = z.object({
  mode: z.enum(["never", "guarded", "always"]),
  moreThanRows: z.number().int().min(0).max(10_000_000).nullable(),
});

/**
 * `GET /s/:store/api/runs/:run/approval`, for viewers: whether the person who asks may approve the run
 * where the role allows it. Approval by the same person is refused with 403 `E_FOUR_EYES`.
 */
export interface ApprovalView {
  /** Whether somebody else must approve it. */
  readonly needsAnother: boolean;
  /** Why; `null` where anybody may. */
  readonly because: "always" | "held" | "rows" | null;
  /** Names of those who have uploaded or planned it. */
  readonly makers: readonly string[];
}

/**
 * `GET /s/:store/api/requests`, for viewers: plans of which those who prepared them have asked others to
 * approve them, the last one asked for first.
 */
export interface RequestView {
  readonly run: string;
  /** Who has asked. */
  readonly person: string;
}

/**
 * `GET /s/:store/api/runs/:run/comments`, for viewers; `POST /s/:store/api/runs/:run/comments` →
 * {@link CommentView}, for editors.
 */
export interface CommentView {
  readonly id: number;
  /** Number of the row; `null` for the run as a whole. */
  readonly row: number | null;
  readonly person: string;
  readonly text: string;
  readonly at: string;
}

export interface CommentBody {
  readonly row: number | null;
  readonly text: string;
}

export const commentBody: z.ZodType<CommentBody> = z.object({
  row: z.number().int().min(1).max(10_000_000).nullable(),
  text: z.string().trim().min(1).max(2_000),
});
