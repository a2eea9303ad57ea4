/** Turns the caller's input into the parts of a request, by one row of the endpoint table. */

import {
  type Endpoint,
  type Endpoints,
  pathParameters,
  type Version,
  type Id,
} from "@catalog/contract";

import { InputError, type ContractMismatch } from "../errors.ts";

/** One row of the endpoint table, with its name. */
export interface Target<Data = unknown> {
  readonly resource: string;
  /** Resource and method, such as `product.add`. */
  readonly name: string;
  readonly endpoint: Endpoint<unknown, Data>;
}

/** Prefix to use for the endpoints of a resource. */
export type Versions = Partial<Readonly<Record<keyof Endpoints, Version>>>;

interface RequestSettings {
  readonly storeId: Id<"store">;
  readonly versions: Readonly<Partial<Record<string, Version>>>;
}

/** A request without its host and without its token. */
export interface PreparedRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Names and percent-encoded values. */
  readonly query: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Prepares a request. Throws an `InputError` when the input does not match the contract, or could
 * not be transmitted unchanged.
 */
export function prepareRequest(
  target: Target,
  input: unknown,
  settings: RequestSettings,
): PreparedRequest {
  const fields = checkInput(target, input);
  const { endpoint, resource } = target;
  const inPath = new Set(pathParameters(endpoint));
  const rest = Object.entries(fields).filter(
    ([name, value]) => !inPath.has(name) && value !== undefined,
  );

  const version = settings.versions[resource] ?? endpoint.versions[0];
  const prefix = endpoint.versions.length === 0 ? "" : `/${version}`;
  const values: Fields = { ...fields, storeId: settings.storeId };
  const path = endpoint.path.replaceAll(/:([A-Za-z]+)/gu, (_match, name: string) =>
    toSegment(target, name, values[name]),
  );
  const isGet = endpoint.method === "GET";
  return {
    method: endpoint.method,
    path: prefix + path,
    query: isGet ? rest.map(([name, value]) => [name, toQueryValue(target, name, value)]) : [],
    body: isGet ? undefined : JSON.stringify(Object.fromEntries(rest)),
  };
}

function checkInput(target: Target, input: unknown): Fields {
  const { endpoint } = target;
  const parsed = endpoint.input.safeParse(input);
  if (!parsed.success) {
    const misfits = parsed.error.issues.map(({ path, message }) => toMisfit(path, message));
    throw refuse(target, misfits);
  }
  // The schema drops unknown fields; a value that the caller meant to send must not vanish.
  const unknown = Object.entries(isFields(input) ? input : {})
    .filter(([name, value]) => value !== undefined && !Object.hasOwn(endpoint.input.shape, name))
    .map(([name]) => ({ path: name, message: "is not a field of this call" }));
  if (unknown.length > 0) throw refuse(target, unknown);
  return isFields(parsed.data) ? parsed.data : {};
}

function toSegment(target: Target, name: string, value: unknown): string {
  const text = String(value);
  // Encoding leaves dots alone, and a dot segment names another path.
  if (text === "." || text === "..") {
    throw refuse(target, [{ path: name, message: `"${text}" cannot stand in a path` }]);
  }
  return encode(target, name, text);
}

function toQueryValue(target: Target, name: string, value: unknown): string {
  if (Array.isArray(value) && value.length === 0) {
    const message = "is an empty list, which the marketplace reads as no filter";
    throw refuse(target, [{ path: name, message }]);
  }
  return encode(target, name, Array.isArray(value) ? value.join(",") : String(value));
}

function encode(target: Target, name: string, text: string): string {
  if (!text.isWellFormed()) {
    throw refuse(target, [{ path: name, message: "holds half of a character" }]);
  }
  return encodeURIComponent(text);
}

/** Makes a misfit of a schema's issue at `path`. */
export function toMisfit(path: readonly PropertyKey[], message: string): ContractMismatch {
  return { path: path.map(String).join("."), message };
}

/** Whether a value has fields at all. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(target: Target, misfits: readonly ContractMismatch[]): InputError {
  const list = misfits.map(({ path, message }) => `${path || "input"}: ${message}`).join("; ");
  const message = `${target.name} was not sent: ${list}`;
  return new InputError(message, { endpoint: target.name, phase: "none", misfits });
}
