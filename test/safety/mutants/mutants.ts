/**
 * Safety rules, each switched off by changing one place of the engine while it is loaded. A
 * simulation that does not notice a mutant proves nothing about its rule.
 */

import { SOURCE_PATHS } from "../../helpers/source-paths.ts";
import { ACTION_MUTANTS } from "./action-mutants.ts";
import { DRAFT_MUTANTS } from "./draft-mutants.ts";
import { type Mutant, mutant } from "./mutant.ts";

/** Rules that protect a run from the behavior of a store, another machine or an older copy. */
const SHOP_MUTANTS: readonly Mutant[] = [
  mutant("address-as-typed", "the same store under another spelling gets another ledger", {
    file: SOURCE_PATHS.marketAddress,
    from: "const url = URL.parse(text);",
    to: "if (text !== undefined) return text;\n  const url = URL.parse(text);",
  }),
  mutant("believes-totals", "a listing ends at its stated total", {
    file: SOURCE_PATHS.paging,
    from: "return mayEnd && stated.size === 1 && total === position && !isFull;",
    to: "return total <= position;",
  }),
  mutant(
    "unproven-filter",
    "a filter is trusted that was never seen to find anything",
    {
      file: SOURCE_PATHS.filterTrust,
      from: "return (await marketplace.trustsFilter?.(filter, signal)) ?? true;",
      to: "return filter !== undefined || marketplace !== signal;",
    },
    {
      file: SOURCE_PATHS.filterProof,
      from: 'if (await trust.trustsFilter("product_code", signal)) return;',
      to: "if (signal?.aborted !== true) return;",
    },
  ),
  mutant(
    "no-second-look",
    "a plan that a person confirmed late is sent without another recheck",
    {
      file: SOURCE_PATHS.suspectAdds,
      from: "if (first === undefined) return;",
      to: "if (first === undefined || !isQuestioned) return;",
    },
    {
      file: SOURCE_PATHS.withAddRechecks,
      from: "if (adds === undefined) return rechecks;",
      to: "if (adds === undefined || adds !== undefined) return rechecks;",
    },
  ),
  mutant("sells-below-cost", "a product is sold for less than it costs", {
    file: SOURCE_PATHS.guardUpdate,
    from: "const why = judgeSale(paid, { ...cost, cost: cost.cost });",
    to: "const why = judgeSale(paid, { ...cost, cost: 0 });",
  }),
  mutant("letters-tell-codes-apart", "a code is added that looks like one of the store", {
    file: SOURCE_PATHS.decideRow,
    from: "if (lookAlike.length > 0) {",
    to: "if (lookAlike.length < 0) {",
  }),
  mutant(
    "knows-no-copy",
    "a request that a lost copy may have sent is sent again in a store that shows nothing",
    {
      file: SOURCE_PATHS.holdUnprovenAdds,
      from: "if (rows.size === 0 || (await isStoreVisible({ ...sender, signal: sender.stop }))) return;",
      to: "if (rows.size >= 0) return;",
    },
  ),
  mutant("refused-is-absent", "a refused add is sent again without a proof that it had no effect", {
    file: SOURCE_PATHS.absence,
    from: "const isProven = isProvenAbsent(history, visibility, history.lookedUpMs);",
    to: "const isProven = visibility.samples >= 0;",
  }),
  mutant(
    "refused-gives-its-code",
    "the code of a refused add is free before a lookup has proven it",
    {
      file: SOURCE_PATHS.recordLookup,
      from: "const keepsCode = !isProven;",
      to: "const keepsCode = isProven && !isProven;",
    },
  ),
  mutant("resume-is-young", "a plan that a later start resumes counts as a fresh one", {
    file: SOURCE_PATHS.updateRechecks,
    from: "const { keptAtMs = -Infinity } = recheck;",
    to: "const keptAtMs = recheck.keptAtMs ?? options.clock.now() - 1;",
  }),
  mutant(
    "sheet-tells-the-unit",
    "the unit of the store's prices is learned from the sheet",
    {
      file: SOURCE_PATHS.priceUnit,
      from: "return { ...UNKNOWN_UNIT, priceUnitQuestion: question };",
      to: `const { unit = "unknown" } = question.suggestion ?? {};
  return { priceUnit: unit, priceUnitBy: "sheet" };`,
    },
    {
      file: SOURCE_PATHS.priceUnitCount,
      from: "const MIN_PAIRS = 20;",
      to: "const MIN_PAIRS = 1;",
    },
  ),
  mutant("guards-no-unknown-unit", "a price is sent that could not be compared", {
    file: SOURCE_PATHS.guardUpdate,
    from: "if (!questioned) return sure;",
    to: "if (!questioned || questioned) return sure;",
  }),
];

/** Rules of what is never pruned, each switched off together with the trigger that holds it. */
const PRUNING_MUTANTS: readonly Mutant[] = [
  mutant(
    "prunes-adds",
    "an add that takes its code is deleted with its run",
    {
      file: SOURCE_PATHS.lastSentRequests,
      from: '(kind === "add" || (isAction(kind)',
      to: '((kind === "update" && state === "sending") || (isAction(kind)',
    },
    {
      file: SOURCE_PATHS.lastSentRequests,
      from: "if (productId === null) continue;",
      to: "if (productId !== undefined) continue;",
    },
    {
      file: SOURCE_PATHS.databaseRules,
      from: "OLD.kind = 'add' AND OLD.state IN",
      to: "OLD.kind = 'none' AND OLD.state IN",
    },
  ),
  mutant(
    "prunes-held",
    "a run is pruned while a row of it waits for a person",
    {
      file: SOURCE_PATHS.archiveIsOver,
      from: "rows > 0 && !STATE_TABLE.final.includes(state)",
      to: 'rows > 0 && state !== "held" && !STATE_TABLE.final.includes(state)',
    },
    {
      file: SOURCE_PATHS.databaseRules,
      from: "OR (OLD.state NOT IN (${inList(STATE_TABLE.final)}) AND (",
      to: "OR (OLD.state IN ('none') AND (",
    },
  ),
];

export const MUTANTS: readonly Mutant[] = [
  mutant("sends-unwritten", "an add is sent before it is stored", {
    file: SOURCE_PATHS.sendRow,
    from: "answer = await write(options.marketplace, record, attempt);",
    to: `answer = await write(options.marketplace, record, { beforeSend: () => undefined, signal: attempt.signal });
      attempt.beforeSend();`,
  }),
  mutant("no-double-rows", "rows with the same code are not recognized", {
    file: SOURCE_PATHS.duplicateCodes,
    from: "sameCode.set(row, rows);",
    to: "void row;",
  }),
  mutant("no-preflight", "the listing is not read for the products", {
    file: SOURCE_PATHS.readListing,
    from: `batch.push(
      toListedProductRow(product,`,
    to: `if (product.id !== undefined) continue;
    batch.push(toListedProductRow(product,`,
  }),
  mutant("approved-only", "only approved products are searched", {
    file: SOURCE_PATHS.findProducts,
    from: "export const STATUS_SWEEP: readonly ListingStatus[] = [",
    to: `export const STATUS_SWEEP: readonly ListingStatus[] = ["approved"];
export const REST = [`,
  }),
  // A product is looked for twice: where it was listed last, and in a sweep of two passes.
  mutant(
    "single-sweep",
    "a product that changes its status is missed",
    {
      file: SOURCE_PATHS.findProducts,
      from: `can slip past one pass.
  "approved",
  "passive",
];`,
      to: "\n];",
    },
    {
      file: SOURCE_PATHS.findProducts,
      from: "(await journal?.readSeenById(wanted)) ?? []",
      to: "(await journal?.readSeenById([])) ?? []",
    },
  ),
  mutant("reads-once", "codes and ids that a listing did not show are not looked up again", {
    file: SOURCE_PATHS.readListing,
    from: "if (sweeps === 0) return;",
    to: "if (sweeps >= 0) return;",
  }),
  mutant("moves-unseen", "a plan takes a store in which a product has moved for a still one", {
    file: SOURCE_PATHS.readListing,
    from: "isStill: isStill && ids.size === products,",
    to: "isStill,",
  }),
  mutant("one-strike", "a product is sold out that one version of its feed lacks", {
    file: SOURCE_PATHS.absences,
    from: "const MIN_ABSENCES = 2;",
    to: "const MIN_ABSENCES = 1;",
  }),
  mutant("counts-a-version-twice", "the same version of a feed counts as another one", {
    file: SOURCE_PATHS.absences,
    from: "const isCounted = (isSame && absences > 0) || absences >= MIN_ABSENCES;",
    to: "const isCounted = absences >= MIN_ABSENCES;",
  }),
  mutant("empties-again", "a stock that another writer gave to an absent product becomes 0", {
    file: SOURCE_PATHS.absences,
    from: "!isEmptied && !elsewhere.has(productId));",
    to: "!elsewhere.has(productId));",
  }),
  mutant("one-feed-speaks", "a product is sold out that another feed names", {
    file: SOURCE_PATHS.absences,
    from: "!isEmptied && !elsewhere.has(productId));",
    to: "!isEmptied);",
  }),
  mutant("takes-any-form", "a feed is taken although its decimal sign has changed", {
    file: SOURCE_PATHS.feedForm,
    from: 'if (was === undefined || is === undefined || was === is) return [];\n  return [\n    make("decimal"',
    to: 'if (was === undefined || is === undefined || was !== "") return [];\n  return [\n    make("decimal"',
  }),
  mutant("one-pass", "an export does not look for changes meanwhile", {
    file: SOURCE_PATHS.exportListings,
    from: "isSteady: isSteady && same.every(Boolean)",
    to: "isSteady: true",
  }),
  mutant("blames-totals", "an export blames totals for refused pages whose products have left", {
    file: SOURCE_PATHS.exportListings,
    from: "if (end?.refusal !== undefined && (await isPromised(reading, listing, end))) {",
    to: "if (end?.refusal !== undefined) {",
  }),
  mutant("no-boundary", "the total of an empty page that was promised does not count", {
    file: SOURCE_PATHS.paging,
    from: "if (isPromised) count.noteTotal(answer.total);",
    to: "",
  }),
  mutant("no-recheck", "a plan that has waited is sent without a recheck", {
    file: SOURCE_PATHS.holdAppeared,
    from: "if (waiting === undefined) return 0;",
    to: "return 0;",
  }),
  mutant("no-look", "what an update overwrites is not read again", {
    file: SOURCE_PATHS.updateRechecks,
    from: 'record.action !== "update" || isYoung(atMs);',
    to: 'record.action !== "update" || isYoung(atMs) || true;',
  }),
  mutant("trusts-the-plan", "what the plan has read counts as a recheck at the start of a run", {
    file: SOURCE_PATHS.updateRechecks,
    from: "const { keptAtMs = -Infinity } = recheck;",
    to: "const keptAtMs = options.clock.now();",
  }),
  mutant("resends-unlooked", "a row that is sent again is not rechecked", {
    file: SOURCE_PATHS.updateRechecks,
    from: 'record.action !== "update" || isYoung(atMs);',
    to: 'record.action !== "update" || record.attempts > 0 || isYoung(atMs);',
  }),
  mutant("look-lasts", "a recheck never expires, whatever pauses come after it", {
    file: SOURCE_PATHS.updateRechecks,
    from: "return ageMs >= 0 && ageMs <= maxAgeMs;",
    to: "return ageMs < Infinity || maxAgeMs < 0;",
  }),
  mutant("leaves-on-an-old-look", "the age of a recheck is not checked when the request is sent", {
    file: SOURCE_PATHS.sendAttempt,
    from: 'if (rechecked?.isFresh() === false) throw new SendDeferred("the last look is too old");',
    to: "",
  }),
  mutant("renews-for-nothing", "the result of a second recheck is ignored", {
    file: SOURCE_PATHS.sendAttempt,
    from: 'if (verdict.kind !== "go") throw new Overtaken();',
    to: "",
  }),
  mutant("rechecks-in-one-pass", "a recheck of adds misses a product that changes its status", {
    file: SOURCE_PATHS.addRechecks,
    from: "for (const status of STATUS_SWEEP)",
    to: "for (const status of STATUS_SWEEP.slice(0, 3))",
  }),
  mutant("compares-with-wanted", "a recheck compares the plan with what the row wants", {
    file: SOURCE_PATHS.judgeRecheck,
    from: "!isSameValue(planned[attribute] ?? null, now[attribute] ?? null);",
    to: "!isSameValue(planned[attribute] ?? null, body[field] ?? null);",
  }),
  mutant("undoes-to-the-plan", "an undo restores the values that the plan has read", {
    file: SOURCE_PATHS.updateRechecks,
    from: "await recheck.before.saveBefore(runId, kept);",
    to: "void kept;",
  }),
  mutant("undoes-to-ours", "a value that our own lost request has written is stored for the undo", {
    file: SOURCE_PATHS.judgeRecheck,
    from: "if (!wasSent) return now;",
    to: "if (!wasSent || planned !== undefined) return now;",
  }),
  mutant("stock-brings-price", "a price that waits is sent with the stock of its row", {
    file: SOURCE_PATHS.rowParts,
    from: "closed.size === 0 ? payload : omit(payload, closed)",
    to: "closed.size >= 0 ? payload : omit(payload, closed)",
  }),
  mutant("stock-waits", "a stock waits with the price that a guard holds", {
    file: SOURCE_PATHS.releaseStock,
    from: "of rows.filter(sendsStock)) {",
    to: "of rows.filter(sendsStock).slice(0, 0)) {",
  }),
  mutant("stock-is-all", "a row whose stock was sent is done, and its price never goes", {
    file: SOURCE_PATHS.sendRow,
    from: "toCarriedOut(record, toOutcome(options, record, outcome))",
    to: "[toCarriedOut, toOutcome(options, record, outcome)][1]",
  }),
  mutant("read-back-is-all", "a row whose stock is read back is done, and its price never goes", {
    file: SOURCE_PATHS.reconcileUpdates,
    from: "toCarriedOut(row.record, outcome)",
    to: "[toCarriedOut, outcome][1]",
  }),
  mutant(
    "stock-forgets-plan",
    "a price that waits is compared with what its stock has overwritten",
    {
      file: SOURCE_PATHS.judgeRecheck,
      from: "return { ...planned, ...pickListed(now, written) };",
      to: "return [now, planned, written][0];",
    },
  ),
  mutant("price-forgets-stock", "an undo restores the stock that the price of its row has found", {
    file: SOURCE_PATHS.judgeRecheck,
    from: "const isPart = record.changes.some(({ part }) => part !== undefined);",
    to: 'const isPart = record.changes.some(({ part }) => part === "waiting");',
  }),
  mutant("hold-forgets", "a row whose product has changed is not held", {
    file: SOURCE_PATHS.holdChangedRow,
    from: 'await journal.recordOutcome({ runId, row, from: "ready" }, { to: "held", ...outcome });',
    to: "void journal;",
  }),
  mutant("product-twice", "two rows of a sheet update one product", {
    file: SOURCE_PATHS.duplicateProducts,
    from: "const first = firstRowOf.get(productId);",
    to: "const first: number | undefined = undefined;",
  }),
  mutant("naive-retry", "a lost add is sent again", {
    file: SOURCE_PATHS.answerClass,
    from: 'if (answer.kind === "lost") return { to: "ambiguous"',
    to: 'if (answer.kind === "lost") return { to: "ready", cause: "unsent", next: "go-on" };\n  if (answer.kind === "lost") return { to: "ambiguous"',
  }),
  mutant("reset-is-unsent", "a broken connection counts as one that was never made", {
    file: SOURCE_PATHS.answerClass,
    from: 'if (answer.phase === "none")',
    to: 'if (answer.phase === "none" || answer.phase === "started")',
  }),
  mutant(
    "trusts-outages",
    "an outage is taken for a refusal",
    {
      file: SOURCE_PATHS.answerClass,
      from: '? "rejected" : "ambiguous"',
      to: '? "rejected" : "rejected"',
    },
    {
      file: SOURCE_PATHS.refusalTrust,
      from: "const evidence = await journal.readSignature(key);",
      to: "const evidence = await journal.readSignature(key);\n      if (signature.status >= 500) return true;",
    },
  ),
  mutant("garbage-is-refusal", "an answer that cannot be parsed rejects its row", {
    file: SOURCE_PATHS.answerClass,
    from: `  }
  return { to: "ambiguous", cause: "answer-without-id"`,
    to: `  }
  return { to: "rejected", cause: "answer-without-id"`,
  }),
  mutant("done-without-id", "an add without an id is done", {
    file: SOURCE_PATHS.answerClass,
    from: 'if (status === true && typeof productId === "string" && productId !== "") {',
    to: "if (status === true) {",
  }),
  mutant("lost-update-is-done", "a lost update counts as carried out", {
    file: SOURCE_PATHS.answerClass,
    from: `if (answer.kind !== "answered") return classifyFailure(answer);
  const { status, message }`,
    to: `if (answer.kind === "lost") return { to: "done", cause: "answer", next: "go-on" };
  if (answer.kind !== "answered") return classifyFailure(answer);
  const { status, message }`,
  }),
  mutant("no-fold", "codes are compared letter by letter", {
    file: SOURCE_PATHS.matchProduct,
    from: 'own.has(codeKey(one.product_code ?? ""))',
    to: '(one.product_code ?? "") === code',
  }),
  mutant("believes-the-filter", "every product that a lookup lists has the code", {
    file: SOURCE_PATHS.matchProduct,
    from: 'own.has(codeKey(one.product_code ?? ""))',
    to: "one !== undefined",
  }),
  mutant("partial-look", "a lookup that failed half way counts as a lookup", {
    file: SOURCE_PATHS.findProducts,
    from: `for await (const product of marketplace.listProducts({ ...query, status })) {
      yield { status, product };
    }`,
    to: `try {
      for await (const product of marketplace.listProducts({ ...query, status })) {
        yield { status, product };
      }
    } catch {
      continue;
    }`,
  }),
  mutant("looks-once", "an add is given up after one lookup", {
    file: SOURCE_PATHS.reconcile,
    from: "readonly number[] = [0, 1_000, 4_000, 10_000];",
    to: "readonly number[] = [0];",
  }),
  mutant("no-window", "an add is sent again after a short lookup", {
    file: SOURCE_PATHS.absence,
    from: "history.lookups < MIN_LOOKUPS || history.spreadMs < neededMs",
    to: "history.lookups < 1",
  }),
  mutant("own-clock", "the time before a resend is measured by a clock that jumps", {
    file: SOURCE_PATHS.absence,
    from: 'lookups.map(({ evidence }) => evidence["serverMs"])',
    to: "lookups.map(({ atMs }) => atMs)",
  }),
  mutant("no-canary", "an add is sent again in a store that shows nothing", {
    file: SOURCE_PATHS.absence,
    from: 'if (visibility.verdict !== "visible") {',
    to: "if (history.sentCount < 0) {",
  }),
  mutant("resume-resends", "a request of a dead process is sent again", {
    file: SOURCE_PATHS.ledger,
    from: "const outcome = isProven ? UNSENT : UNKNOWN;",
    to: "const outcome = found.length > 0 ? UNSENT : UNKNOWN;",
  }),
  mutant("never-let-go", "a request is sent without a mark, and counts as unsent", {
    file: SOURCE_PATHS.fileBeginnings,
    from: "markers.write(key);",
    to: "void markers;",
  }),
  mutant("keeps-claims", "a claim that was not sent is not given back", {
    file: SOURCE_PATHS.claimRows,
    from: "Promise.all(unsent.map((claim) => releaseClaim(journal, claim)));",
    to: "Promise.resolve(unsent);",
  }),
  // A claimed update that leaves twice does no harm; an add would, if adds were claimed.
  mutant(
    "foreign-attempt",
    "a claimed row is sent although another process has taken it over",
    {
      file: SOURCE_PATHS.claimRows,
      from: 'record.action === "update"',
      to: "record.action !== null",
    },
    {
      file: SOURCE_PATHS.fileBeginnings,
      from: "if (yield* isSending(claim)) return;",
      to: "yield* isSending(claim);\n    if (claim.attempt > 0) return;",
    },
    {
      file: SOURCE_PATHS.transitions,
      from: '.where("attempts", "=", sql',
      to: '.where("attempts", ">=", sql',
    },
  ),
  mutant(
    "no-unique-index",
    "two adds with one code may be under way",
    {
      file: SOURCE_PATHS.fileBeginnings,
      from: 'if (yield* isAction(action) ? isTaken.action(rival) : isTaken[action](rival)) return "taken";',
      to: 'if (isAction(action) && (yield* isTaken.action(rival))) return "taken";',
    },
    {
      file: SOURCE_PATHS.databaseTables,
      from: "CREATE UNIQUE INDEX one_add_per_code",
      to: "CREATE INDEX one_add_per_code",
    },
  ),
  mutant("no-sync", "a commit counts as written before it is on the disk", {
    file: SOURCE_PATHS.openFile,
    from: "PRAGMA synchronous=FULL",
    to: "PRAGMA synchronous=NORMAL",
  }),
  ...SHOP_MUTANTS,
  ...PRUNING_MUTANTS,
  ...DRAFT_MUTANTS,
  ...ACTION_MUTANTS,
  mutant(
    "no-compare-and-set",
    "a row changes its state from any other",
    {
      file: SOURCE_PATHS.transitions,
      from: '.where("state", "=", arg("from"))',
      to: '.where("attempts", ">=", 0)',
    },
    {
      file: SOURCE_PATHS.databaseRules,
      from: `at: "BEFORE UPDATE OF state ON run_row",
    refuses: \``,
      to: `at: "BEFORE UPDATE OF state ON run_row",
    refuses: \`FALSE AND `,
    },
  ),
];

export function mutantOf(name: string, mutants: readonly Mutant[] = MUTANTS): Mutant {
  const found = mutants.find((each) => each.name === name);
  if (found !== undefined) return found;
  const names = mutants.map((each) => each.name).join(", ");
  throw new RangeError(`no mutant is called "${name}"; there are ${names}`);
}
