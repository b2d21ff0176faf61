import type { BlocklistBody } from '@guise/contract/account/operator.ts';
import { BLOCKLIST_FORM } from '@guise/contract/ai-tasks/forms.ts';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { account } from '../../api/account.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { formatTime } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { ShowPages, usePages } from '../../ui/paging.tsx';
import { FaceForm } from '../faces/face-form.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Lists people whose faces must not be used; adds and removes them. */
export function Blocklist() {
  const blocklist = usePages<BlocklistBody>('operator/blocklist');
  const [error, setError] = useState<string | null>(null);
  const remove = (id: string): void => {
    account('DELETE', `operator/blocklist/${id}`).then(blocklist.reload, (failure: Error) =>
      setError(failure.message),
    );
  };
  return (
    <Stack>
      <Failure>{error}</Failure>
      <Section title="Refuse the face of a person">
        <FaceForm
          form={BLOCKLIST_FORM}
          photos={{
            label: 'Photo',
            slot: 'Photo of the person',
            description: 'A photo of the person alone. It is not stored, only encrypted numbers of the face.',
          }}
          name={{ label: 'Name', description: 'By which you find the person.' }}
          text={{ label: 'Why', description: 'Why the face must not be used, such as who asked, and when.' }}
          submit="Add to the blocklist"
          onSend={async (body) => {
            await account('POST', 'operator/blocklist', body);
            blocklist.reload();
          }}
        />
      </Section>
      <ShowPages of={blocklist}>
        {(data) => (
          <DataTable
            name="Blocklist"
            empty="Nobody is on the blocklist."
            head={['Name', 'Why', 'Since', 'Action']}
            rows={data.people.map((each) => ({
              key: each.id,
              cells: [
                <span className="anywhere">{each.name}</span>,
                <span className="anywhere">{each.why}</span>,
                formatTime(each.createdAt),
                <ConfirmButton verb="Remove" what={each.name} onConfirm={() => remove(each.id)} />,
              ],
            }))}
          />
        )}
      </ShowPages>
    </Stack>
  );
}
