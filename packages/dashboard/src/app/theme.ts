import { createTheme } from '@mantine/core';

/**
 * Uses only system fonts, so that nothing is loaded from other servers. Shade 7 has a contrast of
 * 4.5:1 on white.
 */
export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '600' },
  colors: {
    pine: [
      '#eaf8f5',
      '#d5efe9',
      '#a8dfd3',
      '#78cebc',
      '#50c0a9',
      '#37b79d',
      '#1f9a83',
      '#0d7466',
      '#0b6458',
      '#064a41',
    ],
  },
});
