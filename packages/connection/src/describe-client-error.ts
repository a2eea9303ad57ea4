/**
 * Describes a failed call in both languages, in the marketplace's own words where it gave any.
 * An error's `message` is English and meant for logs and developers.
 */

import {
  ApiError,
  AuthError,
  ClientError,
  InputError,
  NetworkError,
  PermissionError,
  SettingsError,
  ShapeError,
} from "@catalog/client/errors";
import { describeNetworkCode } from "@catalog/client/network-reason";
import type { Localized } from "@catalog/i18n";

/** Describes a failed call for people. */
export function describeClientError(error: ClientError): Localized {
  if (error instanceof SettingsError) return error.localized;
  const tr = toTurkish(error);
  const text = isRefusalError(error) ? error.localized : undefined;
  return text === undefined ? { tr, en: error.message } : quote(text);
}

/** The code and the words of a failed call; `undefined` for any other error. */
export function toCallFailure(
  error: unknown,
): { readonly code: string; readonly message: Localized } | undefined {
  if (!(error instanceof ClientError)) return undefined;
  return { code: error.code, message: describeClientError(error) };
}

function isRefusalError(error: ClientError): error is ApiError | AuthError | PermissionError {
  return (
    error instanceof ApiError || error instanceof AuthError || error instanceof PermissionError
  );
}

/** Text that exists in one language only is shown in the other as a quotation. */
function quote({ tr, en }: Partial<Localized>): Localized {
  const words = toOneLine(tr ?? en ?? "");
  return {
    tr: tr === undefined ? `“${words}”` : toOneLine(tr),
    en: en === undefined ? `“${words}”` : toOneLine(en),
  };
}

/** Line breaks are removed, so that a quoted line cannot pass for one of ours. */
const toOneLine = (text: string): string =>
  text
    .split(/[\r\n]+/u)
    .map((line) => line.trim())
    .join(" ")
    .trim();

function toTurkish(error: ClientError): string {
  const call = error.endpoint ?? "istek";
  if (error instanceof NetworkError) return `${call}: ${describeNoAnswer(error)}`;
  if (error instanceof ShapeError) return `${call}: ${MISSHAPES[error.reason](error)}`;
  if (error instanceof InputError) {
    return `${call} gönderilmedi; uymayan değerler: ${pathsOf(error)}`;
  }
  if (error instanceof AuthError) {
    return `${call}: pazaryeri oturumu kabul etmedi (durum ${error.status})`;
  }
  if (error instanceof PermissionError) return `${call}: bu servise izin verilmemiş (durum 403)`;
  if (error instanceof ApiError) {
    return `${call}: pazaryeri isteği ${error.status} durumuyla geri çevirdi`;
  }
  return call;
}

const REACHED: Readonly<Record<NetworkError["phase"], string>> = {
  none: "istek bu bilgisayardan çıkmadı",
  started: "istek yola çıkmıştı",
  headers: "yanıt başlamıştı",
  body: "yanıt alınmıştı",
};

function describeNoAnswer({ code, phase, cause }: NetworkError): string {
  if (code === "TIMEOUT") return `süresi içinde yanıt gelmedi (${REACHED[phase]})`;
  const why =
    cause instanceof Error && "code" in cause && typeof cause.code === "string"
      ? `: ${describeNetworkCode(cause.code).tr}`
      : "";
  return `yanıt gelmedi${why} (${REACHED[phase]})`;
}

const MISSHAPES: Readonly<Record<ShapeError["reason"], (error: ShapeError) => string>> = {
  "not-json": ({ status }) => `yanıt JSON değil (durum ${status})`,
  "too-large": ({ status }) => `yanıt okunamayacak kadar büyük (durum ${status})`,
  mismatch: (error) => `yanıt beklenen biçimde değil; uymayan alanlar: ${pathsOf(error)}`,
};

/** Fields named in a message. */
const MAX_PATHS = 3;

const pathsOf = ({ misfits }: ShapeError | InputError): string =>
  misfits
    .slice(0, MAX_PATHS)
    .map(({ path }) => path || "tümü")
    .join(", ");
