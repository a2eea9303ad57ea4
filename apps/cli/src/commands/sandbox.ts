import { type Sandbox } from "@catalog/sandbox";
import { type Command, type CommandContext } from "@catalog/toolkit";

/** `catalog sandbox`: a local marketplace until it is stopped. */
export const sandboxCommand: Command = {
  name: "sandbox",
  positionals: [],
  describe: {
    tr: "Denemek için yerel bir pazaryeri açar; Ctrl-C ile kapanır",
    en: "Opens a local marketplace to try things out; Ctrl-C closes it",
  },
  flags: {
    port: {
      type: "number",
      default: 0,
      describe: { tr: "Port; 0 boş bir port seçer", en: "Port; 0 picks a free one" },
    },
    products: {
      type: "number",
      default: 0,
      describe: { tr: "Mağazadaki hazır ürün sayısı", en: "Products that the store starts with" },
    },
    "latency-ms": {
      type: "number",
      default: 0,
      describe: { tr: "Her yanıttan önceki bekleme", en: "Wait before every answer" },
    },
    "requests-per-hour": {
      type: "number",
      describe: { tr: "Saatlik istek sınırı", en: "Limit on calls per hour" },
    },
  },
  examples: ["sandbox", "sandbox --port 4010 --products 500 --json"],
  async run(context, flags) {
    // Loaded only here: a server is much code, and every other command starts without it.
    const { startSandbox } = await import("@catalog/sandbox");
    await using sandbox = await startSandbox({
      port: numberOf(flags["port"]),
      products: numberOf(flags["products"]),
      latencyMs: numberOf(flags["latency-ms"]),
      ...(flags["requests-per-hour"] === undefined
        ? {}
        : { requestsPerHour: numberOf(flags["requests-per-hour"]) }),
      clock: context.clock,
    });
    context.terminal.out(context.json ? toJson(sandbox) : toText(context, sandbox));
    await untilStopped(context.stop);
    return 0;
  },
};

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

function toJson({ baseUrl, clientKey, clientSecret, storeId }: Sandbox): string {
  const line = {
    base_url: baseUrl,
    client_key: clientKey,
    client_secret: clientSecret,
    store_id: storeId,
  };
  return `${JSON.stringify(line)}\n`;
}

function toText({ lang }: CommandContext, sandbox: Sandbox): string {
  const heading = {
    tr: "Yerel pazaryeri açık. Başka bir terminalde:",
    en: "The local marketplace is open. In another terminal:",
  };
  const closing = {
    tr: `Sayılar: ${sandbox.baseUrl}/_sandbox/stats   Kapatmak için Ctrl-C.`,
    en: `Counts: ${sandbox.baseUrl}/_sandbox/stats   Ctrl-C closes it.`,
  };
  return [
    heading[lang],
    "",
    `  export CATALOG_BASE_URL=${sandbox.baseUrl}`,
    `  export CATALOG_CLIENT_KEY=${sandbox.clientKey}`,
    `  export CATALOG_CLIENT_SECRET=${sandbox.clientSecret}`,
    `  export CATALOG_STORE_ID=${sandbox.storeId}`,
    "",
    closing[lang],
    "",
  ].join("\n");
}

function untilStopped(stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (stop.aborted) resolve();
  stop.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
