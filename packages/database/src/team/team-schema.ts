/** The tables of people and of what they do, as the query builder sees them. */

import type { Role } from "@catalog/team";
import type { Generated } from "kysely";

export interface TeamSchema {
  readonly person: {
    id: Generated<number>;
    login: string;
    name: string;
    password_hash: string | null;
    is_active: number;
    created_at_ms: number;
    /** Address of an identity provider, and the person's account there. */
    account_issuer: string | null;
    account_subject: string | null;
  };
  /** A store that a server works on; without credentials in plain text. */
  readonly team_store: {
    store: number;
    name: string;
    key_id: string;
    sealed: string;
    four_eyes_json: string | null;
    created_at_ms: number;
  };
  readonly membership: {
    id: Generated<number>;
    person: number;
    /** `null` for all stores. */
    store: number | null;
    role: Role;
  };
  readonly invitation: {
    person: number;
    hash: string;
    created_at_ms: number;
    ends_at_ms: number;
  };
  readonly person_session: PersonSessionTable;
  readonly sign_in_try: {
    id: Generated<number>;
    login_hash: string;
    network: string;
    at_ms: number;
    /** 1 for a try that was refused because of those before it; it does not count itself. */
    is_refused: number;
  };
  readonly api_key: {
    id: Generated<number>;
    person: number;
    store: number;
    name: string;
    role: Role;
    hash: string;
    created_at_ms: number;
    used_at_ms: number | null;
    ended_at_ms: number | null;
  };
  readonly run_comment: {
    id: Generated<number>;
    store: number;
    run_id: string;
    row_no: number | null;
    person: number;
    text: string;
    at_ms: number;
  };
  /** A file that was uploaded for several stores. */
  readonly shared_file: {
    id: Generated<number>;
    name: string;
    person: number;
    created_at_ms: number;
  };
  /** Goes with its draft. */
  readonly shared_draft: { shared_file: number; store: number; draft: string };
  readonly audit: {
    seq: number;
    at_ms: number;
    store: number | null;
    entry_json: string;
    hash: string;
  };
  /** One row: the end of the chain, and the lock of all that is written for the team. */
  readonly audit_end: { id: number; seq: number; hash: string };
}

interface PersonSessionTable {
  id: Generated<number>;
  person: number;
  cookie_hash: string;
  write_key_hash: string;
  created_at_ms: number;
  seen_at_ms: number;
  address: string;
  browser: string;
}
