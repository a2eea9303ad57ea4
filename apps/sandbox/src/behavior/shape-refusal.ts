/** Applies a personality to a refusal: its status, its headers and its body. */

import type { Refusal } from "../http/refusal.ts";
import type { Behavior } from "./behavior-settings.ts";

/** A refusal as it is sent; "silence" ends the connection without an answer. */
export type ShapedRefusal =
  | {
      readonly httpStatus: number;
      readonly headers: Readonly<Record<string, string>>;
      /** A string is sent as it is, anything else as JSON. */
      readonly body: unknown;
    }
  | "silence";

/** Shapes the refusal by this personality. */
export function shapeRefusal(refusal: Refusal, behavior: Behavior): ShapedRefusal {
  const told = httpRefusalOf(refusal, behavior);
  return told === "silence" ? told : { ...told, body: toBody(refusal, behavior["error-body"]) };
}

type HttpRefusal =
  | "silence"
  | { readonly httpStatus: number; readonly headers: Readonly<Record<string, string>> };

function httpRefusalOf({ reason, httpStatus, headers }: Refusal, behavior: Behavior): HttpRefusal {
  const limits = {
    "429-retry-after": { httpStatus, headers },
    "429": { httpStatus, headers: {} },
    "403": { httpStatus: 403, headers: {} },
    silent: "silence",
  } as const;
  if (reason === "hourly-limit") return limits[behavior["hourly-limit"]];
  return {
    httpStatus: reason === "auth" ? Number(behavior["auth-error"]) : httpStatus,
    headers,
  };
}

function toBody(refusal: Refusal, shape: Behavior["error-body"]): unknown {
  const { httpStatus, status, message, messageTr: message_tr } = refusal;
  const bodies = {
    data: { data: { status, message, message_tr } },
    "error-object": { error: { code: `E${httpStatus}`, message, message_tr } },
    "errors-list": { errors: [{ message, message_tr }] },
    text: message,
    empty: "",
  };
  return bodies[shape];
}
