import { describe, expect, it } from "vitest";

import { isLogin, toLogin, toNetwork } from "../src/logins.ts";

describe("a login", () => {
  it.each([
    [" Ayse@Shop.Example ", "ayse@shop.example"],
    ["İREM", "irem"],
    ["IRMAK", "irmak"],
    ["ırmak", "irmak"],
    ["ｉｒｅｍ", "irem"],
    ["çağrı", "çağri"],
  ])("typed as %s is %s", (typed, login) => {
    expect(toLogin(typed)).toBe(login);
  });

  it.each(["", "a b", "a\u0000b", "a\u202eb", "x".repeat(255), "\ud800"])("is none: %j", (text) => {
    expect(isLogin(text)).toBe(false);
  });
});

describe("the network of an address", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::ffff:c000:207", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["2001:db8:1:2:3:4::", "2001:db8:1:2::/64"],
    ["not:an:address", "not:an:address"],
    ["", ""],
  ])("%s counts as %s", (address, network) => {
    expect(toNetwork(address)).toBe(network);
  });
});
