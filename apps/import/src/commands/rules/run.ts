import type { Connection } from "@catalog/connection";
import { type Flags, UsageError, EXIT, textFlag, printJson } from "@catalog/console";
import {
  addRules,
  assertReadable,
  exportProfile,
  exportRules,
  forgetReadings,
  importProfile,
  importRules,
  isProfileFile,
  listRememberedReadings,
  readDefaultValues,
  removeDefaultValue,
  removeProfile,
  removeRule,
  ruleFieldName,
  saveDefaultValue,
} from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { RULE_ACTIONS } from "../../shared/flags.ts";
import { assertComplete, partOf } from "./parts.ts";
import { formatRules, formatSaved, RULE_TEXTS } from "./view.ts";

type Action = (typeof RULE_ACTIONS)[number];

/**
 * `catalog rules [ACTION]`: lists and changes what texts of files mean in this store, and the
 * profiles.
 */
export async function runRulesCommand(context: CommandContext, flags: Flags): Promise<number> {
  const action = readAction(textFlag(flags, "action"));
  assertComplete(action, flags);
  if (action === "import") await assertReadable(context.resolve(partOf(flags, "what")));
  await using connection = await context.openConnection();
  const done = await HANDLERS[action](context, connection, flags);
  if (context.json)
    printJson(context.terminal, { command: "rules", action, ...done.json, exit: done.exit });
  else context.terminal.out(done.text);
  return done.exit;
}

interface RulesResult {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly exit: number;
}

type Handler = (
  context: CommandContext,
  connection: Connection,
  flags: Flags,
) => Promise<RulesResult>;

/** The field whose default has to be a name of the store. */
const LISTED_FIELD = "shipping_template";

const HANDLERS: Readonly<Record<Action, Handler>> = {
  async list({ lang, terminal }, connection) {
    const { rules, profiles } = connection.memory;
    const lists = {
      rules: await rules.list(),
      defaults: Object.fromEntries(await readDefaultValues(profiles)),
      profiles: await profiles.list(),
      remembered: await listRememberedReadings(connection),
    };
    const text = formatRules(lists, { lang, columns: terminal.outColumns });
    return { text, json: lists, exit: EXIT.done };
  },
  async add({ lang }, connection, flags) {
    const [field, value] = [partOf(flags, "what"), partOf(flags, "value")];
    const targetId = textFlag(flags, "id");
    const target = partOf(flags, "meaning");
    const rules = await addRules(connection.memory, [{ field, value, target, targetId }]);
    return { text: formatSaved(rules, lang), json: { rules }, exit: EXIT.done };
  },
  async remove({ lang }, connection, flags) {
    const texts = RULE_TEXTS[lang];
    const profile = textFlag(flags, "profile");
    if (profile !== undefined) {
      await removeProfile(connection.memory, profile);
      return { text: texts.profileRemoved(profile), json: { profile }, exit: EXIT.done };
    }
    const rule = { field: partOf(flags, "what"), value: partOf(flags, "value") };
    const removed = await removeRule(connection.memory, rule);
    const text = removed ? texts.removed(rule.value) : texts.noSuchRule(rule.value);
    return { text, json: { removed }, exit: removed ? EXIT.done : EXIT.usage };
  },
  async default({ lang }, { memory }, flags) {
    const given = { field: partOf(flags, "what"), value: partOf(flags, "value") };
    const saved = await saveDefaultValue(memory.profiles, given);
    const { defaultSaved, defaultUnchecked } = RULE_TEXTS[lang];
    const told = defaultSaved(ruleFieldName(saved.field)[lang], saved.value);
    const text = saved.field === LISTED_FIELD ? `${told}${defaultUnchecked}` : told;
    return { text, json: { default: saved }, exit: EXIT.done };
  },
  async forget({ lang }, connection, flags) {
    const texts = RULE_TEXTS[lang];
    const what = partOf(flags, "what");
    if (await removeDefaultValue(connection.memory.profiles, what)) {
      return { text: texts.defaultRemoved(what), json: { forgotten: 1 }, exit: EXIT.done };
    }
    const forgotten = await forgetReadings(connection, what);
    const text = forgotten > 0 ? texts.forgotten(forgotten) : texts.nothingRemembered(what);
    return { text, json: { forgotten }, exit: forgotten > 0 ? EXIT.done : EXIT.usage };
  },
  async export({ lang, resolve }, connection, flags) {
    const path = resolve(partOf(flags, "what"));
    const name = textFlag(flags, "profile");
    if (name !== undefined) await exportProfile(connection.memory, { name, path });
    const count = name === undefined ? await exportRules(connection.memory, { path, lang }) : 1;
    return { text: RULE_TEXTS[lang].written(path), json: { path, count }, exit: EXIT.done };
  },
  async import({ lang, resolve, limits }, connection, flags) {
    const path = resolve(partOf(flags, "what"));
    const texts = RULE_TEXTS[lang];
    const encoding = textFlag(flags, "encoding");
    if (await isProfileFile(path)) {
      const { name } = await importProfile(connection.memory, path);
      return { text: texts.profileSaved(name), json: { profile: name }, exit: EXIT.done };
    }
    const rules = await importRules(connection.memory, { path, limits, encoding });
    return { text: formatSaved(rules, lang), json: { rules }, exit: EXIT.done };
  },
};

function readAction(text: string = "list"): Action {
  const action = RULE_ACTIONS.find((each) => each === text);
  if (action !== undefined) return action;
  throw new UsageError({
    tr: `"${text}" yapılamaz. Yapılabilenler: ${RULE_ACTIONS.join(", ")}.`,
    en: `"${text}" cannot be done. These can: ${RULE_ACTIONS.join(", ")}.`,
  });
}
