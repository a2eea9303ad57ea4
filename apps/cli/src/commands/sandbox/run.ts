import { EXIT, type Flags, printJson, isListenError, UsageError, readFlag } from "@catalog/console";
import type { Sandbox, SandboxOptions } from "@catalog/sandbox";
import { OptionError, parseFault, parseBehavior } from "@catalog/sandbox/options";

// `import type` loads nothing at run time, unlike `import { type … }`.
import type { CommandContext } from "../../context.ts";

/** `catalog sandbox`: runs a local marketplace until it is stopped. */
export async function runSandboxCommand(context: CommandContext, flags: Flags): Promise<number> {
  await using sandbox = await start(context, flags);
  if (context.json) printJson(context.terminal, toDocument(sandbox));
  else context.terminal.out(toText(context, sandbox));
  await untilStopped(context.stop);
  return EXIT.done;
}

/** An option that the sandbox refuses is a usage error, and so is a port that cannot be used. */
async function start(context: CommandContext, flags: Flags): Promise<Sandbox> {
  const port = readFlag.port(flags, "port") ?? 0;
  // Loaded only here, as the server's code would slow down the start of every other command.
  const { startSandbox } = await import("@catalog/sandbox");
  try {
    return await startSandbox({ ...toOptions(flags), port, clock: context.clock });
  } catch (error) {
    if (isListenError(error)) throw refusePort(port, error);
    if (!(error instanceof OptionError)) throw error;
    const { tr, en } = error.localized;
    throw new UsageError({
      tr: `Yerel pazaryeri böyle açılamaz: ${tr}.\nDeğerler için: catalog sandbox --help`,
      en: `The sandbox cannot be opened like this: ${en}.\nFor the values: catalog sandbox --help`,
    });
  }
}

/** The system gives the port to nobody, or has given it to another program. */
function refusePort(port: number, cause: Error): UsageError {
  const isTaken = "code" in cause && cause.code === "EADDRINUSE";
  const tr = isTaken ? "başka bir program kullanıyor" : "bu bilgisayar açtırmıyor";
  const en = isTaken ? "is used by another program" : "cannot be opened on this computer";
  return new UsageError(
    {
      tr: `${port} numaralı portu ${tr}; başka bir --port verin ya da --port yazmayın, boş bir port seçilir.`,
      en: `Port ${port} ${en}; give another --port, or leave it out and a free one is picked.`,
    },
    { cause },
  );
}

function toOptions(flags: Flags): SandboxOptions {
  const limit = readFlag.count(flags, "requests-per-hour");
  const has = (name: string): boolean => flags[name] !== undefined;
  return {
    products: wholeFlag(flags, "products"),
    ...(has("packages") && { orders: { packages: wholeFlag(flags, "packages") } }),
    ...(has("questions") && { questions: { count: wholeFlag(flags, "questions") } }),
    latencyMs: wholeFlag(flags, "latency-ms"),
    ...(limit === undefined ? {} : { requestsPerHour: limit }),
    personality: parseBehavior(textsOf(flags["personality"])),
    faults: textsOf(flags["fault"]).map(parseFault),
    seed: String(flags["seed"]),
  };
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : [];

/** Reads a whole number from 0 up. Throws {@link UsageError} for anything else. */
function wholeFlag(flags: Flags, name: string): number {
  const complaint = {
    tr: `--${name} için 0 ya da daha büyük bir tam sayı verin.`,
    en: `Give --${name} a whole number from 0 up.`,
  };
  return flags[name] === 0 ? 0 : (readFlag.count(flags, name, { complaint }) ?? 0);
}

function toDocument({ baseUrl, clientKey, clientSecret, storeId, seed }: Sandbox): object {
  return {
    base_url: baseUrl,
    client_key: clientKey,
    client_secret: clientSecret,
    store_id: storeId,
    seed,
  };
}

function toText({ lang }: CommandContext, sandbox: Sandbox): string {
  const heading = {
    tr: "Yerel pazaryeri açık. Şu dört satırı ikinci bir terminale yapıştırın:",
    en: "The local marketplace is open. Paste these four lines into a second terminal:",
  };
  const closing = {
    tr: `Gelen isteklerin sayısı: ${sandbox.baseUrl}/_sandbox/inspection\nKapatmak için Ctrl-C.`,
    en: `Calls so far: ${sandbox.baseUrl}/_sandbox/inspection\nCtrl-C closes it.`,
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
