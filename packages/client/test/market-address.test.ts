import { describe, expect, it } from "vitest";

import { canonicalAddress, canonicalStoreId } from "../src/market-address.ts";

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

describe("canonicalStoreId", () => {
  it.each([
    ["5F0A1b2c3d4e5f60718293A4", "5f0a1b2c3d4e5f60718293a4"],
    [" 5f0a1b2c3d4e5f60718293a4\n", "5f0a1b2c3d4e5f60718293a4"],
    ["Store-A", "Store-A"],
    ["5F0A1B2C3D4E5F60718293A", "5F0A1B2C3D4E5F60718293A"],
  ])("turns the store id %j into %j", (typed, form) => {
    expect(canonicalStoreId(typed)).toBe(form);
  });
});
