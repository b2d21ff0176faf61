import { answerParent } from '../isolation/isolated-child.ts';
import { loadNodeAv } from '../video/node-av.ts';
import type { ProbeRequest } from './isolated.ts';
import { probeVideo } from './probe.ts';

// The forked side of `probeVideoIsolated`.
await answerParent(({ filePath, limits }: ProbeRequest) => probeVideo(filePath, limits), [loadNodeAv]);
