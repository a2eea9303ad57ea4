import fc from "fast-check";
import { expect, it } from "vitest";

import {
  completeImageAddress,
  isImageFile,
  parseImageAddress,
  readTimes,
  splitBeforeAddresses,
  splitImageAddresses,
} from "../../src/values/value-readers.ts";

const show = (text: string): readonly string[] =>
  readTimes(text).map(({ atMs, isDay }) => `${new Date(atMs).toISOString()}${isDay ? " day" : ""}`);

it.each([
  ["2026-01-31", ["2026-01-30T21:00:00.000Z day"]],
  ["2026/1/31", ["2026-01-30T21:00:00.000Z day"]],
  ["31.01.2026", ["2026-01-30T21:00:00.000Z day"]],
  ["31-1-26 09:30", ["2026-01-31T06:30:00.000Z"]],
  ["2026-01-31 00:00:00", ["2026-01-30T21:00:00.000Z day"]],
  ["2026-01-31T09:30:15.5Z", ["2026-01-31T09:30:00.000Z"]],
  ["2026-01-31T09:30+0500", ["2026-01-31T04:30:00.000Z"]],
  ["2026-01-31T09:30-05:00", ["2026-01-31T14:30:00.000Z"]],
  ["1/31/26, 5:00 PM", ["2026-01-31T14:00:00.000Z"]],
  ["1/31/26 12:15 AM", ["2026-01-30T21:15:00.000Z"]],
  ["3/5/2026", ["2026-05-02T21:00:00.000Z day", "2026-03-04T21:00:00.000Z day"]],
  ["5/5/2026", ["2026-05-04T21:00:00.000Z day"]],
  ["2017-12-01T0:00-23:59", ["2017-11-30T21:00:00.000Z day"]],
  ["2026-02-30", []],
  ["2026-01-31 soon", []],
  ["1/5-2026", []],
  ["45000", []],
  ["", []],
])("reads every time that %j can mean", (text, expected) => {
  expect(show(text)).toEqual(expected);
});

it.each<readonly [string, string]>([
  ["https://example.com/a.jpg", "https://example.com/a.jpg"],
  ["HTTPS://example.com/a?b=1,2", "HTTPS://example.com/a?b=1,2"],
  ["http://example.com/a.jpg", "E_IMAGE_URL.http"],
  ["http://example.com/a b.jpg", "E_IMAGE_URL.http"],
  ["http://", "E_IMAGE_URL"],
  ["https://exa mple.com/a.jpg", "E_IMAGE_URL"],
  ["ftp://example.com/a.jpg", "E_IMAGE_URL"],
  ["https://", "E_IMAGE_URL"],
  ["https://example.com/a b.jpg", "E_IMAGE_URL.blank"],
  ["https://example.com/a.jpg;https://example.com/b.jpg", "E_IMAGE_URL"],
  ["example.com/a", "E_IMAGE_URL"],
  ["www.example.com/a.jpg", "E_IMAGE_URL.scheme"],
  ["kaşık-1.JPG", "E_IMAGE_FILE"],
  ["foto/kasik.png", "E_IMAGE_FILE"],
  ["..\\kasik.png", "E_IMAGE_FILE"],
  ["file:///etc/passwd", "E_PATH"],
  ["C:\\resimler\\kasik.png", "E_PATH"],
  ["\\\\server\\kasik.png", "E_PATH"],
  ["/home/kasik.png", "E_PATH"],
])("reads %s as %s", (text, expected) => {
  const reading = parseImageAddress(text);

  expect(reading.ok ? reading.value : reading.problem.text).toBe(expected);
});

it.each([
  ["kaşık-1.JPG", true],
  ["mutfak/kaşık.webp", true],
  ["mutfak\\kaşık.webp", true],
  ["C:\\kaşık.jpg", false],
  ["/kaşık.jpg", false],
  ["https://example.com/a.jpg", false],
  ["www.example.com/a.jpg", false],
  ["kaşık", false],
])("recognises whether %s is a file name: %s", (text, expected) => {
  expect(isImageFile(text)).toBe(expected);
});

it("splits a list at semicolons, bars and line breaks, but not at commas", () => {
  expect(splitImageAddresses("a; b|c\r\nd,e\n;")).toEqual(["a", "b", "c", "d,e"]);
});

it("splits addresses at commas and blanks before the next address only", () => {
  const [a, b] = ["https://x.com/a,1.jpg?w=1,2", "https://x.com/b.jpg"];

  for (const sign of [",", ", ", " ", ";", " | ", "\n", "\r\n"]) {
    expect(splitImageAddresses(`${a}${sign}${b}`)).toEqual([a, b]);
    expect(splitBeforeAddresses(`${a}${sign}${b}`)).toEqual([a, b]);
  }
  expect(splitImageAddresses(`${a}, ${b}, `)).toEqual([a, b]);
});

it("keeps the signs in the name of one file", () => {
  expect(splitBeforeAddresses("mavi; 30 cm, 2.jpg")).toEqual(["mavi; 30 cm, 2.jpg"]);
});

it("accepts no address that a URL parser refuses", () => {
  const label = fc.stringMatching(/^(?:xn--|0x)?[a-z0-9-]{0,4}$/u);
  const path = fc.stringMatching(/^(?:\/[\w%?#:@.~ ;,|-]{0,4}){0,2}$/u);
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), path, (labels, rest) => {
      const text = `https://${labels.join(".")}${rest}`;
      const isOne = !/\s/u.test(text) && !/[;|,]https?:/iu.test(text);

      expect(parseImageAddress(text).ok).toBe(isOne && Boolean(URL.parse(text)?.hostname));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  ["https://example.com/lamba siyah 2.jpg", "https://example.com/lamba%20siyah%202.jpg"],
  ["http://example.com/a b.jpg", "https://example.com/a%20b.jpg"],
  ["www.example.com/a.jpg", "https://www.example.com/a.jpg"],
  ["https://example.com/a.jpg", undefined],
  ["ftp://example.com/a.jpg", undefined],
])("corrects %s to %s", (text, address) => {
  expect(completeImageAddress(text)).toBe(address);
});
