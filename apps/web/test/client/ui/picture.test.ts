import { describe, expect, it } from "vitest";

import { pictureAddress, placeBeside } from "../../../client/ui/picture.tsx";

describe("the address of an image", () => {
  it.each([
    [{ product: 7, version: "2026-01-01" }, {}, "/api/products/7/image?size=small&v=2026-01-01"],
    [{ product: 7 }, { size: "large", n: 2 }, "/api/products/7/image?size=large&n=2"],
    [{ draft: "d-1", row: 3 }, {}, "/api/drafts/d-1/image?size=small&row=3"],
    [
      { draft: "d-1", row: 3, column: 0, version: "a&b=c" },
      {},
      "/api/drafts/d-1/image?size=small&row=3&column=0&v=a%26b%3Dc",
    ],
    [{ run: "r-1", row: 3 }, {}, "/api/runs/r-1/image?size=small&row=3"],
  ] as const)("names a place of the page's own server: %o", (of, options, address) => {
    expect(pictureAddress(of, options)).toBe(address);
  });
});

describe("a large image", () => {
  const screen = { width: 1280, height: 800, edge: 320 };

  it.each([
    ["in the middle", { left: 100, right: 126, top: 200 }, { left: 134, top: 200 }],
    ["at the right", { left: 1200, right: 1226, top: 200 }, { left: 872, top: 200 }],
    ["at the bottom", { left: 100, right: 126, top: 790 }, { left: 134, top: 472 }],
    ["above the window", { left: 100, right: 126, top: -20 }, { left: 134, top: 8 }],
  ])("stands beside the small one %s, within the window", (_where, box, place) => {
    expect(placeBeside(box, screen)).toEqual(place);
  });
});
