import { describe, expect, it } from "vitest";

import { canonicalAddress, canonicalStoreId } from "../src/market-address.ts";
import { describeNetworkCode } from "../src/network-reason.ts";
import { createRedactor, redact } from "../src/redact.ts";

describe("canonicalAddress", () => {
  it.each([
    ["https://shop.example", "https://shop.example"],
    ["https://shop.example/", "https://shop.example"],
    ["https://shop.example//", "https://shop.example"],
    ["  https://shop.example/ ", "https://shop.example"],
    ["HTTPS://Shop.Example", "https://shop.example"],
    ["https://shop.example:443", "https://shop.example"],
    ["https://shop.example.", "https://shop.example"],
    ["https://shop.example:8443/", "https://shop.example:8443"],
    ["https://MAĞAZA.example/", "https://xn--maaza-l1a.example"],
    ["https://shop.example//api///v/", "https://shop.example/api/v"],
    ["https://shop.example/api/./x/../v", "https://shop.example/api/v"],
    ["https://shop.example/API", "https://shop.example/API"],
    ["https://shop.example/%61pi/%7euser", "https://shop.example/api/~user"],
    ["https://shop.example/a%2fb/%c3%a7", "https://shop.example/a%2Fb/%C3%A7"],
    ["https://shop.example/ç", "https://shop.example/%C3%A7"],
    ["https://shop.example\\api", "https://shop.example/api"],
    ["http://localhost:8080/", "http://127.0.0.1:8080"],
    ["http://LOCALHOST:8080", "http://127.0.0.1:8080"],
    ["http://127.1:8080", "http://127.0.0.1:8080"],
    ["http://[::1]:8080/", "http://127.0.0.1:8080"],
    ["http://[0:0:0:0:0:0:0:1]:8080", "http://127.0.0.1:8080"],
    ["shop.example ", "shop.example"],
    ["", ""],
  ])("turns the address %j into %j", (typed, form) => {
    expect(canonicalAddress(typed)).toBe(form);
    expect(canonicalAddress(form)).toBe(form);
  });

  it.each([
    ["another host", "https://shop.example", "https://shop2.example"],
    ["another port", "http://localhost:8080", "http://localhost:8081"],
    ["another scheme", "https://localhost:8080", "http://localhost:8080"],
    ["another path", "https://shop.example/a", "https://shop.example/b"],
    ["the case of a path", "https://shop.example/a", "https://shop.example/A"],
    ["a slash that is encoded", "https://shop.example/a/b", "https://shop.example/a%2Fb"],
    ["another address of this machine", "http://127.0.0.1:8080", "http://127.0.0.2:8080"],
  ])("distinguishes addresses by %s", (_what, one, other) => {
    expect(canonicalAddress(one)).not.toBe(canonicalAddress(other));
  });
});

it.each([
  ["5F0A1b2c3d4e5f60718293A4", "5f0a1b2c3d4e5f60718293a4"],
  [" 5f0a1b2c3d4e5f60718293a4\n", "5f0a1b2c3d4e5f60718293a4"],
  ["Store-A", "Store-A"],
  ["5F0A1B2C3D4E5F60718293A", "5F0A1B2C3D4E5F60718293A"],
])("canonicalStoreId turns the store id %j into %j", (typed, form) => {
  expect(canonicalStoreId(typed)).toBe(form);
});

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

describe("redact", () => {
  const cases: readonly [string, string][] = [
    ["GET /x?access_token=abc&page=2", "GET /x?access_token=[redacted]&page=2"],
    ['{"access_token":"abc","x":1}', '{"access_token":"[redacted]","x":1}'],
    ['{"client_secret" : "a b"}', '{"client_secret" : "[redacted] b"}'],
    [String.raw`"{\"client_secret\":\"abc\"}"`, String.raw`"{\"client_secret\":\"[redacted]\"}"`],
    ["{ client_secret: 'abc' }", "{ client_secret: '[redacted]' }"],
    ["next=%2Fx%3Faccess_token%3Dabc", "next=%2Fx%3Faccess_token%3D[redacted]"],
    ["Access_Token=abc", "Access_Token=[redacted]"],
    ["no secret in here", "no secret in here"],
    ["the access_token was refused", "the access_token was refused"],
  ];
  it.each(cases)("turns %s into %s", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it("leaves redacted text as it is", () => {
    for (const [, text] of cases) expect(redact(text)).toBe(text);
  });

  it("removes a known secret wherever it stands, in every encoding", () => {
    const secret = 'a+b/"ü"=';
    const text = `raw ${secret}, in a URL ${encodeURIComponent(secret)}, in JSON ${JSON.stringify(secret)}`;

    expect(redact(text, [secret])).toBe(
      'raw [redacted], in a URL [redacted], in JSON "[redacted]"',
    );
  });

  it("removes the longer of two secrets first", () => {
    expect(redact("x abcdefgh y", ["abcd", "abcdefgh"])).toBe("x [redacted] y");
  });

  it("removes a secret that the end of the text cuts off", () => {
    expect(redact("you sent CANARY-12", ["CANARY-1234"])).toBe("you sent [redacted]");
    expect(redact("this is a bad secret", ["secret-1"])).toBe("this is a bad secret");
  });

  it("keeps values that are too short to be distinguished from words", () => {
    expect(redact("a cup of tea", ["a", "cup"])).toBe("a cup of tea");
  });
});

it("createRedactor redacts the secrets that it was given, and none of another redactor", () => {
  const one = createRedactor();
  const other = createRedactor();
  one.add("token-1");
  one.add("token-2");

  expect(one.redact("token-1 token-2")).toBe("[redacted] [redacted]");
  expect(other.redact("token-1")).toBe("token-1");
});
