/** Files that were uploaded for several stores, on both databases. */

import { describe, expect, it } from "vitest";

import { createDraftRepository, type DraftRepository } from "../../src/repositories/drafts.ts";
import {
  openTestTeam,
  TEAM_PLACES,
  type TeamPlace,
  TERMINAL,
  type TestTeam,
} from "../helpers/open-test-team.ts";

const FILE = { path: "/a.csv", sha256: "0a", bytes: 3, createdBy: null };

interface TwoStores extends TestTeam {
  readonly by: { readonly person: number; readonly key: null; readonly address: null };
  readonly stores: readonly number[];
  readonly draftsOf: (store: number) => DraftRepository;
  /** Makes a draft in each store. */
  readonly makeDrafts: (name: string) => Promise<readonly { store: number; draft: string }[]>;
}

async function openTwoStores(place: TeamPlace): Promise<TwoStores> {
  const opened = await openTestTeam(place);
  const { team, database, clock, add } = opened;
  const stores: number[] = [];
  for (const name of ["a", "b"]) {
    const credentials = { clientKey: "k", clientSecret: "s" };
    const address = { baseUrl: "https://api.example", storeId: `of-${name}` };
    stores.push((await team.stores.save({ name, ...address, ...credentials }, TERMINAL)).id);
  }
  const draftsOf = (store: number): DraftRepository =>
    createDraftRepository({
      database: { ...database.forStore(store), storeKey: () => store },
      clock,
      store: { baseUrl: "https://api.example", storeId: `of-${store}` },
    });
  return {
    ...opened,
    by: { person: await add("ayse"), key: null, address: null },
    stores,
    draftsOf,
    async makeDrafts(name) {
      const made: { store: number; draft: string }[] = [];
      for (const store of stores) {
        const draft = `d-${name}-${store}`;
        await draftsOf(store).create({ id: draft, name, ...FILE });
        made.push({ store, draft });
      }
      return made;
    },
  };
}

describe.each(TEAM_PLACES)("files for several stores on $name", (place) => {
  const { isOn } = place;

  it.skipIf(!isOn)(
    "name a draft of each store, and are written to the record of each",
    async () => {
      const { team, by, stores, makeDrafts, clock } = await openTwoStores(place);
      const drafts = await makeDrafts("liste.xlsx");

      const added = await team.sharedFiles.add({ name: "liste.xlsx", drafts }, by);

      expect(added).toMatchObject({ name: "liste.xlsx", person: by.person, drafts });
      expect(added.createdAtMs).toBe(clock.now());
      expect(await team.sharedFiles.read(added.id)).toEqual(added);
      const [first = { store: 0, draft: "" }, second = first] = drafts;
      expect(await team.sharedFiles.find(first)).toEqual(added);
      expect(await team.sharedFiles.find({ ...first, store: second.store })).toBeUndefined();
      for (const [at, store] of stores.entries()) {
        const [entry] = await team.audit.list({ store, limit: 1 });
        expect(entry).toMatchObject({
          action: "shared-file.add",
          store,
          subject: drafts[at]?.draft,
          after: { file: added.id, name: "liste.xlsx" },
          actor: by,
        });
      }
      await expect(team.sharedFiles.add({ name: "x", drafts: [] }, TERMINAL)).rejects.toMatchObject(
        {
          code: "E_PERSON_UNKNOWN",
        },
      );
    },
  );

  it.skipIf(!isOn)("are listed by their stores, the newest first", async () => {
    const { team, by, stores, makeDrafts } = await openTwoStores(place);
    const [a = 0, b = 0] = stores;
    const both = await team.sharedFiles.add({ name: "1", drafts: await makeDrafts("1") }, by);
    const [, ofB] = await makeDrafts("2");
    const one = await team.sharedFiles.add({ name: "2", drafts: ofB ? [ofB] : [] }, by);

    expect(await team.sharedFiles.list([a], 9)).toEqual([both]);
    expect(await team.sharedFiles.list([a, b], 9)).toEqual([one, both]);
    expect(await team.sharedFiles.list([b], 1)).toEqual([one]);
    expect(await team.sharedFiles.list([], 9)).toEqual([]);
    expect(await team.sharedFiles.read(99)).toBeUndefined();
  });

  it.skipIf(!isOn)("lose a draft that its store deletes, and end with the last one", async () => {
    const { team, by, draftsOf, makeDrafts } = await openTwoStores(place);
    const [first, second] = await makeDrafts("1");
    if (first === undefined || second === undefined) throw new Error("there are two stores");
    const { id } = await team.sharedFiles.add({ name: "1", drafts: [first, second] }, by);

    await draftsOf(first.store).remove(first.draft);
    const left = (await team.sharedFiles.read(id))?.drafts;
    await draftsOf(second.store).remove(second.draft);

    expect(left).toEqual([second]);
    expect(await team.sharedFiles.read(id)).toBeUndefined();
    expect(await team.sharedFiles.list([first.store, second.store], 9)).toEqual([]);
    const next = await makeDrafts("2");
    expect((await team.sharedFiles.add({ name: "2", drafts: next }, by)).drafts).toEqual(next);
  });
});
