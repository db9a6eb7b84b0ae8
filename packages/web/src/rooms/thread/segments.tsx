import { useEffect, useState } from "preact/hooks";
import type { MessageView } from "@telex/core";
import { roomPath } from "../../app/route.ts";
import { TabLink } from "../../ui/lists/tab-link.tsx";
import { pictureIn } from "../../photo/picture.ts";
import { Print } from "../../teleprinter/line.tsx";
import type { RoomView } from "../content/api.ts";
import { findCode, findLinks, findReferences, readContent, type Segment, summarise } from "../content/content.ts";
import { cutFences } from "../content/fences.ts";
import { useRooms } from "../state/context.ts";
import { Icon } from "../../ui/forms/icon.tsx";
import { Code } from "./code.tsx";
import { PictureView } from "./picture-view.tsx";
import { useRoomTexts } from "../content/texts.ts";

/** A segment to draw. Code in a text is separate. */
type Drawn = Segment | { readonly kind: "code"; readonly text: string; readonly language: string };

type Of<K extends Drawn["kind"]> = Extract<Drawn, { readonly kind: K }>;

interface SegmentsProps {
  readonly segments: readonly Segment[];
  readonly view: Pick<RoomView, "groupId" | "groupType">;
  readonly sender: string;
}

function Address({ url }: { readonly url: string }) {
  return <TabLink href={url}>{url}</TabLink>;
}

/** A text with links to the messages that it refers to. */
function Referring({ text, groupId }: WordsProps) {
  const { showQuoted } = useRoomTexts();
  const parts = findReferences(text).map(({ text: part, messageId }, index) =>
    messageId === null ? (
      part
    ) : (
      <a key={index} class="reference" href={roomPath(groupId, messageId)} aria-label={showQuoted} title={showQuoted}>
        ↑
      </a>
    ),
  );
  return <>{parts}</>;
}

/** A text with links. */
function Linked({ text, groupId }: WordsProps) {
  const parts = findLinks(text).map(({ text: part, isLink }, index) =>
    isLink ? <Address key={index} url={part} /> : <Referring key={index} text={part} groupId={groupId} />,
  );
  return <>{parts}</>;
}

interface WordsProps {
  readonly text: string;
  readonly groupId: number;
}

/** A text with links and inline code. */
function Words({ text, groupId }: WordsProps) {
  const parts = findCode(text);
  return (
    <>
      {parts.map(({ text: part, isCode }, index) =>
        isCode ? <code key={index}>{part}</code> : <Linked key={index} text={part} groupId={groupId} />,
      )}
    </>
  );
}

const isWord = (segment: Drawn): segment is Of<"text" | "at"> => segment.kind === "text" || segment.kind === "at";

function Part({ segment, groupId }: { readonly segment: Of<"text" | "at">; readonly groupId: number }) {
  if (segment.kind === "text") return <Words text={segment.text} groupId={groupId} />;
  return <span class="at">{`@${segment.name === "" ? segment.ext : segment.name}`}</span>;
}

interface ParagraphProps {
  readonly segments: readonly Of<"text" | "at">[];
  readonly groupId: number;
}

/** Consecutive texts and mentions. */
function Paragraph({ segments, groupId }: ParagraphProps) {
  const [only] = segments;
  if (segments.length === 1 && only?.kind === "text" && pictureIn(only.text) !== null)
    return <Print content={only.text} />;
  return (
    <p class="print" dir="auto">
      {segments.map((segment, index) => (
        <Part key={index} segment={segment} groupId={groupId} />
      ))}
    </p>
  );
}

/** The maximum length of a file extension that is shown. */
const longestKind = 4;

/** The kind of a file, from its extension. */
const kindOf = (name: string): string =>
  name.includes(".")
    ? name
        .slice(name.lastIndexOf(".") + 1)
        .slice(0, longestKind)
        .toUpperCase()
    : "";

function FileLink({ name, url }: Of<"file">) {
  const texts = useRoomTexts();
  const about = (
    <>
      <span class="kind" aria-hidden="true">
        {kindOf(name)}
      </span>
      <b class="name" dir="auto">
        {name}
      </b>
    </>
  );
  if (url === null) {
    return (
      <p class="attached">
        {about}
        <span class="hint">{texts.unsupportedFile}</span>
      </p>
    );
  }
  return (
    <a class="attached" href={url} download={name}>
      {about}
      <Icon shape="save" />
    </a>
  );
}

/** The quoted message. If it is not loaded, it is fetched. */
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

/** Separates code from the rest of a text. */
function drawnOf(segment: Segment): readonly Drawn[] {
  if (segment.kind !== "text") return [segment];
  const parts = cutFences(segment.text);
  return parts.map((part) => (part.kind === "code" ? part : { kind: "text", text: part.text }));
}

/** Groups consecutive texts and mentions. Each other segment is a group of its own. */
function runsOf(segments: readonly Segment[]): readonly (readonly Drawn[])[] {
  const runs: Drawn[][] = [];
  for (const segment of segments.flatMap(drawnOf)) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && isWord(before) && isWord(segment)) last.push(segment);
    else runs.push([segment]);
  }
  return runs;
}

function Recalled() {
  return <p class="print">{useRoomTexts().summary.recalled}</p>;
}

function Run({ run, view, sender }: { readonly run: readonly Drawn[] } & Omit<SegmentsProps, "segments">) {
  const [first] = run;
  switch (first?.kind) {
    case "text":
    case "at":
      return <Paragraph segments={run.filter(isWord)} groupId={view.groupId} />;
    case "code":
      return <Code {...first} />;
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

export function Segments({ segments, view, sender }: SegmentsProps) {
  const runs = runsOf(segments).map((run, index) => <Run key={index} run={run} view={view} sender={sender} />);
  return <>{runs}</>;
}
