import type { OperatorAccountsBody } from '@guise/contract/account/operator.ts';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatTime } from '../../ui/format.ts';
import { ListWithDetail } from '../../ui/list-with-detail.tsx';
import { usePages } from '../../ui/paging.tsx';
import { Account } from './account.tsx';

/** Lists accounts, with a search by email or name. An opened account replaces the list. */
export function Accounts() {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const accounts = usePages<OperatorAccountsBody>(`operator/accounts?q=${encodeURIComponent(search)}`);
  if (chosen !== null)
    return (
      <Account
        id={chosen}
        onBack={() => {
          setChosen(null);
          accounts.reload();
        }}
      />
    );
  return (
    <>
      <TextInput
        label="Search by email or name"
        mb="md"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ListWithDetail
        name="Accounts"
        empty="No account matches."
        of={accounts}
        head={['Email', 'Plan', 'Credits', 'State', 'Created']}
        openHead="Action"
        rowsOf={(data) =>
          data.accounts.map((each) => ({
            key: each.id,
            cells: [
              each.email,
              each.plan,
              each.credits.available,
              each.suspended ? 'suspended' : each.emailVerified ? 'verified' : 'not verified',
              formatTime(each.createdAt),
            ],
            open: { label: `Open ${each.email}`, onOpen: () => setChosen(each.id) },
          }))
        }
      />
    </>
  );
}
