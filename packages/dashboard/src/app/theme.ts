import { createTheme } from '@mantine/core';

/**
 * Uses only system fonts, so that nothing is loaded from other servers. Texts are 14 px unless a
 * size is given. Shade 7 of pine has a contrast of 4.5:1 on white. The dark greys become lighter
 * from the page (7) over cards (6) to what floats over them (5).
 */
export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '24px' },
      h2: { fontSize: '20px', lineHeight: '1.3' },
      h3: { fontSize: '16px' },
      h4: { fontSize: '14px' },
    },
  },
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
  },
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
    dark: [
      '#dde4e2',
      '#b9c4c1',
      '#93a09c',
      '#66736f',
      '#3a4644',
      '#2a3432',
      '#1b2221',
      '#111716',
      '#0c1110',
      '#070a0a',
    ],
  },
});
