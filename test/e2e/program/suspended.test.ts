import { readFileSync } from "node:fs";
import { setImmediate as afterEvents } from "node:timers/promises";

import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import { openObedientProgram } from "../../safety/kill/obedient-program.ts";

/** Resolves once the system says that the process is suspended. */
async function untilSuspended(pid: number): Promise<void> {
  while (!/\) T /u.test(readFileSync(`/proc/${pid}/stat`, "latin1"))) await afterEvents();
}

describe("a command while another one is suspended", { timeout: 120_000 }, () => {
  it("names the one that stays in the middle of a commit, with exit code 75", async () => {
    const { env, folder: cwd } = await openTestStore();
    const file = writeCsv(cwd, "urunler.csv", goodRows(2));
    const crash = { point: "begin-half-written", nth: 1, isSuspended: true };
    const start = await openObedientProgram();
    const first = start({ crash }, ["import", file, "--yes", "--json"], { env, cwd });
    const pid = first.child.pid ?? 0;
    await untilSuspended(pid);

    const second = await callCatalog(["runs", "--json"], { env, cwd });
    first.child.kill("SIGCONT");
    const { code, out } = await first.finished;

    expect(second.code).toBe(75);
    const { error } = JSON.parse(second.out);
    expect(error.code).toBe("E_DATABASE_BUSY");
    expect(error.message).toContain(`catalog import ${JSON.parse(out).run}, işlem no ${pid},`);
    expect(error.message).toContain("; duraklatılmış)");
    expect(code).toBe(0);
  });

  it("names the one that works on the same store, with exit code 75", async () => {
    const { env, folder: cwd } = await openTestStore();
    const file = writeCsv(cwd, "urunler.csv", goodRows(2));
    const crash = { point: "before-begin", nth: 1, isSuspended: true };
    const start = await openObedientProgram();
    const first = start({ crash }, ["import", file, "--yes", "--json"], { env, cwd });
    await untilSuspended(first.child.pid ?? 0);

    const second = await callCatalog(["import", file, "--yes", "--json"], { env, cwd });
    first.child.kill("SIGCONT");
    await first.finished;

    expect(second.code).toBe(75);
    const { error } = JSON.parse(second.out);
    expect(error.code).toBe("E_STORE_BUSY");
    expect(error.message).toContain(`işlem no ${first.child.pid},`);
    expect(error.message).toContain("; duraklatılmış)");
  });
});
