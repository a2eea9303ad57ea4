import { createFakeClock } from "@catalog/clock/testing";
import { TOKEN_VALIDITY_MS } from "@catalog/contract";
import { describe, expect, it } from "vitest";

import { readAnswer, openTestClient } from "../helpers/test-client.ts";

describe("inspect", () => {
  it("returns counts, codes, tokens and hours, over HTTP and as method", async () => {
    const clock = createFakeClock(1000);
    const { sandbox, add } = await openTestClient({ clock });
    const ids = [await add(), await add(), await add({ product_code: "X" })];

    const answer = await readAnswer(await fetch(`${sandbox.baseUrl}/_sandbox/inspection`));

    expect(answer.data).toEqual({
      stats: sandbox.stats(),
      calls: { lastHour: 4, busiestHour: 4 },
      tokens: [
        {
          ip: "127.0.0.1",
          grantedAtMs: 1000,
          expiresAtMs: 1000 + TOKEN_VALIDITY_MS,
          isValid: true,
        },
      ],
      productsByCode: { "KSK-001": 2, X: 1 },
      doubles: { "KSK-001": ids.slice(0, 2) },
      violations: [],
      undocumented: [],
    });
    expect(answer.data).toEqual(sandbox.inspect());
  });

  it("shows when a token expires, and never its value", async () => {
    const clock = createFakeClock();
    const { sandbox, token } = await openTestClient({ clock });

    await clock.advance(TOKEN_VALIDITY_MS);

    expect(sandbox.inspect().tokens).toMatchObject([{ isValid: false }]);
    expect(JSON.stringify(sandbox.inspect())).not.toContain(token);
  });
});
