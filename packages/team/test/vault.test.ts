import { describe, expect, it } from "vitest";

import { TeamError } from "../src/team-error.ts";
import { createVault, parseSecretKeys, type Vault } from "../src/vault.ts";

const [OLD, NEW] = [Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 2).toString("base64")];
const STORE = { id: 3, name: "a101", baseUrl: "https://api.example", storeId: "77" };
const SECRETS = { clientKey: "anahtar-çok-gizli", clientSecret: "sır" };

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "ok";
  } catch (error) {
    if (error instanceof TeamError) return error.code;
    throw error;
  }
};

const vaultOf = (text: string): Vault => createVault(parseSecretKeys(text));

describe("parseSecretKeys", () => {
  const WRONG: readonly string[] = [
    "short",
    Buffer.alloc(31).toString("base64"),
    Buffer.alloc(33).toString("base64"),
    `${OLD}!`,
    `${OLD},${OLD.slice(4)}`,
  ];

  it.each(WRONG)("refuses what is no key of 32 bytes, without repeating it: %s", (text) => {
    expect(codeOf(() => parseSecretKeys(text))).toBe("E_KEY_INVALID");
    expect(() => parseSecretKeys(text)).not.toThrow(new RegExp(text.slice(0, 8), "u"));
  });

  it("reads several, apart by commas or lines, and in both forms of base64", () => {
    const url = Buffer.from(OLD, "base64").toString("base64url");

    const ids = [`${NEW},${OLD}`, `\n${NEW}\r\n${OLD}\n`, `${NEW} ${url}`].map((text) =>
      parseSecretKeys(text).map(({ id }) => id),
    );

    expect(new Set(ids.map((each) => each.join())).size).toBe(1);
    expect(ids[0]).toHaveLength(2);
    expect(parseSecretKeys(" \n")).toEqual([]);
  });
});

describe("the vault", () => {
  const sealed = vaultOf(OLD).seal(STORE, SECRETS);

  it("opens what it has sealed, and shows nothing of it", () => {
    const again = vaultOf(OLD).seal(STORE, SECRETS);

    expect(vaultOf(OLD).open(STORE, sealed)).toEqual(SECRETS);
    expect(again.text).not.toBe(sealed.text);
    const bytes = Buffer.from(sealed.text, "base64url").toString("latin1");
    expect(bytes).not.toContain("gizli");
  });

  it("opens what an earlier key has sealed, and tells it from the newest", () => {
    const vault = vaultOf(`${NEW},${OLD}`);

    expect(vault.open(STORE, sealed)).toEqual(SECRETS);
    expect([vault.isNewest(sealed), vault.isNewest(vault.seal(STORE, SECRETS))]).toEqual([
      false,
      true,
    ]);
  });

  it.each([
    ["for another store", { ...STORE, id: 4 }, sealed],
    ["for another address", { ...STORE, baseUrl: "https://evil.example" }, sealed],
    ["for another shop of the address", { ...STORE, storeId: "78" }, sealed],
    ["once a bit of it has changed", STORE, { ...sealed, text: flipAt(sealed.text, 20) }],
    ["once its nonce has changed", STORE, { ...sealed, text: flipAt(sealed.text, 0) }],
    ["once its tag has changed", STORE, { ...sealed, text: flipAt(sealed.text, -1) }],
    ["once it is cut off", STORE, { ...sealed, text: "" }],
    ["under the name of an unknown key", STORE, { ...sealed, keyId: "0123456789ab" }],
  ])("does not open %s", (_, store, changed) => {
    expect(codeOf(() => vaultOf(OLD).open(store, changed))).toBe("E_KEY_MISSING");
  });

  it("does not open with another key, nor seal without one", () => {
    expect(codeOf(() => vaultOf(NEW).open(STORE, sealed))).toBe("E_KEY_MISSING");
    expect(codeOf(() => vaultOf("").seal(STORE, SECRETS))).toBe("E_KEY_MISSING");
  });
});

function flipAt(text: string, at: number): string {
  const bytes = Buffer.from(text, "base64url");
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return bytes.toString("base64url");
}
