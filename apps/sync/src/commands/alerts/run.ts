/** Runs `catalog alerts`. Prints no secret, and takes none as a flag. */

import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, InputError, type Lang } from "@catalog/i18n";
import { ALERT_CAUSES, type Alerts, CHANNEL_KINDS } from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import { ALERT_ACTIONS, type AlertParts } from "./index.ts";
import { alertTexts } from "./texts.ts";

/** Returns the exit code. */
export async function runAlertsCommand(
  context: CommandContext,
  flags: Flags,
  parts: AlertParts,
): Promise<number> {
  const action = readFlag.word(flags, "action", ALERT_ACTIONS) ?? "list";
  const alerts = await context.openAlerts?.();
  if (alerts === undefined) throw new Error("the program gives no way to tell anything");
  if (action === "list") return await runList(context, alerts);
  if (action === "add") return await runAdd(context, flags, { ...parts, alerts });
  if (action === "check") return await runCheck(context, alerts);
  const name = readFlag.text(flags, "channel");
  return action === "test"
    ? await runTest(context, alerts, name)
    : await runRemove(context, alerts, name);
}

type ChannelView = Awaited<ReturnType<Alerts["list"]>>[number];

type GivenChannel = Parameters<Alerts["add"]>[1];

async function runList(context: CommandContext, alerts: Alerts): Promise<number> {
  await using connection = await context.openConnection();
  const views = await alerts.list(connection);
  if (context.json) {
    const channels = views.map((view) => toDocument(view, context.lang));
    printJson(context.terminal, { command: "alerts", exit: EXIT.done, channels });
    return EXIT.done;
  }
  const { none } = alertTexts[context.lang];
  if (views.length === 0) show(context, none);
  for (const view of views) showChannel(context, view);
  return EXIT.done;
}

const toIso = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

function toDocument(view: ChannelView, lang: Lang): object {
  const { channel, quiet, health, failure, arrivedAtMs, failedAtMs, waiting } = view;
  const { name, kind, place, causes, repeatMs, secret } = channel;
  return {
    name,
    kind,
    place,
    causes,
    repeat_seconds: repeatMs / 1000,
    quiet: quiet ?? null,
    secret_in: secret,
    health,
    last_arrived: toIso(arrivedAtMs),
    last_failed: toIso(failedAtMs),
    failure: failure === undefined ? null : { ...failure, message: failure.message[lang] },
    waiting,
  };
}

const INDENT = 4;

function show({ terminal }: CommandContext, text: string, indent = 0): void {
  const shown = terminal.shown(`${" ".repeat(indent)}${text}`);
  terminal.out(`${wrapText(shown, { columns: terminal.outColumns, indent })}\n`);
}

function showChannel(context: CommandContext, view: ChannelView): void {
  const { lang } = context;
  const texts = alertTexts[lang];
  const { name, kind, place, causes, repeatMs } = view.channel;
  const { quiet } = view;
  const time = (ms: number): string =>
    formatDateTime(ms, lang, { dateStyle: "short", timeStyle: "short" });
  show(context, name === kind ? `${kind}: ${place}` : `${name} (${kind}): ${place}`);
  show(context, texts.causes(causes, repeatMs), INDENT);
  if (quiet !== undefined) show(context, texts.quiet(quiet), INDENT);
  if (view.arrivedAtMs !== undefined) show(context, texts.arrived(time(view.arrivedAtMs)), INDENT);
  if (view.failure !== undefined) {
    const reason = view.failure.message[lang];
    show(context, texts.failing(time(view.failedAtMs ?? 0), reason, name), INDENT);
  } else if (view.health === "untried" || view.health === "stuck") {
    show(context, texts[view.health](name), INDENT);
  }
  if (view.waiting > 0) show(context, texts.waiting(view.waiting), INDENT);
}

interface AddParts extends AlertParts {
  readonly alerts: Alerts;
}

async function runAdd(context: CommandContext, flags: Flags, parts: AddParts): Promise<number> {
  const { lang, terminal } = context;
  const given = readChannel(flags, lang);
  const { alerts } = parts;
  const secret = alerts.needsSecret(given)
    ? await readSecret(context, flags, { ...parts, kind: given.kind })
    : NO_SECRET;
  if (secret === undefined) {
    terminal.err(`${alertTexts[lang].givenUp}\n`);
    return EXIT.interrupted;
  }
  await using connection = await context.openConnection();
  const isTried = flags["unchecked"] !== true;
  const added = await refuse(() => alerts.add(connection, given, { ...secret, isTried }));
  const { name } = added.channel;
  const views = await alerts.list(connection);
  const view = views.find(({ channel }) => added.isStored && channel.name === name);
  return showAdded(context, { ...added, view, place: secret.place });
}

type Added = Awaited<ReturnType<Alerts["add"]>> & {
  /** `undefined` where it was not stored. */
  readonly view: ChannelView | undefined;
  readonly place: GivenSecret["place"];
};

function showAdded(
  context: CommandContext,
  { channel: { name, secret }, tried, view, place }: Added,
): number {
  const { lang, json, terminal } = context;
  const texts = alertTexts[lang];
  const exit = view === undefined ? EXIT.stopped : EXIT.done;
  const failure = tried?.failure ?? null;
  const reason = failure?.message[lang] ?? "";
  if (json) {
    printJson(terminal, {
      command: "alerts",
      action: "add",
      exit,
      channel: view === undefined ? null : toDocument(view, lang),
      tried: tried !== undefined,
      ...(failure !== null && { error: { code: failure.code, message: reason } }),
    });
  } else if (view === undefined) terminal.err(`${terminal.shown(texts.notAdded(reason))}\n`);
  else {
    if (place === "keyring" && secret === "file") terminal.err(`${texts.noKeyring}\n`);
    show(context, texts.added(name, tried !== undefined));
  }
  return exit;
}

/** Turns what cannot be used into a message of the command line. */
async function refuse<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InputError) || error instanceof UsageError) throw error;
    throw new UsageError(error.localized, { cause: error });
  }
}

function readChannel(flags: Flags, lang: Lang): GivenChannel {
  const kind = CHANNEL_KINDS.find((known) => known === readFlag.text(flags, "channel"));
  if (kind === undefined) throw new UsageError(alertTexts.noKind);
  const causes = readFlag.words(flags, "causes", ALERT_CAUSES);
  const chat = flags["chat"];
  return {
    kind,
    lang,
    name: readFlag.text(flags, "name"),
    causes: causes.size === 0 ? undefined : [...causes],
    repeatMs: readFlag.duration(flags, "repeat"),
    quiet: readFlag.text(flags, "quiet-hours"),
    chat: typeof chat === "number" ? String(chat) : readFlag.text(flags, "chat"),
    smtp: readFlag.text(flags, "smtp"),
    user: readFlag.text(flags, "user"),
    from: readFlag.text(flags, "from"),
    to: readFlag.texts(flags, "to"),
    server: readFlag.text(flags, "server"),
  };
}

interface GivenSecret {
  readonly place: "keyring" | "file" | `env:${string}`;
  /** `undefined` where a variable has it. */
  readonly secret: string | undefined;
}

const NO_SECRET: GivenSecret = { place: "file", secret: undefined };

/** `undefined` where the question was cancelled. */
async function readSecret(
  { terminal, lang }: CommandContext,
  flags: Flags,
  { prompts, readInput, kind }: AlertParts & Pick<GivenChannel, "kind">,
): Promise<GivenSecret | undefined> {
  const named = readFlag.text(flags, "auth");
  if (named !== undefined) {
    const variable = /^env:(?<name>\w+)$/u.exec(named)?.groups?.["name"];
    // A secret that was put here by mistake is not repeated.
    if (variable === undefined) throw new UsageError(alertTexts.badSecret);
    return { place: `env:${variable}`, secret: undefined };
  }
  const place = flags["in-file"] === true ? "file" : "keyring";
  if (flags["secret-stdin"] === true) {
    const input = await readInput();
    // A terminal would show the typed secret.
    if (input === undefined) throw new UsageError(alertTexts.secretFromTerminal);
    return { place, secret: input.trim() };
  }
  if (!terminal.canAsk) throw new UsageError(alertTexts.needsTerminal);
  const answer = await prompts.askSecret(alertTexts[lang].secrets[kind]);
  return answer === undefined ? undefined : { place, secret: answer.trim() };
}

async function runTest(
  context: CommandContext,
  alerts: Alerts,
  name: string | undefined,
): Promise<number> {
  const { lang, json, terminal } = context;
  await using connection = await context.openConnection();
  const views = findChannels(await alerts.list(connection), name);
  const results: object[] = [];
  let exit: number = EXIT.done;
  for (const { channel } of views) {
    const { hasArrived, failure } = await alerts.test(connection, channel);
    if (!hasArrived) exit = EXIT.stopped;
    const message = failure === null ? null : failure.message[lang];
    results.push({
      name: channel.name,
      arrived: hasArrived,
      failure: failure === null ? null : { code: failure.code, message },
    });
    if (!json) show(context, alertTexts[lang].tested(channel.name, message));
  }
  if (json) printJson(terminal, { command: "alerts", action: "test", exit, results });
  return exit;
}

/** The named channel, or all. Throws {@link UsageError} where there is none. */
function findChannels(
  views: readonly ChannelView[],
  name: string | undefined,
): readonly ChannelView[] {
  const found = views.filter(({ channel }) => name === undefined || channel.name === name);
  if (found.length > 0) return found;
  throw new UsageError(views.length === 0 ? alertTexts.noChannels : alertTexts.unknown(name ?? ""));
}

async function runRemove(
  context: CommandContext,
  alerts: Alerts,
  name: string | undefined,
): Promise<number> {
  if (name === undefined) throw new UsageError(alertTexts.noName);
  await using connection = await context.openConnection();
  const [view] = findChannels(await alerts.list(connection), name);
  if (view === undefined) return EXIT.done;
  await alerts.remove(connection, view.channel);
  const { terminal, lang, json } = context;
  if (json) printJson(terminal, { command: "alerts", action: "remove", name, exit: EXIT.done });
  else show(context, alertTexts[lang].removed(name));
  return EXIT.done;
}

/** Looks once, as a worker does all the time. */
async function runCheck(context: CommandContext, alerts: Alerts): Promise<number> {
  const { lang, json, terminal, stop } = context;
  await using connection = await context.openConnection();
  const { open, sent, failed } = await alerts.check(connection, stop);
  const exit = failed > 0 ? EXIT.stopped : open.length > 0 ? EXIT.someFailed : EXIT.done;
  if (json) {
    const documents = open.map(({ document, text }) => ({
      ...document,
      id: undefined,
      text: text[lang],
    }));
    const counts = { open: documents, sent, failed };
    printJson(terminal, { command: "alerts", action: "check", exit, ...counts });
    return exit;
  }
  const texts = alertTexts[lang];
  if (open.length === 0) show(context, texts.nothingOpen);
  for (const { text } of open) show(context, text[lang]);
  if (sent + failed > 0) show(context, texts.told(sent, failed));
  return exit;
}
