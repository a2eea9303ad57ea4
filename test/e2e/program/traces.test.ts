import { describe, expect, it } from "vitest";

import { callCatalog } from "../../helpers/call-catalog.ts";
import { findCanaries } from "../../helpers/canaries.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { type Finished, startCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import { openSpanCollector } from "../../helpers/span-collector.ts";

describe("traces", () => {
  it("have the command, its plan, its sending and each call, and no secret and no product", async () => {
    const { env, folder, sandbox } = await openTestStore();
    const collector = await openSpanCollector();
    const file = writeCsv(folder, "urunler.csv", goodRows(3));
    const traced = { ...env, CATALOG_OTEL: "1", OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };

    const { finished } = startCatalog(["import", file, "--yes", "--json"], {
      env: traced,
      cwd: folder,
    });
    const { code, out } = await finished;

    const { spans, bodies } = collector;
    const [command, plan, apply] = ["catalog import", "plan", "apply"].map((name) =>
      spans.find((span) => span.name === name),
    );
    const { run } = JSON.parse(out);
    const adds = spans.filter(({ name }) => name === "POST /product/add/store/:storeId");
    expect(code).toBe(0);
    expect(command?.attributes).toEqual({ "process.exit.code": 0 });
    expect(
      [plan, apply].map((span) => [span?.parentSpanId, span?.attributes["catalog.run.id"]]),
    ).toEqual([
      [command?.spanId, run],
      [command?.spanId, run],
    ]);
    expect(adds.map(({ parentSpanId, attributes }) => [parentSpanId, attributes])).toEqual(
      Array.from({ length: 3 }, () => [
        apply?.spanId,
        {
          "http.request.method": "POST",
          "url.template": "/product/add/store/:storeId",
          "http.response.status_code": 200,
          "catalog.call.outcome": "ok",
        },
      ]),
    );
    const calls = spans.filter(({ attributes }) => "catalog.call.outcome" in attributes);
    const answered = calls.filter(({ attributes }) => attributes["catalog.call.outcome"] === "ok");
    // A call that was aborted may have arrived.
    expect(answered.length).toBeLessThanOrEqual(sandbox.stats().requests);
    expect(calls.length).toBeGreaterThanOrEqual(sandbox.stats().requests);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(findCanaries(bodies.join(""))).toEqual([]);
    expect(bodies.join("")).not.toMatch(/TST-0|Deneme|urunler|access_token|ornek\.example/u);
  });

  it("change nothing where no collector answers", async () => {
    const { env, folder } = await openTestStore();
    const closed = { CATALOG_OTEL: "1", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };

    const { finished } = startCatalog(["runs", "--json"], {
      env: { ...env, ...closed },
      cwd: folder,
    });
    const { code, err } = await finished;

    expect([code, err]).toEqual([0, ""]);
  });

  it("load no library where they are off, and refuse a value that is not understood", async () => {
    const { env, folder, run } = await openTestStore();
    // Chunks of the program that hold the libraries.
    const hook = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        if (/^[.][/]tracing|prom-client/u.test(name)) process.stderr.write("loaded " + name);
        return next(name, context);
      } });`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
    const at = (CATALOG_OTEL: string): Promise<Finished> =>
      startCatalog(["runs", "--json"], {
        env: {
          ...env,
          NODE_OPTIONS,
          CATALOG_OTEL,
          OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
        },
        cwd: folder,
      }).finished;

    const [off, on] = await Promise.all([at("0"), at("1")]);
    const refused = await callCatalog(["runs"], {
      env: { ...env, CATALOG_OTEL: "evet" },
      cwd: folder,
    });

    expect([off.code, off.err]).toEqual([0, ""]);
    expect(on.err).toContain("loaded ./tracing");
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("CATALOG_OTEL")]);
    expect((await run("runs")).code).toBe(0);
  });
});
