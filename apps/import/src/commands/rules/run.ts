/** Lists, adds and removes what is remembered of files: rules, defaults, profiles. */

import { EXIT, type Flags, printJson, UsageError, readFlag } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import { formatDateTime, formatNumber, type Lang, type Localized } from "@catalog/i18n";
import { assertReadable, openRemembered, type RememberedLists } from "@catalog/importer";

import type { CommandContext } from "../../context.ts";
import { RULE_ACTIONS } from "../../flags.ts";
import { exampleOf } from "./examples.ts";
import {
  assertPriceFile,
  assertPriceWords,
  runCostAction,
  runPriceAction,
  runTryAction,
} from "./price-rules.ts";

const RULE_TEXTS = {
  tr: {
    none: 'Kayıtlı kural yok. Eklemek için: catalog rules add Marka "DOSYADAKİ" "Karşılığı"\n',
    profiles: "Sütun profilleri",
    mapped: (columns: number, fixed: number) => `${columns} sütun, ${fixed} sabit değer`,
    saved: (count: number) => `${count} kural kaydedildi.\n`,
    replaced: (value: string, before: string) => `  “${value}”, önceki karşılığı: ${before}\n`,
    unchecked:
      "Karşılıklar sıradaki planda mağazanın listelerinde aranır; bulunmayan bildirilir.\n",
    leftOpen: (rows: number) =>
      `Karşılığı boş ${formatNumber(rows, "tr")} satır atlandı; bu adlar açık kaldı.\n`,
    removed: (value: string) => `“${value}” için kural kaldırıldı.\n`,
    noSuchRule: (value: string) => `“${value}” için kayıtlı kural yok.\n`,
    undone: (count: number, at: string) =>
      `${at} tarihli değişiklik geri alındı (${formatNumber(count, "tr")} kural).\n`,
    changedSince: (value: string, now: string) =>
      `  “${value}” sonra yeniden değiştirilmiş; olduğu gibi kaldı: ${now}\n`,
    gone: "kural yok",
    nothingToUndo: "Geri alınacak bir kural değişikliği yok.\n",
    profileSaved: (name: string) =>
      `“${name}” profili kaydedildi. Kullanmak için: --profile ${name}\n`,
    profileRemoved: (name: string) => `“${name}” profili kaldırıldı.\n`,
    defaults: "Değeri boş yeni ürünlere yazılan varsayılanlar",
    defaultSaved: (field: string, value: string) =>
      `Değeri boş yeni ürünlerde “${field}” şu olacak: ${value}\nKaldırmak için: catalog rules forget "${field}"\n`,
    defaultUnchecked: "Sıradaki planda mağazanın listelerinde aranır; bulunmazsa bildirilir.\n",
    defaultRemoved: (field: string) => `“${field}” varsayılanı kaldırıldı.\n`,
    remembered: "Onaylanan dosyalardan hatırlananlar",
    toForget: (id: string) => `Birini unutmak için: catalog rules forget ${id}\n`,
    columns: "sütunlar",
    counted: (columns: number) => `${columns} sütun`,
    decimals: "ondalık ayırıcı",
    signs: { comma: "virgül", point: "nokta" },
    leftOut: "kullanılmaz",
    forgotten: (count: number) => `${count} kayıt unutuldu.\n`,
    nothingRemembered: (what: string) => `“${what}” için hatırlanan bir şey yok.\n`,
    written: (path: string) => `Yazıldı: ${path}\n`,
    allStores: "bütün mağazalar",
    isShared: (value: string) =>
      `“${value}” bütün mağazaların kuralı, yalnız bu mağazanın değil. Önce: catalog rules unshare\n`,
    sharing: {
      share: {
        done: (name: string) =>
          `“${name}” bundan sonra pazaryerinin bütün mağazalarında geçerli; kendi kuralı olan mağazada o geçerli kalır.\n`,
        none: (name: string) => `Bu mağazanın “${name}” için kendi kuralı yok.\n`,
      },
      unshare: {
        done: (name: string) => `“${name}” bundan sonra yalnız bu mağazada geçerli.\n`,
        none: (name: string) => `“${name}” için bütün mağazalarda geçerli bir kural yok.\n`,
      },
    },
  },
  en: {
    none: 'There are no rules. To add one: catalog rules add Brand "IN FILE" "Meaning"\n',
    profiles: "Column profiles",
    mapped: (columns: number, fixed: number) => `${columns} columns, ${fixed} fixed values`,
    saved: (count: number) => `${count === 1 ? "1 rule was" : `${count} rules were`} saved.\n`,
    replaced: (value: string, before: string) => `  “${value}” meant before: ${before}\n`,
    unchecked:
      "The next plan looks the meanings up in the store's lists, and reports what is not there.\n",
    leftOpen: (rows: number) =>
      `${rows === 1 ? "1 row without a meaning was" : `${formatNumber(rows, "en")} rows without a meaning were`} skipped and stay open.\n`,
    removed: (value: string) => `The rule for “${value}” was removed.\n`,
    noSuchRule: (value: string) => `There is no rule for “${value}”.\n`,
    undone: (count: number, at: string) =>
      `The change of ${at} was undone (${count === 1 ? "1 rule" : `${formatNumber(count, "en")} rules`}).\n`,
    changedSince: (value: string, now: string) =>
      `  “${value}” was changed again since and stays as it is: ${now}\n`,
    gone: "no rule",
    nothingToUndo: "There is no change of rules to undo.\n",
    profileSaved: (name: string) =>
      `The profile “${name}” was saved. To use it: --profile ${name}\n`,
    profileRemoved: (name: string) => `The profile “${name}” was removed.\n`,
    defaults: "Defaults of new products without a value",
    defaultSaved: (field: string, value: string) =>
      `New products without a value take this as “${field}”: ${value}\nTo remove it: catalog rules forget "${field}"\n`,
    defaultUnchecked:
      "The next plan looks it up in the store's lists, and reports it if it is not there.\n",
    defaultRemoved: (field: string) => `The default of “${field}” was removed.\n`,
    remembered: "Remembered from accepted files",
    toForget: (id: string) => `To forget one: catalog rules forget ${id}\n`,
    columns: "columns",
    counted: (columns: number): string => (columns === 1 ? "1 column" : `${columns} columns`),
    decimals: "decimal sign",
    signs: { comma: "comma", point: "point" },
    leftOut: "not used",
    forgotten: (count: number) =>
      `${count === 1 ? "1 entry was" : `${count} entries were`} forgotten.\n`,
    nothingRemembered: (what: string) => `Nothing is remembered as “${what}”.\n`,
    written: (path: string) => `Written: ${path}\n`,
    allStores: "all stores",
    isShared: (value: string) =>
      `The rule for “${value}” is one of all stores, not of this one alone. First: catalog rules unshare\n`,
    sharing: {
      share: {
        done: (name: string) =>
          `“${name}” now holds in all stores of the marketplace; where a store has its own, that stays.\n`,
        none: (name: string) => `This store has nothing of its own for “${name}”.\n`,
      },
      unshare: {
        done: (name: string) => `“${name}” now holds in this store only.\n`,
        none: (name: string) => `Nothing for “${name}” holds in all stores.\n`,
      },
    },
  },
} as const;

/** Says what was saved, and which rules it replaced. */
function formatSaved(rules: Awaited<ReturnType<Remembered["addRules"]>>, lang: Lang): string {
  const texts = RULE_TEXTS[lang];
  const replaced = rules.map(({ value, replaced: before }) =>
    before === undefined ? "" : texts.replaced(value, before),
  );
  return texts.saved(rules.length) + replaced.join("") + texts.unchecked;
}

const GAP = 2;

/** Lists the rules by field, then the profiles. */
function formatRules(
  { rules, defaults, profiles, remembered }: RememberedLists,
  { lang, columns, nameField }: Shape,
): string {
  const texts = RULE_TEXTS[lang];
  const names = rules.map(({ field }) => nameField(field)[lang]);
  const width = Math.max(0, ...names.map((name) => name.length)) + GAP;
  const markOf = (isShared: boolean | undefined): string =>
    isShared === true ? `  (${texts.allStores})` : "";
  const lines = rules.map(({ value, target, targetId, isShared }, index) => {
    const id = targetId === null ? "" : ` [${targetId}]`;
    const mark = markOf(isShared);
    const line = `${(names[index] ?? "").padEnd(width)}${value} → ${target}${id}${mark}`;
    return `${wrapText(line, { columns, indent: width })}\n`;
  });
  const saved = profiles.map(({ name, columns: mapped, constants, isShared }) => {
    const counts = texts.mapped(Object.keys(mapped).length, Object.keys(constants).length);
    return `  ${name}  ${counts}${markOf(isShared)}\n`;
  });
  const fixed = Object.entries(defaults).map(
    ([field, value]) => `  ${nameField(field)[lang]} = ${value}\n`,
  );
  const known = remembered.map((reading) => formatReading(reading, { lang, columns, nameField }));
  return [
    lines.length === 0 ? texts.none : lines.join(""),
    block(texts.defaults, fixed),
    block(texts.profiles, saved),
    block(texts.remembered, known),
    ...remembered.slice(0, 1).map(({ id }) => texts.toForget(id)),
  ].join("");
}

const block = (title: string, entries: readonly string[]): string =>
  entries.length === 0 ? "" : `\n${title}\n${entries.join("")}`;

type Remembered = ReturnType<typeof openRemembered>;

interface Shape extends Pick<Remembered, "nameField"> {
  readonly lang: Lang;
  readonly columns: number;
}

/** Formats one line: id, kind, file, and each header with its meaning. */
function formatReading(
  reading: RememberedLists["remembered"][number],
  { lang, columns, nameField }: Shape,
): string {
  const { id, kind, learntFrom, columnCount, entries } = reading;
  const texts = RULE_TEXTS[lang];
  const list = Object.entries(entries)
    .map(([header, meaning]) => `${header} → ${nameMeaning(meaning, { lang, nameField })}`)
    .join(" · ");
  const size = columnCount === undefined ? "" : ` (${texts.counted(columnCount)})`;
  const source = learntFrom === null ? "" : `, ${learntFrom}${size}`;
  const line = `  ${id}  ${texts[kind]}${source}: ${list}`;
  return `${wrapText(line, { columns, indent: id.length + 2 * GAP })}\n`;
}

function nameMeaning(meaning: string, { lang, nameField }: Omit<Shape, "columns">): string {
  const { signs, leftOut } = RULE_TEXTS[lang];
  if (meaning === "comma" || meaning === "point") return signs[meaning];
  return meaning === "-" ? leftOut : nameField(meaning)[lang];
}

type Action = (typeof RULE_ACTIONS)[number];
type Part = "what" | "value" | "meaning";

/** The actions on prices have words of their own. */
type PriceAction = "price" | "costs" | "try";
type RememberedAction = Exclude<Action, PriceAction>;

const isPriceAction = (action: Action): action is PriceAction =>
  action === "price" || action === "costs" || action === "try";

/** The words that an action cannot do without, in their order. */
const NEEDED: Readonly<Record<RememberedAction, readonly Part[]>> = {
  list: [],
  add: ["what", "value", "meaning"],
  remove: ["what", "value"],
  default: ["what", "value"],
  forget: ["what"],
  export: ["what"],
  import: ["what"],
  undo: [],
  share: ["what", "value"],
  unshare: ["what", "value"],
};

/** Throws `UsageError` with an example of the action where a word is missing. */
function assertComplete(action: RememberedAction, flags: Flags): void {
  const missing = neededBy(action, flags).find((part) => readFlag.text(flags, part) === undefined);
  if (missing === undefined) return;
  const question = ask(action, missing, flags);
  const isOfProfile = readFlag.text(flags, "profile") !== undefined;
  const toText = (lang: Lang): string => {
    const { example, help } = TEXTS[lang];
    return `${question[lang]}\n${example}: catalog ${exampleOf(action, lang, isOfProfile)}\n${help}`;
  };
  throw new UsageError({ tr: toText("tr"), en: toText("en") });
}

/** The text of a word that `assertComplete` has found. */
const partOf = (flags: Flags, part: Part): string => readFlag.text(flags, part) ?? "";

/** In place of a field, all rules of prices. */
const PRICES = "price";

/** An id stands for the meaning, and the name of a profile for the rule to remove. */
function neededBy(action: RememberedAction, flags: Flags): readonly Part[] {
  const isGiven = (name: string): boolean => readFlag.text(flags, name) !== undefined;
  const isOfSharing = action === "share" || action === "unshare";
  if ((action === "remove" || isOfSharing) && isGiven("profile")) return [];
  if (isOfSharing && readFlag.text(flags, "what") === PRICES) return [];
  return NEEDED[action].filter((part) => part !== "meaning" || !isGiven("id"));
}

const TEXTS = {
  tr: { example: "Örnek", help: "Bütün seçenekler için: catalog rules --help" },
  en: { example: "Example", help: "For all options: catalog rules --help" },
} as const;

function ask(action: RememberedAction, part: Part, flags: Flags): Localized {
  const [field, value] = [partOf(flags, "what"), partOf(flags, "value")];
  if (part === "meaning") {
    return {
      tr: `“${value}” değerinin karşılığı ne? Mağazadaki adını da yazın.`,
      en: `What does “${value}” mean? Add its name in the store.`,
    };
  }
  if (part === "value") return askForValue(action, field);
  if (action === "forget") {
    return {
      tr: "Ne unutulsun? Bir alan, “catalog rules” listesindeki bir kısaltma ya da all yazın.",
      en: "What is to be forgotten? Give a field, an id of the list of “catalog rules”, or all.",
    };
  }
  return action === "export" || action === "import"
    ? { tr: "Hangi dosya?", en: "Which file?" }
    : { tr: "Hangi alan?", en: "Which field?" };
}

const askForValue = (action: RememberedAction, field: string): Localized =>
  action === "default"
    ? {
        tr: `Yeni ürünlerde “${field}” boşsa ne yazılsın? Değeri de yazın.`,
        en: `What is to stand as “${field}” in new products without one? Add the value.`,
      }
    : {
        tr: `“${field}” alanının hangi değeri? Dosyada yazdığı gibi verin.`,
        en: `Which value of “${field}”? Give it as it stands in the file.`,
      };

/**
 * `catalog rules [ACTION]`: lists and changes what texts of files mean in this store, and the
 * profiles.
 */
export async function runRulesCommand(context: CommandContext, flags: Flags): Promise<number> {
  const action = readAction(readFlag.text(flags, "action"));
  if (isPriceAction(action)) return await runPrices(context, action, flags);
  assertComplete(action, flags);
  if (action === "import") await assertReadable(context.resolve(partOf(flags, "what")));
  await using connection = await context.openConnection();
  const done = await HANDLERS[action](context, openRemembered(connection), flags);
  if (context.json)
    printJson(context.terminal, { command: "rules", action, ...done.json, exit: done.exit });
  else context.terminal.out(done.text);
  return done.exit;
}

async function runPrices(
  context: CommandContext,
  action: PriceAction,
  flags: Flags,
): Promise<number> {
  assertPriceWords(action, flags);
  await assertPriceFile(action, context, flags);
  await using connection = await context.openConnection();
  const run = { price: runPriceAction, costs: runCostAction, try: runTryAction }[action];
  const done = await run(context, connection, flags);
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
  remembered: Remembered,
  flags: Flags,
) => Promise<RulesResult>;

/** The field whose default has to be a name of the store. */
const LISTED_FIELD = "shipping_template";

const HANDLERS: Readonly<Record<RememberedAction, Handler>> = {
  async list({ lang, terminal }, { list, nameField }) {
    const lists = await list();
    const text = formatRules(lists, { lang, columns: terminal.outColumns, nameField });
    return { text, json: { ...lists }, exit: EXIT.done };
  },
  async add({ lang }, { addRules }, flags) {
    const [field, value] = [partOf(flags, "what"), partOf(flags, "value")];
    const targetId = readFlag.text(flags, "id");
    const rules = await addRules([{ field, value, target: partOf(flags, "meaning"), targetId }]);
    return { text: formatSaved(rules, lang), json: { rules }, exit: EXIT.done };
  },
  share: ({ lang }, { share }, flags) => changeShared(lang, share, flags),
  unshare: ({ lang }, { unshare }, flags) => changeShared(lang, unshare, flags),
  async remove({ lang }, { list, removeProfile, removeRule }, flags) {
    const texts = RULE_TEXTS[lang];
    const profile = readFlag.text(flags, "profile");
    if (profile !== undefined) {
      await removeProfile(profile);
      return { text: texts.profileRemoved(profile), json: { profile }, exit: EXIT.done };
    }
    const rule = { field: partOf(flags, "what"), value: partOf(flags, "value") };
    const removed = await removeRule(rule);
    const isShared = !removed && (await isSharedRule(list, rule));
    const missing = isShared ? texts.isShared(rule.value) : texts.noSuchRule(rule.value);
    const text = removed ? texts.removed(rule.value) : missing;
    return { text, json: { removed }, exit: removed ? EXIT.done : EXIT.usage };
  },
  async undo({ lang }, { list, undoRules }) {
    const texts = RULE_TEXTS[lang];
    const undone = await undoRules();
    if (undone === undefined) {
      return { text: texts.nothingToUndo, json: { restored: [], left: [] }, exit: EXIT.usage };
    }
    const { restored, left, atMs } = undone;
    const { rules } = await list();
    const now = new Map(rules.map(({ key, target }) => [key, target]));
    const lines = left.map(({ before, after }) => {
      const rule = after ?? before;
      return texts.changedSince(rule?.value ?? "", now.get(rule?.key ?? "") ?? texts.gone);
    });
    const at = formatDateTime(atMs, lang, { dateStyle: "medium", timeStyle: "short" });
    return {
      text: texts.undone(restored.length, at) + lines.join(""),
      json: { restored, left },
      exit: left.length === 0 ? EXIT.done : EXIT.someFailed,
    };
  },
  async default({ lang }, { saveDefault, nameField }, flags) {
    const given = { field: partOf(flags, "what"), value: partOf(flags, "value") };
    const saved = await saveDefault(given);
    const { defaultSaved, defaultUnchecked } = RULE_TEXTS[lang];
    const told = defaultSaved(nameField(saved.field)[lang], saved.value);
    const text = saved.field === LISTED_FIELD ? `${told}${defaultUnchecked}` : told;
    return { text, json: { default: saved }, exit: EXIT.done };
  },
  async forget({ lang }, { forget, removeDefault }, flags) {
    const texts = RULE_TEXTS[lang];
    const what = partOf(flags, "what");
    if (await removeDefault(what)) {
      return { text: texts.defaultRemoved(what), json: { forgotten: 1 }, exit: EXIT.done };
    }
    const forgotten = await forget(what);
    const text = forgotten > 0 ? texts.forgotten(forgotten) : texts.nothingRemembered(what);
    return { text, json: { forgotten }, exit: forgotten > 0 ? EXIT.done : EXIT.usage };
  },
  async export({ lang, resolve }, { exportProfile, exportRules }, flags) {
    const path = resolve(partOf(flags, "what"));
    const name = readFlag.text(flags, "profile");
    if (name !== undefined) await exportProfile({ name, path });
    const count = name === undefined ? await exportRules({ path, lang }) : 1;
    return { text: RULE_TEXTS[lang].written(path), json: { path, count }, exit: EXIT.done };
  },
  async import({ lang, resolve, limits }, { importFile }, flags) {
    const path = resolve(partOf(flags, "what"));
    const file = { path, limits, encoding: readFlag.text(flags, "encoding") };
    const imported = await importFile(file);
    if ("rules" in imported) {
      const { rules, open } = imported;
      const left = open === 0 ? "" : RULE_TEXTS[lang].leftOpen(open);
      return { text: formatSaved(rules, lang) + left, json: { rules, open }, exit: EXIT.done };
    }
    const { name } = imported.profile;
    return { text: RULE_TEXTS[lang].profileSaved(name), json: { profile: name }, exit: EXIT.done };
  },
};

/** Whether the rule that is named is one of all stores. */
async function isSharedRule(
  list: Remembered["list"],
  { value }: { readonly value: string },
): Promise<boolean> {
  const { rules } = await list();
  return rules.some((rule) => rule.isShared === true && rule.value === value);
}

async function changeShared(
  lang: Lang,
  change: Remembered["share"],
  flags: Flags,
): Promise<RulesResult> {
  const profile = readFlag.text(flags, "profile");
  const [field, value] = [partOf(flags, "what"), partOf(flags, "value")];
  const named = profile === undefined ? { kind: "name" as const, field, value } : undefined;
  const what: Parameters<typeof change>[0] =
    profile === undefined
      ? ((field === PRICES ? undefined : named) ?? { kind: "prices" })
      : { kind: "profile", name: profile };
  const name = profile ?? (field === PRICES ? field : value);
  const isDone = await change(what);
  const action = readFlag.text(flags, "action") === "share" ? "share" : "unshare";
  const texts = RULE_TEXTS[lang].sharing[action];
  return {
    text: isDone ? texts.done(name) : texts.none(name),
    json: { [action === "share" ? "shared" : "unshared"]: isDone },
    exit: isDone ? EXIT.done : EXIT.usage,
  };
}

function readAction(text: string = "list"): Action {
  const action = RULE_ACTIONS.find((each) => each === text);
  if (action !== undefined) return action;
  throw new UsageError({
    tr: `"${text}" yapılamaz. Yapılabilenler: ${RULE_ACTIONS.join(", ")}.`,
    en: `"${text}" cannot be done. These can: ${RULE_ACTIONS.join(", ")}.`,
  });
}
