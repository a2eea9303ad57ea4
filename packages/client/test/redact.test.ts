import { describe, expect, it } from "vitest";

import { createRedactor, redact } from "../src/redact.ts";

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
  for (const [text, expected] of cases) {
    it(`turns ${text} into ${expected}`, () => {
      expect(redact(text)).toBe(expected);
    });
  }

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

describe("createRedactor", () => {
  it("redacts the secrets that it was given, and none of another redactor", () => {
    const one = createRedactor();
    const other = createRedactor();
    one.add("token-1");
    one.add("token-2");

    expect(one.redact("token-1 token-2")).toBe("[redacted] [redacted]");
    expect(other.redact("token-1")).toBe("token-1");
  });
});
