import { fc } from "test-support/property";
import { expect, it } from "vitest";
import { readCsv, writeCsv } from "./csv.ts";
import { mostListed, readPeopleList } from "./people-list.ts";

it("reads tables of spreadsheets with any separator, quotes, columns in another order and empty lines", () => {
  const text = '\uFEFFNickname;Room;Username\r\n"Dora; ""D."" D.";x;dora\r\n\r\n;;\r\nEmil;;emil\n';
  expect(readPeopleList(text)).toEqual([
    { line: 2, username: "dora", nickname: 'Dora; "D." D.', problem: null },
    { line: 5, username: "emil", nickname: "Emil", problem: null },
  ]);
  expect(readPeopleList("dora,Dora\nemil")).toMatchObject([
    { line: 1, username: "dora", nickname: "Dora" },
    { line: 2, username: "emil", nickname: undefined },
  ]);
});

it("names the lines that cannot be imported", () => {
  const text = `username,nickname\n,Nobody\n${"x".repeat(129)},\n"a\nb",ok\nlast,${"y".repeat(65)}`;
  expect(readPeopleList(text).map(({ line, problem }) => [line, problem])).toEqual([
    [2, "no_username"],
    [3, "too_long"],
    [4, null],
    [6, "too_long"],
  ]);
  const many = Array.from({ length: mostListed + 1 }, (_, index) => `u${index}`).join("\n");
  expect(readPeopleList(many).filter(({ problem }) => problem === "too_many")).toHaveLength(1);
});

it("reads what it has written, except for cells that would be formulas", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1 }), (rows) => {
      const kept = rows.filter(
        (row) => row.some((cell) => cell.trim() !== "") && row.every((cell) => cell === cell.trim()),
      );
      const safe = kept.map((row) => row.map((cell) => (/^[=+\-@]/.test(cell) ? `'${cell}` : cell)));
      expect(
        readCsv(`a,b\r\n${writeCsv(kept)}`)
          .slice(1)
          .map(({ cells }) => cells),
      ).toEqual(safe);
    }),
  );
});

it("reads cells of any length, however many quotes are in them", () => {
  const [long, quotes] = ["a".repeat(200_000), '"'.repeat(200_000)];
  expect(readCsv(`${long}${quotes},b`)).toEqual([{ line: 1, cells: [long + quotes, "b"] }]);
  expect(readCsv(`"${long}" ${quotes},b`)).toEqual([{ line: 1, cells: [`${long} ${quotes}`, "b"] }]);
  expect(readCsv(` "" "x",b`)).toEqual([{ line: 1, cells: ["x", "b"] }]);
});
