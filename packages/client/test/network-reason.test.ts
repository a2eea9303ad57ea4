import { describe, expect, it } from "vitest";

import { describeNetworkCode } from "../src/network-reason.ts";

const REASONS = {
  "name not found": ["ENOTFOUND"],
  "the name could not be looked up, perhaps without a connection to the internet": [
    "EAI_AGAIN",
    "EAI_FAIL",
  ],
  "connection refused": ["ECONNREFUSED"],
  "connection lost": ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"],
  "timed out": ["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT"],
  "network unreachable": ["ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"],
  "invalid certificate": [
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
  "no secure connection could be made": ["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER"],
} as const;

describe("describeNetworkCode", () => {
  for (const [reason, codes] of Object.entries(REASONS)) {
    it.each(codes)(`says "${reason}" of %s, in Turkish too`, (code) => {
      const { tr, en } = describeNetworkCode(code);

      expect(en).toBe(`${reason}, ${code}`);
      expect(tr.endsWith(`, ${code}`) && !tr.includes(reason)).toBe(true);
    });
  }

  it("leaves a code without words alone", () => {
    expect(describeNetworkCode("EODD")).toEqual({ tr: "EODD", en: "EODD" });
  });
});
