import { useEffect, useState } from "preact/hooks";
import type { MessageView } from "@telex/core";
import { roomPath } from "../app/route.ts";
import { TabLink } from "../ui/lists/tab-link.tsx";
import { pictureIn } from "../photo/picture.ts";
import { Print } from "../teleprinter/line.tsx";
import type { RoomView } from "./content/api.ts";
import { findLinks, readContent, type Segment, summarise } from "./content/content.ts";
import { useRooms } from "./state/context.ts";
import { PictureView } from "./picture-view.tsx";
import { useRoomTexts } from "./content/texts.ts";

type Of<K extends Segment["kind"]> = Extract<Segment, { readonly kind: K }>;

interface SegmentsProps {
  readonly segments: readonly Segment[];
  readonly view: Pick<RoomView, "groupId" | "groupType">;
  readonly sender: string;
}

function Address({ url }: { readonly url: string }) {
  return <TabLink href={url}>{url}</TabLink>;
}

/** A text with its addresses as links. */
function Words({ text }: { readonly text: string }) {
  const parts = findLinks(text);
  return <>{parts.map(({ text: part, isLink }, index) => (isLink ? <Address key={index} url={part} /> : part))}</>;
}

const isWord = (segment: Segment): segment is Of<"text" | "at"> => segment.kind === "text" || segment.kind === "at";

/** A text or a mention. */
function Part({ segment }: { readonly segment: Of<"text" | "at"> }) {
  if (segment.kind === "text") return <Words text={segment.text} />;
  return <span class="at">{`@${segment.name === "" ? segment.ext : segment.name}`}</span>;
}

/** Texts and mentions that follow on each other. */
function Paragraph({ segments }: { readonly segments: readonly Of<"text" | "at">[] }) {
  const [only] = segments;
  if (segments.length === 1 && only?.kind === "text" && pictureIn(only.text) !== null) {
    return <Print content={only.text} />;
  }
  return (
    <p class="print" dir="auto">
      {segments.map((segment, index) => (
        <Part key={index} segment={segment} />
      ))}
    </p>
  );
}

function FileLink({ name, url }: Of<"file">) {
  const texts = useRoomTexts();
  return url === null ? (
    <p class="file">
      {name} <span class="hint">{texts.unsupportedFile}</span>
    </p>
  ) : (
    <p class="file">
      <a href={url} download={name}>
        {name}
      </a>
    </p>
  );
}

/** The quoted message. A message that is not loaded is fetched. */
function useQuoted({ view, messageId }: { readonly view: SegmentsProps["view"]; readonly messageId: number }) {
  const { find } = useRooms();
  const [quoted, setQuoted] = useState<MessageView | null | undefined>(undefined);
  useEffect(() => {
    find(view, messageId).then(setQuoted, () => setQuoted(null));
  }, [find, view.groupId, messageId]);
  return quoted;
}

function Quote({ view, messageId }: { readonly view: SegmentsProps["view"]; readonly messageId: number }) {
  const texts = useRoomTexts();
  const quoted = useQuoted({ view, messageId });
  if (quoted === undefined) return <p class="quoted" />;
  if (quoted === null) return <p class="quoted">{texts.quoteGone}</p>;
  return (
    <a class="quoted" href={roomPath(view.groupId, messageId)} title={texts.showQuoted} dir="auto">
      <strong>{quoted.nickname}</strong> {summarise(readContent(quoted.content), texts.summary)}
    </a>
  );
}

/** Segments in runs: texts and mentions together, each other one by itself. */
function runsOf(segments: readonly Segment[]): readonly (readonly Segment[])[] {
  const runs: Segment[][] = [];
  for (const segment of segments) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && isWord(before) && isWord(segment)) last.push(segment);
    else runs.push([segment]);
  }
  return runs;
}

/** Stands for a recalled message. */
function Recalled() {
  return <p class="print">{useRoomTexts().summary.recalled}</p>;
}

function Run({ run, view, sender }: { readonly run: readonly Segment[] } & Omit<SegmentsProps, "segments">) {
  const [first] = run;
  switch (first?.kind) {
    case "text":
    case "at":
      return <Paragraph segments={run.filter(isWord)} />;
    case "image":
      return <PictureView file={first.file} sender={sender} />;
    case "file":
      return <FileLink {...first} />;
    case "reply":
      return <Quote view={view} messageId={first.messageId} />;
    case "recalled":
      return <Recalled />;
    case undefined:
      return null;
  }
}

/** The content of a message. */
export function Segments({ segments, view, sender }: SegmentsProps) {
  const runs = runsOf(segments).map((run, index) => <Run key={index} run={run} view={view} sender={sender} />);
  return <>{runs}</>;
}
