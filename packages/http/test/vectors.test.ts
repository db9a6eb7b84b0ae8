import { operator } from "@telex/core";
import { groupTypes } from "@telex/core/storage";
import { httpVectors, playHttp } from "test-support/http-vectors";
import { expect, it } from "vitest";
import { overBothTransports } from "./setup.ts";

overBothTransports("what the interface says", (open) => {
  it.each(httpVectors)("$rule", async (vector) => {
    const given = await open();
    const room = async (type: number, name: string, members: readonly number[]): Promise<number> => {
      const groupType = Object.values(groupTypes).find((known) => known === type);
      if (groupType === undefined) throw new TypeError(`unknown group type ${type}`);
      return (await given.telex.operator.groups.add(operator, { groupType, name, members: [...members] })).groupId;
    };
    expect(await playHttp({ ...given, room }, vector)).toEqual([]);
    expect(given.log).toEqual([]);
  });
});
