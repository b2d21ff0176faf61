import { createServer, type IncomingMessage, type Server } from 'node:http';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { type Grading, isGrade, parseGrading, type SheetGrades } from './grades.ts';
import type { SheetIndex } from './key.ts';

export interface GradePageSettings {
  /** The folder `sheets` of a set. */
  readonly sheetDir: string;
  /** File that is written after each grade, and read when the grader continues later. */
  readonly gradesFile: string;
  readonly grader: string;
}

/**
 * Makes the server of a page that shows the sheets one by one and takes grades from the keyboard.
 * The server does not listen yet.
 */
export async function createGradePage({ sheetDir, gradesFile, grader }: GradePageSettings): Promise<Server> {
  const { seed, sheets } = JSON.parse(
    await readFile(path.join(sheetDir, 'sheets.json'), 'utf8'),
  ) as SheetIndex;
  const html = await readFile(path.join(import.meta.dirname, 'grade-page.html'));
  const grades: Record<string, SheetGrades> = { ...(await readGrading(gradesFile, seed))?.grades };

  async function takeGrade(request: IncomingMessage): Promise<SheetGrades> {
    const { number, picture, grade } = JSON.parse(await text(request)) as Record<string, unknown>;
    const sheet = sheets.find((each) => each.number === number);
    if (!sheet?.graded.includes(picture as number) || !isGrade(grade)) {
      throw new Error('number, picture and grade must be those of a sheet.');
    }
    const [first, second] = grades[sheet.number] ?? [null, null];
    grades[sheet.number] = picture === 1 ? [grade, second] : [first, grade];
    const grading: Grading = { grader, seed, grades };
    await writeFile(`${gradesFile}.part`, `${JSON.stringify(grading, null, 1)}\n`);
    await rename(`${gradesFile}.part`, gradesFile);
    return grades[sheet.number]!;
  }

  return createServer(async (request, response) => {
    const file = sheets.flatMap(({ files }) => files).find((each) => request.url === `/sheets/${each}`);
    try {
      if (request.url === '/') response.setHeader('content-type', 'text/html').end(html);
      else if (request.url === '/set') response.end(JSON.stringify({ sheets, grades }));
      else if (file) response.end(await readFile(path.join(sheetDir, file)));
      else if (request.url === '/grades' && request.method === 'POST') {
        response.end(JSON.stringify({ grades: await takeGrade(request) }));
      } else response.writeHead(404).end();
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
}

async function readGrading(file: string, seed: number): Promise<Grading | null> {
  try {
    return parseGrading(await readFile(file, 'utf8'), seed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
