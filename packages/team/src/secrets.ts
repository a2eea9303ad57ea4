/** Secrets that the server makes for cookies, links and programs. */

import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/** 256 bits, as text for an address or a header. */
export const createSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** What is kept of such a secret. It has too many bits to be guessed, so that a fast hash will do. */
export const hashSecret = (secret: string): string =>
  createHash("sha256").update(secret).digest("hex");
