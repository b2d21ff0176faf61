/** What engines can compute on. */
export const PROVIDERS = ['cpu', 'cuda', 'tensorrt', 'coreml', 'dml', 'webgpu'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** An engine that draws faces, as `GET /api/ai-tasks/engines` describes it. */
export interface EngineDescription {
  /** Name by which requests choose it. */
  readonly id: string;
  readonly kind: 'mesh' | 'network';
  /** Largest side of the face that it draws, pixels. */
  readonly resolution: number;
  /** What it computes on, in the order of trial. */
  readonly providers: readonly Provider[];
  /** Factor of a task's price. */
  readonly priceFactor: number;
}

/** Engine that draws faces where a request names none. */
export const DEFAULT_ENGINE = 'mesh';

/** Engines of the service. Networks of an operator work on the command line only. */
export const ENGINES: readonly EngineDescription[] = [
  { id: DEFAULT_ENGINE, kind: 'mesh', resolution: 1024, providers: ['cpu'], priceFactor: 1 },
];

/** Names of the engines. */
export const ENGINE_IDS: readonly string[] = ENGINES.map(({ id }) => id);
