export {
  chainEntry,
  CHAIN_START,
  type ChainedEntry,
  type ChainEnd,
  createRecordCheck,
  follows,
  type NewAuditRecord,
  type RecordCheck,
} from "./chain.ts";
export { createTeam, type TeamOptions } from "./create-team.ts";
export { assertStrongPassword } from "./passwords.ts";
export {
  type AuditRecords,
  type CommentRecords,
  type InvitationRecords,
  type KeyRecords,
  type NewSessionRecord,
  type PersonRecords,
  type Sealed,
  type SealedStore,
  type SessionRecords,
  type SharedFileRecords,
  type SignInTry,
  type StoreRecords,
  type TeamRecords,
} from "./records.ts";
export { allows, type Role, ROLES } from "./roles.ts";
export {
  type Actor,
  type ApiKey,
  type ApiKeys,
  type Audit,
  type AuditEntry,
  type AuditRecord,
  type Comment,
  type Comments,
  type EndedAccess,
  type FourEyes,
  type Invitations,
  type Membership,
  type NewSession,
  type People,
  type Person,
  type ProviderAccount,
  type Session,
  type Sessions,
  type SignInPlace,
  type SignInRefusal,
  type SharedDraft,
  type SharedFile,
  type SharedFiles,
  type StoreCredentials,
  type Stores,
  type Team,
  type TeamStore,
} from "./team.ts";
export { TeamError, type TeamErrorCode } from "./team-error.ts";
export { parseSecretKeys, type SecretKey } from "./vault.ts";
