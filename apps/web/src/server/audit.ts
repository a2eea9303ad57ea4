/**
 * Writes what people change, and what they are refused, before they are answered: nobody is told of a
 * change that is in no record.
 */

import type { Audit, AuditEntry } from "@catalog/team";
import type { FastifyInstance, FastifyRequest } from "fastify";

import { SAFE_METHODS } from "./access.ts";
import { parseId } from "./site.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Values before and after the change, without secrets. */
    change: Partial<Pick<AuditEntry, "before" | "after">> | null;
  }
}

/** States what a change was about; values of secrets and files do not belong there. */
export function noteChange(
  request: FastifyRequest,
  change: Partial<Pick<AuditEntry, "before" | "after">>,
): void {
  request.change = change;
}

interface AuditHookOptions {
  readonly audit: Pick<Audit, "write">;
  /** Id of the store of the routes; `null` for none. */
  readonly store: number | null;
  /** Whether the routes of the scope write their changes themselves. @default false */
  readonly isOfRefusalsOnly?: boolean;
}

/** Has all changes and refusals of a scope written. */
export function addAuditHook(scope: FastifyInstance, options: AuditHookOptions): void {
  const { audit, store, isOfRefusalsOnly = false } = options;
  scope.addHook("onSend", async (request, { statusCode }) => {
    const { asker, change } = request;
    if (asker === null) return;
    const isRefused = REFUSALS.has(statusCode);
    const isChanged = !isOfRefusalsOnly && statusCode < 400 && !SAFE_METHODS.has(request.method);
    if (!isRefused && !isChanged) return;
    const action = actionOf(request);
    await audit.write(
      {
        action: isRefused ? `${action}.refused` : action,
        store,
        subject: subjectOf(request),
        before: change?.before ?? null,
        after: change?.after ?? null,
      },
      asker.actor,
    );
  });
}

/** Statuses of what a person may not do, and not of what does not work. */
const REFUSALS: ReadonlySet<number> = new Set([403]);

const VERBS: Readonly<Record<string, string>> = {
  DELETE: "remove",
  GET: "read",
  PATCH: "change",
  PUT: "change",
};

/** The route in words without ids, such as `runs.send` or `schedules.remove`. */
function actionOf({ method, routeOptions: { url = "" } }: FastifyRequest): string {
  const words = url
    .split("/")
    .filter((part) => part !== "" && part !== "api" && part !== "*" && !part.startsWith(":"));
  const verb = VERBS[method] ?? (words.length < 2 ? "add" : undefined);
  return [...words, verb ?? []].flat().join(".");
}

/** Ids of an address; a text that is none is not written down. */
function subjectOf({ params }: FastifyRequest): string | null {
  const ids = Object.entries(params ?? {}).flatMap(([name, text]) => {
    try {
      return name === "*" ? [] : [parseId(name, text)];
    } catch {
      return [];
    }
  });
  return ids.length === 0 ? null : ids.join(" ");
}
