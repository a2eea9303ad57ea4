/** With which flags a server of several people starts. */

import { join } from "node:path";

import { UsageError } from "@catalog/console";
import { describe, expect, it } from "vitest";

import { readServerFlags, refuseServerFlags } from "../../../src/commands/web/serve-team.ts";
import { createFolder } from "../../helpers/temporary-folder.ts";

const URL = "https://katalog.example.com";
const PROXIED = { url: URL, "behind-proxy": true };

/** The message of the refusal, in English. */
function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof UsageError) return error.localized.en;
    throw error;
  }
  return "started";
}

describe("a server", () => {
  it.each([
    ["no address", { "behind-proxy": true }, "Give the address"],
    ["an address without TLS", { ...PROXIED, url: "http://a.example" }, "must start with https"],
    ["an address with a path", { ...PROXIED, url: `${URL}/page` }, "must start with https"],
    ["an address with a password", { ...PROXIED, url: "https://a:b@a.example" }, "must start with"],
    ["neither TLS nor a proxy", { url: URL }, "not encrypted"],
    ["half a certificate", { url: URL, "tls-cert": "a.pem" }, "not encrypted"],
    ["both", { ...PROXIED, "tls-cert": "a.pem", "tls-key": "b.pem" }, "not encrypted"],
    ["a name to listen on", { ...PROXIED, host: "a.example" }, "no IP address"],
    ["a flag of the page of one person", { ...PROXIED, demo: true }, "--demo"],
  ])("does not start with %s", (_, flags, message) => {
    expect(refusalOf(() => readServerFlags(flags))).toContain(message);
  });

  it("does not start with a certificate that cannot be read", () => {
    const missing = join(createFolder(), "none.pem");
    const flags = { url: URL, "tls-cert": missing, "tls-key": missing };

    expect(refusalOf(() => readServerFlags(flags))).toContain("cannot be used");
  });

  it("listens on this machine only, unless another address is given", () => {
    const own = readServerFlags(PROXIED);
    const all = readServerFlags({ ...PROXIED, host: "0.0.0.0" });

    expect(own).toMatchObject({ origin: URL, isBehindProxy: true, host: "127.0.0.1", port: 8080 });
    expect(all.host).toBe("0.0.0.0");
  });

  it("is what its flags are for", () => {
    expect(refusalOf(() => refuseServerFlags({ url: URL }))).toContain("--url");
    expect(refusalOf(() => refuseServerFlags({ open: true }))).toBe("started");
  });
});
