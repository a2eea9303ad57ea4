import { ApiError } from "@catalog/client/errors";
import { createFakeClock } from "@catalog/clock/testing";
import type { Connection, HomeSizes, PrunePreview } from "@catalog/connection";
import { describe, expect, it } from "vitest";

import {
  checkAccess,
  checkReach,
  checkStorage,
} from "../../../src/commands/doctor/store-checks.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

/** Calls a marketplace whose clock shows `date`, or that fails. */
async function reach(answer: { readonly date?: string; readonly fails?: Error }) {
  const asked: RequestInit[] = [];
  const [connection, clock] = await checkReach({
    baseUrl: "https://api.example",
    clock: createFakeClock(NOON),
    stop: new AbortController().signal,
    fetch: async (_url, init = {}) => {
      asked.push(init);
      if (answer.fails !== undefined) throw answer.fails;
      return new Response(null, {
        status: 404,
        headers: answer.date === undefined ? {} : { date: answer.date },
      });
    },
  });
  return { connection, clock, asked };
}

const at = (ms: number): string => new Date(NOON + ms).toUTCString();

describe("checkReach", () => {
  it("accepts any answer as a connection, and follows no redirect", async () => {
    const { connection, asked } = await reach({ date: at(0) });

    expect(connection).toMatchObject({ name: "connection", state: "ok" });
    expect(asked).toMatchObject([{ method: "HEAD", redirect: "manual" }]);
  });

  it.each([
    [0, "ok"],
    [-30_000, "ok"],
    [30_000, "ok"],
    [-31_000, "warn"],
    [31_000, "warn"],
  ])("rates a clock that is %i ms ahead as %s", async (ms, state) => {
    expect((await reach({ date: at(ms) })).clock).toMatchObject({ name: "clock", state });
  });

  it.each([[{}], [{ date: "noon" }]])(
    "reports no clock difference when the answer has no date: %j",
    async (answer) => {
      expect((await reach(answer)).clock?.state).toBe("skip");
    },
  );

  it.each([
    ["ENOTFOUND", "bu adda bir sunucu bulunamadı, ENOTFOUND", "name not found, ENOTFOUND"],
    ["ECONNREFUSED", "bağlantı reddedildi, ECONNREFUSED", "connection refused, ECONNREFUSED"],
    [
      "UND_ERR_CONNECT_TIMEOUT",
      "süresinde yanıt gelmedi, UND_ERR_CONNECT_TIMEOUT",
      "timed out, UND_ERR_CONNECT_TIMEOUT",
    ],
    [
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "güvenlik sertifikası geçersiz, DEPTH_ZERO_SELF_SIGNED_CERT",
      "invalid certificate, DEPTH_ZERO_SELF_SIGNED_CERT",
    ],
    ["EODD", "EODD", "EODD"],
  ])("says in both languages why there is no connection: %s", async (code, tr, en) => {
    const cause = Object.assign(new Error("x"), { code });
    const { connection, clock } = await reach({ fails: new TypeError("fetch failed", { cause }) });

    expect(connection).toMatchObject({ state: "fail", exit: 6 });
    expect(connection?.found).toEqual({ tr: `ulaşılamadı (${tr})`, en: `not reached (${en})` });
    expect(clock?.state).toBe("skip");
  });

  it.each([
    [
      new TypeError("fetch failed", { cause: new Error("bad port") }),
      "bu bağlantı noktasına izin verilmiyor",
    ],
    [new DOMException("x", "TimeoutError"), "10 saniyede yanıt gelmedi"],
    [new TypeError("fetch failed", { cause: new Error("other words") }), "bilinmeyen neden"],
  ])("says it of causes without a code: %s", async (fails, output) => {
    const { connection } = await reach({ fails });

    expect(connection?.found.tr).toBe(`ulaşılamadı (${output})`);
  });

  it("rejects with the reason of an interruption", async () => {
    const stop = AbortSignal.abort(new Error("interrupted"));
    const options = { baseUrl: "https://api.example", clock: createFakeClock(), stop };

    const reaching = checkReach({ ...options, fetch: () => Promise.reject(new Error("aborted")) });

    await expect(reaching).rejects.toThrow("interrupted");
  });
});

describe("checkAccess", () => {
  const notThere = new ApiError("product.list was refused with status 404", {
    endpoint: "product.list",
    phase: "body",
    status: 404,
  });
  it("does not blame the prefix when the other one is missing too", async () => {
    const asked: string[] = [];

    const checks = await checkAccess({
      login: async () => undefined,
      countProducts: () => Promise.reject(notThere),
      stop: new AbortController().signal,
      versions: ["v1.1", "v1.0"],
      listWith: async (version) => {
        asked.push(version);
        return "missing";
      },
    });

    expect(asked).toEqual(["v1.0"]);
    expect(checks).toMatchObject([
      { name: "token", state: "ok" },
      { name: "api_version", state: "skip" },
      { name: "permission", state: "fail", exit: 6 },
    ]);
  });
});

const NO_KINDS = {
  runs: 0,
  rows: 0,
  cells: 0,
  events: 0,
  archive: 0,
  ledger: 0,
  listing: 0,
  names: 0,
  exports: 0,
  drafts: 0,
  other: 0,
};

const MB = 1024 * 1024;

const SIZES: HomeSizes = {
  homeBytes: 70 * MB,
  fileBytes: 60 * MB,
  freeBytes: MB,
  kinds: { ...NO_KINDS, archive: 40 * MB, rows: 18.5 * MB, names: 50_000 },
  tableRows: 10,
  archivedRows: 20,
};

const unused = (): never => {
  throw new Error("the doctor deletes nothing");
};

/** The storage of a home, as far as the check asks for it. */
function storageOf(
  sizes: Partial<HomeSizes> = {},
  due: PrunePreview = { runs: 0, rows: 0, bytes: 0 },
): Pick<Connection, "storage"> {
  return {
    storage: {
      keepMs: 1,
      sizes: async () => ({ ...SIZES, ...sizes }),
      previewPrune: async () => due,
      listWaiting: unused,
      pruneWhileIdle: unused,
      prune: unused,
      compact: unused,
    },
  };
}

describe("the check of the storage", () => {
  it("names the sizes, the largest first", async () => {
    const { state, found } = await checkStorage(storageOf());

    expect(state).toBe("ok");
    expect(found.tr).toBe(
      "klasör 70 MB; veritabanı 60 MB (arşiv 40 MB, satırlar 18,5 MB, boş 1 MB)",
    );
    expect(found.en).toBe("folder 70 MB; database 60 MB (archive 40 MB, rows 18.5 MB, free 1 MB)");
  });

  it("advises to prune where much can be deleted", async () => {
    const due = { runs: 9, rows: 1_000, bytes: 250 * MB };

    const { state, fix, found, sizes } = await checkStorage(storageOf({}, due));

    expect(state).toBe("warn");
    expect(found.tr).toContain("; saklama süresi dolmuş 1.000 satır, 250 MB");
    expect(found.en).toContain("; 1,000 rows past their retention, 250 MB");
    expect(fix?.tr).toBe("Yaklaşık 250 MB yer açmak için: catalog runs prune");
    expect(sizes).toMatchObject({ prunable_runs: 9, prunable_rows: 1_000, prunable: 250 * MB });
  });
});
