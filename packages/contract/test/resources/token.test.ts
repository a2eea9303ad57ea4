import { describe, expect, it } from "vitest";

import { tokenEndpoints } from "../../src/resources/token.ts";

const { input, data } = tokenEndpoints.create;

describe("the token request", () => {
  it("refuses a token request with an empty key or secret", () => {
    expect(input.safeParse({ client_key: "k", client_secret: "s" }).success).toBe(true);
    expect(input.safeParse({ client_key: "", client_secret: "s" }).success).toBe(false);
    expect(input.safeParse({ client_key: "k", client_secret: "" }).success).toBe(false);
  });
});

describe("the token answer", () => {
  it.each([
    [{}],
    [{ status: "ok", access_token: "t", expires_at: "2026-01-01T00:00:00Z", scope: "all" }],
    [{ status: true, access_token: "t", expires_at: 1_767_225_600 }],
    [{ status: false, access_token: null, expires_at: null, message: "no", message_tr: "yok" }],
  ])("accepts the token answer %j", (answer) => {
    expect(data.parse(answer)).toEqual(answer);
  });

  it.each([
    [{ access_token: "" }],
    [{ access_token: 5 }],
    [{ status: 1 }],
    [{ expires_at: true }],
    [{ message: ["no"] }],
    [null],
  ])("refuses the token answer %j", (answer) => {
    expect(data.safeParse(answer).success).toBe(false);
  });
});
