import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Page } from './page.tsx';

interface TabbedPageProps {
  readonly title: string;
  /** Path of the first tab. The others are below it. */
  readonly path: string;
  /** Id of the tab that is shown. */
  readonly tab: string;
  readonly tabs: readonly { readonly id: string; readonly name: string; readonly content: () => ReactNode }[];
}

/** A page whose tabs have paths of their own. */
export function TabbedPage({ title, path, tab, tabs }: TabbedPageProps) {
  const [, navigate] = useLocation();
  return (
    <Page title={title}>
      <Tabs
        value={tab}
        onChange={(id) => navigate(id === tabs[0]!.id ? path : `${path}/${id}`)}
        keepMounted={false}
      >
        <Tabs.List mb="lg" aria-label={title}>
          {tabs.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ id, content }) => (
          <Tabs.Panel key={id} value={id}>
            {content()}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
