import '@mantine/core/styles/ColorSwatch.css';
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

export interface BarsProps {
  /** A row for each bar: its label under `label`, and a number under the name of each series. */
  readonly data: readonly Record<string, string | number>[];
  readonly series: readonly { readonly name: string; readonly color: string }[];
}

/** Bars with a part for each series. */
export function StackedBars({ data, series }: BarsProps) {
  return (
    <BarChart
      h={260}
      data={[...data]}
      dataKey="label"
      type="stacked"
      withLegend
      legendProps={{ itemSorter: null }}
      maxBarWidth={64}
      yAxisProps={{ allowDecimals: false }}
      series={[...series]}
    />
  );
}
