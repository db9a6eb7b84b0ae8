import type { z } from "zod";
import { imageName } from "../blobs/names.ts";
import { parseQuestionFiles, type QuestionFile } from "../records.ts";
import type { questionFileView } from "./contract.ts";
import type { QuotedFiles, QuotedPart } from "./quoted.ts";

/** The text of a question with its files; if there are pictures, text and pictures as parts, too. */
interface QuestionText {
  readonly content: string;
  readonly parts?: readonly QuotedPart[];
}

interface FilesOfQuestion {
  readonly stored: readonly QuestionFile[];
  readonly parts: readonly QuotedPart[];
}

/**
 * Reads the files of a question, one after the other.
 * @throws TelexError as {@link QuotedFiles.read} does
 */
export async function readQuestionFiles(
  quoted: QuotedFiles,
  userId: number,
  files: readonly { readonly file_id: string; readonly name: string }[],
): Promise<FilesOfQuestion> {
  const stored: QuestionFile[] = [];
  const parts: QuotedPart[] = [];
  for (const { file_id: fileId, name } of files) {
    const { file, part } = await quoted.read(userId, fileId, name);
    stored.push({ md5: file.md5, name, size: file.size, mime: file.mime, ext: file.ext });
    parts.push(part);
  }
  return { stored, parts };
}

/** A question with its files: the texts follow its words, and the pictures are parts. */
export function withFiles(words: string, files: readonly QuotedPart[]): QuestionText {
  const content = [words, ...files.flatMap((file) => ("text" in file ? file.text : []))].join("\n\n");
  const pictures = files.filter((file) => "image" in file);
  return pictures.length === 0 ? { content } : { content, parts: [{ text: content }, ...pictures] };
}

/** Maximum files of earlier questions that go into the prompt again, the newest ones. */
const maxEarlierFiles = 8;

/**
 * Earlier messages with their files, oldest first. The prompt names a file instead of quoting it if it was deleted, if the model does not take
 * it, or if newer files use up the limit.
 */
export async function recallFiles<Role>(
  quoted: QuotedFiles,
  { userId, takesImages }: { readonly userId: number; readonly takesImages: boolean },
  newestFirst: readonly { readonly role: Role; readonly content: string; readonly files: string | null }[],
): Promise<(QuestionText & { readonly role: Role })[]> {
  let left = maxEarlierFiles;
  const recall = async ({ md5, name, ext }: QuestionFile): Promise<QuotedPart> => {
    const named = { text: `The file ${JSON.stringify(name)}.` };
    if (left <= 0 || (ext !== "" && !takesImages)) return named;
    left -= 1;
    return quoted.read(userId, md5, name).then(
      ({ part }) => part,
      () => named,
    );
  };
  const messages: (QuestionText & { readonly role: Role })[] = [];
  for (const { role, content, files } of newestFirst) {
    const parts: QuotedPart[] = [];
    for (const file of parseQuestionFiles(files)) parts.push(await recall(file));
    messages.push({ role, ...withFiles(content, parts) });
  }
  return messages.toReversed();
}

/** A file of a question, as clients see it. */
interface QuestionFileView extends z.output<typeof questionFileView> {}

/** The files of a question, as clients see them. */
export const filesView = (json: string | null): QuestionFileView[] =>
  parseQuestionFiles(json).map(({ md5, name, size, mime, ext }) => ({
    file_id: md5,
    name,
    size,
    mime,
    url: ext === "" ? `/api/file/${md5}` : `/download/${imageName({ md5, ext })}`,
    thumbnail: ext === "" ? null : `/download/128_${imageName({ md5, ext })}`,
  }));
