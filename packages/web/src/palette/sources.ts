import { useEffect, useMemo, useState } from "preact/hooks";
import { useAccount } from "../app/account.ts";
import { useApp, useTexts } from "../app/context.ts";
import {
  accountHome,
  adminPage,
  chatHome,
  conversationPath,
  devicePath,
  home,
  places,
  roomPath,
  roomsHome,
} from "../app/route.ts";
import { themes } from "../app/preferences.ts";
import { useRoomsSignal } from "../rooms/state/context.ts";
import { useTeleprinter } from "../teleprinter/state/context.ts";
import { labelled } from "../teleprinter/state/names.ts";
import { type Item, matching } from "./items.ts";
import { usePaletteTexts } from "./texts.ts";
import { typingPause } from "../base/typing-pause.ts";

function useRoomItems(): readonly Item[] {
  const rooms = useRoomsSignal().value?.list.rooms.value ?? [];
  return rooms.map(({ groupId, groupName, groupNamePinyin }) => ({
    key: `room/${groupId}`,
    kind: "room",
    name: groupName,
    pinyin: groupNamePinyin,
    target: roomPath(groupId),
  }));
}

function useDeviceItems(): readonly Item[] {
  const devices = useTeleprinter().devices.list.value ?? [];
  return labelled(devices).map(({ device: { deviceId }, label }) => ({
    key: `device/${deviceId}`,
    kind: "device",
    name: label,
    target: devicePath(deviceId),
  }));
}

/** The number of conversations that are loaded. */
const mostConversations = 50;

const conversationItem = ({ id, title }: { readonly id: number; readonly title: string }): Item => ({
  key: `conversation/${id}`,
  kind: "conversation",
  name: title,
  target: conversationPath(id),
});

/** The newest conversations. If they cannot be loaded, the other items are still found. */
function useConversationItems(): readonly Item[] {
  const { server } = useAccount();
  const [items, setItems] = useState<readonly Item[]>([]);
  useEffect(() => {
    const fetched = server.ai.conversations({ page: 1, pageSize: mostConversations });
    fetched.then(({ list }) => setItems(list.map(conversationItem))).catch(() => {});
  }, [server]);
  return items;
}

/** The people who match the typed text. Choosing one opens the private chat. */
function usePeopleItems(typed: string): readonly Item[] {
  const rooms = useRoomsSignal().value;
  const { router, session, notices } = useApp();
  const { problem } = useTexts();
  const [items, setItems] = useState<readonly Item[]>([]);
  const canChat = session.way.value === "accounts";
  const find = useMemo(() => (rooms !== null && canChat ? rooms.people() : null), [rooms, canChat]);
  useEffect(() => {
    let isOld = false;
    const chatWith = (userId: number): void =>
      void rooms?.changes.chatWith(userId).then(
        ({ groupId }) => router.go(roomPath(groupId)),
        () => notices.show(problem.unknown),
      );
    const search = async (): Promise<void> => {
      const people = find === null || typed.trim() === "" ? [] : await find(typed.trim());
      const matches = people
        .filter(({ isModel }) => !isModel)
        .map(({ userId, nickname, about }) => ({
          key: `person/${userId}`,
          kind: "person" as const,
          name: nickname,
          pinyin: about,
          target: () => chatWith(userId),
        }));
      if (!isOld) setItems(matches);
    };
    const timer = setTimeout(() => void search().catch(() => {}), typingPause);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [find, typed]);
  return items;
}

/** The pages, and actions that are available everywhere. */
function useActionItems(): readonly Item[] {
  const { session, preferences } = useApp();
  const { person } = useAccount();
  const shared = useTexts();
  const texts = usePaletteTexts();
  const pages = [...places, ...(person.isAdmin ? [adminPage] : []), { page: "account", href: accountHome } as const];
  const action = (name: string, target: Item["target"]): Item => ({
    key: `action/${name}`,
    kind: "action",
    name,
    target,
  });
  const ways = [action(texts.newRoom, `${roomsHome}#new`), action(texts.privateChat, `${roomsHome}#chat`)];
  return [
    ...(session.way.value === "accounts" ? ways : []),
    action(texts.newConversation, `${chatHome}new`),
    action(texts.pair, `${home}#pair`),
    ...pages.map(({ page, href }): Item => ({ key: `page/${page}`, kind: "page", name: shared[page], target: href })),
    ...themes.map((theme) => action(texts.themes[theme], () => void (preferences.theme.value = theme))),
    action(texts.signOut, () => void session.signOut()),
  ];
}

/** All items that match the typed text. */
export function useFoundItems(typed: string): readonly Item[] {
  const listed = [...useRoomItems(), ...useDeviceItems(), ...useConversationItems(), ...useActionItems()];
  const people = usePeopleItems(typed);
  const shown = matching(listed, typed);
  const shownKeys = new Set(shown.map(({ name, kind }) => `${kind}/${name}`));
  return [...shown, ...people.filter(({ name }) => !shownKeys.has(`room/${name}`))];
}
