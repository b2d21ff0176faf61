import type { TaskDetailBody, TaskSummaryBody } from '@guise/contract/account/own.ts';
import { downloadZip } from 'client-zip';
import { account } from '../../api/account.ts';
import { localLink } from '../../api/ai-tasks.ts';
import { fetchFile } from '../../ui/fetch-file.ts';

/** Time for which the ZIP stays in memory after the click. */
const KEPT_MS = 60_000;

/** Saves the outputs of several tasks as one ZIP file. */
export async function downloadAll(tasks: readonly TaskSummaryBody[]): Promise<void> {
  const zip = await downloadZip(filesOf(tasks)).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(zip);
  link.download = 'swaps.zip';
  link.click();
  // Some browsers begin to read it only later.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

/** Fetches the outputs one by one, each with a name of its own. */
async function* filesOf(tasks: readonly TaskSummaryBody[]) {
  for (const { id } of tasks) {
    const { outputs, fileName } = await account<TaskDetailBody>('GET', `tasks/${id}`);
    const stem = (fileName ?? 'swap').replace(/\.[^.]*$/, '');
    for (const { url, index, contentType } of outputs) {
      if (url === undefined) continue;
      const name = `${stem}-${id.slice(0, 8)}-${index + 1}.${contentType.split('/')[1]}`;
      yield await fetchFile(localLink(url), name);
    }
  }
}
