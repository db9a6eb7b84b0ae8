import { useEffect } from "preact/hooks";
import { type App, useApp, useTexts } from "../app/context.ts";
import { useChatSignal } from "../chat/context.ts";
import { useRoomsSignal } from "../rooms/state/context.ts";
import { useTeleprinter } from "../teleprinter/state/context.ts";

/** Keeps the language and the theme of the document up to date. */
function useLook({ spoken, theme }: Pick<App["preferences"], "spoken" | "theme">): void {
  useEffect(() => {
    document.documentElement.lang = spoken.value;
  }, [spoken.value]);
  useEffect(() => {
    if (theme.value === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme.value;
  }, [theme.value]);
}

interface DocumentStateProps {
  /** The number of unread messages, or empty. */
  readonly unread: string;
  /** The name of the device, room or conversation that is open, or null. */
  readonly open: string | null;
}

/** Keeps the language, the theme and the title of the document up to date. */
export function DocumentState({ unread, open }: DocumentStateProps) {
  const { preferences, router, opened } = useApp();
  const texts = useTexts();
  const name = open ?? opened.value ?? texts[router.route.value.page];
  useLook(preferences);
  useEffect(() => {
    document.title = `${unread === "" ? "" : `(${unread}) `}${name} · ${texts.product}`;
  }, [unread, name, texts]);
  return null;
}

/** The name of the device, room or conversation that is open, or null until it is loaded. */
function useOpenName(): string | null {
  const { devices } = useTeleprinter();
  const rooms = useRoomsSignal();
  const chat = useChatSignal();
  const { deviceId, groupId, conversationId } = useApp().router.route.value;
  const device = devices.list.value?.find((one) => one.deviceId === deviceId);
  const room = rooms.value?.list.rooms.value?.find((one) => one.groupId === groupId);
  const conversation = chat.value?.conversations.list.value?.find(({ id }) => String(id) === conversationId);
  return device?.name ?? room?.groupName ?? conversation?.title ?? null;
}

/** Shows the unread count in the title of the document. */
export function UnreadState() {
  const teleprinter = useTeleprinter();
  const rooms = useRoomsSignal();
  const { unread, mentions } = rooms.value?.list ?? {};
  const count = teleprinter.unread.total.value + (unread?.value ?? 0);
  const forYou = mentions?.value ?? 0;
  return <DocumentState unread={forYou > 0 ? `@${forYou}` : count > 0 ? String(count) : ""} open={useOpenName()} />;
}
