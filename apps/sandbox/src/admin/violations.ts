/** Calls that a careful client would not have made: found as they come, and logged. */

import { type Endpoint, pathParameters } from "@catalog/contract";

/** Rules of the specification that a client can break. */
export const VIOLATION_RULES = [
  "unknown-parameter",
  "missing-parameter",
  "bad-value",
  "content-type",
  "accept",
  "early-token",
  "wrong-version",
  "unknown-path",
] as const;

/** One violation of the specification. */
export interface Violation {
  readonly rule: (typeof VIOLATION_RULES)[number];
  /** Name of the endpoint in the table; the path where no endpoint has it. */
  readonly endpoint: string;
  /** The parameter, field or header; empty where the rule is about none. */
  readonly field: string;
}

type Row = Endpoint<unknown, unknown>;

/** Facts of a request before its body is read. */
interface RequestFacts {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Checks headers and the names in the query. */
export function findRequestViolations(
  name: string,
  endpoint: Row,
  { headers, query }: RequestFacts,
): readonly Violation[] {
  const found: Omit<Violation, "endpoint">[] = [];
  const has = (header: string): boolean =>
    String(headers[header] ?? "").includes("application/json");
  if (!has("accept")) found.push({ rule: "accept", field: "accept" });
  if (endpoint.method === "POST" && !has("content-type")) {
    found.push({ rule: "content-type", field: "content-type" });
  }
  const known = new Set(endpoint.method === "GET" ? listQueryParameters(endpoint) : []);
  if (endpoint.permission !== "none") {
    known.add("access_token");
    if (!query["access_token"]) found.push({ rule: "missing-parameter", field: "access_token" });
  }
  for (const field of Object.keys(query).filter((key) => !known.has(key))) {
    found.push({ rule: "unknown-parameter", field });
  }
  return found.map(({ rule, field }) => ({ rule, endpoint: name, field }));
}

function listQueryParameters(endpoint: Row): readonly string[] {
  const inPath = new Set(pathParameters(endpoint));
  return Object.keys(endpoint.input.shape).filter((field) => !inPath.has(field));
}

/** Checks the values of path, query and body against the endpoint's schema. */
export function findInputViolations(
  name: string,
  endpoint: Row,
  raw: unknown,
): readonly Violation[] {
  const parsed = endpoint.input.safeParse(raw);
  if (parsed.success) return [];
  const given = new Set(typeof raw === "object" && raw !== null ? Object.keys(raw) : []);
  return parsed.error.issues.map(({ path }) => {
    const [first] = path;
    const isMissing = first !== undefined && !given.has(String(first));
    const field = path.map(String).join(".") || "body";
    return { rule: isMissing ? "missing-parameter" : "bad-value", endpoint: name, field };
  });
}

/**
 * Finds body fields that the specification does not document for this call. They are not
 * violations, since the marketplace may need them.
 */
export function findUndocumentedFields(
  { input, method, undocumentedFields = [] }: Row,
  body: unknown,
): readonly string[] {
  if (method === "GET" || typeof body !== "object" || body === null) return [];
  return Object.keys(body).filter(
    (field) => !Object.hasOwn(input.shape, field) || undocumentedFields.includes(field),
  );
}

/** A request without a matching route. */
interface StrayRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/**
 * Whether the prefix or the whole path is wrong. A documented prefix may be missing here on
 * purpose.
 */
export function findPathViolation(
  { method, path }: StrayRequest,
  rows: readonly { readonly name: string; readonly endpoint: Row }[],
): readonly Violation[] {
  const [, prefix = "", rest = path] = /^(?:\/(v\d+\.\d+))?(\/.*)$/u.exec(path) ?? [];
  const row = rows.find(({ endpoint }) => endpoint.method === method && matches(endpoint, rest));
  if (row === undefined) return [{ rule: "unknown-path", endpoint: "", field: path }];
  if (row.endpoint.versions.some((version) => version === prefix)) return [];
  return [{ rule: "wrong-version", endpoint: row.name, field: prefix }];
}

const toParts = (path: string): readonly string[] => path.replace(/\/$/u, "").split("/");

function matches({ path }: Row, asked: string): boolean {
  const [wanted, given] = [toParts(path), toParts(asked)];
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => part.startsWith(":") || part === given[index])
  );
}

/** A violation and how often it occurred. */
export interface CountedViolation extends Violation {
  readonly count: number;
}

/**
 * A body field that the specification does not document for this call; it may be needed, so it is
 * no violation.
 */
interface UndocumentedField {
  readonly endpoint: string;
  readonly field: string;
  readonly count: number;
}

export interface SavedViolations {
  readonly violations: readonly CountedViolation[];
  readonly undocumented: readonly UndocumentedField[];
}

export interface ViolationLog {
  note(violations: readonly Violation[]): void;
  noteUndocumented(endpoint: string, fields: readonly string[]): void;
  /** In the order of their first occurrence. */
  read(): SavedViolations;
  reset(): void;
  load(saved: SavedViolations): void;
}

export function createViolationLog(): ViolationLog {
  const violations = new Map<string, CountedViolation>();
  const undocumented = new Map<string, UndocumentedField>();

  const reset = (): void => {
    violations.clear();
    undocumented.clear();
  };
  return {
    note(found) {
      for (const { rule, endpoint, field } of found) {
        const key = JSON.stringify([rule, endpoint, field]);
        const count = (violations.get(key)?.count ?? 0) + 1;
        violations.set(key, { rule, endpoint, field, count });
      }
    },
    noteUndocumented(endpoint, fields) {
      for (const field of fields) {
        const key = JSON.stringify([endpoint, field]);
        const count = (undocumented.get(key)?.count ?? 0) + 1;
        undocumented.set(key, { endpoint, field, count });
      }
    },
    read: () => ({
      violations: [...violations.values()],
      undocumented: [...undocumented.values()],
    }),
    reset,
    load(saved) {
      reset();
      for (const each of saved.violations) {
        violations.set(JSON.stringify([each.rule, each.endpoint, each.field]), each);
      }
      for (const each of saved.undocumented) {
        undocumented.set(JSON.stringify([each.endpoint, each.field]), each);
      }
    },
  };
}
