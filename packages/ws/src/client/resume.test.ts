import { describe, expect, it } from "vitest";
import { createResume } from "./resume.ts";

const message = (groupId: number, messageId: number) => ({
  type: "GroupMessage",
  code: 200,
  data: { groupId, messageId },
});
const gap = (groupId: number, since: number, until: number) => ({
  type: "Gap",
  code: 200,
  data: { groupId, groupType: 1, since, until },
});
const text = (id: number) => ({ type: "TeleprinterMessage", code: 200, data: { id } });

function rooms(since?: string) {
  return createResume("rooms", { echo: "1", since }, () => {});
}

function feed(query: Readonly<Record<string, string>> = {}) {
  const acknowledged: number[] = [];
  const resume = createResume("teleprinter", { deviceId: "a", ...query }, (id) => acknowledged.push(id));
  return { resume, acknowledged };
}

describe("rooms resume", () => {
  it("from the newest message of all rooms, once there is one", () => {
    const resume = rooms();
    expect([resume.isWhole(), resume.query()]).toEqual([false, { echo: "1" }]);
    resume.receive(message(1, 7));
    resume.receive(message(2, 8));
    expect([resume.isWhole(), resume.query()]).toEqual([true, { echo: "1", since: "8" }]);
  });

  it("from where the caller says, and only forwards", () => {
    const resume = rooms("9");
    expect([resume.isWhole(), resume.query()]).toEqual([true, { echo: "1", since: "9" }]);
    // Several servers begin the replay earlier; unknown messages of a room are delivered.
    expect(resume.receive(message(1, 8))).toEqual(message(1, 8));
    expect(resume.query()).toEqual({ echo: "1", since: "9" });
  });

  it("without what was told before, in each room", () => {
    const resume = rooms("1");
    const ids = [message(1, 5), message(2, 6), message(1, 5), message(2, 3), message(2, 7), message(1, 6)];
    expect(ids.map((one) => resume.receive(one) !== null)).toEqual([true, true, false, false, true, true]);
  });

  it("before gaps until a message follows them, and tells only what is new in a gap", () => {
    const resume = rooms("3");
    expect(resume.receive(gap(1, 3, 2000))).toEqual(gap(1, 3, 2000));
    // Cut before the gap of room 2: all of them come again.
    expect(resume.query()).toEqual({ echo: "1", since: "3" });
    expect(resume.receive(gap(1, 3, 2000))).toBeNull();
    expect(resume.receive(gap(2, 3, 1999))).toEqual(gap(2, 3, 1999));
    expect(resume.receive(gap(1, 3, 2005))).toEqual(gap(1, 2000, 2005));
    expect(resume.receive(message(1, 2004))).toBeNull();
    expect(resume.receive(message(1, 2006))).toEqual(message(1, 2006));
    expect(resume.query()).toEqual({ echo: "1", since: "2006" });
  });
});

describe("the feed of a device resumes", () => {
  it("with acknowledgements, unless the caller does not want them", () => {
    expect(feed().resume.query()).toEqual({ deviceId: "a", ack: "1" });
    expect(feed().resume.isWhole()).toBe(true);
    const { resume, acknowledged } = feed({ ack: "0" });
    expect([resume.query(), resume.isWhole()]).toEqual([{ deviceId: "a", ack: "0" }, false]);
    resume.receive(text(1));
    resume.used(text(1));
    resume.receive(text(1));
    expect(acknowledged).toEqual([]);
  });

  it("with each text once, in whatever order they come, and acknowledges again what was used", () => {
    const { resume, acknowledged } = feed();
    expect([text(6), text(5), text(6)].map((one) => resume.receive(one) !== null)).toEqual([true, true, false]);
    resume.used(text(6));
    expect(acknowledged).toEqual([6]);
    expect([text(5), text(6)].map((one) => resume.receive(one))).toEqual([null, null]);
    expect(acknowledged).toEqual([6, 6]);
  });

  it("and remembers as many as can wait for a device", () => {
    const { resume } = feed();
    for (let id = 1; id <= 10_001; id += 1) resume.receive(text(id));
    expect(resume.receive(text(2))).toBeNull();
    expect(resume.receive(text(1))).toEqual(text(1));
  });
});

it("watchers and chats are not resumed", () => {
  for (const channel of ["teleprinter", "chat"] as const) {
    const resume = createResume(channel, {}, () => {});
    expect([resume.isWhole(), resume.query()]).toEqual([false, {}]);
    expect([text(1), text(1)].map((one) => resume.receive(one))).toEqual([text(1), text(1)]);
  }
});
