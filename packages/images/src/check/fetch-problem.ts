import type { FetchError, FetchErrorCode } from "../guard/fetch-error.ts";
import { type ImageProblem, problem } from "../problem.ts";

type Failure = Pick<FetchError, "status" | "detail" | "setting"> & { readonly host: string };

const PROBLEMS: Readonly<Record<FetchErrorCode, (failure: Failure) => ImageProblem>> = {
  E_URL_FORM: () => problem("E_URL_FORM"),
  E_URL_CREDENTIALS: () => problem("E_URL_CREDENTIALS"),
  E_URL_PRIVATE: ({ host }) => problem("E_URL_PRIVATE", { host }),
  E_URL_PORT: ({ host }) => problem("E_URL_PORT", { host }),
  E_URL_REDIRECT: () => problem("E_IMG_REDIRECT"),
  E_FETCH_STATUS: ({ status }) => problem("E_IMG_STATUS", { status: String(status ?? "") }),
  E_FETCH_SIZE: ({ detail, setting }) =>
    problem("E_IMG_SIZE", { size: `> ${detail}`, limit: detail, setting: `limits.${setting}` }),
  E_FETCH_SLOW: () => problem("E_IMG_SLOW"),
  E_FETCH_ENCODING: () => problem("E_IMG_TYPE"),
  E_FETCH_CUT: ({ host }) => problem("E_IMG_UNREACHABLE", { host }),
  E_FETCH_FAILED: ({ host }) => problem("E_IMG_UNREACHABLE", { host }),
};

/** Turns the failure of a download into a problem of the image. */
export function toImageProblem(error: FetchError, address: string): ImageProblem {
  const { code, status, detail, setting } = error;
  return PROBLEMS[code]({ status, detail, setting, host: URL.parse(address)?.host ?? address });
}

/** Failures that may be gone the next time; the limit of a size may be raised until then. */
const PASSING: ReadonlySet<FetchErrorCode> = new Set([
  "E_FETCH_SLOW",
  "E_FETCH_CUT",
  "E_FETCH_FAILED",
  "E_FETCH_SIZE",
]);

const SERVER_ERROR = 500;
const TOO_MANY = 429;

/** Whether a failure is transient, so that it is not stored. */
export function isTransient(error: FetchError): boolean {
  if (PASSING.has(error.code)) return true;
  const { status = 0 } = error;
  return status >= SERVER_ERROR || status === TOO_MANY;
}
