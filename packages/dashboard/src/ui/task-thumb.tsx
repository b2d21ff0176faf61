import type { TaskSummaryBody } from '@guise/contract/account/own.ts';
import { isTerminal } from '@guise/contract/task.ts';
import { AlertIcon, BlockedIcon, TrashIcon } from '@primer/octicons-react';
import type { CSSProperties } from 'react';
import { localLink } from '../api/ai-tasks.ts';
import { useProgress } from '../api/task-feed.ts';
import { useOutputLink } from './output-link.ts';

/** A small picture of a task: its result, how far it is, or why there is nothing to see. */
export function TaskThumb({ task }: { task: TaskSummaryBody }) {
  const percent = Math.round(useProgress(task) * 100);
  if (!isTerminal(task.status)) {
    return (
      <span className="ring" style={{ '--share': `${percent}%` } as CSSProperties}>
        {percent}
      </span>
    );
  }
  if (task.status === 'FAILED') return <AlertIcon size={20} className="failed" />;
  if (task.status === 'CANCELLED' && task.preview === null) return <BlockedIcon size={20} />;
  if (task.preview === null) return <TrashIcon size={20} />;
  return <Picture of={task.preview} />;
}

function Picture({ of }: { of: NonNullable<TaskSummaryBody['preview']> }) {
  const { link } = useOutputLink(of);
  if (link === null) return <TrashIcon size={20} />;
  if (of.thumbnailUrl !== undefined) return <img src={localLink(of.thumbnailUrl)} alt="" loading="lazy" />;
  if (of.contentType.startsWith('image/')) return <img src={link} alt="" loading="lazy" />;
  return <video src={link} preload="metadata" muted playsInline aria-hidden tabIndex={-1} />;
}
