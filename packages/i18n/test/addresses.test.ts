import { describe, expect, it } from "vitest";

import { bareAddress, isAddress } from "../src/index.ts";

describe("an address that is shown", () => {
  it.each([
    [
      "https://u:p@Bayi.example.com:8443/a%20b.xml?token=T#x",
      "https://bayi.example.com:8443/a%20b.xml",
    ],
    ["sftp://u:p@Bayi.example.com", "sftp://bayi.example.com/"],
    ["https:\\\\u:p@host/x", "https://host/x"],
    ["https://host/@scope/pkg@1.2/x.xml", "https://host/@scope/pkg@1.2/x.xml"],
    ["https://host/a https://u:p@other/b", "https://host/a%20https://other/b"],
    // What no parser accepts.
    ["https://u:p@bad host/x?key=K", "https://bad host/x"],
    ["https://u:p/p@HOST/x", "https://host/x"],
    ["https://u:p?p@host/x", "https://…"],
    ["https://u:p#p@host/x?key=K", "https://…"],
    ["https://bad host/x?mail=a@b&key=K", "https://…"],
    ["https://host:port/x?key=K", "https://host:port/x"],
    ["sftp:u:p@host/x", "host/x"],
    ["u:p@host/x", "host/x"],
    ["host/x?key=K", "host/x"],
    ["https://", "https://"],
    ["", ""],
  ])("of %s is %s", (address, bare) => {
    expect(bareAddress(address)).toBe(bare);
    expect(bareAddress(bare)).toBe(bare);
  });

  it.each(["@", ":", "/", "?", "a:", "://", "@:", "/:@"])(
    "takes no longer than its length, with many %s",
    (part) => {
      const text = `https://u:p@bad host/${part.repeat(1_000_000)}`;

      expect(isAddress(text)).toBe(true);
      expect(bareAddress(text)).not.toContain("u:p");
    },
  );
});

describe("whether a text is meant as an address", () => {
  it.each([
    ["https://host/x", true],
    ["htps://u:p@host/x", true],
    ["bayi:p@host/x", true],
    ["https:\\\\host", true],
    ["C:\\Users\\ben@ev\\stok.csv", false],
    ["C:/stok.csv", false],
    ["\\\\sunucu\\paylaşım\\stok.csv", false],
    ["/ev/a:b@c.csv", false],
    ["Acme: ev@acme.example", false],
    ["draft:abc", false],
  ])("%s: %s", (text, is) => {
    expect(isAddress(text)).toBe(is);
  });
});
