import { answerParent } from '../isolated-child.ts';
import type { ProbeRequest } from './isolated.ts';
import { probeVideo } from './probe.ts';

/** The forked side of `probeVideoIsolated`. */
answerParent(({ filePath, limits }: ProbeRequest) => probeVideo(filePath, limits));
