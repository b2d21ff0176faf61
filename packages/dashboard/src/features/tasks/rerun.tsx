import type { RerunBody, TaskDetailBody } from '@guise/contract/account/own.ts';
import { Text } from '@mantine/core';
import { account } from '../../api/account.ts';
import { useSession } from '../../session/session.tsx';
import { Form } from '../../ui/form.tsx';
import { formatTime } from '../../ui/format.ts';
import { navigate } from 'wouter/use-browser-location';

/** Shows a button that runs a task again, or the reason why that is impossible. */
export function Rerun({ task: { id, interface: over, rerun } }: { task: TaskDetailBody }) {
  const { me, reload } = useSession();
  const available = me?.credits.available ?? 0;
  const cost = rerun?.costCredits;
  const reason = whyNot();
  return (
    <Form
      submit={cost === undefined ? 'Run again' : `Run again for ${cost} credits`}
      isSecondary
      isDisabled={reason !== null}
      onSubmit={async () => {
        const { taskId } = await account<RerunBody>('POST', `tasks/${id}/rerun`);
        await reload();
        navigate(`/tasks/${taskId}`);
      }}
    >
      <Text>{reason ?? `Its uploads are stored until ${formatTime(rerun?.until ?? null)}.`}</Text>
    </Form>
  );

  function whyNot(): string | null {
    if (over === 'v1')
      return 'This task was sent through /v1; only the program that sent it can send it again.';
    if (cost === undefined) return 'Its files were deleted after it ended, so it cannot be run again.';
    if (cost > available) return `You have ${available} credits. Ask the operator for more.`;
    return null;
  }
}
