// Nothing of it remains at run time; with "type" inside the braces the module would be loaded.
import type { Sandbox, SandboxOptions } from "@catalog/sandbox";
import { FAULT_KINDS, listSwitches, parseFault, parsePersonality } from "@catalog/sandbox/options";
import { type Command, type CommandContext, type Flags, UsageError } from "@catalog/toolkit";

const SWITCH_LIST = listSwitches()
  .map(({ name, values }) => `${name}=${values.join("|")}`)
  .join("\n");

const FAULT_LIST = Object.keys(FAULT_KINDS).join(", ");

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
    personality: {
      type: "string",
      many: true,
      describe: {
        tr: `Belirtimin açık bıraktığı bir davranış; ilk değer varsayılandır:\n${SWITCH_LIST}`,
        en: `Something that the specification leaves open; the first value is the default:\n${SWITCH_LIST}`,
      },
    },
    fault: {
      type: "string",
      many: true,
      describe: {
        tr: `Aksaklık, tür[:uç][:rate=…,nth=…,ms=…,status=…]; türler: ${FAULT_LIST}`,
        en: `A fault, kind[:endpoint][:rate=…,nth=…,ms=…,status=…]; kinds: ${FAULT_LIST}`,
      },
    },
    seed: {
      type: "string",
      default: "sandbox",
      describe: {
        tr: "Kimlikler ve aksaklıklar bundan türer; aynısı aynı aksaklıkları verir",
        en: "Credentials and faults follow from it; the same one gives the same faults",
      },
    },
  },
  examples: [
    "sandbox",
    "sandbox --port 4010 --products 500 --json",
    "sandbox --personality auth-error=200 --personality total=this-page",
    "sandbox --fault reset-after:product.add:nth=3 --fault latency:rate=0.1,ms=800",
  ],
  async run(context, flags) {
    await using sandbox = await start(context, flags);
    context.terminal.out(context.json ? toJson(sandbox) : toText(context, sandbox));
    await untilStopped(context.stop);
    return 0;
  },
};

/** Whatever the sandbox cannot be told is a mistake on the command line. */
async function start(context: CommandContext, flags: Flags): Promise<Sandbox> {
  // Loaded only here: a server is much code, and every other command starts without it.
  const { startSandbox } = await import("@catalog/sandbox");
  try {
    return await startSandbox({ ...toOptions(flags), clock: context.clock });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const see = {
      tr: 'Değerler için "catalog sandbox --help" yazın.',
      en: '"catalog sandbox --help" shows the values.',
    };
    throw new UsageError({
      tr: `Sandbox böyle açılamaz: ${error.message}.\n${see.tr}`,
      en: `The sandbox cannot be opened so: ${error.message}.\n${see.en}`,
    });
  }
}

function toOptions(flags: Flags): SandboxOptions {
  const limit = flags["requests-per-hour"];
  return {
    port: numberOf(flags["port"]),
    products: numberOf(flags["products"]),
    latencyMs: numberOf(flags["latency-ms"]),
    ...(limit === undefined ? {} : { requestsPerHour: numberOf(limit) }),
    personality: parsePersonality(textsOf(flags["personality"])),
    faults: textsOf(flags["fault"]).map(parseFault),
    seed: String(flags["seed"]),
  };
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

function toJson({ baseUrl, clientKey, clientSecret, storeId, seed }: Sandbox): string {
  const line = {
    base_url: baseUrl,
    client_key: clientKey,
    client_secret: clientSecret,
    store_id: storeId,
    seed,
  };
  return `${JSON.stringify(line)}\n`;
}

function toText({ lang }: CommandContext, sandbox: Sandbox): string {
  const heading = {
    tr: "Yerel pazaryeri açık. Başka bir terminalde:",
    en: "The local marketplace is open. In another terminal:",
  };
  const closing = {
    tr: `Sayılar: ${sandbox.baseUrl}/_sandbox/inspection   Kapatmak için Ctrl-C.`,
    en: `Counts: ${sandbox.baseUrl}/_sandbox/inspection   Ctrl-C closes it.`,
  };
  return [
    heading[lang],
    "",
    `  export CATALOG_BASE_URL=${sandbox.baseUrl}`,
    `  export CATALOG_CLIENT_KEY=${sandbox.clientKey}`,
    `  export CATALOG_CLIENT_SECRET=${sandbox.clientSecret}`,
    `  export CATALOG_STORE_ID=${sandbox.storeId}`,
    "",
    `${{ tr: "Tohum", en: "Seed" }[lang]}: ${sandbox.seed}`,
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
